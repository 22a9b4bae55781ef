package gitstore

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"git-handoff/gitstore/handoff"
)

// TidyOptions say how to tidy up.
type TidyOptions struct {
	// DryRun finds out and writes nothing under refs/handoff/.
	DryRun bool
	// Renamed are branches that have another name now, beside those that reflogs tell of.
	Renamed []Rename
	Refresh func(ctx context.Context, branches []string) error
}

// A Tidying is what tidying up did, or would do.
type Tidying struct {
	Journeys []Journey
	Closings []Closing
	// Kept are handoffs of branches that are not here, and why they stay open.
	Kept []Withheld
	// Unreached are the remotes that could not be asked; what was on them counts as live.
	Unreached []error
}

// Tidy fetches from every remote that handoffs were on, resolves what diverged, hands over what was renamed, and closes
// what another handoff supersedes, what is merged and what is gone.
func (r *Repo) Tidy(ctx context.Context, opt TidyOptions) (*Tidying, error) {
	t := &tidying{repo: r, opt: opt, asked: map[string]map[string]string{}}
	var err error
	if t.config, err = r.Config(ctx); err != nil {
		return nil, err
	}
	if err := t.ask(ctx); err != nil {
		return nil, err
	}
	err = r.race(ctx, func() error { return t.close(ctx) })
	if err == nil && !opt.DryRun {
		var archived []Closing
		for _, c := range t.Closings {
			if c.Event == handoff.EventArchive {
				archived = append(archived, c)
			}
		}
		r.rememberBatch(archived)
	}
	return &t.Tidying, err
}

// A tidying is under way.
type tidying struct {
	Tidying
	repo   *Repo
	config *Config
	opt    TidyOptions
	// asked are the branches that each remote advertised in this run.
	asked  map[string]map[string]string
	survey *survey
	base   DefaultBranch
	room   clearing
	moves  []RefChange
	// flush has git write what was kept back until now.
	flush func(context.Context) error
}

// ask fetches from the remotes and resolves.
func (t *tidying) ask(ctx context.Context) error {
	s, err := t.repo.survey(ctx)
	if err != nil {
		return err
	}
	for _, remote := range t.remotes(s) {
		peers, err := t.config.Peers(remote)
		if err != nil {
			continue
		}
		for _, p := range peers {
			if p.From == "" {
				continue
			}
			tr := &traveller{repo: t.repo, config: t.config, opt: TravelOptions{Refresh: t.opt.Refresh}, Journey: Journey{Peer: p}, dryRun: t.opt.DryRun}
			if err := tr.meet(ctx); err != nil {
				t.Unreached = append(t.Unreached, err)
				continue
			}
			t.asked[p.Track] = tr.advertised
			t.Journeys = append(t.Journeys, tr.Journey)
		}
	}
	return nil
}

// remotes are those that handoffs here were on, or whose branches they are pushed to.
func (t *tidying) remotes(s *survey) []string {
	wanted := map[string]bool{}
	for n := range s.local {
		for _, p := range t.relevant(s, n) {
			wanted[p.Remote] = true
		}
	}
	return slices.Sorted(maps.Keys(wanted))
}

// relevant are the peers that can say whether a handoff's branch is live: those that the handoff is on, and the one that
// the branch is pushed to.
func (t *tidying) relevant(s *survey, n handoff.Name) []Peer {
	var all []Peer
	for _, m := range t.config.Remotes() {
		peers, err := t.config.Peers(m.Name)
		if err != nil {
			continue
		}
		for _, p := range peers {
			_, there := s.tracked[TrackingKey(p.Track)][n]
			if p.From != "" && (there || t.config.PushRemote(n.Branch) == m.Name) {
				all = append(all, p)
			}
		}
	}
	return all
}

// close looks at every handoff here, decides, and writes. It starts anew when somebody was faster.
func (t *tidying) close(ctx context.Context) error {
	t.Closings, t.Kept, t.room, t.moves = nil, nil, clearing{}, nil
	var err error
	if t.survey, err = t.repo.survey(ctx); err != nil {
		return err
	}
	if t.base, err = t.repo.DefaultBranch(ctx, ""); err != nil {
		return err
	}
	var kept context.Context
	kept, t.flush = t.repo.batching(ctx)
	for _, step := range []func(context.Context) error{t.rename, t.supersede, t.archive} {
		if err := step(kept); err != nil {
			return err
		}
	}
	if t.opt.DryRun || len(t.Closings) == 0 {
		return nil
	}
	if err := t.flush(ctx); err != nil {
		return err
	}
	if err := t.repo.clear(ctx, t.room); err != nil {
		return err
	}
	return t.repo.UpdateRefs(ctx, "handoff: resolve", t.moves...)
}

// active are the handoffs here that still drive work, by name.
func (t *tidying) active() []Version {
	var all []Version
	for _, n := range slices.SortedFunc(maps.Keys(t.survey.local), compareNames) {
		if v := t.survey.local[n]; v.Message.Status == handoff.Active {
			all = append(all, v)
		}
	}
	return all
}

// closed takes a closing note of and out of the way of what follows.
func (t *tidying) closed(c Closing) {
	t.Closings = append(t.Closings, c)
	if c.After != "" {
		t.moves = append(t.moves, RefChange{Ref: c.Name.Ref(), Old: c.Before, New: c.After})
	}
	v := t.survey.local[c.Name]
	v.Message.Status = handoff.Archived
	t.survey.local[c.Name] = v
}

// where says where a branch is live, and "" only where it is known to be in none of the places it could be: no local
// branch (a worktree's is one), and none of any remote that its handoff was on, asked in this run.
func (t *tidying) where(n handoff.Name) string {
	if _, here := t.survey.branches[n.Branch]; here {
		return "is here"
	}
	if t.base.Name == n.Branch {
		return "is the default branch"
	}
	for _, p := range t.relevant(t.survey, n) {
		branches, asked := t.asked[p.Track]
		if !asked {
			return "may be on " + p.Remote + ", which was not reached"
		}
		if _, there := branches[n.Branch]; there {
			return "is on " + p.Remote
		}
	}
	return ""
}

// archive closes what is merged, and what is gone.
func (t *tidying) archive(ctx context.Context) error {
	candidates := t.candidates(ctx)
	merged, err := t.merged(ctx, candidates)
	if err != nil {
		return err
	}
	for _, v := range t.active() {
		if _, newer := t.unreadable(ctx, v); newer || t.kept(v.Name) {
			continue
		}
		where := t.where(v.Name)
		c := Closing{Name: v.Name, Event: handoff.EventArchive, Before: v.OID}
		switch how := merged[v.Name]; {
		case how != "" && v.Name.Branch != t.base.Name:
			c.Outcome, c.Reason = "done", how
		case where == "":
			c.Outcome, c.Reason = "abandoned", t.goneBecause(v.Name)
		default:
			if !strings.HasSuffix(where, "is here") {
				t.Kept = append(t.Kept, Withheld{Name: v.Name, Why: "branch " + v.Name.Branch + " " + where})
			}
			continue
		}
		if t.repo.takenBack(ctx, &v) {
			t.Kept = append(t.Kept, Withheld{Name: v.Name, Why: c.Reason + ", but that it is closed was taken back; git handoff archive closes it"})
			continue
		}
		if err := t.writeClosing(ctx, v, c); err != nil {
			return err
		}
	}
	return nil
}

// kept reports whether it was said already why a handoff stays open.
func (t *tidying) kept(n handoff.Name) bool {
	return slices.ContainsFunc(t.Kept, func(w Withheld) bool { return w.Name == n })
}

func (t *tidying) goneBecause(n handoff.Name) string {
	var asked []string
	for _, p := range t.relevant(t.survey, n) {
		if !slices.Contains(asked, p.Remote) {
			asked = append(asked, p.Remote)
		}
	}
	where := "in no worktree"
	if len(asked) > 0 {
		where += ", and not on " + strings.Join(asked, " or ") + ", asked just now"
	}
	return fmt.Sprintf("branch %s is no local branch, %s", n.Branch, where)
}

func (t *tidying) writeClosing(ctx context.Context, v Version, c Closing) error {
	if !t.opt.DryRun {
		doc, err := t.repo.Document(ctx, &v)
		if err != nil {
			return err
		}
		if c.After, err = t.repo.writeArchived(ctx, doc, &v, &c); err != nil {
			return err
		}
	}
	t.closed(c)
	return nil
}

// unreadable reports whether a newer release wrote a handoff, so that it is left alone.
func (t *tidying) unreadable(ctx context.Context, v Version) (*handoff.Document, bool) {
	doc, err := t.repo.Document(ctx, &v)
	return doc, err != nil
}
