package gitstore

import (
	"context"

	"git-handoff/gitstore/handoff"
)

// CatchUp resolves a handoff with what was last fetched, without the network, so that what is saved next stands on all
// that is known here. It names the remote, "" where there was nothing to do; then it started no child beyond the
// configuration.
func (r *Repo) CatchUp(ctx context.Context, name handoff.Name) (remote string, err error) {
	config, err := r.Config(ctx)
	if err != nil {
		return "", err
	}
	p, ok := config.BranchPeer(name.Branch)
	if !ok || !r.unsettled(ctx, name, p.Track) {
		return "", nil
	}
	return p.Remote, r.Settle(ctx, p, name)
}

// unsettled reports whether resolving would change a handoff here.
func (r *Repo) unsettled(ctx context.Context, name handoff.Name, track string) bool {
	e := &Effective{Name: name, Track: track}
	var err error
	if e.Fetched, err = r.ref(ctx, TrackingRef(track, name)); err != nil || e.Fetched == "" {
		return false
	}
	if e.Local, err = r.ref(ctx, name.Ref()); err != nil || e.Local == e.Fetched {
		return false
	}
	res, err := Resolve(r.forkOf(ctx, e))
	return err == nil && res.Action != PushAhead && res.Action != UpToDate
}
