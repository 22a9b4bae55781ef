package main

import (
	"io"
	"os"
	"time"

	"github.com/urfave/cli/v2"

	"git-handoff/gitstore"
)

func runCommand() *cli.Command {
	return &cli.Command{
		Name: "run", Usage: "run a command and record it for the next save", ArgsUsage: "-- COMMAND…", SkipFlagParsing: true,
		Description: `Runs COMMAND with its output and input untouched, and ends with its status. What was run, how it
ended, when, how long it took and the end of its output are kept in the git directory of this worktree,
secrets masked; the next save puts the last and the failing commands into the handoff.

Examples:
  git handoff run -- go test ./...
  git handoff run -- sh -c 'make && make install'`,
		Action: runAndRecord,
	}
}

func runAndRecord(c *cli.Context) error {
	argv, err := commandLine(c)
	if argv == nil || err != nil {
		return err
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
	m := newMasker(config)
	t := newTee(d.streams)
	started := gitstore.Now()
	result, err := gitstore.Command{Argv: argv, Dir: startFolder(c), Stdin: d.in, Stdout: t.out, Stderr: t.err, Shared: d.atTerminal()}.Run()
	r := record{Command: m.args(argv), StartedAt: started.UTC().Format(time.RFC3339), ExitCode: result.Exit, DurationMS: result.Took.Milliseconds(), Signal: result.Signal}
	if err != nil {
		r.ExitCode, r.Error = gitstore.StartStatus(err), m.text(err.Error())
		d.say(r.Error)
	}
	t.fill(&r, m)
	if err := appendRecord(d.runLog(), r); err != nil {
		d.say("the command was not recorded: " + err.Error())
	}
	if r.ExitCode != 0 {
		return silent(r.ExitCode)
	}
	return nil
}

// commandLine is the command after `run`, with or without `--` before it; nil where help was asked for and given.
func commandLine(c *cli.Context) ([]string, error) {
	argv := c.Args().Slice()
	switch {
	case len(argv) > 0 && argv[0] == "--":
		argv = argv[1:]
	case len(argv) > 0 && (argv[0] == "-h" || argv[0] == "--help"):
		return nil, cli.ShowSubcommandHelp(c)
	case len(argv) > 0 && argv[0] != "" && argv[0][0] == '-':
		return nil, badUsage("run has no options; the command stands behind --").hint("git handoff run -- COMMAND…")
	}
	if len(argv) == 0 || argv[0] == "" {
		return nil, badUsage("there is no command to run").hint("git handoff run -- COMMAND…")
	}
	return argv, nil
}

// atTerminal reports whether keys such as Ctrl-C reach the command by themselves.
func (d *desk) atTerminal() bool { return isTerminal(d.in) || isTerminal(d.out) || isTerminal(d.err) }

// A tee passes output on as it comes and keeps the end of it. Where both streams go to one place they share a pipe, so
// that their order stays.
type tee struct {
	out, err         io.Writer
	outTail, errTail *tail
}

func newTee(std streams) *tee {
	t := &tee{outTail: &tail{}, errTail: &tail{}}
	t.out = io.MultiWriter(std.out, t.outTail)
	if samePlace(std.out, std.err) {
		t.err = t.out
		return t
	}
	t.err = io.MultiWriter(std.err, t.errTail)
	return t
}

func samePlace(a, b io.Writer) bool {
	x, xok := a.(*os.File)
	y, yok := b.(*os.File)
	if !xok || !yok {
		return false
	}
	one, err1 := x.Stat()
	two, err2 := y.Stat()
	return err1 == nil && err2 == nil && os.SameFile(one, two)
}

func (t *tee) fill(r *record, m *masker) {
	r.StdoutTail, r.StderrTail = m.text(t.outTail.text()), m.text(t.errTail.text())
	r.StdoutTail, r.StderrTail = ending(r.StdoutTail), ending(r.StderrTail)
}
