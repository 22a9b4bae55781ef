package main

import (
	"context"
	"runtime/debug"

	"github.com/urfave/cli/v2"

	"git-handoff/hooks"
)

// hookCommand is what installed hooks call. Its arguments are git's, so none is taken for an option.
func hookCommand() *cli.Command {
	return &cli.Command{
		Name:            "hook",
		Usage:           "what installed hooks call",
		ArgsUsage:       "NAME [ARGUMENTS]",
		Hidden:          true,
		SkipFlagParsing: true,
		Action:          hook,
	}
}

// hook never fails a git command: without a repository, or where something is broken, it does nothing.
func hook(c *cli.Context) error {
	// A run is over before collecting garbage would pay.
	debug.SetGCPercent(400)
	args := c.Args().Slice()
	// The hook that stands in the configuration says so; one in a file stands down where both are there.
	configured := len(args) > 0 && args[0] == "--configured"
	if configured {
		args = args[1:]
	}
	if len(args) == 0 {
		return badUsage("hook needs the name of a git hook")
	}
	if agentHooks[args[0]] != nil {
		return agentHook(c, args[0])
	}
	d, err := open(c)
	if err != nil {
		return nil
	}
	defer d.close()
	if !configured && hooks.Doubled(c.Context, d.repo, args[0]) {
		return nil
	}
	return d.tell(hooks.Event(c.Context, d.repo, args[0], args[1:], d.in))
}

// tell says what a hook has to say, and gives its status.
func (d *desk) tell(out hooks.Outcome) error {
	if out.Line != "" && (!out.Notice || isTerminal(d.err)) {
		d.say(out.Line)
	}
	if out.Status != 0 {
		return silent(out.Status)
	}
	return nil
}

// unreached hints at hooks that init installed and git no longer runs.
func (d *desk) unreached(ctx context.Context) {
	if hint := hooks.Reached(ctx, d.repo).Hint(); hint != "" {
		d.hint(hint)
	}
}
