package render

import (
	"time"

	"git-handoff/gitstore/handoff"
)

// A LogEntry is one version in a handoff's story.
type LogEntry struct {
	OID     string
	Event   string
	Status  handoff.Status
	Actor   string
	Session string
	At      time.Time
	Next    string
	// Merge marks a version with two parents.
	Merge bool
	// Details are what the event's message says beside this, such as the outcome of an archive, in order.
	Details []LogDetail
}

// A LogDetail is one trailer of an event's message, without the prefix that all of them have.
type LogDetail struct{ Key, Value string }

// Log is a handoff's story for a person, as the entries come: the newest first.
func Log(entries []LogEntry, now time.Time, t Terminal) []byte {
	w := &textWriter{terminal: t}
	p := page{View: View{Now: now}, ages: true}
	for _, e := range entries {
		head := phrase{id(e.OID), say("  "), {Folded(e.Event), title}}
		if e.Merge {
			head = append(head, hush(" (two parents)"))
		}
		if !e.At.IsZero() {
			head = append(head, say("  "), p.when(e.At))
		}
		if e.Actor != "" {
			head = append(head, say(" by "), fold(e.Actor))
		}
		if e.Session != "" {
			head = append(head, say(", session "), fold(e.Session))
		}
		if e.Status != handoff.Active && e.Status != "" {
			head = append(head, say(", "), status(e.Status))
		}
		w.lines("", "    ", head)
		if e.Next != "" {
			w.lines("  ", "    ", phrase{hush("next: "), fold(e.Next)})
		}
		for _, d := range e.Details {
			w.lines("  ", "    ", phrase{fold(d.Key), hush(": "), fold(d.Value)})
		}
	}
	return w.Bytes()
}

// logJSON is a version for programs.
type logJSON struct {
	Version    string            `json:"version"`
	Event      string            `json:"event"`
	Status     handoff.Status    `json:"status"`
	Actor      string            `json:"actor,omitempty"`
	Session    string            `json:"session,omitempty"`
	At         handoff.Time      `json:"at,omitzero"`
	NextAction string            `json:"next_action"`
	Merge      bool              `json:"merge,omitempty"`
	Details    map[string]string `json:"details,omitempty"`
}

// LogJSON is a handoff's story for a program: an array, empty if there is none.
func LogJSON(entries []LogEntry) ([]byte, error) {
	out := make([]logJSON, 0, len(entries))
	for _, e := range entries {
		one := logJSON{
			Version: e.OID, Event: e.Event, Status: e.Status, Actor: e.Actor, Session: e.Session,
			At: handoff.TimeOf(e.At), NextAction: e.Next, Merge: e.Merge,
		}
		for _, d := range e.Details {
			if one.Details == nil {
				one.Details = map[string]string{}
			}
			one.Details[d.Key] = d.Value
		}
		out = append(out, one)
	}
	return encodeJSON(out)
}
