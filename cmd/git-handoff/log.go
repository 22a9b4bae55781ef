package main

import (
	"context"
	"errors"
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
		Description: `Tells who saved and who took over, the newest first. --all adds the versions that the hooks made.

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
	entries, err := d.story(c.Context, tip, c.Bool("all"), c.Int("limit"))
	if err != nil {
		return err
	}
	if c.String("format") == "json" {
		return d.print(render.LogJSON(entries))
	}
	return d.print(render.Log(entries, gitstore.Now(), d.terminal()), nil)
}

// story is the handoff's versions, newest first, without refreshes unless all are asked for.
func (d *desk) story(ctx context.Context, tip *gitstore.Version, all bool, limit int) ([]render.LogEntry, error) {
	history, err := d.repo.History(ctx, tip.OID, 0)
	if err != nil {
		return nil, err
	}
	resumes, err := d.resumes(ctx, tip, history)
	if err != nil {
		return nil, err
	}
	var entries []render.LogEntry
	for _, v := range history {
		if !all && v.Message.Event == handoff.EventRefresh {
			continue
		}
		e := entryOf(v)
		e.Resumed = resumes[v.OID]
		entries = append(entries, e)
		if limit > 0 && len(entries) == limit {
			break
		}
	}
	return entries, nil
}

// resumes tell, by the version that recorded it, what came of each resume. A handoff that nobody resumed, or that a
// newer release wrote, has none to tell of.
func (d *desk) resumes(ctx context.Context, tip *gitstore.Version, history []gitstore.Version) (map[string]*render.Resumed, error) {
	if !slices.ContainsFunc(history, func(v gitstore.Version) bool { return v.Message.Event == handoff.EventResume }) {
		return nil, nil
	}
	doc, err := d.repo.Document(ctx, tip)
	var newer *handoff.NewerError
	if errors.As(err, &newer) {
		return nil, nil
	}
	if err != nil {
		return nil, err
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
