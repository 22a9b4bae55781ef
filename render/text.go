package render

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// Text is the view for a person at a terminal.
func Text(v View, t Terminal) []byte {
	p := page{View: v, ages: true}
	w := &textWriter{terminal: t}
	w.head(p)
	for _, s := range p.sections() {
		w.section(s)
	}
	return w.Bytes()
}

// head prints what stands above the first section.
func (w *textWriter) head(p page) {
	w.lines("", "  ", append(phrase{{p.Doc.Name().String(), heading}, say("  ")}, p.standing()...))
	for _, line := range p.top() {
		w.lines("", "  ", line)
	}
	for _, e := range p.alarms() {
		w.entry("", e)
	}
}

// A textWriter prints sections. What is not the template's stands at least two columns in, and the second line of an
// entry deeper than the template's remarks on it, so that no text can pass for a heading or a remark.
type textWriter struct {
	bytes.Buffer
	terminal Terminal
	// heading stands in front of the title of a section.
	heading string
	// quoting keeps every text that is not the template's on one line, for readers that obey what they read.
	quoting bool
}

func (w *textWriter) section(s section) {
	if len(s.entries) == 0 {
		return
	}
	head := phrase{{w.heading + s.title, heading}}
	if s.gloss != "" {
		head = append(head, hush(" ("+s.gloss+")"))
	}
	w.WriteByte('\n')
	w.lines("", "  ", head)
	for _, e := range s.entries {
		w.entry("  ", e)
	}
}

func (w *textWriter) entry(indent string, e entry) {
	if e.mark == "" {
		w.lines(indent, indent, e.text)
		return
	}
	hang := indent + strings.Repeat(" ", len(e.mark)+1)
	w.lines(indent+e.mark+" ", hang+"  ", e.text)
	for _, line := range e.under {
		w.lines(hang, hang+"  ", line)
	}
	if e.output == "" {
		return
	}
	for line := range strings.SplitSeq(strings.TrimRight(Inert(e.output), "\n"), "\n") {
		for _, part := range Wrap(line, w.room(hang+"| ")) {
			w.WriteString(strings.TrimRight(hang+"| "+part, " ") + "\n")
		}
	}
}

// lines prints a phrase, its first line behind one prefix and the others behind another.
func (w *textWriter) lines(first, rest string, ph phrase) {
	f := w.flatten(ph)
	w.wrapped(first, rest, f, f.whole)
}

// wrapped is lines with words of which whole says whether they are never cut.
func (w *textWriter) wrapped(first, rest string, f flat, whole func(stretch) bool) {
	prefix := first
	for _, l := range wrap(f.text, w.room(rest), whole) {
		line := strings.TrimRight(prefix+f.paint(l, w.terminal.Color), " ")
		w.WriteString(line + "\n")
		prefix = rest
	}
}

// room is how many columns are left for text behind a prefix. Below that of two wide characters a line is no longer one.
func (w *textWriter) room(prefix string) int {
	return max(w.terminal.width()-len(prefix), 4)
}

// flat is a phrase as one inert string, with the role of each of its bytes.
type flat struct {
	text  string
	roles []role
}

func flatten(ph phrase) flat { return (&textWriter{}).flatten(ph) }

func (w *textWriter) flatten(ph phrase) flat {
	var f flat
	var b strings.Builder
	for _, s := range ph {
		text := w.inert(s)
		b.WriteString(text)
		f.roles = append(f.roles, slices.Repeat([]role{s.as}, len(text))...)
	}
	f.text = b.String()
	return f
}

// inert is the text of a span as it may reach a reader.
func (w *textWriter) inert(s span) string {
	switch {
	case s.as == told && w.quoting, s.as == code && w.quoting:
		return quoted(s.text)
	case s.as == told:
		return strings.Trim(Inert(s.text), "\n")
	case s.as == code, s.as == heading:
		return InertLine(s.text)
	case s.as == shared, s.as == worn, s.as == fresh:
		return Inert(s.text)
	}
	return s.text
}

// whole reports whether a word has in it an id, a path or the like, which a line break would spoil for copying.
func (f flat) whole(word stretch) bool {
	return word.width <= 64 && slices.Contains(f.roles[word.start:word.end], code)
}

// colours are the sequences that the template's roles have; the only escape codes that this package writes.
var colours = map[role]string{
	heading: "\x1b[1m", loud: "\x1b[1;31m", good: "\x1b[32m", faint: "\x1b[2m", code: "\x1b[36m",
	worn: "\x1b[31m", fresh: "\x1b[32m",
}

// paint is a stretch of the text, with colours if the terminal has them.
func (f flat) paint(l stretch, color bool) string {
	if !color {
		return f.text[l.start:l.end]
	}
	var b strings.Builder
	for i := l.start; i < l.end; {
		j := i
		for j < l.end && f.roles[j] == f.roles[i] {
			j++
		}
		if c := colours[f.roles[i]]; c != "" {
			fmt.Fprintf(&b, "%s%s\x1b[m", c, f.text[i:j])
		} else {
			b.WriteString(f.text[i:j])
		}
		i = j
	}
	return b.String()
}
