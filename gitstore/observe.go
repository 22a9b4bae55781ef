package gitstore

import (
	"context"
	"slices"

	"git-handoff/gitstore/handoff"
)

// Observe computes the facts that git and its notes tell about a local branch. prev is what was observed before, nil
// for a first save or one after the handoff was archived; what cannot be found keeps its value from there. A branch
// that is unborn or not here leaves prev as it is. Two children in the ordinary case, besides the configuration.
func (r *Repo) Observe(ctx context.Context, branch string, prev *handoff.Observed) (handoff.Observed, error) {
	all, err := r.ObserveAll(ctx, branch, prev)
	if err != nil {
		return handoff.Observed{}, err
	}
	return all[0], nil
}

// ObserveAll is Observe for several handoffs on one branch; what they have in common is asked for once.
func (r *Repo) ObserveAll(ctx context.Context, branch string, prevs ...*handoff.Observed) ([]handoff.Observed, error) {
	tip, err := r.BranchTip(ctx, branch)
	if err != nil {
		return nil, err
	}
	o := &observer{repo: r, tip: tip, diffs: map[string]handoff.ChangedFiles{}}
	if tip != "" {
		if o.others, err = r.defaultTips(ctx, branch); err != nil {
			return nil, err
		}
		if o.evidence, err = r.Evidence(ctx); err != nil {
			return nil, err
		}
	}
	all := make([]handoff.Observed, len(prevs))
	for i, prev := range prevs {
		if prev == nil {
			prev = &handoff.Observed{}
		}
		if all[i], err = o.observe(ctx, prev); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// An observer looks at one tip of a branch.
type observer struct {
	repo *Repo
	tip  string
	// others are the tips of the default branch, none on the default branch itself.
	others   []string
	evidence Evidence
	// beyond is what the tip has and others have not, once asked for.
	beyond *span
	// diffs are the changes from a base to the tip.
	diffs map[string]handoff.ChangedFiles
}

func (o *observer) observe(ctx context.Context, prev *handoff.Observed) (handoff.Observed, error) {
	if o.tip == "" {
		return *prev, nil
	}
	f, err := o.fork(ctx, prev)
	if err != nil {
		return handoff.Observed{}, err
	}
	now := handoff.Observed{Head: o.tip, Base: f.base.OID, Commits: len(f.commits) + f.further}
	if f.lost {
		now = *prev
		now.Head = o.tip
		return now, nil
	}
	now.LastKnownGood, now.Evidence = o.evidence.lastKnownGood(f.commits, f.base, o.repo.recorded(ctx, prev))
	if prev.Head == now.Head && prev.Base == now.Base && wholeList(prev.ChangedFiles) {
		now.ChangedFiles = prev.ChangedFiles
		return now, nil
	}
	now.ChangedFiles, err = o.changes(ctx, now.Base)
	if err != nil && o.repo.Place().Partial && ctx.Err() == nil {
		// A clone without trees cannot compare them when its remote is away.
		now.ChangedFiles, err = prev.ChangedFiles, nil
	}
	return now, err
}

// wholeList reports whether nothing was cut from a list to make the document fit.
func wholeList(c handoff.ChangedFiles) bool {
	return len(c.Files) == min(c.Total, handoff.MaxChangedFiles)
}

func (o *observer) changes(ctx context.Context, base string) (handoff.ChangedFiles, error) {
	if c, ok := o.diffs[base]; ok {
		return c, nil
	}
	c, err := o.repo.changedFiles(ctx, base, o.tip)
	if err == nil {
		o.diffs[base] = c
	}
	return c, err
}

// A fork is where a branch left another: that commit, and the branch's own commits since, newest first. It is lost
// where the base is a commit that is not here.
type fork struct {
	base    Commit
	commits []Commit
	// further counts older commits that are not listed.
	further int
	lost    bool
}

// fork finds the base. The default branch counts, unless it has all of the branch, or nothing in common with it; then
// the old base does, as far as the branch still has it; and at first the tip itself.
func (o *observer) fork(ctx context.Context, prev *handoff.Observed) (fork, error) {
	old := prev.Base
	if len(o.others) > 0 {
		s, err := o.beyondDefault(ctx, prev)
		if err != nil {
			return fork{}, err
		}
		if len(s.edges) > 0 {
			return o.settle(ctx, s, o.others)
		}
	}
	if old == "" || old == o.tip {
		return o.atTip(ctx)
	}
	if !o.repo.HasCommit(ctx, old) {
		return fork{lost: true}, nil
	}
	return o.sinceOld(ctx, prev)
}

func (o *observer) beyondDefault(ctx context.Context, prev *handoff.Observed) (span, error) {
	if o.beyond == nil {
		s, err := o.span(ctx, o.others, prev)
		if err != nil {
			return span{}, err
		}
		o.beyond = &s
	}
	return *o.beyond, nil
}

func (o *observer) atTip(ctx context.Context) (fork, error) {
	tree, err := o.repo.TreeOf(ctx, o.tip)
	return fork{base: Commit{OID: o.tip, Tree: tree}}, err
}

// sinceOld keeps the old base. A branch that was reset behind it, or rewritten below it, no longer has it: then the
// base is what is left of it.
func (o *observer) sinceOld(ctx context.Context, prev *handoff.Observed) (fork, error) {
	old := prev.Base
	s, err := o.span(ctx, []string{old}, prev)
	switch {
	case err != nil:
		return fork{}, err
	case len(s.commits)+s.further == 0:
		return o.atTip(ctx)
	case len(s.edges) == 0:
		tree, err := o.repo.TreeOf(ctx, old)
		return fork{base: Commit{OID: old, Tree: tree}, commits: s.commits}, err
	}
	return o.settle(ctx, s, []string{old})
}

// settle chooses the base among the edges of a span. One edge is the base; of several, as after a merge, the best
// common ancestor is. Where there are several of these too, the first by id is taken, so that all clones take the same.
func (o *observer) settle(ctx context.Context, s span, others []string) (fork, error) {
	if len(s.edges) == 1 {
		return fork{base: s.edges[0], commits: s.commits, further: s.further}, nil
	}
	if len(others) == 1 {
		if edge, ok := s.edge(others[0]); ok {
			return fork{base: edge, commits: s.commits}, nil
		}
	}
	bases, err := o.repo.MergeBases(ctx, o.tip, others...)
	if err != nil || len(bases) == 0 {
		return fork{lost: true}, err
	}
	base, _ := s.edge(bases[0])
	if len(bases) > 1 {
		s, err = o.repo.span(ctx, o.tip, bases[:1])
	}
	return fork{base: base, commits: s.commits}, err
}

// edge finds an edge by its id.
func (s span) edge(oid string) (Commit, bool) {
	i := slices.IndexFunc(s.edges, func(c Commit) bool { return c.OID == oid })
	if i < 0 {
		return Commit{}, false
	}
	return s.edges[i], true
}
