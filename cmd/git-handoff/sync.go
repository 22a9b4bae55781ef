package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"git-handoff/gitstore"
	"git-handoff/gitstore/handoff"
	"git-handoff/hooks"
)

func syncCommand() *cli.Command {
	return &cli.Command{
		Name:      "sync",
		Usage:     "fetch, resolve and push handoffs",
		ArgsUsage: "[REMOTE]",
		Description: `Fetches the handoffs of a remote (without a name: the one that the current branch is pushed to), makes
those here agree with them, and pushes: handoffs of branches that are on the remote, later versions of
those it has already, and evidence on commits that are there. Nothing else leaves this repository.

With git config handoff.push off it only fetches.

Examples:
  git handoff sync
  git handoff sync upstream`,
		Action: syncAction,
	}
}

func syncAction(c *cli.Context) error {
	if c.NArg() > 1 {
		return badUsage("sync takes one remote, not %d", c.NArg()).hint("git handoff sync -h")
	}
	d, err := open(c)
	if err != nil {
		return err
	}
	defer d.close()
	d.unreached(c.Context)
	config, err := d.repo.Config(c.Context)
	if err != nil {
		return err
	}
	remote := c.Args().First()
	if remote == "" {
		if remote, err = d.pushRemote(c.Context, config); err != nil {
			return err
		}
	}
	journeys, err := d.repo.Sync(c.Context, remote, gitstore.TravelOptions{
		Scan: hooks.Scan(config), Refresh: hooks.Refresher(d.repo), NoPush: config.Push == gitstore.PushOff,
	})
	var failed problems
	happened := false
	for _, j := range journeys {
		happened = d.tellJourney(j) || happened
		failed = append(failed, withheld(j)...)
	}
	if err != nil {
		return err
	}
	if !happened && len(failed) == 0 {
		fmt.Fprintf(d.out, "nothing to do: %s and this clone agree\n", remote)
	}
	if config.Push == gitstore.PushOff {
		d.say("nothing was pushed, since handoff.push is off")
	}
	return failed.orNil()
}

// pushRemote is the remote that the current branch is pushed to.
func (d *desk) pushRemote(ctx context.Context, config *gitstore.Config) (string, error) {
	branch, _ := d.branch(ctx)
	if remote := config.PushRemote(branch); remote != "" {
		return remote, nil
	}
	if len(config.Remotes()) > 0 {
		return "", badUsage("this branch is not pushed anywhere, and there are several remotes").hint("name one: git handoff sync REMOTE")
	}
	return "", badUsage("there is no remote to synchronise with").hint("git remote add origin URL")
}

// tellJourney prints what happened to each handoff, and reports whether anything did.
func (d *desk) tellJourney(j gitstore.Journey) bool {
	var lines []string
	for _, s := range j.Settled {
		if line := settlementLine(s, j.Peer.Remote); line != "" {
			lines = append(lines, line)
		}
	}
	for _, ref := range j.Pushed {
		lines = append(lines, pushedLine(ref, j.Peer.Remote))
	}
	for _, line := range lines {
		fmt.Fprintln(d.out, oneLine(line))
	}
	for _, note := range j.Notes {
		d.say(note)
	}
	return len(lines) > 0
}

// settlementLine is what resolving did to one handoff, "" where it did nothing.
func settlementLine(s gitstore.Settlement, remote string) string {
	if !s.Changed() {
		return ""
	}
	what := ""
	switch s.Action {
	case gitstore.FastForward:
		what = "taken from " + remote
	case gitstore.Reapply:
		what = "taken from " + remote + ", with what was resumed or claimed here"
	case gitstore.Join, gitstore.MergeBoth:
		what = "merged with the version on " + remote
	case gitstore.MakeRoom:
		return fmt.Sprintf("%s: made room for another; kept as %s%.12s…", s.Name, handoff.ArchivePrefix, s.Before)
	}
	return fmt.Sprintf("%s: %s, now %.12s", s.Name, what, s.After)
}

func pushedLine(ref gitstore.PushedRef, remote string) string {
	switch {
	case ref.Name.IsZero() && ref.Ref == handoff.NotesRef:
		return "evidence: pushed to " + remote
	case ref.Name.IsZero():
		return fmt.Sprintf("%s: kept on %s", strings.TrimPrefix(ref.Ref, "refs/"), remote)
	case ref.New == "":
		return fmt.Sprintf("%s: made room for another on %s", ref.Name, remote)
	}
	return fmt.Sprintf("%s: pushed to %s, version %.12s", ref.Name, remote, ref.New)
}

// withheld are the handoffs that were left alone or did not get there, as problems that end with a status of their own.
func withheld(j gitstore.Journey) problems {
	var all problems
	for _, s := range j.Settled {
		if s.Err != nil {
			all = append(all, leftAlone(s))
		}
	}
	for _, w := range j.Withheld {
		what := w.Ref
		if !w.Name.IsZero() {
			what = w.Name.String()
		}
		p := trouble(exitFailure, "%s was not pushed to %s: %s", what, j.Peer.Remote, w.Why)
		switch w.Cause {
		case gitstore.Secret:
			p.code = exitRefused
			p.hint("git handoff save without it; if an older version holds it, archive the handoff and start another topic")
		case gitstore.Late:
			p.code = exitConflict
			p.hint("git handoff sync %s", word(j.Peer.Remote))
		case gitstore.NoRoom, gitstore.Diverged:
			p.code = exitConflict
			p.hint("git handoff show %s --remote %s", word(what), word(j.Peer.Remote))
		}
		all = append(all, p)
	}
	return all
}

// leftAlone says why a handoff was not resolved.
func leftAlone(s gitstore.Settlement) *problem {
	p := *explain(s.Err)[0]
	p.what = s.Name.String() + " was left alone: " + p.what
	return &p
}
