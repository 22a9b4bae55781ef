package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"
)

// streams are the three standard streams of one run.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// run runs one command line and returns its exit status. It never ends the process.
func run(ctx context.Context, args []string, std streams) int {
	if isGitHook(args) {
		std.err = hookErrors(std.err)
		return report(std.err, hook(hookContext(ctx, args), ".", std, args[2:]))
	}
	app := newApp(std)
	ordered, err := reorder(app, args)
	if err == nil {
		err = app.RunContext(ctx, ordered)
	}
	if isAutoSave(args) {
		err = neverFail(std, err)
	}
	return report(std.err, err)
}

func newApp(std streams) *cli.App {
	cli.FlagStringer = flagHelp
	app := &cli.App{
		Name:                      "git-handoff",
		HelpName:                  "git handoff",
		Usage:                     "keep the continuation state of unfinished work in git",
		UsageText:                 "git handoff [-C DIR] COMMAND [OPTIONS] [HANDOFF]",
		Description:               appDescription,
		Version:                   version(),
		HideVersion:               true,
		Reader:                    std.in,
		Writer:                    std.out,
		ErrWriter:                 std.err,
		ExitErrHandler:            func(*cli.Context, error) {},
		OnUsageError:              usageError,
		DisableSliceFlagSeparator: true,
		HideHelpCommand:           true,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "C", Usage: "run as if started in `DIR`"},
			&cli.BoolFlag{Name: "version", Usage: "print the version"},
		},
		Commands: commands(),
		Action:   bare,
		Metadata: map[string]any{streamsKey: std},
	}
	for _, c := range app.Commands {
		c.OnUsageError = usageError
		c.HideHelpCommand = true
	}
	return app
}

const streamsKey = "streams"

func std(c *cli.Context) streams { return c.App.Metadata[streamsKey].(streams) }

const appDescription = `A handoff is one small document about the work on one branch under one topic: where it
stands, what is settled, what is uncertain, what must not be repeated, and the next step.
It lives under refs/handoff/BRANCH/TOPIC and travels with the branch.

HANDOFF is TOPIC or BRANCH/TOPIC; without it, the current branch's handoff is meant.

Start here:
  git handoff init                              install the hooks, once per clone
  git handoff save --next-action 'run the …'    write down where the work stands
  git handoff resume                            take the work over`

// commands are all commands, in the order that help shows them.
func commands() []*cli.Command {
	return []*cli.Command{
		saveCommand(),
		showCommand(),
		resumeCommand(),
		listCommand(),
		logCommand(),
		diffCommand(),
		reviewCommand(),
		checkCommand(),
		verifyCommand(),
		runCommand(),
		syncCommand(),
		resolveCommand(),
		archiveCommand(),
		initCommand(),
		doctorCommand(),
		statsCommand(),

		hookCommand(),
		ciCommand(),
		demoCommand(),
		schemaCommand(),
		completionCommand(),
		completeCommand(),
		manCommand(),
	}
}

func bare(c *cli.Context) error {
	if c.Bool("version") {
		_, err := io.WriteString(c.App.Writer, "git-handoff "+version()+"\n")
		return err
	}
	if c.NArg() > 0 {
		return badUsage("there is no command %q", c.Args().First()).hint("git handoff -h")
	}
	return cli.ShowAppHelp(c)
}

// startFolder is the folder that the command works in.
func startFolder(c *cli.Context) string {
	dir := c.String("C")
	for _, ctx := range c.Lineage() {
		if d := ctx.String("C"); d != "" {
			dir = d
		}
	}
	if dir == "" {
		return "."
	}
	return filepath.Clean(dir)
}

// inTerminal reports whether f is a terminal that takes colour.
func colourful(f io.Writer) bool {
	return isTerminal(f) && os.Getenv("NO_COLOR") == "" && !strings.EqualFold(os.Getenv("TERM"), "dumb")
}
