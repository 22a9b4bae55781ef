package main

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/urfave/cli/v2"

	"git-handoff/gitstore"
	"git-handoff/gitstore/handoff"
	"git-handoff/render"
)

func diffCommand() *cli.Command {
	return &cli.Command{
		Name:      "diff",
		Usage:     "tell what changed between two versions",
		ArgsUsage: "[HANDOFF [HANDOFF]]",
		Description: `Compares two versions of a handoff field by field, by default the previous author's version with the
current one. A VERSION is ~N (so many versions back), an object id, or another handoff. Two HANDOFFs
are compared with one another. With -f, the second is what saving FILE would make of the brief. It
never uses the network.

Examples:
  git handoff diff
  git handoff diff login --from ~3
  git handoff diff main/default feature/login/default
  git handoff diff -f brief.yaml --exit-code`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "from", Usage: "compare `VERSION` …"},
			&cli.StringFlag{Name: "to", Usage: "… with `VERSION`, the current one if not given"},
			&cli.StringFlag{Name: "file", Aliases: []string{"f"}, Usage: "compare with what saving `FILE`, - for standard input, would make of it"},
			&cli.StringFlag{Name: "format", Value: "text", Usage: "text, md or json"},
			&cli.BoolFlag{Name: "exit-code", Usage: "end with 1 if there is a difference"},
			&cli.StringFlag{Name: "branch", Usage: "a handoff of `BRANCH`"},
		},
		Action: diff,
	}
}

// diffFormats are the formats of a comparison.
var diffFormats = map[string]func(*desk, render.Comparison) ([]byte, error){
	"text": func(d *desk, c render.Comparison) ([]byte, error) { return render.DiffText(c, d.terminal()), nil },
	"md":   func(_ *desk, c render.Comparison) ([]byte, error) { return render.DiffMarkdown(c, "## "), nil },
	"json": func(_ *desk, c render.Comparison) ([]byte, error) { return render.DiffJSON(c) },
}

func diff(c *cli.Context) error {
	format, known := diffFormats[c.String("format")]
	if !known {
		return badFormat(c.String("format"), diffFormats)
	}
	d, err := open(c)
	if err != nil {
		return err
	}
	defer d.close()
	from, to, err := d.sides(c.Context, c)
	if err != nil {
		return err
	}
	comparison := render.Comparison{Difference: handoff.Diff(from.doc, to.doc), From: from.End, To: to.End}
	data, err := format(d, comparison)
	if err := d.print(data, err); err != nil {
		return err
	}
	if c.Bool("exit-code") && !comparison.Difference.Empty() {
		return silent(exitFailure)
	}
	return nil
}

// A side is one side of a comparison: its document, and what names it.
type side struct {
	render.End
	doc *handoff.Document
	// version is nil where the side is not stored.
	version *gitstore.Version
}

// sides finds the two documents that the command line means.
func (d *desk) sides(ctx context.Context, c *cli.Context) (from, to side, err error) {
	if c.NArg() > 2 {
		return from, to, badUsage("diff takes at most two handoffs, not %d", c.NArg()).hint("git handoff diff -h")
	}
	_, tip, _, err := d.local(ctx, c.Args().First(), c.String("branch"))
	if err != nil {
		return from, to, err
	}
	if c.NArg() == 2 {
		return d.twoHandoffs(ctx, c, tip)
	}
	if c.IsSet("file") && c.IsSet("to") {
		return from, to, badUsage("-f and --to both name the second side; take one of them")
	}
	if to, err = d.sideAt(ctx, tip, c.String("to")); err != nil {
		return from, to, err
	}
	if from, err = d.first(ctx, c, tip, to); err != nil {
		return from, to, err
	}
	if c.IsSet("file") {
		to, err = d.afterSave(c, to)
	}
	return from, to, err
}

func (d *desk) twoHandoffs(ctx context.Context, c *cli.Context, a *gitstore.Version) (from, to side, err error) {
	for _, name := range []string{"from", "to", "file"} {
		if c.IsSet(name) {
			return from, to, badUsage("two handoffs and --%s cannot stand together", name).hint("git handoff diff -h")
		}
	}
	_, b, _, err := d.local(ctx, c.Args().Get(1), "")
	if err != nil {
		return from, to, err
	}
	if from, err = d.side(ctx, a); err == nil {
		to, err = d.side(ctx, b)
	}
	return from, to, err
}

// first is the side that --from names. By default it is the previous author's version; what a file would make is
// compared with the current one.
func (d *desk) first(ctx context.Context, c *cli.Context, tip *gitstore.Version, to side) (side, error) {
	if c.IsSet("from") || c.IsSet("file") {
		return d.sideAt(ctx, tip, c.String("from"))
	}
	previous, err := d.previousAuthors(ctx, to.version)
	if err != nil {
		return side{}, err
	}
	if previous == nil {
		return side{End: render.End{Name: tip.Name, Label: "nothing: there is no earlier author's version"}, doc: &handoff.Document{}}, nil
	}
	return d.side(ctx, previous)
}

// sideAt is the side that a word names: "" the tip, ~N or an object id a version, anything else another handoff.
func (d *desk) sideAt(ctx context.Context, tip *gitstore.Version, at string) (side, error) {
	if at == "" {
		return d.side(ctx, tip)
	}
	v, err := d.versionAt(ctx, tip, at)
	if err != nil && !strings.HasPrefix(at, "~") {
		if _, other, _, otherErr := d.local(ctx, at, ""); otherErr == nil {
			v, err = other, nil
		}
	}
	if err != nil {
		return side{}, err
	}
	return d.side(ctx, v)
}

// side reads the document of a version.
func (d *desk) side(ctx context.Context, v *gitstore.Version) (side, error) {
	doc, err := d.repo.Document(ctx, v)
	if err != nil {
		return side{}, err
	}
	end := render.End{Name: v.Name, OID: v.OID, When: v.Committer.When, By: cmp.Or(v.Message.Actor, v.Author.Name)}
	return side{End: end, doc: doc, version: v}, nil
}

// previousAuthors is the author's version before the one that v is, or comes from; nil where there is none here. Only
// first parents count: a merge is compared with what its own side had.
func (d *desk) previousAuthors(ctx context.Context, v *gitstore.Version) (*gitstore.Version, error) {
	name, own := v.Name, false
	for {
		if !v.Message.Event.Disposable() {
			if own {
				return v, nil
			}
			own = true
		}
		if len(v.Parents) == 0 {
			return nil, nil
		}
		parent, err := d.repo.VersionAt(ctx, v.Parents[0])
		if errors.Is(err, gitstore.ErrNoObject) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		parent.Name = name
		v = parent
	}
}

// afterSave is what a save of the file would make of the current version's brief; what the program observes stays as it
// is.
func (d *desk) afterSave(c *cli.Context, current side) (side, error) {
	file, text, err := readFile(c.String("file"), d.in)
	if err != nil {
		return side{}, err
	}
	s := &saving{desk: d, name: current.Name}
	in := input{File: file, Text: text}
	patch, err := in.decode(s)
	if err != nil {
		return side{}, err
	}
	brief, _, err := handoff.CarryForward(current.doc, patch, handoff.CarryOptions{Now: gitstore.Now()})
	if err != nil {
		return side{}, err
	}
	s.sayNotes()
	doc := *current.doc
	doc.Brief = *brief
	return side{End: render.End{Name: current.Name, Label: "with " + file}, doc: &doc}, nil
}
