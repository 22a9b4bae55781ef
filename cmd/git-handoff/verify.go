package main

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"git-handoff/check"
	"git-handoff/gitstore"
	"git-handoff/gitstore/handoff"
)

func verifyCommand() *cli.Command {
	return &cli.Command{
		Name:      "verify",
		Usage:     "run the verification and note the evidence",
		ArgsUsage: "[-- COMMAND…]",
		Description: `Runs COMMAND, else the one in handoff.verify, on a clean HEAD, and notes on the commit whether it
passed. The evidence counts for the tree that it ran on. --assert notes your word instead.

Examples:
  git handoff verify -- go test ./...
  git config handoff.verify 'make check' && git handoff verify
  git handoff verify --assert HEAD~1 --why 'ran in production for a week'`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "assert", Usage: "note that `COMMIT` is good without running anything"},
			&cli.StringFlag{Name: "why", Usage: "the reason for an assertion"},
			&cli.StringFlag{Name: "actor", Usage: "who says so", EnvVars: []string{"HANDOFF_ACTOR"}},
		},
		Action: verify,
	}
}

func verify(c *cli.Context) error {
	d, err := open(c)
	if err != nil {
		return err
	}
	defer d.close()
	if c.IsSet("assert") || c.IsSet("why") {
		return d.assert(c)
	}
	command, shown, err := d.verification(c)
	if err != nil {
		return err
	}
	head, err := d.cleanHead(c.Context)
	if err != nil {
		return err
	}
	tree, err := d.repo.TreeOf(c.Context, head)
	if err != nil {
		return err
	}
	run := gitstore.Command{Argv: command, Dir: d.repo.Place().TopLevel, Stdin: d.in, Stdout: d.out, Stderr: d.err, Shared: d.atTerminal()}
	result, err := run.Run()
	if err != nil {
		return trouble(exitFailure, "%s cannot be run: %s", shown, err)
	}
	return d.noteRun(c.Context, head, gitstore.NoteLine{Tree: tree, Command: shown, Exit: &result.Exit, By: d.actor(c)})
}

// verification is the command to run, and how it is shown and noted: notes travel, so secrets are masked in it.
func (d *desk) verification(c *cli.Context) (command []string, shown string, err error) {
	config, err := d.repo.Config(c.Context)
	if err != nil {
		return nil, "", err
	}
	m := newMasker(config)
	if c.NArg() > 0 {
		return c.Args().Slice(), handoff.ShellLine(m.args(c.Args().Slice())), nil
	}
	if config.Verify == "" {
		return nil, "", badUsage("there is no command to verify with").
			hint("git handoff verify -- COMMAND…").hint("git config handoff.verify 'COMMAND' sets one for good")
	}
	return gitstore.Shell(config.Verify), m.text(config.Verify), nil
}

// cleanHead is HEAD's commit, if the worktree is exactly that.
func (d *desk) cleanHead(ctx context.Context) (string, error) {
	head, err := d.repo.Head(ctx)
	if err != nil {
		return "", err
	}
	if d.repo.Place().TopLevel == "" {
		return "", trouble(exitRefused, "a bare repository has nothing to run a verification on")
	}
	if head.Unborn {
		return "", trouble(exitRefused, "branch %s has no commit yet, so there is nothing to note evidence on", head.Branch).hint("git commit")
	}
	dirty, err := d.dirty(ctx)
	if err != nil {
		return "", err
	}
	if len(dirty) > 0 {
		return "", trouble(exitRefused, "the worktree is not what HEAD has, so a run would prove nothing about a commit: %s", check.Some(dirty)).
			hint("git commit, or git stash, then git handoff verify")
	}
	return head.OID, nil
}

// dirty are the tracked files that are not as HEAD has them.
func (d *desk) dirty(ctx context.Context) ([]string, error) {
	status, err := d.repo.Status(ctx)
	if err != nil {
		return nil, err
	}
	return append(status.Unmerged, changedPaths(status.Changed)...), nil
}

func changedPaths(files []handoff.ChangedFile) []string {
	var paths []string
	for _, f := range files {
		paths = append(paths, f.Path)
	}
	return paths
}

// noteRun notes how a run ended, unless the run changed what it ran on.
func (d *desk) noteRun(ctx context.Context, head string, n gitstore.NoteLine) error {
	n.Verified = gitstore.Pass
	if *n.Exit != 0 {
		n.Verified = gitstore.Fail
	}
	if now, err := d.repo.Head(ctx); err != nil || now.OID != head {
		return trouble(exitFailure, "HEAD moved while the verification ran; nothing was noted").hint("git handoff verify")
	}
	if changed, err := d.dirty(ctx); n.Verified == gitstore.Pass && (err != nil || len(changed) > 0) {
		return trouble(exitFailure, "the run changed what it ran on, so that it passed proves nothing about a commit; nothing was noted: %s", check.Some(changed)).
			hint("git commit, then git handoff verify")
	}
	if err := d.repo.RecordEvidence(ctx, head, n); err != nil {
		return err
	}
	if n.Verified == gitstore.Fail {
		d.say(fmt.Sprintf("failed with exit status %d on %.12s; noted", *n.Exit, head))
		return silent(exitFailure)
	}
	d.say(fmt.Sprintf("passed on %.12s; noted", head))
	return nil
}

func (d *desk) assert(c *cli.Context) error {
	if c.String("assert") == "" || c.String("why") == "" {
		return badUsage("an assertion needs a commit and a reason").hint("git handoff verify --assert COMMIT --why 'the reason'")
	}
	if c.NArg() > 0 {
		return badUsage("an assertion runs no command").hint("leave out --assert and --why, or the command")
	}
	config, err := d.repo.Config(c.Context)
	if err != nil {
		return err
	}
	if err := guardWords(config, map[string]string{"--why": c.String("why"), "--actor": c.String("actor")}); err != nil {
		return err
	}
	commit, err := d.repo.Resolve(c.Context, c.String("assert"))
	if err != nil {
		return badUsage("%s is no commit here", c.String("assert")).hint("git log shows the commits there are")
	}
	line := gitstore.NoteLine{Verified: gitstore.Asserted, Why: c.String("why"), By: d.actor(c)}
	if err := d.repo.RecordEvidence(c.Context, commit, line); err != nil {
		return err
	}
	d.say(fmt.Sprintf("%.12s is asserted to be good; noted", commit))
	return nil
}

// actor is who speaks: the one named, else the user as git knows them, else nobody.
func (d *desk) actor(c *cli.Context) string {
	if a := c.String("actor"); a != "" {
		return a
	}
	config, err := d.repo.Config(c.Context)
	if err != nil {
		return ""
	}
	return config.Get("user.name")
}
