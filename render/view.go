package render

import (
	"cmp"
	"time"

	"git-handoff/gitstore/handoff"
)

// A View is one version of a handoff and what is known about it beside what it says. Only Doc and Now must be there.
type View struct {
	Doc *handoff.Document
	// OID is the version's object id, When its time, and Message what its event says.
	OID     string
	When    time.Time
	Message handoff.Message
	// Now is what ages are counted from.
	Now time.Time
	// BriefAt is when next_action was written; zero means when the document was saved.
	BriefAt time.Time
	// BriefCommits is how many commits the branch got since; negative means that nobody knows.
	BriefCommits int
	// Summary is rendered from the commits; it is shown, marked, if the document has none.
	Summary string
	// Origin names the remote where the version is from, if it is not the local one; Fetched is when that was fetched.
	Origin  string
	Fetched time.Time
	// Instead is the handoff that drives the work of this one in the end, "" for the one that the document names. Ended
	// tells that it is closed, too.
	Instead string
	Ended   bool
	// Claim tells of the document's claim what the document cannot.
	Claim Claim
	// Notes are more to say at the top, one sentence each: that the branch has moved on, that others are active here.
	Notes   []string
	Remotes []Remote
}

// A Claim is what is known of a claim beside what it says: who made it (a claim itself names a session or a worktree),
// and the remote that accepted it, "" for one that was made without a remote. Yours is the reader's own.
type Claim struct {
	Who, Remote string
	Yours       bool
}

// A Remote says where a remote's version of the handoff stands, seen from the local one.
type Remote struct {
	Name  string
	State RemoteState
	// Ahead counts the versions that only the local side has, Behind those that only the remote has.
	Ahead, Behind int
}

// RemoteState is the relation of the local version to a remote's.
type RemoteState string

const (
	There     RemoteState = "there"
	Ahead     RemoteState = "ahead"
	Behind    RemoteState = "behind"
	Diverged  RemoteState = "diverged"
	NotPushed RemoteState = "not pushed"
	// Unfetched is a remote that was never fetched from.
	Unfetched RemoteState = "unknown"
)

// A Terminal is what text is made for. A Width of 0 or less is that of a stream that is no terminal.
type Terminal struct {
	Width int
	Color bool
}

// streamWidth is the width of text that goes to no terminal.
const streamWidth = 80

func (t Terminal) width() int {
	if t.Width <= 0 {
		return streamWidth
	}
	return t.Width
}

// A page is a view on its way to be printed. Ages are for text, which is read now; what may lie in a file says when.
type page struct {
	View
	ages bool
}

// when says a time, with its age where the page has ages.
func (p page) when(t time.Time) span {
	if !p.ages || p.Now.IsZero() {
		return say(moment(t))
	}
	return say(Age(p.Now, t) + " (" + moment(t) + ")")
}

// ago says a time that nobody needs to the minute.
func (p page) ago(t time.Time) span {
	if !p.ages || p.Now.IsZero() {
		return say(moment(t))
	}
	return say(Age(p.Now, t))
}

// until says a time that something ends at.
func (p page) until(t time.Time) span {
	if !p.ages || p.Now.IsZero() {
		return say(moment(t))
	}
	return say(moment(t) + " (" + Age(p.Now, t) + ")")
}

// commit quotes an object id: short for a person at a terminal, whole in what may lie in a file.
func (p page) commit(oid string) span {
	if p.ages {
		return id(oid)
	}
	return quote(oid)
}

// saved is when the brief was saved, as far as that is known.
func (p page) saved() time.Time {
	if at := p.Doc.Provenance.SavedAt; !at.IsZero() {
		return at.Std()
	}
	return p.When
}

func (p page) actor() string   { return cmp.Or(p.Doc.Provenance.ProducedBy, p.Message.BriefAuthor()) }
func (p page) session() string { return cmp.Or(p.Doc.Provenance.Session, p.Message.Session) }

// sections are what the document says, in the order that a successor needs it.
func (p page) sections() []section { return append(p.first(), p.rest()...) }

// first is what to do.
func (p page) first() []section { return []section{p.nextAction(), p.queue()} }

// rest is what to know for it: first what is uncertain and what waits, then the rest.
func (p page) rest() []section {
	all := []section{p.uncertain(), p.doNotRepeat(), p.pending(), p.open(), p.risks()}
	return append(append(all, p.brief()...), p.facts()...)
}
