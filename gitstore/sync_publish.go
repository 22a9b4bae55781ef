package gitstore

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"git-handoff/gitstore/handoff"
)

// publish plans and pushes once. It is done where nothing came too late.
func (t *traveller) publish(ctx context.Context) (done bool, err error) {
	p, err := t.plan(ctx)
	if err != nil {
		return false, err
	}
	t.Withheld = p.withheld
	late := t.Peer.From != "" && (p.unsure && t.advertised == nil || t.unresolved(p))
	for _, stage := range [][]PushedRef{p.first, p.room, p.last} {
		if len(stage) == 0 {
			continue
		}
		if err := t.repo.push(ctx, t.Peer, stage); err != nil {
			return false, err
		}
		if t.arrived(ctx, p, stage) {
			late = true
			// What comes next may count on what was just refused, such as a place in the archive.
			break
		}
		if len(p.room) > 0 && slices.ContainsFunc(stage, refusesRoom) {
			break
		}
	}
	return !late, nil
}

// unresolved reports whether a handoff is behind or beside what the peer is known to have, although it is resolved with
// that peer: somebody saved or fetched since. One that cannot be resolved was left alone already.
func (t *traveller) unresolved(p *publication) bool {
	return slices.ContainsFunc(p.withheld, func(w Withheld) bool {
		return w.Cause == Diverged && t.config.PushRemote(w.Name.Branch) == t.Peer.Remote &&
			!slices.ContainsFunc(t.Settled, func(s Settlement) bool { return s.Name == w.Name && s.Err != nil })
	})
}

// refusesRoom reports whether the peer will not have a handoff in its archive, or one deleted.
func refusesRoom(ref PushedRef) bool {
	return ref.Result == Refused && (ref.New == "" || namespaceOf(ref.Ref) == "refs/handoff-archive/")
}

func (t *traveller) plan(ctx context.Context) (*publication, error) {
	s, err := t.look(ctx)
	if err != nil {
		return nil, err
	}
	p := &publication{repo: t.repo, survey: s, peer: t.Peer, key: TrackingKey(t.Peer.Track), only: t.only(), push: t.push,
		advertised: t.advertised, restore: t.restore, scan: t.opt.Scan}
	p.published, err = t.published(ctx)
	if err != nil {
		return nil, err
	}
	if t.opt.Unasked {
		p.skip = t.repo.RefusedBy(t.Peer)
	}
	if err := p.plan(ctx); err != nil {
		return nil, err
	}
	return p, p.planNotes(ctx)
}

// look surveys as little as will do.
func (t *traveller) look(ctx context.Context) (*survey, error) {
	if t.push != nil && t.advertised == nil {
		return t.repo.surveyOf(ctx, t.push.Branches, TrackingKey(t.Peer.Track))
	}
	return t.repo.survey(ctx)
}

// published says which branches are on the peer: those of a push that is under way, those it advertised, or, where it
// cannot be asked, those that were seen there. A branch can have another name there, as its configuration says.
func (t *traveller) published(ctx context.Context) (func(branch string) bool, error) {
	if t.push != nil {
		return func(branch string) bool { return slices.Contains(t.push.Branches, branch) }, nil
	}
	there := t.advertised
	if there == nil {
		prefix := "refs/remotes/" + t.Peer.Remote + "/"
		refs, err := t.repo.Refs(ctx, prefix)
		if err != nil {
			return nil, err
		}
		there = map[string]string{}
		for _, ref := range refs {
			there[ref.Name[len(prefix):]] = ref.OID
		}
	}
	return func(branch string) bool {
		if _, ok := there[branch]; ok {
			return true
		}
		merge := t.config.Get("branch." + branch + ".merge")
		if t.config.Get("branch."+branch+".remote") != t.Peer.Remote || len(merge) <= len("refs/heads/") {
			return false
		}
		_, ok := there[merge[len("refs/heads/"):]]
		return ok
	}, nil
}

// arrived takes note of what a push brought about, and reports whether any of it came too late.
func (t *traveller) arrived(ctx context.Context, p *publication, refs []PushedRef) (stale bool) {
	t.giveUp(refs)
	t.repo.rememberRefusals(t.Peer, refs)
	for _, ref := range refs {
		switch ref.Result {
		case Accepted:
			t.Pushed = append(t.Pushed, ref)
		case Refused:
			t.Withheld = append(t.Withheld, Withheld{Name: ref.Name, Ref: ref.Ref, Why: t.why(ref), Cause: Rejected})
		default:
			stale = true
			t.Withheld = append(t.Withheld, Withheld{Name: ref.Name, Ref: ref.Ref, Why: "the remote has changed meanwhile, again and again", Cause: Late})
		}
	}
	if err := t.repo.track(ctx, t.Peer, p.survey, refs); err != nil {
		t.note(err.Error())
	}
	for _, ref := range refs {
		if ref.Result == Accepted {
			p.survey.retrack(p.key, ref)
		}
	}
	return stale
}

// why says why a ref was refused: by the remote, or since what was fetched from it could not be kept here.
func (t *traveller) why(ref PushedRef) string {
	if ref.Reason == t.unkept {
		return ref.Reason
	}
	return "the remote refuses it: " + ref.Reason
}

// giveUp makes a refusal of what the peer finds stale although it was just fetched and has not changed: it shows pushes
// other refs than fetches, or what was fetched could not be kept here. More attempts would end the same.
func (t *traveller) giveUp(refs []PushedRef) {
	late := map[string]string{}
	for i := range refs {
		ref := &refs[i]
		if ref.Result != Stale || !strings.Contains(ref.Reason, "stale info") {
			continue
		}
		if old, again := t.late[ref.Ref]; again && old == ref.Old && t.advertised != nil {
			ref.Result, ref.Reason = Refused, cmp.Or(t.unkept, "it shows other refs to a push than to a fetch")
			continue
		}
		late[ref.Ref] = ref.Old
	}
	t.late = late
}

// retrack is the survey after a ref of the peer moved.
func (s *survey) retrack(key string, ref PushedRef) {
	if ref.Name.IsZero() {
		return
	}
	if s.tracked[key] == nil {
		s.tracked[key] = map[handoff.Name]Version{}
	}
	if ref.New == "" {
		delete(s.tracked[key], ref.Name)
		return
	}
	s.tracked[key][ref.Name] = Version{Name: ref.Name, OID: ref.New}
}
