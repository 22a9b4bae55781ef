package gitstore

import (
	"context"
	"slices"
	"time"

	"git-handoff/gitstore/handoff"
)

// A Story is what became of one handoff: its versions and what was done on its branch.
type Story struct {
	Name handoff.Name
	// Versions are the handoff's, the oldest first.
	Versions []Version
	// Commits are those of the branch alone, since it left the default branch; CommitsKnown is false where neither the
	// branch nor its recorded head is here.
	Commits      []Commit
	CommitsKnown bool
	// Passes are the moments at which a verification passed on one of the commits.
	Passes []time.Time
}

// A Resumption is somebody who took a handoff over, and what came of it.
type Resumption struct {
	// Version is the object id of the version that recorded it.
	Version string
	At      time.Time
	// Holder is a session or a worktree, Actor a name, both as far as they are known.
	Holder, Actor string
	// After is how long the brief had been saved by then; zero where that is not known.
	After time.Duration
	// Reports are what the successor reported about it.
	Reports []string
	// What is the first thing that came of it, and Productive when: a commit, a save, a verification that passed, or the
	// end of the work; "" and zero where nothing did.
	What       string
	Productive time.Time
	Outcome    ResumeOutcome
}

// ResumeOutcome is what a resume came to.
type ResumeOutcome string

const (
	// Succeeded had something come of it in time, and no report of a wrong next action.
	Succeeded ResumeOutcome = "succeeded"
	Failed    ResumeOutcome = "failed"
	// Undecided still has time.
	Undecided ResumeOutcome = "undecided"
	// Unobserved is one of which nobody can tell, since the commits of the branch are not here.
	Unobserved ResumeOutcome = "unknown"
)

// ProductiveWithin is how long a successor has until a resume counts as one of which nothing came.
const ProductiveWithin = 7 * 24 * time.Hour

// Resumptions are the resumes of a story, the oldest first. A holder that resumes twice without a new brief in between
// did so once. A report is about its holder's last resume, also where the holder has saved since; of one that was never
// recorded it is the only trace, and counts as it.
func (s *Story) Resumptions(now time.Time) []Resumption {
	var all []Resumption
	var places []int
	var saved time.Time
	open := map[string]int{}
	for i, v := range s.Versions {
		m := v.Message
		if savesBrief(m.Event) {
			saved, open = v.Committer.When, map[string]int{}
		}
		if m.Event != handoff.EventResume {
			continue
		}
		holder, report := HolderOf(m), m.Get(TrailerReport)
		n, known := open[holder]
		if !known && report != "" {
			n = lastOf(all, holder)
			known = n >= 0
		}
		if !known {
			n = len(all)
			open[holder] = n
			all, places = append(all, resumptionOf(v, saved)), append(places, i)
		}
		if report != "" {
			all[n].Reports = append(all[n].Reports, report)
		}
	}
	for n := range all {
		end := all[n].At.Add(ProductiveWithin)
		replaced := n+1 < len(all) && !all[n+1].At.After(end)
		if replaced {
			end = all[n+1].At
		}
		s.conclude(&all[n], places[n], end, replaced || now.After(end))
	}
	return all
}

// lastOf is the place of a holder's last resume, -1 where there is none.
func lastOf(all []Resumption, holder string) int {
	for n := len(all) - 1; n >= 0; n-- {
		if all[n].Holder == holder {
			return n
		}
	}
	return -1
}

func resumptionOf(v Version, saved time.Time) Resumption {
	r := Resumption{Version: v.OID, At: v.Committer.When, Holder: HolderOf(v.Message), Actor: v.Message.Actor}
	if at := v.Message.Saved; !at.IsZero() {
		saved = at.Std()
	}
	if !saved.IsZero() && r.At.After(saved) {
		r.After = r.At.Sub(saved)
	}
	return r
}

// conclude finds what came first of a resume until end, and what that makes of it.
func (s *Story) conclude(r *Resumption, place int, end time.Time, over bool) {
	first := func(at time.Time, what string) {
		if at.After(r.At) && !at.After(end) && (r.Productive.IsZero() || at.Before(r.Productive)) {
			r.Productive, r.What = at, what
		}
	}
	for _, c := range s.Commits {
		first(c.When, "a commit")
	}
	for _, at := range s.Passes {
		first(at, "a passing verification")
	}
	for _, v := range s.Versions[place+1:] {
		switch {
		case v.Message.Event == handoff.EventSave:
			first(v.Committer.When, "a save")
		case v.Message.Event == handoff.EventArchive && v.Message.Get(TrailerOutcome) == "done":
			first(v.Committer.When, "the end of the work")
		}
	}
	switch {
	case slices.Contains(r.Reports, "wrong-next"):
		r.Outcome = Failed
	case !r.Productive.IsZero():
		r.Outcome = Succeeded
	case !over:
		r.Outcome = Undecided
	case !s.CommitsKnown:
		r.Outcome = Unobserved
	default:
		r.Outcome = Failed
	}
}

// A Teller tells stories; what they have in common is read once.
type Teller struct {
	repo *Repo
	// passes are the moments at which a verification passed on a tree, once asked for.
	passes  map[string][]time.Time
	commits map[string][]Commit
}

// Teller begins to tell stories.
func (r *Repo) Teller() *Teller { return &Teller{repo: r, commits: map[string][]Commit{}} }

// Story tells the story of a handoff from its current version. Only for one that somebody resumed is the branch asked,
// in one child.
func (t *Teller) Story(ctx context.Context, tip *Version, doc *handoff.Document) (*Story, error) {
	s := &Story{Name: doc.Name()}
	var err error
	if s.Versions, err = t.repo.History(ctx, tip.OID, 0); err != nil {
		return nil, err
	}
	slices.Reverse(s.Versions)
	if !slices.ContainsFunc(s.Versions, func(v Version) bool { return v.Message.Event == handoff.EventResume }) {
		return s, nil
	}
	return s, t.addCommits(ctx, s, doc)
}

// addCommits finds the branch's own commits, from where it forked to where it is, or was when it was seen last.
func (t *Teller) addCommits(ctx context.Context, s *Story, doc *handoff.Document) error {
	tip, err := t.repo.BranchTip(ctx, doc.Branch)
	if err != nil {
		return err
	}
	if tip == "" {
		tip = doc.Head
	}
	if tip == "" || !t.repo.HasCommit(ctx, tip) || doc.Base != "" && !t.repo.HasCommit(ctx, doc.Base) {
		return nil
	}
	key := doc.Base + ".." + tip
	commits, known := t.commits[key]
	if !known {
		if commits, err = t.repo.Commits(ctx, doc.Base, tip, 0); err != nil {
			return err
		}
		t.commits[key] = commits
	}
	s.Commits, s.CommitsKnown = commits, true
	if t.passes == nil {
		if t.passes, err = t.repo.passes(ctx); err != nil {
			return err
		}
	}
	for _, c := range commits {
		s.Passes = append(s.Passes, t.passes[c.Tree]...)
	}
	return nil
}

// passes are the moments at which a verification passed, by the tree that it ran on.
func (r *Repo) passes(ctx context.Context) (map[string][]time.Time, error) {
	var blobs []string
	if err := r.eachNote(ctx, handoff.NotesRef, func(_, blob string) { blobs = append(blobs, blob) }); err != nil {
		return nil, err
	}
	texts, err := r.noteTexts(ctx, blobs)
	if err != nil {
		return nil, err
	}
	passes := map[string][]time.Time{}
	for _, text := range texts {
		for _, n := range noteLines(text) {
			if n.Verified == Pass {
				passes[n.Tree] = append(passes[n.Tree], n.At.Std())
			}
		}
	}
	return passes, nil
}
