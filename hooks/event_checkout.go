package hooks

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"git-handoff/gitstore"
	"git-handoff/gitstore/handoff"
)

// postCheckout moves the handoffs of the branch that was switched to forward to what was fetched, and tells a person
// that there is one to resume.
func (e *event) postCheckout(ctx context.Context) Outcome {
	if e.arg(2) == "0" {
		return Outcome{}
	}
	branch := e.branch(ctx)
	if branch == "" {
		return Outcome{}
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	rest, canRest := prepareRest(e.repo, branch)
	config, err := e.repo.Config(ctx)
	if err != nil {
		return Outcome{}
	}
	prefix := handoff.TrackingPrefix + gitstore.TrackingKey(config.PushRemote(branch)) + "/heads/" + branch
	tips, err := e.repo.Tips(ctx, handoff.RefPrefix+branch, prefix)
	if err != nil {
		return Outcome{}
	}
	tips = slices.DeleteFunc(tips, func(v gitstore.Version) bool { return v.Name.Branch != branch })
	if len(tips) == 0 && canRest {
		if tracked, err := trackedFor(ctx, e.repo, branch); err == nil && !tracked {
			rest.mark()
		}
	}
	here := e.forward(ctx, tips)
	if !config.Notice {
		return Outcome{}
	}
	return Outcome{Line: notice(branch, here), Notice: true}
}

// forward moves local refs to what was fetched where nothing is lost by it, and gives the versions that are here then.
// Whatever stands in the way is for sync to tell.
func (e *event) forward(ctx context.Context, tips []gitstore.Version) []gitstore.Version {
	local, fetched := map[handoff.Name]gitstore.Version{}, map[handoff.Name]gitstore.Version{}
	for _, v := range tips {
		if v.Ref == v.Name.Ref() {
			local[v.Name] = v
		} else {
			fetched[v.Name] = v
		}
	}
	for name, theirs := range fetched {
		ours := local[name]
		if ours.OID == theirs.OID || !e.isForward(ctx, ours, theirs) {
			continue
		}
		move := gitstore.RefChange{Ref: name.Ref(), Old: ours.OID, New: theirs.OID}
		if e.repo.UpdateRefs(ctx, "handoff: fast-forward", move) == nil {
			local[name] = theirs
		}
	}
	var here []gitstore.Version
	for _, v := range local {
		here = append(here, v)
	}
	slices.SortFunc(here, func(a, b gitstore.Version) int { return b.Committer.When.Compare(a.Committer.When) })
	return here
}

// isForward reports whether the fetched version is to take the place of the local one as it is: it descends from it,
// or from all of it that counts.
func (e *event) isForward(ctx context.Context, ours, theirs gitstore.Version) bool {
	r, err := gitstore.Resolve(gitstore.Fork{
		Local: ours.OID, Fetched: theirs.OID,
		Version: func(oid string) (*gitstore.Version, error) {
			v, err := e.repo.VersionAt(ctx, oid)
			if errors.Is(err, gitstore.ErrNoObject) {
				return nil, nil
			}
			return v, err
		},
		Document: func(oid string) (*handoff.Document, error) {
			v, err := e.repo.VersionAt(ctx, oid)
			if err != nil {
				return nil, err
			}
			return e.repo.Document(ctx, v)
		},
		Elsewhere: func(oid string) bool {
			published, err := e.repo.Published(ctx, &gitstore.Version{Name: ours.Name, OID: oid})
			return err != nil || published
		},
	})
	return err == nil && r.Action == gitstore.FastForward && len(r.Writes) == 0
}

// notice tells that there is something to resume; "" where there is not.
func notice(branch string, here []gitstore.Version) string {
	active := activeOf(here)
	switch len(active) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("%s is an active handoff, next: %s (git handoff resume)", active[0].Name, active[0].Message.Next)
	}
	return fmt.Sprintf("%s has %d active handoffs (git handoff list)", branch, len(active))
}
