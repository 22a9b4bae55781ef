package main

import (
	"context"
	"time"

	"git-handoff/check"
	"git-handoff/check/workbench"
	"git-handoff/gitstore"
	"git-handoff/gitstore/handoff"
)

// gate checks whether the worktree can be left as it is, records the outcome and refuses what blocks, unless the author
// allowed it. Only the worktree where the branch is checked out has a say.
func (s *saving) gate(ctx context.Context, old, next *handoff.Document) error {
	if !s.here {
		return nil
	}
	in := cleanInput{branch: s.name.Branch, base: next.Base, risks: next.OpenRisks, look: s.look, bench: s.workbench}
	if old != nil {
		in.lastSave = old.Provenance.SavedAt.Std()
	}
	state, err := s.cleanState(ctx, s.config, in)
	if err != nil {
		return err
	}
	issues := check.Clean(state)
	s.masks.issues(issues)
	next.Clean = check.Record(issues, s.allow)
	blocking, others := check.Blocking(issues)
	if len(blocking) > 0 && s.allow == "" {
		return refusal(blocking)
	}
	s.sayIssues(blocking, others)
	return nil
}

// sayIssues says what was allowed and what is worth a word. What is wrong with a board the reading of it has told.
func (s *saving) sayIssues(blocking, others []check.Issue) {
	for _, i := range blocking {
		s.note("not clean, allowed: %s", i.What)
	}
	for _, i := range others {
		if !i.Routine() && i.Check() != "board" {
			s.note("%s", i.What)
		}
	}
}

// refusal says all that blocks a save, each with its mend.
func refusal(blocking []check.Issue) error {
	var all problems
	for _, i := range blocking {
		p := trouble(exitRefused, "%s: %s", i.Check(), i.What)
		p.settled = true
		for _, mend := range i.Mend {
			p.hint("%s", mend)
		}
		all = append(all, p)
	}
	all[len(all)-1].hint("git handoff save --allow-unclean 'WHY' saves all the same, and records why")
	return all
}

// cleanInput is what the caller of cleanState knows already.
type cleanInput struct {
	branch, base string
	risks        []handoff.Item
	lastSave     time.Time
	look         *gitstore.Look
	bench        *workbench.Workbench
}

// cleanState collects what the checks of the clean state look at.
func (d *desk) cleanState(ctx context.Context, config *gitstore.Config, in cleanInput) (*check.State, error) {
	look := in.look
	s := &check.State{
		Branch: in.branch, Detached: look.Head.WorkBranch() == "", Operation: look.Head.Operation.Name,
		Unmerged: look.Status.Unmerged, Changed: look.Status.Changed, Untracked: look.Status.Untracked,
		Temp: config.Temp, Bench: in.bench, RequireVerified: config.RequireVerified, OpenRisks: in.risks,
	}
	for _, st := range look.Stashes {
		s.Stashes = append(s.Stashes, check.Stash{Name: st.Name(), Note: st.Note})
	}
	w, err := d.repo.WorktreeOf(ctx, look)
	if err != nil {
		return nil, err
	}
	s.Onto = w.Onto
	if s.Inside, err = d.inside(ctx, look.Status.Untracked); err != nil {
		return nil, err
	}
	if s.Tests, err = d.tests(ctx, look.Head); err != nil {
		return nil, err
	}
	s.Added = d.added(ctx, in.base, look)
	s.Stray = d.stray(ctx, in)
	return s, nil
}

// maxUntracked is how many files in new folders are looked at.
const maxUntracked = 2000

// inside are the files in new folders, which git status does not list.
func (d *desk) inside(ctx context.Context, untracked []string) ([]string, error) {
	var folders []string
	for _, p := range untracked {
		if p[len(p)-1] == '/' {
			folders = append(folders, p)
		}
	}
	return d.repo.UntrackedIn(ctx, folders, maxUntracked)
}

// tests is the evidence for the tree of HEAD.
func (d *desk) tests(ctx context.Context, head gitstore.Head) (check.Tests, error) {
	if head.OID == "" {
		return check.Tests{}, nil
	}
	tree, err := d.repo.TreeOf(ctx, head.OID)
	if err != nil {
		return check.Tests{}, err
	}
	evidence, err := d.repo.Evidence(ctx)
	if err != nil {
		return check.Tests{}, err
	}
	line, known := evidence[tree]
	return check.Tests{Head: head.OID, Known: known, Failed: known && line.Verified == gitstore.Fail, Command: line.Command}, nil
}

// added are the lines that were added since the base. Where they cannot be told, as in a partial clone without its
// remote, nothing is said about them.
func (d *desk) added(ctx context.Context, base string, look *gitstore.Look) []check.AddedLine {
	if base == "" || base == look.Head.OID && look.Status.Clean() {
		return nil
	}
	lines, _, err := d.repo.AddedLines(ctx, base)
	if err != nil {
		return nil
	}
	added := make([]check.AddedLine, len(lines))
	for i, l := range lines {
		added[i] = check.AddedLine(l)
	}
	return added
}

func (d *desk) stray(ctx context.Context, in cleanInput) []check.StrayBranch {
	if in.lastSave.IsZero() {
		return nil
	}
	branches, err := d.repo.StrayBranches(ctx, in.lastSave, in.branch)
	if err != nil {
		return nil
	}
	var stray []check.StrayBranch
	for _, b := range branches {
		stray = append(stray, check.StrayBranch(b))
	}
	return stray
}
