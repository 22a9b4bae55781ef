package render

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"git-handoff/gitstore/handoff"
)

// A Row is one handoff in a list, as far as its version's message tells.
type Row struct {
	Name    handoff.Name
	OID     string
	When    time.Time
	Message handoff.Message
	// Stale marks a handoff that was not saved for longer than handoff.staleAfter.
	Stale bool
	// Moved is how many commits the branch got since; 0 or less says nothing.
	Moved int
	// Current marks those of the branch that is checked out.
	Current bool
	// Remote is the remote that has it, if it is not here.
	Remote string
	// Remotes say where each remote's version stands, seen from this one, if it is here.
	Remotes []Remote
}

// saved is when the brief was saved, as far as that is known.
func (r *Row) saved() time.Time {
	if at := r.Message.Saved; !at.IsZero() {
		return at.Std()
	}
	return r.When
}

// usualLine is how long most lines are, in bytes.
const usualLine = 100

// widestName is how far one long name moves the other columns at most.
const widestName = 50

// List is the handoffs for a person: one line each, names whole, the next action cut to what is left of the line, or to
// a second line if that is too little.
// Without a terminal nothing is cut.
func List(rows []*Row, now time.Time, t Terminal) []byte {
	w := &textWriter{terminal: t}
	made := make([]cells, len(rows))
	names, ages, actors := 0, 0, 0
	for i, r := range rows {
		c := cellsOf(r, now)
		names, ages, actors = max(names, Width(c.name)), max(ages, Width(c.age)), max(actors, Width(c.actor))
		made[i] = c
	}
	names = min(names, widestName)
	w.Grow(len(rows) * usualLine)
	columns := make(phrase, 0, 24) // one line after the other in the same room
	for i, r := range rows {
		mark := "  "
		if r.Current {
			mark = "* "
		}
		columns = append(columns[:0], say(mark), span{Pad(made[i].name, names), heading}, say("  "),
			hush(Pad(made[i].age, ages)), say("  "), span{Pad(made[i].actor, actors), told}, say("  "))
		columns = rowState(columns, r)
		w.row(columns, r.Message.Next)
	}
	return w.Bytes()
}

// cells are a row's columns, each made once however many rows there are.
type cells struct{ name, age, actor string }

func cellsOf(r *Row, now time.Time) cells {
	return cells{InertLine(r.Name.String()), rowAge(r, now), rowActor(r)}
}

// row prints the columns and as much of the last one as fits, on a line of its own where little would.
func (w *textWriter) row(columns phrase, last string) {
	const indent = "    "
	last = Folded(last)
	if width := w.terminal.Width; width > 0 {
		room := width - Width(flatten(columns).text)
		if room < 20 && Width(last) > room {
			w.wrapped("", indent, w.flatten(columns), func(stretch) bool { return true })
			columns, room = phrase{say(indent)}, w.room(indent)
		}
		last = Cut(last, room)
	}
	w.line(append(columns, span{last, told}))
}

// line prints a phrase on one line, however long.
func (w *textWriter) line(ph phrase) {
	if w.terminal.Color {
		f := flatten(ph)
		w.WriteString(strings.TrimRight(f.paint(stretch{end: len(f.text)}, true), " ") + "\n")
		return
	}
	start := w.Len()
	for _, s := range ph {
		w.WriteString(w.inert(s))
	}
	w.Truncate(start + len(bytes.TrimRight(w.Bytes()[start:], " ")))
	w.WriteByte('\n')
}

func rowAge(r *Row, now time.Time) string {
	if r.saved().IsZero() {
		return ""
	}
	return Age(now, r.saved())
}

func rowActor(r *Row) string { return Cut(Folded(r.Message.BriefAuthor()), 20) }

// rowState adds what is unusual about a handoff, in brackets.
func rowState(state phrase, r *Row) phrase {
	add := func(s ...span) { state = append(append(append(state, say("[")), s...), say("] ")) }
	if r.Message.Status != handoff.Active && r.Message.Status != "" {
		add(status(r.Message.Status))
	}
	switch r.Message.Progress {
	case handoff.Blocked:
		add(shout("blocked"))
	case handoff.ProgressDone:
		add(cheer("done"))
	}
	if r.Stale {
		add(shout("stale"))
	}
	if r.Moved > 0 {
		add(say(count(r.Moved, "commit") + " since"))
	}
	if r.Remote != "" {
		add(say("on "), fold(r.Remote))
	}
	for _, at := range r.Remotes {
		if words := at.apart(); words != "" {
			add(fold(at.Name), say(": "+words))
		}
	}
	return state
}

// apart says how a remote's version differs; "" where it does not, or where the remote was never asked.
func (r Remote) apart() string {
	switch r.State {
	case Ahead:
		return fmt.Sprintf("%d ahead", r.Ahead)
	case Behind:
		return fmt.Sprintf("%d behind", r.Behind)
	case Diverged, NotPushed:
		return string(r.State)
	}
	return ""
}

// rowJSON is a row for programs.
type rowJSON struct {
	Handoff    string           `json:"handoff"`
	Branch     string           `json:"branch"`
	Topic      string           `json:"topic"`
	Status     handoff.Status   `json:"status"`
	Progress   handoff.Progress `json:"progress,omitempty"`
	Event      handoff.Event    `json:"event"`
	Version    string           `json:"version"`
	SavedAt    handoff.Time     `json:"saved_at,omitzero"`
	Actor      string           `json:"actor,omitempty"`
	Session    string           `json:"session,omitempty"`
	NextAction string           `json:"next_action"`
	Stale      bool             `json:"stale"`
	Moved      int              `json:"commits_since,omitempty"`
	Current    bool             `json:"current"`
	Remote     string           `json:"remote,omitempty"`
	Remotes    []rowRemoteJSON  `json:"remotes,omitempty"`
}

// rowRemoteJSON is where a remote's version stands, for programs.
type rowRemoteJSON struct {
	Name   string      `json:"name"`
	State  RemoteState `json:"state"`
	Ahead  int         `json:"ahead"`
	Behind int         `json:"behind"`
}

// ListJSON is the handoffs for a program: an array, empty if there are none.
func ListJSON(rows []*Row) ([]byte, error) {
	out := make([]rowJSON, 0, len(rows))
	for _, r := range rows {
		var remotes []rowRemoteJSON
		for _, at := range r.Remotes {
			remotes = append(remotes, rowRemoteJSON(at))
		}
		out = append(out, rowJSON{
			Handoff: r.Name.String(), Branch: r.Name.Branch, Topic: r.Name.Topic, Status: r.Message.Status, Progress: r.Message.Progress,
			Event: r.Message.Event, Version: r.OID, SavedAt: handoff.TimeOf(r.saved()), Actor: r.Message.BriefAuthor(), Session: r.Message.Session,
			NextAction: r.Message.Next, Stale: r.Stale, Moved: max(r.Moved, 0), Current: r.Current, Remote: r.Remote, Remotes: remotes,
		})
	}
	return encodeJSON(out)
}
