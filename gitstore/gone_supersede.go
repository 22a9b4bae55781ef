package gitstore

import (
	"context"

	"git-handoff/gitstore/handoff"
)

// supersede marks handoffs that another one drives instead: it names them, or works on the same task or run on the same
// branch and was saved later. Nothing else supersedes.
func (t *tidying) supersede(ctx context.Context) error {
	docs := map[handoff.Name]*handoff.Document{}
	active := t.active()
	for _, v := range active {
		if doc, newer := t.unreadable(ctx, v); !newer {
			docs[v.Name] = doc
		}
	}
	for _, v := range active {
		by, reason := t.successor(ctx, v, docs, active)
		if reason == "" {
			continue
		}
		delete(docs, v.Name)
		c := Closing{Name: v.Name, Event: handoff.EventSupersede, By: by, Reason: reason, Before: v.OID}
		if !t.opt.DryRun {
			moves, err := t.repo.Supersede(ctx, v.Name, by, reason)
			if err != nil {
				return err
			}
			if len(moves) == 0 {
				continue
			}
			// The move goes with the others; that the ref has not moved since it was surveyed is checked then.
			c.After = moves[0].New
		}
		t.closed(c)
	}
	return nil
}

// successor finds what supersedes a handoff; of several, the one that was saved last.
func (t *tidying) successor(ctx context.Context, a Version, docs map[handoff.Name]*handoff.Document, active []Version) (by handoff.Link, reason string) {
	mine, ok := docs[a.Name]
	if !ok {
		return by, ""
	}
	var best handoff.Time
	for _, b := range active {
		doc, ok := docs[b.Name]
		if !ok || b.Name == a.Name {
			continue
		}
		why := t.supersedes(ctx, a, mine, b, doc)
		if saved := doc.Provenance.SavedAt; why != "" && (reason == "" || saved.Std().After(best.Std())) {
			best, reason, by = saved, why, handoff.Link{Handoff: b.Name.String(), Version: b.OID}
		}
	}
	return by, reason
}

// supersedes says why b supersedes a, "" if it does not.
func (t *tidying) supersedes(ctx context.Context, a Version, mine *handoff.Document, b Version, doc *handoff.Document) string {
	for _, link := range doc.Supersedes {
		if link.Handoff == a.Name.String() && !t.reopenedAfter(ctx, a, link.Version) {
			return b.Name.String() + " names it"
		}
	}
	if a.Name.Branch != b.Name.Branch || !doc.Provenance.SavedAt.Std().After(mine.Provenance.SavedAt.Std()) {
		return ""
	}
	same := ""
	switch {
	case mine.TaskID != "" && mine.TaskID == doc.TaskID:
		same = "task " + mine.TaskID
	case mine.RunID != "" && mine.RunID == doc.RunID:
		same = "run " + mine.RunID
	}
	if same == "" || t.reopenedSince(ctx, a, doc.Provenance.SavedAt) {
		return ""
	}
	return b.Name.String() + " has the same " + same + " and was saved later"
}

// reopenedAfter reports whether a handoff was reopened after a version: then somebody took back that it is superseded.
func (t *tidying) reopenedAfter(ctx context.Context, a Version, version string) bool {
	return t.reopened(ctx, a, func(v Version) bool { return v.OID == version })
}

func (t *tidying) reopenedSince(ctx context.Context, a Version, at handoff.Time) bool {
	return t.reopened(ctx, a, func(v Version) bool { return v.Committer.When.Before(at.Std()) })
}

// reopened looks for a reopening among the versions before one that stops the search.
func (t *tidying) reopened(ctx context.Context, a Version, stop func(Version) bool) bool {
	m := &meeting{repo: t.repo}
	g := &graph{fork: Fork{Version: m.version(ctx)}, versions: map[string]*Version{}}
	next := g.walk(a.OID)
	for oid, ok := next(); ok; oid, ok = next() {
		v := g.version(oid)
		if stop(*v) {
			return false
		}
		if v.Message.Event == handoff.EventReopen {
			return true
		}
	}
	return false
}
