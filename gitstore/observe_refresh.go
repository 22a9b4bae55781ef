package gitstore

import (
	"context"

	"git-handoff/gitstore/handoff"
)

// Changed reports whether a refresh from prev to next has anything to say: another head, base or evidence. The list
// of changed files follows from head and base.
func Changed(prev, next *handoff.Observed) bool {
	return prev.Head != next.Head || prev.Base != next.Base || prev.LastKnownGood != next.LastKnownGood ||
		!sameEvidence(prev.Evidence, next.Evidence)
}

func sameEvidence(a, b *handoff.Evidence) bool {
	if a == nil || b == nil {
		return a == b
	}
	x, y := *a, *b
	x.Exit, y.Exit = nil, nil
	return x == y && (a.Exit == nil) == (b.Exit == nil) && (a.Exit == nil || *a.Exit == *b.Exit)
}

// MayRefresh reports whether next, as Observe found it, may replace what a document says of a branch. It may not if
// nothing changed, nor if the recorded head is one that this clone's branch has not come to or was never at: then
// another clone is ahead, and knows better. rewritten maps old commits to new ones, as post-rewrite tells; nil is none.
func (r *Repo) MayRefresh(ctx context.Context, branch string, prev, next *handoff.Observed, rewritten map[string]string) (bool, error) {
	switch {
	case next.Head == "" || !Changed(prev, next):
		return false, nil
	case prev.Head == "" || prev.Head == next.Head:
		return true, nil
	}
	if heir := followRewrites(rewritten, prev.Head); heir != prev.Head && r.HasCommit(ctx, heir) {
		if ok, err := r.IsAncestor(ctx, heir, next.Head); ok || err != nil {
			return ok, err
		}
	}
	if !r.HasCommit(ctx, prev.Head) {
		return false, nil
	}
	if ok, err := r.IsAncestor(ctx, prev.Head, next.Head); ok || err != nil {
		return ok, err
	}
	return r.wasReset(ctx, branch, prev.Head)
}

// followRewrites gives what became of a commit. A squash in mid-rebase makes chains.
func followRewrites(rewritten map[string]string, oid string) string {
	for range rewritten {
		next, ok := rewritten[oid]
		if !ok || next == oid {
			break
		}
		oid = next
	}
	return oid
}

// wasReset reports whether the branch was at a commit in this clone and left it, and no remote has it for the branch.
func (r *Repo) wasReset(ctx context.Context, branch, commit string) (bool, error) {
	entries, err := r.Reflog(ctx, branch)
	if err != nil {
		return false, err
	}
	for _, e := range entries {
		if e.OID == commit {
			known, err := r.published(ctx, branch, commit)
			return err == nil && !known, err
		}
	}
	return false, nil
}
