package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"git-handoff/gitstore"
	"git-handoff/gitstore/handoff"
	"git-handoff/render"
)

func showCommand() *cli.Command {
	return &cli.Command{
		Name:      "show",
		Usage:     "read a handoff",
		ArgsUsage: "[HANDOFF]",
		Description: `Shows the local version as it is stored, else the one that was last fetched. It never uses the network.

Examples:
  git handoff show
  git handoff show login-fix --format md
  git handoff show main/default --at ~1
  git handoff show --format json | jq -r .next_action`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "format", Value: "text", Usage: "text, md, json, yaml, packet, record or document"},
			&cli.StringFlag{Name: "at", Usage: "an older `VERSION`: ~N, or an object id"},
			&cli.StringFlag{Name: "remote", Usage: "the version that `REMOTE` had when it was last fetched"},
			&cli.BoolFlag{Name: "raw", Usage: "print the stored bytes, whatever release wrote them"},
			&cli.StringFlag{Name: "output-dir", Usage: "write `DIR`/SESSION/handoff.md and handoff.json"},
			&cli.StringFlag{Name: "branch", Usage: "a handoff of `BRANCH`"},
		},
		Action: show,
	}
}

// showFormats are the formats of show, each from a document and what is known about it.
var showFormats = map[string]func(context.Context, *showing) ([]byte, error){
	"text": func(_ context.Context, s *showing) ([]byte, error) { return render.Text(s.view, s.terminal()), nil },
	"md":   func(_ context.Context, s *showing) ([]byte, error) { return render.Markdown(s.view), nil },
	"json": func(_ context.Context, s *showing) ([]byte, error) { return render.JSON(s.doc) },
	"yaml": func(_ context.Context, s *showing) ([]byte, error) { return s.inert(s.stored), nil },

	"packet": func(ctx context.Context, s *showing) ([]byte, error) {
		return s.summarised(ctx).shape(handoff.ShapePacket)
	},
	"record": func(ctx context.Context, s *showing) ([]byte, error) {
		return s.summarised(ctx).shape(handoff.ShapeRecord)
	},
	"document": func(_ context.Context, s *showing) ([]byte, error) { return s.shape(handoff.ShapeDocument) },
}

// A showing is one version on its way to be shown.
type showing struct {
	*desk
	name    handoff.Name
	version *gitstore.Version
	doc     *handoff.Document
	stored  []byte
	// origin is the remote that the version was fetched from, if it is not the local one.
	origin string
	view   render.View
}

func show(c *cli.Context) error {
	arg, err := one(c)
	if err != nil {
		return err
	}
	format, known := showFormats[c.String("format")]
	if !known {
		return badFormat(c.String("format"), showFormats)
	}
	d, err := open(c)
	if err != nil {
		return err
	}
	defer d.close()
	s := &showing{desk: d}
	if err := s.locate(c.Context, c, arg); err != nil {
		return s.goBack(c.Context, s.name, err)
	}
	if c.Bool("raw") {
		return s.raw(c.Context)
	}
	if s.doc, s.stored, err = d.repo.Stored(c.Context, s.version); err != nil {
		return s.goBack(c.Context, s.name, err)
	}
	dir, form := c.String("output-dir"), c.String("format")
	if dir != "" {
		form = "md"
	}
	if err := s.look(c.Context, form); err != nil {
		return err
	}
	s.unreached(c.Context)
	if dir != "" {
		return s.writeTo(dir)
	}
	data, err := format(c.Context, s)
	if err != nil {
		return err
	}
	_, err = d.out.Write(data)
	return err
}

// locate finds the version that is meant.
func (s *showing) locate(ctx context.Context, c *cli.Context, arg string) (err error) {
	if s.origin = c.String("remote"); s.origin != "" {
		s.name, s.version, err = s.fetched(ctx, arg, c.String("branch"), s.origin)
	} else {
		s.name, s.version, s.origin, err = s.local(ctx, arg, c.String("branch"))
	}
	if err != nil || c.String("at") == "" {
		return err
	}
	s.version, err = s.versionAt(ctx, s.version, c.String("at"))
	return err
}

// local is the handoff here, else the one that a remote had when it was last fetched.
func (d *desk) local(ctx context.Context, arg, branch string) (handoff.Name, *gitstore.Version, string, error) {
	name, err := d.find(ctx, arg, branch)
	if err != nil {
		if name, v, remote := d.elsewhere(ctx, arg, branch); v != nil {
			return name, v, remote, nil
		}
		return name, nil, "", err
	}
	v, err := d.repo.Tip(ctx, name)
	return name, v, "", err
}

func (s *showing) raw(ctx context.Context) error {
	data, err := s.repo.Raw(ctx, s.version.OID)
	if err != nil {
		return err
	}
	_, err = s.out.Write(s.inert(data))
	return err
}

// look gathers what the reader should know beside the document. Formats for programs get it as notes.
func (s *showing) look(ctx context.Context, format string) error {
	notes, err := s.movedOn(ctx)
	if err != nil {
		return err
	}
	if format != "text" && format != "md" {
		for _, n := range notes {
			s.say(n)
		}
		return nil
	}
	s.view, err = s.desk.view(ctx, s.name, s.version, s.doc)
	s.view.Origin, s.view.Notes = s.origin, notes
	if s.origin != "" {
		s.view.Fetched = s.repo.LastFetch(s.origin)
	}
	return err
}

// movedOn says whether the branch, or a remote's version, has moved on since this version. It starts no child.
func (s *showing) movedOn(ctx context.Context) ([]string, error) {
	var notes []string
	tip, err := s.repo.BranchTip(ctx, s.name.Branch)
	if err != nil {
		return nil, err
	}
	if tip != "" && s.doc.Head != "" && tip != s.doc.Head {
		notes = append(notes, "branch "+s.name.Branch+" has moved on since these facts were taken")
	}
	standings, err := s.repo.Standings(ctx, s.name, s.version.OID)
	if err != nil {
		return nil, err
	}
	for _, at := range standings {
		if at.Behind > 0 && at.Remote != s.origin {
			notes = append(notes, at.Remote+" has a newer version: git handoff sync "+at.Remote)
		}
	}
	return notes, nil
}

// summarised is the document with the summary that text shows: one made from the commits, and marked so, where the
// author gave none. The shapes of other programs expect one.
func (s *showing) summarised(ctx context.Context) *showing {
	made, err := s.generatedSummary(ctx, s.doc)
	if err != nil || made == "" {
		return s
	}
	with, doc := *s, *s.doc
	doc.Summary = made + " (generated)"
	with.doc = &doc
	return &with
}

func (s *showing) shape(shape handoff.Shape) ([]byte, error) {
	data, lost, err := handoff.EncodeShape(s.doc, shape)
	if len(lost) > 0 {
		s.say("the " + string(shape) + " shape cannot hold: " + strings.Join(lost, ", "))
	}
	return s.inert(data), err
}

// writeTo writes DIR/SESSION/handoff.md and handoff.json, each whole or not at all.
func (s *showing) writeTo(dir string) error {
	session := folderName(s.doc.Provenance.Session)
	if session == "" {
		session = folderName(s.name.Branch + "-" + s.name.Topic)
	}
	folder := filepath.Join(dir, session)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	data, err := render.JSON(s.doc)
	if err != nil {
		return err
	}
	for name, data := range map[string][]byte{"handoff.md": render.Markdown(s.view), "handoff.json": data} {
		if err := writeWhole(filepath.Join(folder, name), data); err != nil {
			return err
		}
	}
	_, err = s.out.Write([]byte(folder + "\n"))
	return err
}

// badFormat says which formats there are.
func badFormat[T any](given string, known map[string]T) error {
	var names []string
	for name := range known {
		names = append(names, name)
	}
	slices.Sort(names)
	return badUsage("there is no format %q", given).hint("--format is one of %s", list(names))
}
