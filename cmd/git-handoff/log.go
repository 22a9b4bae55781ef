package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/urfave/cli/v2"

	"git-handoff/gitstore"
	"git-handoff/gitstore/handoff"
	"git-handoff/render"
)

func logCommand() *cli.Command {
	return &cli.Command{
		Name:      "log",
		Usage:     "tell a handoff's story",
		ArgsUsage: "[HANDOFF]",
		Description: `Tells who saved and who took over, the newest first. --all adds the versions that the hooks made. The
story of a handoff that this one supersedes stands below its own; of one that is superseded itself, the first
line says which handoff drives the work instead.

Examples:
  git handoff log
  git handoff log feature/login --all`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "all", Usage: "refreshes too"},
			&cli.IntFlag{Name: "limit", Aliases: []string{"n"}, Usage: "at most `N` versions"},
			&cli.StringFlag{Name: "format", Value: "text", Usage: "text or json"},
			&cli.StringFlag{Name: "branch", Usage: "a handoff of `BRANCH`"},
		},
		Action: logAction,
	}
}

func logAction(c *cli.Context) error {
	arg, err := one(c)
	if err != nil {
		return err
	}
	if format := c.String("format"); format != "text" && format != "json" {
		return badFormat(format, map[string]bool{"text": true, "json": true})
	}
	d, err := open(c)
	if err != nil {
		return err
	}
	defer d.close()
	_, tip, _, err := d.local(c.Context, arg, c.String("branch"))
	if err != nil {
		return err
	}
	told := telling{desk: d, all: c.Bool("all"), left: c.Int("limit"), told: map[handoff.Name]bool{}}
	if told.left <= 0 {
		told.left = math.MaxInt
	}
	story, err := told.story(c.Context, tip)
	if err != nil {
		return err
	}
	if c.String("format") == "json" {
		return d.print(render.LogJSON(story))
	}
	return d.print(render.Log(story, gitstore.Now(), d.terminal()), nil)
}

// A telling is a story while it is told: of so many versions that are left, and of no handoff twice.
type telling struct {
	*desk
	all  bool
	left int
	told map[handoff.Name]bool
}

// story is the handoff's versions, newest first, without refreshes unless all are asked for, and those of the handoffs
// that it supersedes.
func (t *telling) story(ctx context.Context, tip *gitstore.Version) (render.Story, error) {
	t.told[tip.Name] = true
	s := render.Story{Handoff: tip.Name.String()}
	chain, ended := t.repo.Successors(ctx, tip)
	s.Ended = ended
	for _, n := range chain {
		s.Instead = append(s.Instead, n.String())
	}
	history, err := t.repo.History(ctx, tip.OID, 0)
	if err != nil {
		return s, err
	}
	t.tellEnds(history)
	if s.Entries, err = t.entries(ctx, tip, history); err != nil {
		return s, err
	}
	doc, err := t.repo.Document(ctx, tip)
	if err != nil {
		return s, t.unlessUnread(err)
	}
	before, err := t.repo.Predecessors(ctx, doc, history)
	if err != nil {
		return s, err
	}
	for _, p := range before {
		if t.left == 0 || t.told[p.Name] {
			continue
		}
		below, err := t.story(ctx, p.Tip)
		if err != nil {
			return s, err
		}
		s.Supersedes = append(s.Supersedes, below)
	}
	return s, nil
}

func (t *telling) entries(ctx context.Context, tip *gitstore.Version, history []gitstore.Version) ([]render.LogEntry, error) {
	resumes, err := t.resumes(ctx, tip, history)
	if err != nil {
		return nil, err
	}
	var entries []render.LogEntry
	for _, v := range history {
		if t.left == 0 {
			break
		}
		if !t.all && v.Message.Event == handoff.EventRefresh {
			continue
		}
		e := entryOf(v)
		e.Resumed = resumes[v.OID]
		entries = append(entries, e)
		t.left--
	}
	return entries, nil
}

// unlessUnread lets a document pass that cannot be read, of which nothing can be told.
func (d *desk) unlessUnread(err error) error {
	var unread *gitstore.UnreadError
	switch {
	case as[*handoff.NewerError](err):
		return nil
	case errors.As(err, &unread):
		return d.tellUnread(gitstore.Unread{unread})
	}
	return err
}

// tellEnds says where the history ends before its beginning.
func (d *desk) tellEnds(history []gitstore.Version) {
	here := map[string]bool{}
	for _, v := range history {
		here[v.OID] = true
	}
	for _, v := range history {
		for _, p := range v.Parents {
			if !here[p] {
				d.say(fmt.Sprintf("version %.12s is not here, so what came before %.12s is not told", p, v.OID))
			}
		}
	}
}

// resumes tell, by the version that recorded it, what came of each resume. A handoff that nobody resumed, or that
// cannot be read, has none to tell of.
func (d *desk) resumes(ctx context.Context, tip *gitstore.Version, history []gitstore.Version) (map[string]*render.Resumed, error) {
	if !slices.ContainsFunc(history, func(v gitstore.Version) bool { return v.Message.Event == handoff.EventResume }) {
		return nil, nil
	}
	doc, err := d.repo.Document(ctx, tip)
	if err != nil {
		return nil, d.unlessUnread(err)
	}
	s, err := d.repo.Teller().Story(ctx, tip, doc)
	if err != nil {
		return nil, err
	}
	told := map[string]*render.Resumed{}
	for _, r := range s.Resumptions(gitstore.Now()) {
		one := &render.Resumed{After: r.After, What: r.What, Outcome: string(r.Outcome)}
		if r.What != "" {
			one.In = r.Productive.Sub(r.At)
		}
		told[r.Version] = one
	}
	return told, nil
}

func entryOf(v gitstore.Version) render.LogEntry {
	if v.Message.Actor == "" {
		v.Message.Actor = v.Author.Name
	}
	return render.LogEntry{OID: v.OID, When: v.Committer.When, Message: v.Message, Merge: len(v.Parents) > 1}
}
