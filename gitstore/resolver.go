package gitstore

import (
	"slices"
	"time"

	"git-handoff/gitstore/handoff"
)

// A Fork is one handoff as it is here and as it was fetched from the branch's push remote, with the ways to ask about
// it. Resolve is a pure function of what they answer.
type Fork struct {
	// Local and Fetched are the tips, full object ids; "" where there is none.
	Local, Fetched string
	// Version reads a version; nil without an error is one that is not here, at which history ends.
	Version func(oid string) (*Version, error)
	// Document reads a version's document. It is asked only where versions have to be joined.
	Document func(oid string) (*handoff.Document, error)
	// Descends reports whether a code commit descends from another one. Nil is not known.
	Descends func(head, from string) bool
	// Elsewhere reports whether a version is on another remote, so that it cannot be taken back. Nil is on none.
	Elsewhere func(oid string) bool
}

// An Action is what makes the local version and the fetched one agree.
type Action string

const (
	// UpToDate needs nothing.
	UpToDate Action = "up-to-date"
	// FastForward moves the local ref to the fetched version; what is Dropped was not worth a version.
	FastForward Action = "fast-forward"
	// PushAhead pushes the local version as it is.
	PushAhead Action = "push"
	// Reapply writes the local resumes, and claims, again on the fetched version.
	Reapply Action = "reapply"
	// Join writes a merge with the document of the one side that has an author's version.
	Join Action = "join"
	// MergeBoth writes a merge with a merged document.
	MergeBoth Action = "merge"
)

// A Resolution is what to do about a fork: write the Writes, in order, then move the local ref from Local to the last
// one written, or to Tip if there is none, then push it with Fetched as the expected value. For UpToDate and
// FastForward there is nothing to push.
type Resolution struct {
	Action Action
	Tip    string
	Writes []Write
	// Dropped are the local versions that are left behind, newest first: refreshes, claims that lost, and what is
	// written again.
	Dropped []Version
}

// A Write is a version to write. Without Parents, its parent is the one written before it.
type Write struct {
	Doc      *handoff.Document
	Message  handoff.Message
	Parents  []string
	When     time.Time
	Identity Identity
}

// Resolve says what to do about a fork. Only versions of authors ever cause a merge, and the merge that it asks for is
// the same on every clone: document, parents, message, date and identity depend on the two versions alone.
// An error is one of Version or Document, such as a document of a newer release: then nothing is to be done.
func Resolve(f Fork) (*Resolution, error) {
	g := &graph{fork: f, versions: map[string]*Version{}, docs: map[string]*handoff.Document{}, merged: map[string]*handoff.Document{}}
	r := g.resolve()
	if g.err != nil {
		return nil, g.err
	}
	return r, nil
}

func (g *graph) resolve() *Resolution {
	local, fetched := g.fork.Local, g.fork.Fetched
	switch {
	case local == fetched:
		return &Resolution{Action: UpToDate, Tip: local}
	case local == "":
		return &Resolution{Action: FastForward, Tip: fetched}
	case fetched == "":
		return &Resolution{Action: PushAhead, Tip: local}
	}
	switch g.relation(local, fetched) {
	case ahead:
		return &Resolution{Action: PushAhead, Tip: local}
	case behind:
		return &Resolution{Action: FastForward, Tip: fetched}
	}
	return g.resolveDiverged(local, fetched)
}

// resolveDiverged sets the unpublished events at the local end aside, joins what is left of the local side with the
// fetched version, and puts the events that count on top.
func (g *graph) resolveDiverged(local, fetched string) *Resolution {
	theirs := g.ancestors(fetched)
	kept, events := g.setAside(local, theirs)
	r := &Resolution{Action: FastForward, Tip: fetched, Dropped: events}
	if !theirs[kept] {
		r = &Resolution{Dropped: events}
		r.Action, r.Writes = g.join(kept, fetched)
	}
	if slices.ContainsFunc(events, reapplicable) {
		g.reapply(r, events, theirs)
	}
	return r
}

// join is the merge of two versions of which neither descends from the other.
func (g *graph) join(local, fetched string) (Action, []Write) {
	ours, theirs := g.authored(local, fetched), g.authored(fetched, local)
	switch {
	case ours && !theirs:
		return Join, []Write{g.mergeOf(local, fetched, g.doc(local))}
	case theirs && !ours:
		return Join, []Write{g.mergeOf(local, fetched, g.doc(fetched))}
	}
	return MergeBoth, []Write{g.mergeOf(local, fetched, g.mergedDoc([]string{local, fetched}))}
}

// mergeOf is the merge of two versions: nothing in it depends on the clone that writes it.
func (g *graph) mergeOf(a, b string, doc *handoff.Document) Write {
	parents := []string{min(a, b), max(a, b)}
	first, second := g.version(parents[0]), g.version(parents[1])
	when := second.Committer.When
	if first.Committer.When.After(when) {
		when = first.Committer.When
	}
	return Write{Doc: doc, Message: handoff.MessageOf(doc, handoff.EventMerge), Parents: parents, When: when, Identity: AsProgram}
}

// authored reports whether an author's version is in the history of one version and not of the other.
func (g *graph) authored(tip, other string) bool {
	known := g.ancestors(other)
	for oid := range g.ancestors(tip) {
		if !known[oid] && !g.version(oid).Message.Event.Disposable() {
			return true
		}
	}
	return false
}
