package gitstore

import (
	"context"
	"slices"

	"git-handoff/gitstore/handoff"
)

// rename hands the handoffs of a renamed branch over to its new name: those that the user names, and those that the
// reflog of a branch tells of, as long as no local branch has the old name.
func (t *tidying) rename(ctx context.Context) error {
	renames, told := t.opt.Renamed, len(t.opt.Renamed)
	if t.someLost() {
		found, err := t.repo.Renames(ctx)
		if err != nil {
			return err
		}
		for _, r := range found {
			if _, there := t.survey.branches[r.Old]; !there {
				renames = append(renames, r)
			}
		}
	}
	for i, r := range renames {
		if _, there := t.survey.branches[r.New]; !there {
			continue
		}
		for _, v := range t.active() {
			if v.Name.Branch != r.Old || i >= told && t.repo.takenBack(ctx, &v) {
				continue
			}
			if err := t.handOver(ctx, v, r); err != nil {
				return err
			}
		}
	}
	return nil
}

// someLost reports whether any active handoff has no local branch.
func (t *tidying) someLost() bool {
	return slices.ContainsFunc(t.active(), func(v Version) bool {
		_, there := t.survey.branches[v.Name.Branch]
		return !there
	})
}

// handOver writes the handoff under the new name and closes it under the old one. Where the old branch is live
// elsewhere, or may be, it stays open there.
func (t *tidying) handOver(ctx context.Context, v Version, r Rename) error {
	to := handoff.Name{Branch: r.New, Topic: v.Name.Topic}
	if other, taken := t.survey.local[to]; taken && other.Message.Status == handoff.Active {
		if !t.continues(ctx, other, v) {
			t.Kept = append(t.Kept, Withheld{Name: v.Name, Why: "branch " + r.Old + " is now " + r.New + ", and " + to.String() + " exists already"})
		}
		return nil
	}
	doc, newer := t.unreadable(ctx, v)
	if newer {
		return nil
	}
	c := Closing{Name: v.Name, Event: handoff.EventRename, By: handoff.Link{Handoff: to.String()}, Before: v.OID,
		Reason: "branch " + r.Old + " was renamed to " + r.New}
	if t.opt.DryRun {
		t.closed(c)
		return nil
	}
	oid, err := t.writeRenamed(ctx, doc, v, to, c.Reason)
	if err != nil {
		return err
	}
	c.By.Version = oid
	t.moves = append(t.moves, RefChange{Ref: to.Ref(), Old: t.survey.local[to].OID, New: oid})
	return t.leave(ctx, v, doc, to, c)
}

func (t *tidying) writeRenamed(ctx context.Context, doc *handoff.Document, v Version, to handoff.Name, reason string) (string, error) {
	next := *doc
	next.Branch, next.Topic = to.Branch, to.Topic
	parents := []string{v.OID}
	if taken, ok := t.survey.local[to]; ok {
		parents = append([]string{taken.OID}, parents...)
	}
	msg := handoff.MessageOf(&next, handoff.EventRename, handoff.Trailer{Key: TrailerRenamedFrom, Value: v.Name.String()},
		handoff.Trailer{Key: TrailerReason, Value: reason})
	return t.repo.WriteVersion(ctx, &next, msg, parents, WriteOptions{Identity: AsUserOrProgram})
}

// leave closes the old name, or makes room where both names cannot exist together.
func (t *tidying) leave(ctx context.Context, v Version, doc *handoff.Document, to handoff.Name, c Closing) error {
	if !beside(v.Name, to) {
		t.room.clear(t.survey, v)
		t.Closings = append(t.Closings, c)
		return nil
	}
	if live := t.where(v.Name); live == "" || live == "is here" {
		var err error
		if c.After, err = t.repo.writeArchived(ctx, doc, &v, &c); err != nil {
			return err
		}
	}
	t.closed(c)
	return nil
}

// continues reports whether a handoff goes on from another one's version, as after an earlier rename.
func (t *tidying) continues(ctx context.Context, a, b Version) bool {
	m := &meeting{repo: t.repo}
	g := &graph{fork: Fork{Version: m.version(ctx)}, versions: map[string]*Version{}}
	return g.relation(a.OID, b.OID) == ahead
}
