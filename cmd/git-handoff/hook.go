package main

import (
	"context"
	"slices"

	"github.com/urfave/cli/v2"

	"git-handoff/gitstore"
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
		Action: func(c *cli.Context) error {
			if event := c.Args().First(); agentHooks[event] != nil {
				return agentHook(c, event)
			}
			return hook(c.Context, startFolder(c), std(c), c.Args().Slice())
		},
	}
}

// isGitHook reports whether a command line is what an installed hook calls. Git waits for it after every commit, and it
// has no options to make out.
func isGitHook(args []string) bool {
	return len(args) > 2 && args[1] == "hook" && (args[2] == "--configured" || slices.Contains(hooks.Events, args[2]))
}

// hookContext leaves it to the system to end a hook, which is over in a moment and does nothing by halves. A push may
// have to be told to end.
func hookContext(ctx context.Context, args []string) context.Context {
	if slices.Contains(args, "pre-push") {
		return ctx
	}
	return context.WithoutCancel(ctx)
}

// hook never fails a git command: without a repository, or where something is broken, it does nothing.
func hook(ctx context.Context, dir string, std streams, args []string) error {
	// The hook that stands in the configuration says so; one in a file stands down where both are there.
	configured := len(args) > 0 && args[0] == "--configured"
	if configured {
		args = args[1:]
	}
	if len(args) == 0 {
		return badUsage("hook needs the name of a git hook")
	}
	repo, err := gitstore.Open(ctx, dir)
	if err != nil {
		return nil
	}
	d := &desk{streams: std, repo: repo}
	defer d.close()
	if !configured && hooks.Doubled(ctx, d.repo, args[0]) {
		return nil
	}
	return d.tell(hooks.Event(ctx, d.repo, args[0], args[1:], d.in))
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
