package main

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/urfave/cli/v2"

	"git-handoff/check"
	"git-handoff/gitstore"
	"git-handoff/gitstore/handoff"
)

func checkCommand() *cli.Command {
	return &cli.Command{
		Name: "check", Usage: "check the clean state and the quality of a handoff", ArgsUsage: "[HANDOFF]",
		Description: `Checks whether the worktree can be left as it is, and how good the handoff is: each issue with its
rule, its place, how grave it is and what mends it, and how complete the handoff is, from 0 to 100.
Ends with 1 if something blocks; with --strict, if there is a warning too.

--cold prints the five answers that a reader finds in the handoff alone: where the work stands, what is
settled, what it waits for, what is risky, what comes next; it ends with 1 if where or next is
unanswered, with --strict if any is. --round-trip writes the handoff in each format that can be read
back, reads it, and names every field that did not survive; it ends with 1 if one was lost that the
format can hold. --budget tells, at a share of the context used, whether to wrap up (from 50) or to
save now (from 75).

Examples:
  git handoff check
  git handoff check --strict --output clean_state.json
  git handoff check --cold login-fix
  git handoff check --budget 62`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write the clean state to `FILE` as JSON, - for standard output: clean, blockers, warnings"},
			&cli.StringFlag{Name: "format", Value: "text", Usage: "text or json"},
			&cli.BoolFlag{Name: "strict", Usage: "warnings count too"},
			&cli.BoolFlag{Name: "cold", Usage: "print the five answers, from the refs alone"},
			&cli.BoolFlag{Name: "round-trip", Usage: "name what does not survive being written and read back"},
			&cli.StringFlag{Name: "budget", Usage: "say what to do with `PERCENT` of the context used"},
			&cli.StringFlag{Name: "branch", Usage: "the handoff of `BRANCH`"},
		},
		Action: checkAction,
	}
}

// checkModes are what check does instead of its checks.
var checkModes = []struct {
	flag string
	run  func(*checking, *cli.Context) error
}{
	{"cold", (*checking).cold},
	{"round-trip", (*checking).roundTrip},
}

func checkAction(c *cli.Context) error {
	if f := c.String("format"); f != "text" && f != "json" {
		return badUsage("there is no format %q", f).hint("--format is text or json")
	}
	if c.IsSet("budget") {
		return budget(c)
	}
	arg, err := one(c)
	if err != nil {
		return err
	}
	d, err := open(c)
	if err != nil {
		return err
	}
	defer d.close()
	k := &checking{desk: d, strict: c.Bool("strict"), asJSON: c.String("format") == "json"}
	if k.config, err = d.repo.Config(c.Context); err != nil {
		return err
	}
	for _, m := range checkModes {
		if c.Bool(m.flag) {
			if err := k.locate(c.Context, arg, c.String("branch")); err != nil {
				return err
			}
			return m.run(k, c)
		}
	}
	return k.all(c, arg)
}

// A checking is one run of check: the handoff, if there is one, and what was found.
type checking struct {
	*desk
	config         *gitstore.Config
	strict, asJSON bool

	name    handoff.Name
	version *gitstore.Version
	doc     *handoff.Document
	// here tells that the branch is checked out in this worktree.
	here bool
	look *gitstore.Look

	clean, quality []check.Issue
	notes          []string
}

// locate finds the handoff that is meant, here or as it was last fetched.
func (k *checking) locate(ctx context.Context, arg, branch string) (err error) {
	if k.name, k.version, _, err = k.local(ctx, arg, branch); err != nil {
		return err
	}
	k.doc, err = k.repo.Document(ctx, k.version)
	return err
}

func (k *checking) all(c *cli.Context, arg string) error {
	ctx, branch := c.Context, c.String("branch")
	look, err := k.repo.LookAround(ctx)
	if err != nil {
		return err
	}
	k.look = look
	if k.optional(ctx, arg, branch) {
		k.notes = append(k.notes, "there is no handoff of this branch; only the clean state was checked")
	} else if err := k.locate(ctx, arg, branch); err != nil {
		return err
	}
	if err := k.checkClean(ctx); err != nil {
		return err
	}
	if k.doc != nil {
		k.quality = check.Document(k.subject(ctx))
	}
	if out := c.String("output"); out == "-" && k.here {
		return together(k.printCleanState(), k.verdict(append(k.clean, k.quality...)))
	} else if out != "" {
		if err := k.writeCleanState(out); err != nil {
			return err
		}
	}
	if err := k.report(); err != nil {
		return err
	}
	return k.verdict(append(k.clean, k.quality...))
}

// optional reports whether no handoff was named and the branch has none: then the clean state alone is checked.
func (k *checking) optional(ctx context.Context, arg, branch string) bool {
	if arg != "" || branch != "" {
		return false
	}
	b, err := k.branch(ctx)
	if err != nil {
		return true
	}
	tips, err := k.repo.BranchTips(ctx, b)
	return err == nil && len(tips) == 0
}

// checkClean checks the worktree, if the branch of the handoff is checked out in it.
func (k *checking) checkClean(ctx context.Context) error {
	if k.look == nil {
		k.notes = append(k.notes, "this is a bare repository: there is no worktree to check")
		return nil
	}
	work := k.look.Head.WorkBranch()
	k.here = k.doc == nil || k.doc.Branch == work
	if !k.here {
		k.notes = append(k.notes, "branch "+k.doc.Branch+" is not checked out here; the clean state was not checked")
		return nil
	}
	masks := newMasker(k.config)
	bench, err := k.bench(k.config, masks, k.now())
	if err != nil {
		return err
	}
	k.notes = append(k.notes, benchProblems(bench)...)
	in := cleanInput{branch: work, look: k.look, bench: bench}
	if k.doc != nil {
		in.base, in.risks, in.lastSave = k.doc.Base, k.doc.OpenRisks, k.doc.Provenance.SavedAt.Std()
	} else if o, err := k.repo.Observe(ctx, work, nil); err == nil && work != "" {
		in.base = o.Base
	}
	state, err := k.cleanState(ctx, k.config, in)
	if err == nil {
		k.clean = check.Clean(state)
		masks.issues(k.clean)
	}
	return err
}

// verdict is the exit status that issues come to.
func (k *checking) verdict(issues []check.Issue) error {
	for _, i := range issues {
		if i.Severity == handoff.Block || k.strict && i.Severity == handoff.Warn {
			return silent(exitFailure)
		}
	}
	return nil
}

// cleanFile is the clean state as JSON.
type cleanFile struct {
	Clean    bool          `json:"clean"`
	Blockers []check.Issue `json:"blockers"`
	Warnings []check.Issue `json:"warnings"`
}

func (k *checking) cleanFile() cleanFile {
	f := cleanFile{}
	f.Blockers, f.Warnings = check.Blocking(k.clean)
	f.Clean = len(f.Blockers) == 0
	if f.Blockers == nil {
		f.Blockers = []check.Issue{}
	}
	if f.Warnings == nil {
		f.Warnings = []check.Issue{}
	}
	return f
}

// printCleanState writes the clean state in place of the report.
func (k *checking) printCleanState() error {
	for _, n := range k.notes {
		k.say(n)
	}
	data, err := json.MarshalIndent(k.cleanFile(), "", "  ")
	return k.print(append(data, '\n'), err)
}

func (k *checking) writeCleanState(path string) error {
	if !k.here {
		return trouble(exitFailure, "the clean state cannot be told here, so %s was not written", path).
			hint("run it in the worktree where the branch is checked out")
	}
	data, err := json.MarshalIndent(k.cleanFile(), "", "  ")
	if err != nil {
		return err
	}
	if err := writeWhole(path, append(data, '\n')); err != nil {
		return trouble(exitFailure, "%s cannot be written: %s", path, cause(errors.Unwrap(err)))
	}
	return nil
}

// subject is the document with what its rules have to know.
func (k *checking) subject(ctx context.Context) check.Subject {
	return check.Subject{Doc: k.doc, Now: gitstore.Now(), Missing: k.missingArtifacts(ctx), Secret: func(text string) []string {
		var rules []string
		for _, p := range secretsIn("", text, k.config) {
			rules = append(rules, strings.TrimSuffix(p.what[strings.LastIndexByte(p.what, '(')+1:], ")"))
		}
		return rules
	}}
}

// missingArtifacts are the required artifacts that were looked for and not found. Addresses are not looked for.
func (k *checking) missingArtifacts(ctx context.Context) []string {
	all, err := k.repo.Artifacts(ctx, k.doc, k.here)
	if err != nil {
		k.notes = append(k.notes, "it cannot be told whether the artifacts are there: "+err.Error())
	}
	var missing []string
	for _, a := range all {
		if a.Item.Required && a.State == gitstore.ArtifactMissing {
			missing = append(missing, a.Item.What)
		}
	}
	return missing
}
