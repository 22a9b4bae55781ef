package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"git-handoff/gitstore"
	"git-handoff/gitstore/handoff"
	"git-handoff/render"
)

func listCommand() *cli.Command {
	return &cli.Command{
		Name:  "list",
		Usage: "list the handoffs of all branches",
		Description: `Lists the active handoffs of all branches, the newest save first, also those that are only on a remote
that was fetched. It never uses the network.

Examples:
  git handoff list
  git handoff list --stale
  git handoff list --author ada --format json`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "all", Usage: "superseded and archived ones too"},
			&cli.BoolFlag{Name: "stale", Usage: "only those that nobody saved for longer than handoff.staleAfter"},
			&cli.StringFlag{Name: "author", Usage: "only those whose author's name contains `A`"},
			&cli.StringFlag{Name: "format", Value: "text", Usage: "text or json"},
		},
		Action: listAction,
	}
}

func listAction(c *cli.Context) error {
	if c.NArg() > 0 {
		return badUsage("list takes no arguments").hint("git handoff show %s", c.Args().First())
	}
	if format := c.String("format"); format != "text" && format != "json" {
		return badFormat(format, map[string]bool{"text": true, "json": true})
	}
	d, err := open(c)
	if err != nil {
		return err
	}
	defer d.close()
	rows, err := d.rows(c.Context, c)
	if err != nil {
		return err
	}
	if c.String("format") == "json" {
		return d.print(render.ListJSON(rows))
	}
	if len(rows) == 0 {
		d.say("no handoffs; git handoff save --next-action '…' writes one")
	}
	return d.print(render.List(rows, gitstore.Now(), render.Terminal{Width: d.columns(), Color: colourful(d.out)}), nil)
}

// rows are the handoffs here and those that only a remote has, as the options ask for them.
func (d *desk) rows(ctx context.Context, c *cli.Context) ([]render.Row, error) {
	tips, err := d.repo.Tips(ctx, handoff.RefPrefix, handoff.TrackingPrefix)
	if err != nil {
		return nil, err
	}
	var staleBefore int64
	if c.Bool("stale") || len(tips) > 0 {
		after, err := d.staleAfter(ctx)
		if err != nil {
			return nil, err
		}
		staleBefore = gitstore.Now().Add(-after).Unix()
	}
	current, _ := d.branch(ctx)
	var rows []render.Row
	for _, row := range merged(tips, current) {
		row.Stale = row.Message.Status == handoff.Active && savedAt(row).Unix() < staleBefore
		if keep(row, c) {
			rows = append(rows, row)
		}
	}
	slices.SortStableFunc(rows, func(a, b render.Row) int {
		if n := savedAt(b).Compare(savedAt(a)); n != 0 {
			return n
		}
		return strings.Compare(a.Name.String(), b.Name.String())
	})
	return rows, nil
}

func keep(row render.Row, c *cli.Context) bool {
	switch {
	case !c.Bool("all") && row.Message.Status != handoff.Active:
		return false
	case c.Bool("stale") && !row.Stale:
		return false
	}
	return strings.Contains(strings.ToLower(row.Message.BriefAuthor()), strings.ToLower(c.String("author")))
}

// merged puts the local handoffs first and adds what only remotes have.
func merged(tips []gitstore.Version, current string) []render.Row {
	rows := map[handoff.Name]int{}
	var all []render.Row
	for _, v := range tips {
		if strings.HasPrefix(v.Ref, handoff.RefPrefix) {
			rows[v.Name] = len(all)
			all = append(all, rowOf(v, current))
		}
	}
	for _, v := range tips {
		remote, isHead := gitstore.TrackedBy(v.Ref)
		if _, known := rows[v.Name]; known || !isHead {
			continue
		}
		rows[v.Name] = len(all)
		row := rowOf(v, current)
		row.Remote = remote
		all = append(all, row)
	}
	return all
}

func rowOf(v gitstore.Version, current string) render.Row {
	if v.Message.BriefAuthor() == "" {
		v.Message.Actor = v.Author.Name
	}
	return render.Row{Name: v.Name, OID: v.OID, When: v.Committer.When, Message: v.Message, Current: v.Name.Branch == current}
}

// savedAt is when the brief was last saved; a refresh does not make it younger.
func savedAt(r render.Row) time.Time {
	if at := r.Message.Saved; !at.IsZero() {
		return at.Std()
	}
	return r.When
}
