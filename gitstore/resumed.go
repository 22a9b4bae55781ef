package gitstore

import (
	"cmp"
	"context"
	"errors"

	"git-handoff/gitstore/handoff"
)

// The trailers of a resume: TrailerWorktree names the worktree of a successor that has no session, TrailerReport what
// the successor reports about how it went.
const (
	TrailerWorktree = "Handoff-Worktree"
	TrailerReport   = "Handoff-Report"
)

// Reports are what a successor may report about a resume: that something settled was done again, that the handoff did
// not suffice without a deep read of the history, that its next action was the wrong one.
var Reports = []string{"duplicate", "deep-read", "wrong-next"}

// A Taking is a successor who takes a handoff over, or reports about it.
type Taking struct {
	// Holder is the session or the worktree; see Holder.
	Holder         string
	Session, Actor string
	// Report is one of Reports, or "" for the resume itself.
	Report string
	// Peer is what the handoff is resolved with before, as it was fetched; nil for none. No network is used.
	Peer *Peer
}

// RecordResume writes a resume, at most one for a holder and an author's version; the same goes for each report. The
// result is false where it was there already.
func (r *Repo) RecordResume(ctx context.Context, name handoff.Name, t Taking) (bool, error) {
	if t.Peer != nil {
		if err := r.Settle(ctx, *t.Peer, name); err != nil {
			return false, err
		}
	}
	written := false
	_, err := r.Edit(ctx, name, func(prev *Version, doc *handoff.Document) (*Change, error) {
		written = false
		if prev == nil {
			return nil, ErrNoHandoff
		}
		known, err := r.taken(ctx, prev, t)
		if err != nil || known {
			return nil, err
		}
		written = true
		return &Change{Doc: doc, Message: t.message(doc), Identity: AsUserOrProgram}, nil
	})
	return written, err
}

func (t Taking) message(doc *handoff.Document) handoff.Message {
	var more []handoff.Trailer
	if t.Session == "" {
		more = append(more, handoff.Trailer{Key: TrailerWorktree, Value: t.Holder})
	}
	more = append(more, handoff.Trailer{Key: TrailerReport, Value: t.Report})
	return handoff.MessageOf(doc, handoff.EventResume, more...).By(t.Actor, t.Session)
}

// taken reports whether the holder has resumed, or reported the same, since the brief was last written. A claim comes
// with no brief.
func (r *Repo) taken(ctx context.Context, v *Version, t Taking) (bool, error) {
	for {
		m := v.Message
		switch {
		case m.Event == handoff.EventResume && HolderOf(m) == t.Holder && (t.Report == "" || m.Get(TrailerReport) == t.Report):
			return true, nil
		case savesBrief(m.Event) || len(v.Parents) == 0:
			return false, nil
		}
		parent, err := r.VersionAt(ctx, v.Parents[0])
		if errors.Is(err, ErrNoObject) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		v = parent
	}
}

// HolderOf is who a resume was made by: a session, else a worktree, else a person.
func HolderOf(m handoff.Message) string { return cmp.Or(m.Session, m.Get(TrailerWorktree), m.Actor) }
