package main

import (
	"context"
	"errors"
	"slices"

	"git-handoff/gitstore"
	"git-handoff/gitstore/handoff"
	"git-handoff/render"
)

// A remoteLook is what is known of the remote that the branch's handoffs travel to.
type remoteLook struct {
	// fetched is what it said just now; nil where it was not asked or not reached.
	fetched *gitstore.Fetched
	// says is one sentence about that, and unreached the error where it was asked in vain.
	says      string
	unreached error
}

// branch is the branch that an argument is most likely about, before anything was looked up.
func (c candidates) branch() string {
	if len(c.names) > 0 {
		return c.names[0].Branch
	}
	return c.branches[0]
}

// fetch asks the remote of a branch, unless it is told not to. Not reaching it is no failure, but is said.
func (r *resuming) fetch(ctx context.Context, branch string, may bool) {
	peer, ok := r.config.BranchPeer(branch)
	if !ok {
		r.remote.says = "there is no remote to ask"
		return
	}
	r.peer = &peer
	switch {
	case !may:
		r.remote.says = peer.Remote + " was not asked, as told" + r.lastFetch()
		return
	case !r.config.Fetch:
		r.remote.says = peer.Remote + " was not asked, since handoff.fetch is off" + r.lastFetch()
		return
	}
	last := r.lastFetch()
	fetched, err := r.repo.Fetch(ctx, peer, gitstore.FetchOptions{Branches: true})
	if err != nil {
		r.remote.unreached, r.remote.says = err, oneLine(err.Error())+last
		r.say(r.remote.says)
		return
	}
	r.remote.fetched, r.remote.says = fetched, peer.Remote+" was fetched just now"
	if fetched.Note != "" {
		r.remote.says = fetched.Note
		r.say(fetched.Note)
	}
}

// lastFetch says, after a comma, when the remote was asked before.
func (r *resuming) lastFetch() string {
	at := r.repo.LastFetch(r.peer.Track)
	if at.IsZero() {
		return ", and never was before"
	}
	return "; it was last fetched " + render.Age(gitstore.Now(), at)
}

// track is the name under which the remote's handoffs are kept, "" for none.
func (r *resuming) track() string {
	if r.peer == nil {
		return ""
	}
	return r.peer.Track
}

// locate finds the handoff that is meant, here or as it was fetched.
func (r *resuming) locate(ctx context.Context, arg string, wanted candidates) (handoff.Name, error) {
	for _, name := range wanted.names {
		if r.repo.Has(ctx, name) || r.fetchedName(ctx, name) {
			return name, nil
		}
	}
	for _, branch := range wanted.branches {
		tips, err := r.branchTips(ctx, branch)
		if err != nil {
			return handoff.Name{}, err
		}
		if name, err := r.onlyOne(ctx, branch, tips); err != nil || !name.IsZero() {
			return name, err
		}
	}
	return handoff.Name{}, r.nothing(ctx, arg, wanted)
}

func (r *resuming) fetchedName(ctx context.Context, name handoff.Name) bool {
	if r.peer == nil {
		return false
	}
	_, err := r.repo.TipOf(ctx, gitstore.TrackingRef(r.peer.Track, name))
	return err == nil
}

// branchTips are the handoffs of a branch, here and as they were fetched: of each name the one that was saved last.
func (r *resuming) branchTips(ctx context.Context, branch string) ([]gitstore.Version, error) {
	prefixes := []string{handoff.RefPrefix + branch}
	if r.peer != nil {
		prefixes = append(prefixes, gitstore.TrackingRef(r.peer.Track, handoff.Name{Branch: branch}))
	}
	all, err := r.repo.Tips(ctx, prefixes...)
	if err != nil {
		return nil, err
	}
	var tips []gitstore.Version
	for _, v := range all {
		i := slices.IndexFunc(tips, func(o gitstore.Version) bool { return o.Name == v.Name })
		switch {
		case v.Name.Branch != branch:
		case i < 0:
			tips = append(tips, v)
		case v.Message.Saved.Std().After(tips[i].Message.Saved.Std()):
			tips[i] = v
		}
	}
	return tips, nil
}

// onlyOne is the only active handoff among those of a branch, or the default one of several, or the only one at all.
func (r *resuming) onlyOne(ctx context.Context, branch string, tips []gitstore.Version) (handoff.Name, error) {
	active := slices.DeleteFunc(slices.Clone(tips), func(v gitstore.Version) bool { return v.Message.Status != handoff.Active })
	usual := handoff.Name{Branch: branch, Topic: r.defaultTopic(ctx)}
	switch {
	case len(active) == 1:
		return active[0].Name, nil
	case slices.ContainsFunc(active, func(v gitstore.Version) bool { return v.Name == usual }):
		return usual, nil
	case len(active) > 1:
		p := trouble(exitNoHandoff, "branch %s has %d active handoffs", branch, len(active))
		for _, v := range active {
			p.hint("git handoff resume %s", word(v.Name))
		}
		return handoff.Name{}, p
	case len(tips) == 1:
		return tips[0].Name, nil
	}
	return handoff.Name{}, nil
}

// nothing says that there is no such handoff; or, where the remote was not asked, or what it has could not be kept, that
// nobody can tell.
func (r *resuming) nothing(ctx context.Context, arg string, wanted candidates) error {
	missing := r.missing(ctx, arg, wanted)
	kept := r.remote.fetched != nil && r.remote.fetched.Note == ""
	if r.peer == nil || kept || r.remote.fetched == nil && r.remote.unreached == nil && !r.repo.LastFetch(r.peer.Track).IsZero() {
		return missing
	}
	p := trouble(exitUnknown, "%s, and %s", missing, r.remote.says)
	var known *problem
	if errors.As(missing, &known) {
		p.hints = known.hints
	}
	return p.hint("git handoff sync %s", word(r.peer.Remote))
}
