package gitstore

import (
	"context"

	"git-handoff/gitstore/handoff"
)

// TrailerBy names, in the message of a version that marks a handoff superseded, the one that drives instead.
const TrailerBy = "Handoff-Superseded-By"

// TrailerReason says why an event happened that no author wrote.
const TrailerReason = "Handoff-Reason"

// Supersede writes the version that marks a handoff superseded by another, and gives the change that moves its ref; the
// caller runs it, with the change it goes with. It gives none where the handoff is marked so already.
func (r *Repo) Supersede(ctx context.Context, name handoff.Name, by handoff.Link, reason string) ([]RefChange, error) {
	prev, doc, err := r.load(ctx, name)
	if err != nil {
		return nil, err
	}
	if prev == nil {
		return nil, ErrNoHandoff
	}
	if doc.Status == handoff.Superseded && doc.SupersededBy != nil && *doc.SupersededBy == by {
		return nil, nil
	}
	doc.Status, doc.SupersededBy = handoff.Superseded, &by
	msg := handoff.MessageOf(doc, handoff.EventSupersede,
		handoff.Trailer{Key: TrailerBy, Value: by.Handoff}, handoff.Trailer{Key: TrailerReason, Value: reason})
	oid, err := r.WriteVersion(ctx, doc, msg, []string{prev.OID}, WriteOptions{Identity: AsUserOrProgram})
	if err != nil {
		return nil, err
	}
	return []RefChange{{Ref: name.Ref(), Old: prev.OID, New: oid}}, nil
}
