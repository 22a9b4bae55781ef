package main

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/urfave/cli/v2"

	"git-handoff/gitstore"
	"git-handoff/gitstore/handoff"
	"git-handoff/render"
)

func resumeCommand() *cli.Command {
	return &cli.Command{
		Name:      "resume",
		Usage:     "take the work over",
		ArgsUsage: "[HANDOFF]",
		Description: `Fetches, says what changed since the handoff was saved, whether to proceed or to wait, and what must not be
run again; then gives the document as data. That you took over is recorded after it was printed.

--claim tells others that you are at it, for handoff.claimTTL; the remote has to accept that. --report
says how it went: duplicate (something settled was done again), deep-read (the handoff did not suffice),
wrong-next (the next action was the wrong one).

Examples:
  git handoff resume
  git handoff resume --format json | jq -r .document.next_action
  git handoff resume feature/login --claim
  git handoff resume --report deep-read`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "format", Usage: "prompt, text, md or json; text at a terminal, else prompt"},
			&cli.BoolFlag{Name: "no-fetch", Usage: "ask no remote"},
			&cli.BoolFlag{Name: "no-record", Usage: "do not record that the work was taken over"},
			&cli.BoolFlag{Name: "claim", Usage: "tell others that you are at it; refused while somebody else is"},
			&cli.BoolFlag{Name: "takeover", Usage: "claim it, and end somebody else's claim"},
			&cli.BoolFlag{Name: "local", Usage: "claim it in this clone alone, without the remote"},
			&cli.BoolFlag{Name: "exit-code", Usage: "end with 1 if the next action has to wait"},
			&cli.StringFlag{Name: "report", Usage: "report duplicate, deep-read or wrong-next, and print nothing else"},
			&cli.StringFlag{Name: "branch", Usage: "a handoff of `BRANCH`"},
			&cli.StringFlag{Name: "session", Usage: "the session that takes over", EnvVars: []string{"HANDOFF_SESSION"}},
			&cli.StringFlag{Name: "actor", Usage: "who takes over", EnvVars: []string{"HANDOFF_ACTOR"}},
		},
		Action: resume,
	}
}

// resumeFormats are the formats of resume.
var resumeFormats = map[string]func(*resuming) ([]byte, error){
	"prompt": func(r *resuming) ([]byte, error) { return render.Prompt(r.view) },
	"text":   func(r *resuming) ([]byte, error) { return render.ResumeText(r.view, r.terminal()), nil },
	"md":     func(r *resuming) ([]byte, error) { return render.ResumeMarkdown(r.view), nil },
	"json":   func(r *resuming) ([]byte, error) { return render.ResumeJSON(r.view) },
}

// A resuming is somebody taking a handoff over.
type resuming struct {
	*desk
	config *gitstore.Config
	name   handoff.Name
	who    author
	peer   *gitstore.Peer
	remote remoteLook
	now    *gitstore.Effective
	view   render.ResumeView
}

func resume(c *cli.Context) error {
	arg, err := one(c)
	if err != nil {
		return err
	}
	if err := checkResume(c); err != nil {
		return err
	}
	d, err := open(c)
	if err != nil {
		return err
	}
	defer d.close()
	r := &resuming{desk: d, who: author{session: c.String("session"), actor: c.String("actor")}}
	if r.config, err = d.repo.Config(c.Context); err != nil {
		return err
	}
	if err := guardWords(r.config, map[string]string{"--session": r.who.session, "--actor": r.who.actor}); err != nil {
		return err
	}
	if c.IsSet("report") {
		return r.report(c.Context, arg, c.String("branch"), c.String("report"))
	}
	if err := r.take(c, arg); err != nil {
		return err
	}
	if err := r.look(c.Context); err != nil {
		return err
	}
	if err := d.print(resumeFormats[r.format(c)](r)); err != nil {
		return err
	}
	if !c.Bool("no-record") {
		r.record(c.Context)
	}
	if c.Bool("exit-code") && !r.view.Ready() {
		return silent(exitFailure)
	}
	return nil
}

func checkResume(c *cli.Context) error {
	if format := c.String("format"); format != "" && resumeFormats[format] == nil {
		return badFormat(format, resumeFormats)
	}
	if report := c.String("report"); c.IsSet("report") && !slices.Contains(gitstore.Reports, report) {
		return badUsage("there is no report %q", report).hint("--report is one of %s", list(gitstore.Reports))
	}
	claims := c.Bool("claim") || c.Bool("takeover")
	switch {
	case c.IsSet("report") && claims:
		return badUsage("--report claims nothing").hint("git handoff resume --claim, and then git handoff resume --report %s", word(c.String("report")))
	case c.Bool("local") && !claims:
		return badUsage("--local is about a claim").hint("git handoff resume --claim --local")
	case claims && c.Bool("no-fetch") && !c.Bool("local"):
		return badUsage("a claim counts only where the remote was asked; --no-fetch asks none").hint("git handoff resume --claim --local --no-fetch claims it in this clone alone")
	}
	return nil
}

func (r *resuming) format(c *cli.Context) string {
	switch format := c.String("format"); {
	case format != "":
		return format
	case isTerminal(r.out):
		return "text"
	}
	return "prompt"
}

// take finds the handoff, here or on the remote, claims it if that is asked for, and reads what it comes to.
func (r *resuming) take(c *cli.Context, arg string) error {
	wanted, err := r.candidates(c.Context, arg, c.String("branch"))
	if err != nil {
		return err
	}
	r.fetch(c.Context, wanted.branch(), !c.Bool("no-fetch"))
	if r.name, err = r.locate(c.Context, arg, wanted); err != nil {
		return err
	}
	if c.Bool("claim") || c.Bool("takeover") {
		if err := r.claim(c.Context, c.Bool("takeover"), c.Bool("local")); err != nil {
			return err
		}
	}
	r.now, err = r.repo.Effective(c.Context, r.name, r.track())
	if err == nil && r.now.Passed != nil {
		r.say("what " + gitstore.PublicURL(r.peer.Remote) + " has of " + r.name.String() + " is left out: " + r.now.Passed.Error())
	}
	return err
}

// record notes that the work was taken over. What stands in the way is one line, and no failure.
func (r *resuming) record(ctx context.Context) {
	if r.now.Doc.Status != handoff.Active {
		return
	}
	if here, err := r.repo.BranchExists(ctx, r.name.Branch); err == nil && !here && r.now.Local == "" {
		r.say("not recorded: branch " + r.name.Branch + " is not here; git switch " + r.name.Branch)
		return
	}
	if _, err := r.note(ctx, ""); err != nil {
		r.say("not recorded: " + reasonOf(err))
	}
}

// note records the resume, or a report about it.
func (r *resuming) note(ctx context.Context, report string) (bool, error) {
	holder, err := r.repo.MakeHolder(r.who.session)
	if err != nil {
		return false, err
	}
	t := gitstore.Taking{Holder: holder, Session: r.who.session, Actor: r.actor(), Report: report, Peer: r.peer}
	written, err := r.repo.RecordResume(ctx, r.name, t)
	if err == nil && written && t.Actor == "" {
		r.say("git does not know who you are; recorded as " + gitstore.Program.Name)
	}
	return written, err
}

// actor is who takes over: the one named, else the user as git knows them, else nobody.
func (r *resuming) actor() string {
	if r.who.actor != "" {
		return r.who.actor
	}
	return r.config.UserName()
}

// report records what the successor says about a resume. It asks no remote.
func (r *resuming) report(ctx context.Context, arg, branch, report string) (err error) {
	if r.name, err = r.find(ctx, arg, branch); err != nil {
		return err
	}
	if p, ok := r.config.BranchPeer(r.name.Branch); ok {
		r.peer = &p
	}
	written, err := r.note(ctx, report)
	if errors.Is(err, fs.ErrPermission) {
		return trouble(exitFailure, "nothing can be reported: %s", reasonOf(err))
	}
	if err != nil {
		return err
	}
	if !written {
		r.say(report + " was reported for this version of " + r.name.String() + " before")
		return nil
	}
	r.say("reported " + report + " for " + r.name.String())
	return nil
}
