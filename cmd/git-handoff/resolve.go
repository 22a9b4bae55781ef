package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"git-handoff/gitstore"
	"git-handoff/gitstore/handoff"
	"git-handoff/hooks"
)

func resolveCommand() *cli.Command {
	return &cli.Command{
		Name:  "resolve",
		Usage: "merge what diverged, close what is superseded, merged or gone",
		Description: `Fetches, merges diverged versions, hands the handoffs of a renamed branch over to its new name, marks as
superseded what another handoff names (or what has the same task or run on the same branch and is older), and
archives the handoffs of branches that are merged or gone. A branch that may live on a remote that was not
reached is never called gone. Each step says why, and how to take it back. It pushes nothing.

Examples:
  git handoff resolve --dry-run
  git handoff resolve --renamed feature/old feature/new`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "dry-run", Usage: "say what would be done, and do nothing"},
			&cli.StringFlag{Name: "renamed", Usage: "branch `OLD` has the name that follows, NEW"},
		},
		ArgsUsage: "[NEW]",
		Action:    resolveAction,
	}
}

func resolveAction(c *cli.Context) error {
	renames, err := renamesOf(c)
	if err != nil {
		return err
	}
	d, err := open(c)
	if err != nil {
		return err
	}
	defer d.close()
	for _, r := range renames {
		if err := d.mayHandOver(c.Context, r); err != nil {
			return err
		}
	}
	tidied, err := d.repo.Tidy(c.Context, gitstore.TidyOptions{DryRun: c.Bool("dry-run"), Renamed: renames, Refresh: hooks.Refresher(d.repo)})
	if err != nil {
		return err
	}
	return d.tellTidying(tidied, c.Bool("dry-run"))
}

// renamesOf reads --renamed OLD NEW.
func renamesOf(c *cli.Context) ([]gitstore.Rename, error) {
	old := c.String("renamed")
	switch {
	case old == "" && c.NArg() > 0:
		return nil, badUsage("resolve takes no arguments").hint("git handoff resolve -h")
	case old == "":
		return nil, nil
	case c.NArg() != 1:
		return nil, badUsage("--renamed takes two branches, the old name and the new one").hint("git handoff resolve --renamed OLD NEW")
	}
	for _, branch := range []string{old, c.Args().First()} {
		if err := handoff.CheckBranch(branch); err != nil {
			return nil, badUsage("%s", err)
		}
	}
	return []gitstore.Rename{{Old: old, New: c.Args().First()}}, nil
}

// mayHandOver refuses a rename that would hand over nothing, or to nobody.
func (d *desk) mayHandOver(ctx context.Context, r gitstore.Rename) error {
	tip, err := d.repo.BranchTip(ctx, r.New)
	if err != nil {
		return err
	}
	if tip == "" {
		return badUsage("there is no branch %s here", r.New).hint("git branch -m %s %s renames one", word(r.Old), word(r.New))
	}
	tips, err := d.repo.BranchTips(ctx, r.Old)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(tips, func(v gitstore.Version) bool { return v.Message.Status == handoff.Active }) {
		return trouble(exitNoHandoff, "branch %s has no active handoff here", r.Old).hint("git handoff list --all shows what there is")
	}
	return nil
}

// tellTidying prints what was done, why, and how to take it back.
func (d *desk) tellTidying(t *gitstore.Tidying, dry bool) error {
	var failed problems
	happened := false
	for _, j := range t.Journeys {
		happened = d.tellJourney(j) || happened
		failed = append(failed, withheld(j)...)
	}
	for _, c := range t.Closings {
		fmt.Fprintln(d.out, oneLine(closingLine(c, dry)))
		if undo := undoOf(c); undo != "" && !dry {
			fmt.Fprintf(d.out, "  undo: %s\n", undo)
		}
	}
	for _, k := range t.Kept {
		d.say(fmt.Sprintf("%s stays open: %s", k.Name, k.Why))
	}
	for _, err := range t.Unreached {
		d.say(err.Error() + "; what may be there counts as live")
	}
	if !happened && len(t.Closings) == 0 && len(failed) == 0 {
		fmt.Fprintln(d.out, "nothing to resolve")
	}
	return failed.orNil()
}

func closingLine(c gitstore.Closing, dry bool) string {
	would := ""
	if dry {
		would = "would be "
	}
	switch c.Event {
	case handoff.EventSupersede:
		return fmt.Sprintf("%s: %ssuperseded by %s: %s", c.Name, would, c.By.Handoff, c.Reason)
	case handoff.EventRename:
		return fmt.Sprintf("%s: %shanded over to %s: %s", c.Name, would, c.By.Handoff, c.Reason)
	}
	what := "archived"
	if c.Outcome != "" {
		what += " (" + c.Outcome + ")"
	}
	return fmt.Sprintf("%s: %s%s: %s", c.Name, would, what, c.Reason)
}

// undoOf is the command that takes a closing back.
func undoOf(c gitstore.Closing) string {
	if c.Event == handoff.EventRename {
		by, err := handoff.ParseName(c.By.Handoff)
		if err != nil {
			return ""
		}
		return fmt.Sprintf("git handoff archive %s && git handoff archive --undo %s", by, c.Name)
	}
	return "git handoff archive --undo " + word(c.Name)
}
