package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"git-handoff/hooks"
)

func initCommand() *cli.Command {
	return &cli.Command{
		Name:  "init",
		Usage: "install the hooks that refresh handoffs and let them travel",
		Description: `Installs the hooks of this repository, in its configuration where git has that (2.54), else as files; what
others have in the hook files stays, and runs as before. Doing it again changes nothing, --undo takes
everything out again.

--hooks print shows what would be done; write writes hook files, even where a hook manager (husky,
lefthook, pre-commit, overcommit, simple-git-hooks) is in charge; none installs no hooks.

--agent makes an agent see the handoff when it starts and save when it ends: claude-code (.claude/settings.json
and CLAUDE.md), agents-md (AGENTS.md). What these files hold besides stays as it is.

--ci writes instead the workflow that reviews pull requests on a host; --undo with it takes that out, unless somebody
changed it since, and --hooks print shows it.

Examples:
  git handoff init
  git handoff init --hooks print
  git handoff init --agent claude-code
  git handoff init --ci github
  git handoff init --undo`,
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "hooks", Value: string(hooks.Auto), Usage: "auto, print, write or none"},
			&cli.StringSliceFlag{Name: "agent", Usage: "also write what `AGENT` reads: " + strings.Join(hooks.Agents(), ", ")},
			&cli.BoolFlag{Name: "undo", Usage: "take out what init installed"},
		}, ciFlags()...),
		Action: initialise,
	}
}

func initialise(c *cli.Context) error {
	if c.NArg() > 0 {
		return badUsage("init takes no arguments").hint("git handoff init -h")
	}
	mode := hooks.Mode(c.String("hooks"))
	if !slices.Contains(hooks.Modes, mode) {
		return badUsage("--hooks is auto, print, write or none, not %q", mode)
	}
	agents := c.StringSlice("agent")
	if err := checkAgents(agents); err != nil {
		return err
	}
	d, err := open(c)
	if err != nil {
		return err
	}
	defer d.close()
	switch {
	case c.IsSet("ci"):
		return initCI(c, d)
	case c.Bool("undo"):
		report, err := hooks.Undo(c.Context, d.repo)
		d.printHooks(report)
		return errors.Join(err, d.undoAgents())
	}
	if err := d.installAgents(agents, mode == hooks.Print); err != nil {
		return err
	}
	return d.installHooks(c.Context, mode)
}

func (d *desk) installHooks(ctx context.Context, mode hooks.Mode) error {
	report, err := hooks.Install(ctx, d.repo, mode)
	d.printHooks(report)
	if err != nil {
		return err
	}
	if mode == hooks.Print {
		fmt.Fprintln(d.out, "\nnothing was changed (--hooks print)")
	} else if err := d.firstFetch(ctx); err != nil {
		return err
	}
	if report.NotInstalled != "" {
		// The last line, where nobody overlooks it.
		fmt.Fprintf(d.out, "\nNOT INSTALLED (%s)\n", report.NotInstalled)
		return silent(exitFailure)
	}
	return nil
}

// printHooks prints what was done about each hook.
func (d *desk) printHooks(r hooks.Report) {
	for _, s := range r.Steps {
		fmt.Fprintf(d.out, "%-13s  %s: %s\n", s.Event, s.What, oneLine(s.Where))
	}
	for _, note := range r.Notes {
		fmt.Fprintf(d.out, "note: %s\n", oneLine(note))
	}
	if r.Change != "" {
		fmt.Fprintf(d.out, "\n%s", r.Change)
	}
}
