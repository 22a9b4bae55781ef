package main

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"git-handoff/check"
	"git-handoff/check/workbench"
	"git-handoff/gitstore"
	"git-handoff/gitstore/handoff"
)

// record is what this worktree knows that git does not. Unknown never overwrites known.
func (s *saving) record(ctx context.Context, old *handoff.Document) (handoff.Recorded, error) {
	r := recordedIn(old)
	if !s.here {
		return r, nil
	}
	if err := s.recordWorktree(ctx, &r); err != nil {
		return r, err
	}
	s.recordBench(&r)
	return r, nil
}

// recordedIn is what an earlier version recorded, as a copy.
func recordedIn(old *handoff.Document) handoff.Recorded {
	if old == nil || old.Status == handoff.Archived {
		return handoff.Recorded{}
	}
	r := old.Recorded
	r.ArtifactDigests = maps.Clone(r.ArtifactDigests)
	return r
}

// startLooking has git look at the worktree while the rest of the save is prepared.
func (s *saving) startLooking(ctx context.Context) {
	s.looking = sync.OnceValues(func() (*gitstore.Look, error) { return s.repo.LookAround(ctx) })
	if s.here {
		go s.looking()
	}
}

func (s *saving) recordWorktree(ctx context.Context, r *handoff.Recorded) error {
	if s.look == nil {
		look, err := s.looking()
		if err != nil {
			return err
		}
		s.look = look
	}
	w, err := s.repo.WorktreeOf(ctx, s.look)
	if err != nil {
		return err
	}
	s.maskPaths(w)
	if r.Worktree = w; reflect.DeepEqual(*w, handoff.Worktree{}) {
		r.Worktree = nil
	}
	return nil
}

func (s *saving) maskPaths(w *handoff.Worktree) {
	for _, list := range []*[]string{&w.Unmerged, &w.Untracked, &w.Stashes} {
		*list = s.masked(*list)
	}
	w.Modified = s.masks.files(w.Modified)
}

func (s *saving) masked(list []string) []string {
	list = slices.Clone(list)
	for i := range list {
		list[i] = s.masks.text(list[i])
	}
	return list
}

// files masks the paths of changed files.
func (m *masker) files(list []handoff.ChangedFile) []handoff.ChangedFile {
	list = slices.Clone(list)
	for i := range list {
		list[i].Path, list[i].From = m.text(list[i].Path), m.text(list[i].From)
	}
	return list
}

// recordBench takes what the workbench tells. A file that is not there now leaves what was recorded of it.
func (s *saving) recordBench(r *handoff.Recorded) {
	w := s.workbench
	if w.Feedback.Commands != nil {
		r.CommandsRun = w.Feedback.Commands
	}
	stale := staleFindings(r, w)
	r.VerdictPointer = mergeVerdicts(r.VerdictPointer, w.VerdictPointer())
	r.Findings = append(check.Findings(w, r.Worktree, s.name.Branch), stale...)
	s.maskSources(r)
}

// maskSources masks the paths that verdicts and findings were read from.
func (s *saving) maskSources(r *handoff.Recorded) {
	if p := r.VerdictPointer; p != nil && p.Verification != nil {
		p.Verification.Path = s.masks.text(p.Verification.Path)
	}
	if p := r.VerdictPointer; p != nil && p.Review != nil {
		p.Review.Path = s.masks.text(p.Review.Path)
	}
	for i := range r.Findings {
		r.Findings[i].Source = s.masks.text(r.Findings[i].Source)
	}
}

func mergeVerdicts(old, now *handoff.VerdictPointer) *handoff.VerdictPointer {
	if old == nil || now == nil {
		if now == nil {
			return old
		}
		return now
	}
	if now.Verification == nil {
		now.Verification = old.Verification
	}
	if now.Review == nil {
		now.Review = old.Review
	}
	return now
}

// staleFindings are the recorded findings whose file is not here, and no other of its kind is: a successor's clone has
// no workbench, and what the predecessor found there still holds.
func staleFindings(r *handoff.Recorded, w *workbench.Workbench) []handoff.Finding {
	present := map[string]bool{check.WorktreeSource: true}
	var verification, review string
	if p := r.VerdictPointer; p != nil && p.Verification != nil {
		verification = p.Verification.Path
	}
	if p := r.VerdictPointer; p != nil && p.Review != nil {
		review = p.Review.Path
	}
	present[verification], present[review] = w.Verification.Present, w.Review.Present
	others := w.State.Present || len(w.Boards) > 0
	var kept []handoff.Finding
	for _, f := range r.Findings {
		file, _, _ := strings.Cut(f.Source, ":")
		gone, known := !present[file], file == verification || file == review || file == check.WorktreeSource
		if gone && known || !known && !others {
			kept = append(kept, f)
		}
	}
	return kept
}
