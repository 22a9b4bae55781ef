package main

import (
	"context"
	"errors"
	"maps"
	"slices"

	"git-handoff/check"
	"git-handoff/gitstore"
	"git-handoff/gitstore/handoff"
)

const assumptionsKey = "assumptions_to_validate"

// patchFor is the author's patch with what the workbench adds to it. Whatever the author said counts, now and before.
func (s *saving) patchFor(ctx context.Context, prev *gitstore.Version, old *handoff.Document) (*handoff.Patch, error) {
	if s.workbench == nil || s.input.Whole {
		return s.patch, nil
	}
	p := &handoff.Patch{Texts: maps.Clone(s.patch.Texts), Lists: maps.Clone(s.patch.Lists), Finish: s.patch.Finish, Drop: s.patch.Drop}
	if p.Texts == nil {
		p.Texts = map[string]string{}
	}
	if p.Lists == nil {
		p.Lists = map[string]handoff.ListPatch{}
	}
	before := briefOf(old)
	s.fillTexts(p, before)
	if old == nil {
		s.fillQueue(p)
	}
	return p, s.fillAssumptions(ctx, p, prev, before)
}

// briefOf is the brief that a save starts from.
func briefOf(old *handoff.Document) *handoff.Brief {
	if old == nil || old.Status == handoff.Archived {
		return &handoff.Brief{}
	}
	return &old.Brief
}

// fillTexts names the objective, the task and the run where nobody did. A task that came from the board follows it.
func (s *saving) fillTexts(p *handoff.Patch, before *handoff.Brief) {
	w := s.workbench
	task := w.ActiveTask()
	objective := w.State.Objective
	if b := w.Board(); b != nil {
		if it := b.Find(task); it != nil && task != "" && objective == "" {
			objective = it.Title
		}
		if b.Find(before.TaskID) != nil && before.TaskID != "" && before.TaskID != task && task != "" {
			fill(p, "task_id", "", task)
		}
	}
	fill(p, "objective", before.Objective, objective)
	fill(p, "task_id", before.TaskID, task)
	fill(p, "run_id", before.RunID, w.State.RunID)
}

// fill supplies a text that neither the author nor an earlier version did.
func fill(p *handoff.Patch, key, before, value string) {
	if _, given := p.Texts[key]; !given && before == "" && value != "" {
		p.Texts[key] = value
	}
}

// fillQueue takes the steps that the state file has after the first one, on a first save alone: later on the queue is
// the author's.
func (s *saving) fillQueue(p *handoff.Patch) {
	if _, given := p.Lists["next"]; given {
		return
	}
	var lp handoff.ListPatch
	for _, step := range s.workbench.State.Next {
		addOnce(&lp, step)
	}
	if lp.Added != nil {
		p.Lists["next"] = lp
	}
}

func addOnce(lp *handoff.ListPatch, what string) {
	same := func(g handoff.Given) bool { return g.What == what }
	if !slices.ContainsFunc(lp.Entries, same) && !slices.ContainsFunc(lp.Added, same) {
		lp.Added = append(lp.Added, handoff.Given{What: what})
	}
}

// fillAssumptions adds the assumptions that the session logged and the review did not clear. One that any version had
// before and the brief has no more was dropped by its author and does not come back; an author who gives the list or
// empties it is not given another.
func (s *saving) fillAssumptions(ctx context.Context, p *handoff.Patch, prev *gitstore.Version, before *handoff.Brief) error {
	lp := p.Lists[assumptionsKey]
	if lp.Replace {
		return nil
	}
	lp.Added = slices.Clone(lp.Added)
	for _, what := range check.Assumptions(s.workbench) {
		if slices.ContainsFunc(before.Assumptions, func(it handoff.Item) bool { return it.What == what }) {
			continue
		}
		had, err := s.hadAssumption(ctx, prev, what)
		if err != nil {
			return err
		}
		if !had {
			addOnce(&lp, what)
		}
	}
	if lp.Added != nil {
		p.Lists[assumptionsKey] = lp
	}
	return nil
}

// hadAssumption reports whether an earlier version of the handoff had an assumption.
func (s *saving) hadAssumption(ctx context.Context, prev *gitstore.Version, what string) (bool, error) {
	history, err := s.history(ctx, prev)
	if err != nil {
		return false, err
	}
	for i := range history {
		doc, err := s.repo.Document(ctx, &history[i])
		if errors.Is(err, gitstore.ErrNoObject) {
			continue
		}
		if err != nil {
			return false, err
		}
		if slices.ContainsFunc(doc.Assumptions, func(it handoff.Item) bool { return it.What == what }) {
			return true, nil
		}
	}
	return false, nil
}
