package gitstore

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"git-handoff/gitstore/handoff"
)

// TravelOptions say how handoffs travel.
type TravelOptions struct {
	// Scan gives the names of the secrets in a text; what has any is not pushed. Nil lets everything pass.
	Scan func(text []byte) []string
	// Refresh is called for branches whose refreshes were dropped, since what was fetched knows less of the branch here.
	Refresh func(ctx context.Context, branches []string) error
	// NoPush only fetches and resolves.
	NoPush bool
	// Unasked pushes stay away from what the peer is known to refuse.
	Unasked bool
}

// A Journey is what happened between here and one peer.
type Journey struct {
	Peer    Peer
	Settled []Settlement
	// Pushed are the refs that moved on the peer.
	Pushed   []PushedRef
	Withheld []Withheld
	// Notes are one line each, for people.
	Notes []string
}

// journeyAttempts is how often a push that came too late is fetched, resolved and tried again.
const journeyAttempts = 14

// rest lets others through before another attempt: longer with each, and never the same for two.
func (t *traveller) rest(ctx context.Context, attempt int) error {
	for range min(attempt, 8) {
		if err := pause(ctx, 4*attempt); err != nil {
			return err
		}
	}
	return nil
}

// Sync fetches from a remote, by its name or a URL, resolves what is pushed there, and pushes what section "what is
// published" of the manual allows. A remote with several push URLs makes several journeys. Peers that were not reached
// are *UnreachedErrors among those that are joined in the error.
func (r *Repo) Sync(ctx context.Context, remote string, opt TravelOptions) ([]Journey, error) {
	config, err := r.Config(ctx)
	if err != nil {
		return nil, err
	}
	peers, err := config.Peers(remote)
	if err != nil {
		return nil, err
	}
	var all []Journey
	var failed []error
	for _, p := range peers {
		t := &traveller{repo: r, config: config, opt: opt, Journey: Journey{Peer: p}}
		if err := t.sync(ctx); err != nil {
			failed = append(failed, err)
		}
		all = append(all, t.Journey)
	}
	return all, errors.Join(failed...)
}

// A Push is what a pre-push hook is told: the branches that are being pushed, and the commits.
type Push struct {
	Peer     Peer
	Branches []string
	Commits  []string
}

// Publish brings the handoffs of the pushed branches, and evidence on the pushed commits, to a peer: with the values
// that the peer had when it was last looked at, so that in the ordinary case it takes one child; else it fetches,
// resolves and tries again.
func (r *Repo) Publish(ctx context.Context, push Push, opt TravelOptions) (*Journey, error) {
	config, err := r.Config(ctx)
	if err != nil {
		return &Journey{Peer: push.Peer}, err
	}
	t := &traveller{repo: r, config: config, opt: opt, Journey: Journey{Peer: push.Peer}, push: &push}
	return &t.Journey, t.publishOnly(ctx)
}

// A traveller goes between here and one peer until both agree.
type traveller struct {
	repo   *Repo
	config *Config
	opt    TravelOptions
	Journey
	// push limits the journey to what is being pushed; nil for all.
	push       *Push
	advertised map[string]string
	restore    []Version
	// dryRun resolves without moving a ref.
	dryRun bool
	// late are the refs that the peer found stale, with the values it was thought to have; unkept is what the last fetch
	// could not keep.
	late   map[string]string
	unkept string
}

func (t *traveller) sync(ctx context.Context) error {
	for n := range journeyAttempts {
		if err := t.rest(ctx, n); err != nil {
			return err
		}
		if t.Peer.From != "" {
			if err := t.meet(ctx); err != nil {
				return err
			}
		}
		if t.Peer.To == "" || t.opt.NoPush {
			return nil
		}
		if done, err := t.publish(ctx); done || err != nil {
			return err
		}
	}
	return nil
}

func (t *traveller) publishOnly(ctx context.Context) error {
	for n := range journeyAttempts {
		done, err := t.publish(ctx)
		if done || err != nil || t.Peer.From == "" {
			return err
		}
		if err := t.rest(ctx, n); err != nil {
			return err
		}
		if err := t.meet(ctx); err != nil {
			return err
		}
	}
	return nil
}

// only limits the handoffs; nil is all.
func (t *traveller) only() func(handoff.Name) bool {
	if t.push == nil {
		return nil
	}
	return func(n handoff.Name) bool { return slices.Contains(t.push.Branches, n.Branch) }
}

// meet fetches and resolves.
func (t *traveller) meet(ctx context.Context) error {
	before, err := t.repo.survey(ctx)
	if err != nil {
		return err
	}
	f, err := t.repo.Fetch(ctx, t.Peer, FetchOptions{Branches: true})
	if err != nil {
		return err
	}
	t.advertised, t.unkept = f.Branches, f.Note
	if f.Note != "" {
		t.note(f.Note)
	}
	settled, err := t.repo.resolveAll(ctx, t.Peer, t.only(), t.dryRun)
	t.settle(settled)
	if err != nil {
		return err
	}
	if t.dryRun {
		return nil
	}
	if err := t.takeNotes(ctx); err != nil {
		t.note("the evidence of " + t.Peer.Remote + " could not be taken: " + err.Error())
	}
	if err := t.findLost(ctx, before); err != nil {
		return err
	}
	return t.refresh(ctx, settled)
}

func (t *traveller) note(line string) {
	if !slices.Contains(t.Notes, line) {
		t.Notes = append(t.Notes, line)
	}
}

// settle adds what happened to what had happened before: of a handoff that was settled twice, the whole way counts.
func (t *traveller) settle(settled []Settlement) {
	for _, s := range settled {
		i := slices.IndexFunc(t.Settled, func(o Settlement) bool { return o.Name == s.Name })
		switch {
		case i < 0:
			t.Settled = append(t.Settled, s)
		case s.Err != nil || s.Changed():
			s.Before, s.Dropped = t.Settled[i].Before, append(t.Settled[i].Dropped, s.Dropped...)
			t.Settled[i] = s
		}
	}
}

func (t *traveller) takeNotes(ctx context.Context) error {
	theirs, err := t.repo.ref(ctx, handoff.TrackingPrefix+TrackingKey(t.Peer.Track)+"/notes/handoff")
	if err != nil || theirs == "" {
		return err
	}
	_, err = t.repo.MergeNotes(ctx, theirs)
	return err
}

// findLost finds what the peer had and has no more, neither as a handoff nor in its archive, as after a push --mirror
// from a clone without handoffs.
func (t *traveller) findLost(ctx context.Context, before *survey) error {
	key := TrackingKey(t.Peer.Track)
	if len(before.tracked[key]) == 0 {
		return nil
	}
	now, err := t.repo.survey(ctx)
	if err != nil {
		return err
	}
	for n, v := range before.tracked[key] {
		if _, there := now.tracked[key][n]; !there && !now.archived[key][v.OID] {
			t.restore = append(t.restore, v)
		}
	}
	slices.SortFunc(t.restore, func(a, b Version) int { return compareNames(a.Name, b.Name) })
	return nil
}

// maxRefreshed is for how many branches the facts are looked at again after a journey: each takes children of its own.
const maxRefreshed = 8

// refresh has the facts of the branches looked at again whose refreshes were dropped. Of many, the rest waits for the
// next commit or push on them.
func (t *traveller) refresh(ctx context.Context, settled []Settlement) error {
	if t.opt.Refresh == nil {
		return nil
	}
	var branches []string
	for _, s := range settled {
		stale := slices.ContainsFunc(s.Dropped, func(v Version) bool { return v.Message.Event == handoff.EventRefresh })
		if stale && !slices.Contains(branches, s.Name.Branch) {
			branches = append(branches, s.Name.Branch)
		}
	}
	if more := len(branches) - maxRefreshed; more > 0 {
		branches = branches[:maxRefreshed]
		t.note(fmt.Sprintf("the facts of %d more branches are taken anew with their next commit or push", more))
	}
	if len(branches) == 0 {
		return nil
	}
	return t.opt.Refresh(ctx, branches)
}

// Brought are the handoffs that the peer has got.
func (j *Journey) Brought() []handoff.Name {
	var names []handoff.Name
	for _, ref := range j.Pushed {
		if !ref.Name.IsZero() && ref.New != "" {
			names = append(names, ref.Name)
		}
	}
	return names
}

// Pending are the handoffs that a push would bring along, as far as is known without asking the peer.
func (r *Repo) Pending(ctx context.Context, push Push) ([]handoff.Name, error) {
	s, err := r.surveyOf(ctx, push.Branches, TrackingKey(push.Peer.Track))
	if err != nil {
		return nil, err
	}
	var names []handoff.Name
	for n, v := range s.local {
		if slices.Contains(push.Branches, n.Branch) && s.tracked[TrackingKey(push.Peer.Track)][n].OID != v.OID {
			names = append(names, n)
		}
	}
	slices.SortFunc(names, compareNames)
	return names, nil
}
