package gitstore

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"git-handoff/gitstore/handoff"
)

// What a hook observes after a commit is mostly near: the base of before, some commits ago, and a history without
// merges since. Such answers are found here, so that a commit need not wait for git.

// span is what the tip has and others have not, read here if it is near, else asked of git.
func (o *observer) span(ctx context.Context, others []string, prev *handoff.Observed) (span, error) {
	if len(others) == 1 {
		if s, ok := o.onward(ctx, others[0], prev); ok {
			return s, nil
		}
		if s, ok := o.repo.nearSpan(ctx, o.tip, others[0]); ok {
			return s, nil
		}
	}
	return o.repo.span(ctx, o.tip, others)
}

// onwardReads is how many commits are read to come to the head of before.
const onwardReads = 8

// onward counts on from what was observed before, from the same commit: the branch has gone on from its head, without
// merges. It is false where evidence has to be looked for further down.
func (o *observer) onward(ctx context.Context, other string, prev *handoff.Observed) (span, bool) {
	if prev.Base != other || prev.Commits == 0 || o.repo.place.Shallow || o.repo.rewritesParents() {
		return span{}, false
	}
	way := &strand{seen: map[string]bool{}}
	for next := o.tip; next != prev.Head; next = way.last().Parents[0] {
		if len(way.commits) == onwardReads || !way.add(ctx, o.repo, next) || way.ended() {
			return span{}, false
		}
	}
	known := len(o.evidence) > 0 || prev.Evidence != nil && prev.Evidence.Kind != handoff.Assumed
	if known && !o.evidence.anyGood(way.commits) {
		return span{}, false
	}
	edge := &strand{seen: map[string]bool{}}
	ok := edge.add(ctx, o.repo, other)
	return span{commits: way.commits, edges: edge.commits, further: prev.Commits}, ok
}

// nearReads is how many commits are read to find where two histories meet. Asking git costs about as much.
const nearReads = 40

// nearSpan finds where two histories that are short and have no merges meet. It is false where they do not, or where
// git may see other parents than the commits name.
func (r *Repo) nearSpan(ctx context.Context, tip, other string) (span, bool) {
	if r.place.Shallow || r.place.Partial || r.rewritesParents() {
		return span{}, false
	}
	a, b := &strand{seen: map[string]bool{}}, &strand{seen: map[string]bool{}}
	ok := a.add(ctx, r, tip) && b.add(ctx, r, other)
	for n := 0; ok && n < nearReads; n++ {
		switch {
		case b.seen[a.last().OID]:
			return a.upTo(a.last().OID), true
		case a.seen[b.last().OID]:
			return a.upTo(b.last().OID), true
		case b.ended() && a.ended():
			return span{}, false
		case b.ended() || !a.ended() && !a.last().When.Before(b.last().When):
			ok = a.add(ctx, r, a.last().Parents[0])
		default:
			ok = b.add(ctx, r, b.last().Parents[0])
		}
	}
	return span{}, false
}

// A strand is a history without merges, as far as it was walked back.
type strand struct {
	commits []Commit
	seen    map[string]bool
}

func (s *strand) last() Commit { return s.commits[len(s.commits)-1] }

func (s *strand) ended() bool { return len(s.last().Parents) == 0 }

// add walks to a commit. It is false on a merge, and on one that is not here.
func (s *strand) add(ctx context.Context, r *Repo, oid string) bool {
	kind, data, err := r.object(ctx, oid)
	if err != nil || kind != "commit" {
		return false
	}
	c, err := parseCommit(data)
	if err != nil || len(c.parents) > 1 {
		return false
	}
	s.commits = append(s.commits, Commit{OID: oid, Tree: c.tree, Parents: c.parents, When: c.committer.When})
	s.seen[oid] = true
	return true
}

// upTo is the part of the strand above a commit that others have too.
func (s *strand) upTo(edge string) span {
	i := slices.IndexFunc(s.commits, func(c Commit) bool { return c.OID == edge })
	if i == 0 {
		return span{}
	}
	return span{commits: s.commits[:i], edges: s.commits[i : i+1]}
}

// rewritesParents reports whether git may see other commits than the objects say: some are replaced, or may be.
func (r *Repo) rewritesParents() bool {
	if r.place.RefFormat != "files" || os.Getenv("GIT_REPLACE_REF_BASE") != "" || os.Getenv("GIT_GRAFT_FILE") != "" ||
		exists(filepath.Join(r.place.CommonDir, "refs", "replace")) || exists(filepath.Join(r.place.CommonDir, "info", "grafts")) {
		return true
	}
	packed, err := packedUnder(r.place.CommonDir, "refs/replace/")
	return err != nil || len(packed) > 0
}
