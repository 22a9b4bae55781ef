package render

import (
	"strings"
	"time"

	"git-handoff/gitstore/handoff"
)

// A Comparison is two versions of a handoff, or of two handoffs, and what changed from one to the other. Only
// Difference must be there.
type Comparison struct {
	Difference *handoff.Difference
	From, To   End
}

// An End is one side of a comparison, as far as it is known: what is compared need not be stored yet.
type End struct {
	Name handoff.Name
	OID  string
	When time.Time
	By   string
	// Label stands for an end that has no version, such as the working input.
	Label string
}

// DiffText is the comparison for a person at a terminal. Texts that changed are shown word by word: [-old-]{+new+}.
func DiffText(c Comparison, t Terminal) []byte {
	w := &textWriter{terminal: t}
	for _, line := range c.ends() {
		w.lines("", "  ", line)
	}
	if c.Difference.Empty() {
		w.lines("", "", phrase{say("No difference.")})
	}
	for _, s := range (comparer{c.Difference, true}).sections() {
		w.section(s)
	}
	return w.Bytes()
}

// DiffMarkdown is the comparison for a host, without a heading of its own; level is the Markdown of its headings, such
// as "### ".
func DiffMarkdown(c Comparison, level string) []byte {
	w := &markdownWriter{}
	var head []string
	for _, line := range c.ends() {
		head = append(head, w.phrase(line))
	}
	if c.Difference.Empty() {
		head = append(head, "No difference.")
	}
	if len(head) > 0 {
		w.WriteString(strings.Join(head, "\\\n") + "\n")
	}
	for _, s := range (comparer{c.Difference, false}).sections() {
		w.section(s, level)
	}
	return w.Bytes()
}

// endJSON is one end for programs.
type endJSON struct {
	Handoff string       `json:"handoff,omitempty"`
	Version string       `json:"version,omitempty"`
	At      handoff.Time `json:"at,omitzero"`
	By      string       `json:"by,omitempty"`
	Label   string       `json:"label,omitempty"`
}

// DiffJSON is the comparison for a program: the two ends, whether anything changed, and all that did.
func DiffJSON(c Comparison) ([]byte, error) {
	end := func(e End) endJSON {
		out := endJSON{Version: e.OID, At: handoff.TimeOf(e.When), By: e.By, Label: e.Label}
		if !e.Name.IsZero() {
			out.Handoff = e.Name.String()
		}
		return out
	}
	return encodeJSON(struct {
		From    endJSON `json:"from"`
		To      endJSON `json:"to"`
		Changed bool    `json:"changed"`
		*handoff.Difference
	}{end(c.From), end(c.To), !c.Difference.Empty(), c.Difference})
}

// ends are the lines that say what is compared.
func (c Comparison) ends() []phrase {
	var lines []phrase
	for _, e := range []struct {
		word string
		end  End
	}{{"from ", c.From}, {"to   ", c.To}} {
		if ph := e.end.phrase(); len(ph) > 0 {
			lines = append(lines, append(phrase{hush(e.word)}, ph...))
		}
	}
	return lines
}

func (e End) phrase() phrase {
	var ph phrase
	if !e.Name.IsZero() {
		ph = append(ph, quote(e.Name.String()))
	}
	if e.OID != "" {
		ph = append(comma(ph, say("version ")), id(e.OID))
	}
	if e.Label != "" {
		ph = comma(ph, fold(e.Label))
	}
	if !e.When.IsZero() {
		ph = comma(ph, say(moment(e.When)))
	}
	if e.By != "" {
		ph = append(ph, say(" by "), fold(e.By))
	}
	return ph
}

// A comparer makes the sections of a comparison. With words, texts are compared word by word; else old and new stand
// below one another, which is what can be made inert in Markdown.
type comparer struct {
	*handoff.Difference
	words bool
}

// sections are what changed, what a successor needs first in front.
func (c comparer) sections() []section {
	all := []section{c.text("next_action"), c.settled(), c.gone()}
	for _, t := range handoff.Texts {
		if t.Key != "next_action" {
			all = append(all, c.text(t.Key))
		}
	}
	for _, l := range handoff.Lists {
		all = append(all, c.list(l))
	}
	return append(all, c.facts()...)
}

// titleOf is a key of the document as a title.
func titleOf(key string) string {
	switch key {
	case "open":
		return "Open questions"
	case "next":
		return "Then"
	case "progress":
		return "State of the work"
	}
	key = strings.ReplaceAll(strings.TrimPrefix(key, "notes."), "_", " ")
	return strings.ToUpper(key[:1]) + key[1:]
}

// place is where an item was, or is, in the middle of a sentence.
func place(key string) string {
	switch key {
	case "next":
		return "the queue"
	case "next_action":
		return "the next action"
	}
	return strings.ToLower(titleOf(key))
}
