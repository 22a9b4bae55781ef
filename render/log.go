package render

import (
	"strings"
	"time"

	"git-handoff/gitstore/handoff"
)

// A Story is what became of a handoff, and below it of those that it superseded.
type Story struct {
	// Handoff is its full name.
	Handoff string
	// Instead are the handoffs that drive its work, from the next to the last; none if it drives itself. Ended tells that
	// the last of them is closed, too.
	Instead []string
	Ended   bool
	// Entries are its versions, the newest first.
	Entries    []LogEntry
	Supersedes []Story
}

// A LogEntry is one version in a handoff's story.
type LogEntry struct {
	OID     string
	When    time.Time
	Message handoff.Message
	// Merge marks a version with two parents.
	Merge bool
	// Resumed tells of a resume what came of it; nil of anything else.
	Resumed *Resumed
}

// Resumed tells how long after the save somebody took over, and what came of it.
type Resumed struct {
	// After is how long the brief had been saved by then, zero where that is not known.
	After time.Duration
	// What is the first thing that came of it, with its article, and In how long after the resume; "" for nothing.
	What string
	In   time.Duration
	// Outcome is succeeded, failed, undecided or unknown.
	Outcome string
}

// phrase tells it in words.
func (r *Resumed) phrase() phrase {
	var p phrase
	if r.After > 0 {
		p = append(p, say(length(r.After)+" after the save; "))
	}
	switch {
	case r.What != "":
		p = append(p, cheer(r.What), say(" followed "+length(r.In)+" later"))
	case r.Outcome == "undecided":
		p = append(p, say("nothing has come of it yet"))
	case r.Outcome == "failed":
		p = append(p, shout("nothing came of it"))
	default:
		p = append(p, say("what came of it is unknown, since the branch is not here"))
	}
	return p
}

// details are what the event says beside what every message says, such as the outcome of an archive.
func (e LogEntry) details() []handoff.Trailer {
	var all []handoff.Trailer
	for _, t := range e.Message.Trailers {
		key := strings.ToLower(strings.TrimPrefix(t.Key, "Handoff-"))
		all = append(all, handoff.Trailer{Key: strings.ReplaceAll(key, "-", "_"), Value: t.Value})
	}
	return all
}

// Log is a handoff's story for a person, as the entries come: the newest first. The stories of those that it superseded
// follow, each under what it was superseded by.
func Log(s Story, now time.Time, t Terminal) []byte {
	w := &textWriter{terminal: t}
	p := page{View: View{Now: now}, ages: true}
	if n := len(s.Instead); n > 0 {
		w.entry("", entry{mark: "!", text: s.instead()})
	}
	w.story(p, "", s)
	return w.Bytes()
}

// instead says which handoff drives the work of this one.
func (s Story) instead() phrase {
	next, last := s.Instead[0], s.Instead[len(s.Instead)-1]
	line := phrase{fold(s.Handoff), say(" drives nothing any more: "), quote(last), say(" does instead")}
	if s.Ended {
		line = phrase{fold(s.Handoff), say(" drives nothing any more: "), quote(last), say(" did instead, and is closed")}
	}
	if next != last {
		line = append(line, say(", which took over from "), fold(strings.Join(s.Instead[:len(s.Instead)-1], ", ")))
	}
	return line
}

func (w *textWriter) story(p page, indent string, s Story) {
	for _, e := range s.Entries {
		w.logEntry(p, indent, e)
	}
	for _, below := range s.Supersedes {
		w.WriteByte('\n')
		w.lines(indent, indent+"  ", phrase{fold(s.Handoff), {" supersedes ", heading}, {Folded(below.Handoff), heading}})
		w.story(p, indent+"  ", below)
	}
}

func (w *textWriter) logEntry(p page, indent string, e LogEntry) {
	first, rest := indent+"  ", indent+"    "
	w.lines(indent, rest, p.logHead(e))
	if e.Resumed != nil {
		w.lines(first, rest, e.Resumed.phrase())
	}
	if e.Message.Next != "" && e.tellsNext() {
		w.lines(first, rest, phrase{hush("next: "), fold(e.Message.Next)})
	}
	for _, d := range e.details() {
		w.lines(first, rest, phrase{fold(d.Key), hush(": "), fold(d.Value)})
	}
}

// tellsNext reports whether the next action is the event's own; a resume and a claim only repeat that of the save.
func (e LogEntry) tellsNext() bool {
	return e.Message.Event != handoff.EventResume && e.Message.Event != handoff.EventClaim
}

// logHead says which version it is, what made it, when, and who did.
func (p page) logHead(e LogEntry) phrase {
	m := e.Message
	head := phrase{id(e.OID), say("  "), {Folded(string(m.Event)), heading}}
	if e.Merge {
		head = append(head, hush(" (two parents)"))
	}
	if !e.When.IsZero() {
		head = append(head, say("  "), p.when(e.When))
	}
	if m.Actor != "" {
		head = append(head, say(" by "), fold(m.Actor))
	}
	if m.Session != "" {
		head = append(head, say(", session "), fold(m.Session))
	}
	if m.Status != handoff.Active && m.Status != "" {
		head = append(head, say(", "), status(m.Status))
	}
	return head
}

// logJSON is a version for programs.
type logJSON struct {
	Handoff    string            `json:"handoff,omitempty"`
	Version    string            `json:"version"`
	Event      handoff.Event     `json:"event"`
	Status     handoff.Status    `json:"status"`
	Actor      string            `json:"actor,omitempty"`
	Session    string            `json:"session,omitempty"`
	At         handoff.Time      `json:"at,omitzero"`
	NextAction string            `json:"next_action"`
	Instead    []string          `json:"instead,omitempty"`
	Under      string            `json:"under,omitempty"`
	Merge      bool              `json:"merge,omitempty"`
	Resumed    *resumedJSON      `json:"resumed,omitempty"`
	Details    map[string]string `json:"details,omitempty"`
}

// resumedJSON is what came of a resume, for programs.
type resumedJSON struct {
	AfterSeconds int    `json:"after_seconds,omitempty"`
	Outcome      string `json:"outcome"`
	What         string `json:"what,omitempty"`
	InSeconds    int    `json:"in_seconds,omitempty"`
}

// LogJSON is a handoff's story for a program: an array, empty if there is none. Each version names its handoff. The
// versions of a handoff that was superseded follow those of the one that did, which is what they are under; the newest
// version of one that is closed names the handoffs that drive its work instead.
func LogJSON(s Story) ([]byte, error) {
	return encodeJSON(appendLog([]logJSON{}, s, ""))
}

func appendLog(out []logJSON, s Story, under string) []logJSON {
	for i, e := range s.Entries {
		one := e.json()
		one.Handoff, one.Under = s.Handoff, under
		if i == 0 {
			one.Instead = s.Instead
		}
		out = append(out, one)
	}
	for _, below := range s.Supersedes {
		out = appendLog(out, below, s.Handoff)
	}
	return out
}

func (e LogEntry) json() logJSON {
	m := e.Message
	one := logJSON{
		Version: e.OID, Event: m.Event, Status: m.Status, Actor: m.Actor, Session: m.Session,
		At: handoff.TimeOf(e.When), NextAction: m.Next, Merge: e.Merge,
	}
	if r := e.Resumed; r != nil {
		one.Resumed = &resumedJSON{int(r.After.Seconds()), r.Outcome, r.What, int(r.In.Seconds())}
	}
	for _, d := range e.details() {
		if one.Details == nil {
			one.Details = map[string]string{}
		}
		one.Details[d.Key] = d.Value
	}
	return one
}
