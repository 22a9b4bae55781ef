package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"git-handoff/gitstore"
	"git-handoff/gitstore/handoff"
	"git-handoff/hooks"
)

func archiveCommand() *cli.Command {
	return &cli.Command{
		Name:      "archive",
		Usage:     "close handoffs",
		ArgsUsage: "HANDOFF…",
		Description: `Closes handoffs: they no longer drive work, and list shows them with --all. Nothing is lost; saving again
starts a new one with an empty brief, and --undo continues the old one: the one named (a superseded one too), or
without a name all that were closed together last.

Examples:
  git handoff archive feature/login --outcome done
  git handoff archive --stale --dry-run
  git handoff archive --undo`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "outcome", Usage: "what it came to: " + strings.Join(gitstore.Outcomes, ", ")},
			&cli.StringFlag{Name: "why", Usage: "`TEXT` for the log"},
			&cli.BoolFlag{Name: "stale", Usage: "all that nobody saved for longer than handoff.staleAfter"},
			&cli.BoolFlag{Name: "dry-run", Usage: "say what would be closed, and close nothing"},
			&cli.BoolFlag{Name: "undo", Usage: "continue what was closed"},
			&cli.StringFlag{Name: "branch", Usage: "handoffs of `BRANCH`"},
			&cli.StringFlag{Name: "session", Usage: "the session that closes", EnvVars: []string{"HANDOFF_SESSION"}},
			&cli.StringFlag{Name: "actor", Usage: "who closes", EnvVars: []string{"HANDOFF_ACTOR"}},
		},
		Action: archiveAction,
	}
}

func archiveAction(c *cli.Context) error {
	if o := c.String("outcome"); o != "" && !slices.Contains(gitstore.Outcomes, o) {
		return badUsage("--outcome is %s, not %q", list(gitstore.Outcomes), o)
	}
	d, err := open(c)
	if err != nil {
		return err
	}
	defer d.close()
	config, err := d.repo.Config(c.Context)
	if err != nil {
		return err
	}
	if err := guardWords(config, map[string]string{"--why": c.String("why"), "--session": c.String("session"), "--actor": c.String("actor")}); err != nil {
		return err
	}
	if c.Bool("undo") {
		return d.reopen(c)
	}
	names, err := d.toArchive(c)
	if err != nil {
		return err
	}
	var asked []gitstore.Closing
	for _, n := range names {
		asked = append(asked, gitstore.Closing{Name: n, Event: handoff.EventArchive, Outcome: c.String("outcome"), Reason: c.String("why"),
			Actor: c.String("actor"), Session: c.String("session")})
	}
	if c.Bool("dry-run") {
		for _, n := range names {
			fmt.Fprintf(d.out, "%s would be archived\n", n)
		}
		return nil
	}
	done, err := d.repo.Archive(c.Context, asked)
	if err != nil {
		return err
	}
	return d.tellArchived(names, done)
}

// toArchive are the handoffs that are named, or those that are stale.
func (d *desk) toArchive(c *cli.Context) ([]handoff.Name, error) {
	if c.Bool("stale") {
		if c.NArg() > 0 {
			return nil, badUsage("--stale takes no names")
		}
		return d.stale(c.Context)
	}
	if c.NArg() == 0 {
		return nil, badUsage("archive needs the names of handoffs").hint("git handoff list").hint("git handoff archive --stale closes what nobody works on")
	}
	return d.existing(c)
}

// existing finds every handoff that is named, or says in one go which are not there.
func (d *desk) existing(c *cli.Context) ([]handoff.Name, error) {
	var names []handoff.Name
	var failed problems
	for _, arg := range c.Args().Slice() {
		n, err := d.find(c.Context, arg, c.String("branch"))
		if err != nil {
			failed = append(failed, explain(err)...)
		} else if !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return names, failed.orNil()
}

// stale are the active handoffs that nobody saved for longer than handoff.staleAfter.
func (d *desk) stale(ctx context.Context) ([]handoff.Name, error) {
	after, err := d.staleAfter(ctx)
	if err != nil {
		return nil, err
	}
	tips, err := d.repo.Tips(ctx)
	if err != nil {
		return nil, err
	}
	var names []handoff.Name
	for _, v := range tips {
		if v.Message.Status == handoff.Active && gitstore.Now().Sub(lastSaved(v)) > after {
			names = append(names, v.Name)
		}
	}
	return names, nil
}

func lastSaved(v gitstore.Version) time.Time {
	if at := v.Message.Saved; !at.IsZero() {
		return at.Std()
	}
	return v.Committer.When
}

func (d *desk) tellArchived(names []handoff.Name, done []gitstore.Closing) error {
	for _, c := range done {
		fmt.Fprintf(d.out, "archived %s, version %.12s\n", c.Name, c.After)
	}
	for _, n := range names {
		if !slices.ContainsFunc(done, func(c gitstore.Closing) bool { return c.Name == n }) {
			fmt.Fprintf(d.out, "%s was archived before\n", n)
		}
	}
	switch {
	case len(names) == 0:
		fmt.Fprintln(d.out, "nothing to archive")
	case len(done) > 0:
		d.hint("git handoff archive --undo takes it back")
	}
	return nil
}

// reopen continues what was closed.
func (d *desk) reopen(c *cli.Context) error {
	names := d.repo.LastBatch(c.Context)
	if c.NArg() > 0 {
		names = nil
		for _, arg := range c.Args().Slice() {
			n, err := d.closedName(c.Context, arg, c.String("branch"))
			if err != nil {
				return err
			}
			names = append(names, n)
		}
	}
	if len(names) == 0 {
		return trouble(exitNoHandoff, "there is nothing to take back").hint("git handoff list --all shows what is archived").
			hint("git handoff archive --undo HANDOFF continues one")
	}
	for _, n := range names {
		if c.Bool("dry-run") {
			fmt.Fprintf(d.out, "%s would be continued\n", n)
			continue
		}
		v, err := d.repo.Reopen(c.Context, n, c.String("actor"), c.String("session"))
		if err != nil {
			return err
		}
		fmt.Fprintf(d.out, "%s goes on, version %.12s\n", n, v.OID)
		if err := hooks.Refresher(d.repo)(c.Context, []string{n.Branch}); err != nil {
			d.say("its facts were not refreshed: " + err.Error())
		}
	}
	return nil
}

// closedName is a handoff to continue. One that made room for others is nowhere but in the archive; its own name means it
// rather than the branch that it made room for.
func (d *desk) closedName(ctx context.Context, arg, branch string) (handoff.Name, error) {
	wanted, err := d.candidates(ctx, arg, branch)
	if err != nil {
		return handoff.Name{}, err
	}
	if name, there := d.here(ctx, wanted.names); there {
		return name, nil
	}
	if name, there := d.archived(ctx, wanted.names); there {
		return name, nil
	}
	n, err := d.find(ctx, arg, branch)
	if err != nil {
		if name, there := d.archived(ctx, wanted.all()); there {
			return name, nil
		}
	}
	return n, err
}

// archived is the first of some handoffs that is in the archive.
func (d *desk) archived(ctx context.Context, names []handoff.Name) (handoff.Name, bool) {
	for _, name := range names {
		if v, err := d.repo.InArchive(ctx, name); err == nil && v != nil {
			return name, true
		}
	}
	return handoff.Name{}, false
}
