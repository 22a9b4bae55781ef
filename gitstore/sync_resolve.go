package gitstore

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"git-handoff/gitstore/handoff"
)

// MakeRoom is what happened to a handoff that gave its place to another, here or on the remote before: it is kept under
// refs/handoff-archive/.
const MakeRoom Action = "make-room"

// A Settlement says what resolving did to one handoff: Before and After are its versions here, "" for none. With an Err
// it was left alone.
type Settlement struct {
	Name          handoff.Name
	Action        Action
	Before, After string
	// Dropped are the versions left behind: refreshes, lost claims, and what was written again.
	Dropped []Version
	Err     error
}

// Changed reports whether the handoff here is another one than before.
func (o Settlement) Changed() bool { return o.Err == nil && o.Before != o.After }

// resolveAll makes the handoffs here agree with what was fetched from a peer, all in one transaction and with a number
// of children that does not depend on how many there are. Only those whose branch is pushed to the peer's remote are
// meant, and of these only the ones that only says (nil is all). It writes nothing where plan is all that is wanted.
func (r *Repo) resolveAll(ctx context.Context, p Peer, only func(handoff.Name) bool, dryRun bool) ([]Settlement, error) {
	var settled []Settlement
	err := r.race(ctx, func() (err error) {
		settled, err = r.resolveOnce(ctx, p, only, dryRun)
		return err
	})
	return settled, err
}

func (r *Repo) resolveOnce(ctx context.Context, p Peer, only func(handoff.Name) bool, dryRun bool) ([]Settlement, error) {
	s, err := r.survey(ctx)
	if err != nil {
		return nil, err
	}
	config, err := r.Config(ctx)
	if err != nil {
		return nil, err
	}
	m := &meeting{repo: r, survey: s, peer: p, key: TrackingKey(p.Track), ancestry: newAncestry(r)}
	names := m.names(config, only)
	kept, flush := r.batching(ctx)
	if err := m.resolve(kept, names); err != nil || dryRun {
		return m.settled, err
	}
	if err := flush(ctx); err != nil {
		return nil, err
	}
	return m.settled, m.carryOut(ctx)
}

// A meeting is the handoffs here and those of one peer while they are resolved.
type meeting struct {
	repo     *Repo
	survey   *survey
	peer     Peer
	key      string
	ancestry *ancestry
	settled  []Settlement
	// here are the handoffs here, once it was asked what is in the way of one.
	here *thicket
	// room is what has to go first, moves is the rest.
	room  clearing
	moves []RefChange
}

// names are the handoffs that are resolved with the peer. A handoff that is only there comes here if its branch is here.
func (m *meeting) names(config *Config, only func(handoff.Name) bool) []handoff.Name {
	remotes := map[string]string{}
	meant := func(n handoff.Name) bool {
		if only != nil && !only(n) {
			return false
		}
		remote, ok := remotes[n.Branch]
		if !ok {
			remote = config.PushRemote(n.Branch)
			remotes[n.Branch] = remote
		}
		return remote == m.peer.Remote
	}
	all := map[handoff.Name]bool{}
	for n := range m.survey.local {
		all[n] = meant(n)
	}
	for n := range m.survey.tracked[m.key] {
		if _, here := m.survey.branches[n.Branch]; here {
			all[n] = meant(n)
		}
	}
	maps.DeleteFunc(all, func(_ handoff.Name, meant bool) bool { return !meant })
	return slices.SortedFunc(maps.Keys(all), compareNames)
}

func compareNames(a, b handoff.Name) int { return strings.Compare(a.String(), b.String()) }

// resolve finds out what to do about each handoff, and writes the versions that takes. Questions about code commits are
// collected and answered together.
func (m *meeting) resolve(ctx context.Context, names []handoff.Name) error {
	forks := make(map[handoff.Name]*Resolution, len(names))
	failed := map[handoff.Name]error{}
	for todo := names; len(todo) > 0; {
		var again []handoff.Name
		for _, n := range todo {
			m.ancestry.asked = false
			forks[n], failed[n] = Resolve(m.fork(ctx, n))
			if m.ancestry.asked {
				again = append(again, n)
			}
		}
		if err := m.ancestry.answer(ctx); err != nil {
			return err
		}
		todo = again
	}
	for _, n := range names {
		if m.room.has(n) {
			continue
		}
		o, err := m.settle(ctx, n, forks[n], failed[n])
		if err != nil {
			return err
		}
		m.settled = append(m.settled, o)
	}
	return nil
}

func (m *meeting) fork(ctx context.Context, n handoff.Name) Fork {
	f := Fork{
		Local: m.survey.local[n].OID, Fetched: m.survey.tracked[m.key][n].OID,
		Version:  m.version(ctx),
		Document: func(oid string) (*handoff.Document, error) { return m.repo.documentAt(ctx, oid) },
		Descends: m.ancestry.descends,
	}
	f.Elsewhere = m.survey.elsewhere(&graph{fork: f, versions: map[string]*Version{}}, m.key, n)
	return f
}

// version reads a version; one that is not here, as in a shallow copy, ends the history.
func (m *meeting) version(ctx context.Context) func(oid string) (*Version, error) {
	return func(oid string) (*Version, error) {
		v, err := m.repo.VersionAt(ctx, oid)
		if errors.Is(err, ErrNoObject) {
			return nil, nil
		}
		return v, err
	}
}

func (r *Repo) documentAt(ctx context.Context, oid string) (*handoff.Document, error) {
	v, err := r.VersionAt(ctx, oid)
	if err != nil {
		return nil, err
	}
	return r.Document(ctx, v)
}

// settle takes a resolution into what is to be done. A document that this release cannot read is left alone.
func (m *meeting) settle(ctx context.Context, n handoff.Name, res *Resolution, err error) (Settlement, error) {
	o := Settlement{Name: n, Before: m.survey.local[n].OID, After: m.survey.local[n].OID, Err: err}
	if err != nil {
		return o, nil
	}
	o.Action, o.Dropped = res.Action, res.Dropped
	if res.Action == PushAhead && m.survey.madeRoom(ctx, m, n) {
		m.room.clear(m.survey, m.survey.local[n])
		o.Action, o.After = MakeRoom, ""
		return o, nil
	}
	if o.After, err = m.write(ctx, res); err != nil {
		return o, err
	}
	if !o.Changed() {
		return o, nil
	}
	if len(res.Writes) == 0 {
		// Anybody may have pushed anything.
		if _, o.Err = m.repo.Raw(ctx, o.After); o.Err != nil {
			o.After = o.Before
			return o, nil
		}
	}
	if o.Before == "" {
		if o.Err = m.place(n); o.Err != nil {
			o.After = ""
			return o, nil
		}
	}
	m.moves = append(m.moves, RefChange{Ref: n.Ref(), Old: o.Before, New: o.After})
	return o, nil
}

// write stores the versions of a resolution and gives the last one.
func (m *meeting) write(ctx context.Context, res *Resolution) (string, error) {
	tip := res.Tip
	for _, w := range res.Writes {
		parents := w.Parents
		if parents == nil {
			parents = []string{tip}
		}
		var err error
		tip, err = m.repo.WriteVersion(ctx, w.Doc, w.Message, parents, WriteOptions{Identity: w.Identity, When: w.When})
		if err != nil {
			return "", err
		}
	}
	return tip, nil
}

// carryOut makes room, then moves all refs at once.
func (m *meeting) carryOut(ctx context.Context) error {
	if err := m.repo.clear(ctx, m.room); err != nil || len(m.moves) == 0 {
		return err
	}
	return m.repo.UpdateRefs(ctx, "handoff: resolve with "+m.peer.Remote, m.moves...)
}
