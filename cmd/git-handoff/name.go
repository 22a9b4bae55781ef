package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"git-handoff/gitstore"
	"git-handoff/gitstore/handoff"
)

// branch is the branch that a command means where none is named: the one that is checked out, or the one being rebased.
func (d *desk) branch(ctx context.Context) (string, error) {
	head, err := d.repo.Head(ctx)
	if err != nil {
		return "", err
	}
	switch {
	case head.Branch != "":
		return head.Branch, nil
	case head.Operation.Branch != "":
		return head.Operation.Branch, nil
	}
	what := "HEAD points to no branch, so none is meant"
	if head.OID != "" {
		what = fmt.Sprintf("HEAD is detached at %.12s, so no branch is meant", head.OID)
	}
	return "", trouble(exitUsage, "%s", what).hint("name one: --branch BRANCH, or git switch BRANCH")
}

// one is the only argument of the command, or "".
func one(c *cli.Context) (string, error) {
	if c.NArg() > 1 {
		return "", badUsage("%s takes one handoff, not %d", c.Command.Name, c.NArg()).hint("git handoff %s -h", c.Command.Name)
	}
	if c.NArg() == 1 && c.Args().First() == "" {
		return "", badUsage("the name of the handoff is empty").hint("leave it out for the current branch's handoff")
	}
	return c.Args().First(), nil
}

// find is the existing handoff that the argument and --branch mean; none is an error that lists what there is.
func (d *desk) find(ctx context.Context, arg, branch string) (handoff.Name, error) {
	wanted, err := d.candidates(ctx, arg, branch)
	if err != nil {
		return handoff.Name{}, err
	}
	if name, there := d.here(ctx, wanted.names); there {
		return name, nil
	}
	for _, b := range wanted.branches {
		if name, err := d.onlyActive(ctx, b); err != nil || !name.IsZero() {
			return name, err
		}
	}
	return handoff.Name{}, d.missing(ctx, arg, wanted)
}

// here is the first of some handoffs that there is.
func (d *desk) here(ctx context.Context, names []handoff.Name) (handoff.Name, bool) {
	for _, name := range names {
		if d.repo.Has(ctx, name) {
			return name, true
		}
	}
	return handoff.Name{}, false
}

// candidates are the readings of an argument, in the order in which they are tried: handoffs by name, then branches of
// which the only active handoff is meant.
type candidates struct {
	names    []handoff.Name
	branches []string
}

func (d *desk) candidates(ctx context.Context, arg, branch string) (candidates, error) {
	if branch == "" && strings.Contains(arg, "/") {
		return slashed(arg)
	}
	home := branch
	var err error
	if home == "" {
		if home, err = d.branch(ctx); err != nil && (arg == "" || handoff.CheckBranch(arg) != nil) {
			return candidates{}, err
		}
	}
	return plain(arg, home, branch == "")
}

// plain reads an argument without a slash, or none: a topic of the branch home, else a branch.
func plain(arg, home string, mayBeBranch bool) (c candidates, err error) {
	if arg == "" {
		// The default topic is the answer wherever it is active, so the other topics need not be listed first.
		return candidates{branches: []string{home}}, badName(handoff.CheckBranch(home))
	}
	if home != "" && handoff.CheckTopic(arg) == nil {
		c.names = []handoff.Name{{Branch: home, Topic: arg}}
	}
	if mayBeBranch && handoff.CheckBranch(arg) == nil {
		c.branches = []string{arg}
	}
	if len(c.names)+len(c.branches) == 0 {
		return c, badName(handoff.CheckTopic(arg))
	}
	return c, nil
}

// slashed reads BRANCH/TOPIC, else a branch whose name has a slash.
func slashed(arg string) (c candidates, err error) {
	name, nameErr := handoff.ParseName(arg)
	if nameErr == nil {
		c.names = []handoff.Name{name}
	}
	if err := handoff.CheckBranch(arg); err == nil {
		c.branches = []string{arg}
	} else if nameErr != nil {
		return c, badName(nameErr)
	}
	return c, nil
}

func badName(err error) error {
	if err == nil {
		return nil
	}
	return badUsage("%s", err).hint("git handoff list --all shows the names there are")
}

// onlyActive is the branch's only active handoff, or its default one among several; the zero name where it has none.
func (d *desk) onlyActive(ctx context.Context, branch string) (handoff.Name, error) {
	fallback := handoff.Name{Branch: branch, Topic: d.defaultTopic(ctx)}
	if tip, err := d.repo.Tip(ctx, fallback); err == nil && tip.Message.Status == handoff.Active {
		return fallback, nil
	}
	tips, err := d.repo.BranchTips(ctx, branch)
	if err != nil {
		return handoff.Name{}, err
	}
	active := slices.DeleteFunc(slices.Clone(tips), func(v gitstore.Version) bool { return v.Message.Status != handoff.Active })
	switch {
	case len(active) == 1:
		return active[0].Name, nil
	case len(active) > 1:
		return handoff.Name{}, ambiguous(branch, active)
	case len(tips) == 1:
		return tips[0].Name, nil
	}
	return handoff.Name{}, nil
}

func (d *desk) defaultTopic(ctx context.Context) string {
	return handoff.DefaultTopic
}

func ambiguous(branch string, active []gitstore.Version) error {
	p := trouble(exitNoHandoff, "branch %s has %d active handoffs", branch, len(active))
	for _, v := range active {
		p.hint("git handoff show %s", word(v.Name))
	}
	return p
}

// missing says that there is no such handoff, and what there is.
func (d *desk) missing(ctx context.Context, arg string, wanted candidates) error {
	p := trouble(exitNoHandoff, "there is no handoff %s", arg)
	if arg == "" {
		p = trouble(exitNoHandoff, "branch %s has no handoff", wanted.branches[0])
	}
	for _, name := range wanted.all() {
		if v, err := d.repo.InArchive(ctx, name); err == nil && v != nil {
			return p.hint("it made room for another; git handoff archive --undo %s brings it back", word(name))
		}
	}
	tips, err := d.repo.Tips(ctx)
	if err = d.tellUnread(err); err != nil {
		return err
	}
	shown := 0
	for _, v := range tips {
		if v.Message.Status == handoff.Active && shown < 5 {
			p.hint("git handoff show %s", word(v.Name))
			shown++
		}
	}
	if shown == 0 {
		p.hint("git handoff save --next-action '…' writes one")
	}
	return p
}

// target is the handoff that a save writes, which need not exist: a topic of the branch, BRANCH/TOPIC, or a branch.
func (d *desk) target(ctx context.Context, arg, branch string) (handoff.Name, error) {
	wanted, err := d.candidates(ctx, arg, branch)
	if err != nil {
		return handoff.Name{}, err
	}
	for _, name := range wanted.names {
		if d.repo.Has(ctx, name) {
			return name, nil
		}
	}
	config, err := d.repo.Config(ctx)
	if err != nil {
		return handoff.Name{}, err
	}
	if arg == "" {
		return d.present(ctx, handoff.Name{Branch: wanted.branches[0], Topic: config.Topic})
	}
	if !strings.Contains(arg, "/") && len(wanted.names) > 0 {
		return d.present(ctx, wanted.names[0])
	}
	for _, b := range wanted.branches {
		if d.exists(ctx, b) {
			return handoff.Name{Branch: b, Topic: config.Topic}, nil
		}
	}
	if len(wanted.names) > 0 {
		return d.present(ctx, wanted.names[0])
	}
	if !strings.Contains(arg, "/") {
		return handoff.Name{}, badUsage("%s; nor is there a branch %s here", handoff.CheckTopic(arg), arg).
			hint("git handoff save TOPIC writes a handoff of the current branch")
	}
	return handoff.Name{}, d.noBranch(wanted.branches[0])
}

// present is the name, if its branch exists.
func (d *desk) present(ctx context.Context, name handoff.Name) (handoff.Name, error) {
	if !d.exists(ctx, name.Branch) {
		return name, d.noBranch(name.Branch)
	}
	return name, nil
}

// exists reports whether there is such a branch, be it one without commits yet that is checked out.
func (d *desk) exists(ctx context.Context, branch string) bool {
	if head, err := d.repo.Head(ctx); err == nil && head.WorkBranch() == branch {
		return true
	}
	there, err := d.repo.BranchExists(ctx, branch)
	return err == nil && there
}

func (d *desk) noBranch(branch string) error {
	return badUsage("there is no branch %s here", branch).hint("git switch -c %s makes it", word(branch)).
		hint("git handoff save TOPIC writes a handoff of the current branch")
}
