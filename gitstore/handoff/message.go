package handoff

import (
	"strings"
)

// An Event is what made a version.
type Event string

const (
	EventSave      Event = "save"
	EventSupersede Event = "supersede"
	EventArchive   Event = "archive"
	EventReopen    Event = "reopen"
	EventRename    Event = "rename"
	EventClaim     Event = "claim"
	EventMerge     Event = "merge"
	EventRefresh   Event = "refresh"
	EventResume    Event = "resume"
)

// Disposable reports whether a version of the event holds nothing that an author wrote or decided: it may be replaced
// while it is on no remote, and never causes a merge. An event that is not known is not disposable.
func (e Event) Disposable() bool { return e == EventRefresh || e == EventResume }

// A Trailer is one line of a message's last paragraph.
type Trailer struct{ Key, Value string }

// The keys of the trailers that every message may have.
const (
	TrailerEvent    = "Handoff-Event"
	TrailerStatus   = "Handoff-Status"
	TrailerProgress = "Handoff-Progress"
	TrailerActor    = "Handoff-Actor"
	TrailerSession  = "Handoff-Session"
	TrailerAuthor   = "Handoff-Author"
	TrailerSaved    = "Handoff-Saved"
	TrailerHead     = "Handoff-Head"
)

// A Message is the commit message of a version. It holds what list and log show, so that they read no document.
type Message struct {
	Event  Event
	Status Status
	// Progress is the document's; with it list can show what is blocked.
	Progress Progress
	// Actor and Session are who made the version.
	Actor, Session string
	// Author is who wrote the brief, if that is not the actor: a resume has another actor than the save before it.
	Author string
	// Saved is when the brief was last saved, so that its age is known however often the facts were refreshed.
	Saved Time
	// Head is the recorded tip of the branch, a full object id, so that list can tell how far the branch has moved.
	Head string
	// Next is the next action. Read back, it is what fits into the subject.
	Next string
	// Trailers are further ones, per event.
	Trailers []Trailer
}

// MessageOf is the message of a version of the document that its author's event made.
func MessageOf(d *Document, event Event, more ...Trailer) Message {
	return Message{
		Event: event, Status: d.Status, Progress: d.Progress, Next: d.NextAction, Head: d.Head,
		Actor: d.Provenance.ProducedBy, Session: d.Provenance.Session, Saved: d.Provenance.SavedAt, Trailers: more,
	}
}

// By is the message as one that somebody else than the document's author caused.
func (m Message) By(actor, session string) Message {
	if m.Author == "" && m.Actor != actor {
		m.Author = m.Actor
	}
	m.Actor, m.Session = actor, session
	return m
}

// BriefAuthor is who wrote the brief.
func (m Message) BriefAuthor() string {
	if m.Author != "" {
		return m.Author
	}
	return m.Actor
}

const (
	// MaxSubject is the longest subject, in characters.
	MaxSubject = 200
	// maxTrailer is the longest value of a trailer, in characters.
	maxTrailer = 500
)

// String is the message as it is committed: subject, blank line, trailers. Whatever the fields hold, each stays on its
// own line, and no key is there twice.
func (m Message) String() string {
	subject := CleanLine(string(m.Event), MaxSubject)
	if next := CleanLine(m.Next, MaxSubject); next != "" {
		subject = CleanLine(subject+": "+next, MaxSubject)
	}
	if subject == "" {
		subject = "handoff"
	}
	var b strings.Builder
	b.WriteString(subject + "\n\n")
	seen := map[string]bool{}
	for _, t := range append(m.fixed(), m.Trailers...) {
		key, value := strings.ToLower(t.Key), CleanLine(t.Value, maxTrailer)
		if !seen[key] && value != "" && isTrailerKey(t.Key) {
			b.WriteString(t.Key + ": " + value + "\n")
		}
		seen[key] = true
	}
	return b.String()
}

func (m Message) fixed() []Trailer {
	return []Trailer{
		{TrailerEvent, string(m.Event)}, {TrailerStatus, string(m.Status)}, {TrailerProgress, string(m.Progress)},
		{TrailerActor, m.Actor}, {TrailerSession, m.Session}, {TrailerAuthor, m.Author},
		{TrailerSaved, m.Saved.String()}, {TrailerHead, m.Head},
	}
}

// isTrailerKey reports whether s is letters, digits and dashes, and starts with no dash.
func isTrailerKey(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !(c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '-' && i > 0) {
			return false
		}
	}
	return s != ""
}

// ParseMessage reads the text of a commit message, as it stands after the commit's headers. Only the last paragraph
// counts, and only if it is not the first and all of it is trailers; a trailer that is there twice is unknown. Of a
// message that is not ours, Event is "".
func ParseMessage(raw string) Message {
	var room [12]Trailer
	subject, trailers := splitMessage(raw, room[:0])
	var m Message
	for _, t := range trailers {
		if countKey(trailers, t.Key) == 1 {
			m.take(t)
		}
	}
	m.Next = subject
	if rest, ok := strings.CutPrefix(subject, string(m.Event)); ok && m.Event != "" {
		m.Next = strings.TrimPrefix(strings.TrimPrefix(rest, ":"), " ")
	}
	return m
}

func (m *Message) take(t Trailer) {
	switch {
	case strings.EqualFold(t.Key, TrailerEvent):
		m.Event = Event(t.Value)
	case strings.EqualFold(t.Key, TrailerStatus):
		m.Status = Status(t.Value)
	case strings.EqualFold(t.Key, TrailerProgress):
		m.Progress = Progress(t.Value)
	case strings.EqualFold(t.Key, TrailerActor):
		m.Actor = t.Value
	case strings.EqualFold(t.Key, TrailerSession):
		m.Session = t.Value
	case strings.EqualFold(t.Key, TrailerAuthor):
		m.Author = t.Value
	case strings.EqualFold(t.Key, TrailerSaved):
		m.Saved, _ = ParseTime(t.Value)
	case strings.EqualFold(t.Key, TrailerHead):
		m.Head = t.Value
	default:
		m.Trailers = append(m.Trailers, t)
	}
}

// Get is the value of a trailer, "" where it is absent or was there twice.
func (m Message) Get(key string) string {
	all := append(m.fixed(), m.Trailers...)
	value := ""
	for _, t := range all {
		if strings.EqualFold(t.Key, key) && t.Value != "" {
			if value != "" {
				return ""
			}
			value = t.Value
		}
	}
	return value
}

func countKey(trailers []Trailer, key string) int {
	n := 0
	for _, t := range trailers {
		if strings.EqualFold(t.Key, key) {
			n++
		}
	}
	return n
}

// splitMessage gives the subject, made safe to show, and the trailers as they stand, in room if they fit.
func splitMessage(raw string, room []Trailer) (subject string, trailers []Trailer) {
	raw = strings.Trim(raw, "\n")
	subject, _, _ = strings.Cut(raw, "\n")
	subject = CleanLine(subject, MaxSubject)
	i := strings.LastIndex(raw, "\n\n")
	if i < 0 {
		return subject, nil
	}
	trailers = room
	for line := range strings.SplitSeq(raw[i+2:], "\n") {
		key, value, ok := strings.Cut(line, ":")
		if !ok || !isTrailerKey(key) {
			return subject, nil
		}
		trailers = append(trailers, Trailer{key, CleanLine(strings.TrimPrefix(value, " "), maxTrailer)})
	}
	return subject, trailers
}
