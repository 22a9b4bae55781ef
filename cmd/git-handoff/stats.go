package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"git-handoff/check"
	"git-handoff/gitstore"
	"git-handoff/gitstore/handoff"
	"git-handoff/render"
)

func statsCommand() *cli.Command {
	return &cli.Command{
		Name:  "stats",
		Usage: "measure how well work is taken over",
		Description: `Shows the handoff dashboard: how often a resume led to work, how soon, how often something settled was
done again or the history had to be read, what expired while it was waited for, and how complete and how
old the active handoffs are. Each figure comes with its count and its definition. No network is used.

Examples:
  git handoff stats
  git handoff stats --since 30d --branch feature/login
  git handoff stats --format json | jq .all.resume_success_rate`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "format", Value: "text", Usage: "text or json"},
			&cli.StringFlag{Name: "since", Usage: "count from `TIME` on: 2026-03-01, an RFC 3339 time, or an age such as 30d"},
			&cli.StringFlag{Name: "branch", Usage: "count the handoffs of `BRANCH` alone"},
		},
		Action: stats,
	}
}

func stats(c *cli.Context) error {
	if c.NArg() > 0 {
		return badUsage("stats takes no arguments").hint("git handoff stats --branch BRANCH")
	}
	format := c.String("format")
	if format != "text" && format != "json" {
		return badFormat(format, map[string]bool{"text": true, "json": true})
	}
	now := gitstore.Now()
	since, err := parseSince(c.String("since"), now)
	if err != nil {
		return err
	}
	d, err := open(c)
	if err != nil {
		return err
	}
	defer d.close()
	board, err := d.dashboard(c.Context, c.String("branch"), since, now)
	if err != nil {
		return err
	}
	if format == "json" {
		return d.print(render.StatsJSON(board))
	}
	return d.print(render.Stats(board, d.terminal()), nil)
}

// parseSince reads a time, a date, or an age before now.
func parseSince(s string, now time.Time) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	if age, err := handoff.ParseDuration(s); err == nil {
		return now.Add(-age), nil
	}
	at, err := handoff.ParseTime(s)
	if err != nil {
		return time.Time{}, badUsage("--since %q is no time", s).hint("--since 2026-03-01, or --since 30d")
	}
	return at.Std(), nil
}

// dashboard measures every handoff that is here or was fetched, by branch.
func (d *desk) dashboard(ctx context.Context, branch string, since, now time.Time) (render.Dashboard, error) {
	board := render.Dashboard{Now: now, Since: since, Only: branch}
	tips, err := d.repo.Tips(ctx, handoff.RefPrefix, handoff.TrackingPrefix)
	if err = d.tellUnread(err); err != nil {
		return board, err
	}
	var all gitstore.Measures
	branches := map[string]*gitstore.Measures{}
	teller := d.repo.Teller()
	for _, tip := range oneEach(tips) {
		if branch != "" && tip.Name.Branch != branch {
			continue
		}
		m, err := d.measure(ctx, teller, &tip, since, now)
		if err != nil {
			return board, err
		}
		all.Add(m)
		if branches[tip.Name.Branch] == nil {
			branches[tip.Name.Branch] = &gitstore.Measures{}
		}
		branches[tip.Name.Branch].Add(m)
	}
	board.All = scopeOf("", &all)
	for name, m := range branches {
		board.Branches = append(board.Branches, scopeOf(name, m))
	}
	slices.SortFunc(board.Branches, func(a, b render.Scope) int { return strings.Compare(a.Branch, b.Branch) })
	return board, nil
}

// oneEach keeps one version of each handoff: the local one, else the first that was fetched.
func oneEach(tips []gitstore.Version) []gitstore.Version {
	known := map[handoff.Name]bool{}
	var kept []gitstore.Version
	for _, local := range []bool{true, false} {
		for _, v := range tips {
			if strings.HasPrefix(v.Ref, handoff.RefPrefix) == local && !known[v.Name] {
				known[v.Name] = true
				kept = append(kept, v)
			}
		}
	}
	return kept
}

// measure measures one handoff. One that cannot be read is not counted, and said so.
func (d *desk) measure(ctx context.Context, teller *gitstore.Teller, tip *gitstore.Version, since, now time.Time) (m gitstore.Measures, err error) {
	doc, err := d.repo.Document(ctx, tip)
	var unread *gitstore.UnreadError
	switch {
	case as[*handoff.NewerError](err):
		d.say(tip.Name.String() + " was written by a newer release and is not counted")
		return m, nil
	case errors.As(err, &unread):
		d.say("not counted: " + unreadable(err, unread).what)
		return m, nil
	case err != nil:
		return m, err
	}
	story, err := teller.Story(ctx, tip, doc)
	if err != nil {
		return m, err
	}
	waits, err := d.repo.Waits(ctx, story)
	if err != nil {
		return m, err
	}
	m.AddState(doc, check.Completeness(doc).Total, now)
	m.AddResumes(story, since, now)
	m.AddWaits(waits, since, now)
	return m, nil
}
