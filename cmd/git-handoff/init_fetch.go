package main

import (
	"context"
	"errors"
	"fmt"

	"git-handoff/gitstore"
	"git-handoff/gitstore/handoff"
	"git-handoff/hooks"
)

// firstFetch brings the handoffs of the remote here, once, and says what pushes publish from now on. That the remote
// cannot be reached is said, and no error: the hooks are in place.
func (d *desk) firstFetch(ctx context.Context) error {
	config, err := d.repo.Config(ctx)
	if err != nil {
		return err
	}
	remote, err := d.pushRemote(ctx, config)
	if err != nil {
		// Without a remote there is nothing to fetch, and nothing is published.
		return nil
	}
	if config.Fetch {
		journeys, err := d.repo.Sync(ctx, remote, gitstore.TravelOptions{NoPush: true, Refresh: hooks.Refresher(d.repo)})
		for _, j := range journeys {
			d.tellJourney(j)
		}
		if errors.Is(err, gitstore.ErrUnreached) {
			d.say(err.Error() + "; git handoff sync fetches its handoffs later")
		} else if err != nil {
			return err
		}
	}
	return d.tellPublication(ctx, config, remote)
}

// tellPublication says what a push publishes.
func (d *desk) tellPublication(ctx context.Context, config *gitstore.Config, remote string) error {
	if config.Push == gitstore.PushOff || config.Push == gitstore.PushWarn {
		fmt.Fprintf(d.out, "pushes publish no handoffs: handoff.push is %s\n", config.Push)
		return nil
	}
	peers, err := config.Peers(remote)
	if err != nil {
		return err
	}
	where := remote
	if url := gitstore.PublicURL(peers[len(peers)-1].URL); url != remote {
		where += " (" + url + ")"
	}
	fmt.Fprintf(d.out, "git push publishes the handoffs of the pushed branches on %s, for everybody who can read it; git config handoff.push off ends that\n", where)
	tips, err := d.repo.Tips(ctx)
	if err = d.tellUnread(err); err != nil {
		return err
	}
	for _, v := range tips {
		if v.Message.Status == handoff.Active && config.PushRemote(v.Name.Branch) == remote {
			fmt.Fprintf(d.out, "  with %s: %s\n", v.Name.Branch, v.Name)
		}
	}
	return nil
}
