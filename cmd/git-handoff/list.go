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
that was fetched, and where a remote has another version, or none. It never uses the network.

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
		return badUsage("list takes no arguments").hint("git handoff show %s", word(c.Args().First()))
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
		d.say(nothingListed(c))
	}
	return d.print(render.List(rows, gitstore.Now(), render.Terminal{Width: d.columns(), Color: colourful(d.out)}), nil)
}

// nothingListed says why a list is empty, and what to do.
func nothingListed(c *cli.Context) string {
	if c.Bool("stale") || c.IsSet("author") {
		return "no handoff is like that; git handoff list --all shows the handoffs there are"
	}
	if !c.Bool("all") {
		return "no active handoffs; git handoff save --next-action '…' writes one, git handoff list --all shows those that are closed"
	}
	return "no handoffs; git handoff save --next-action '…' writes one"
}

// rows are the handoffs here and those that only a remote has, as the options ask for them.
func (d *desk) rows(ctx context.Context, c *cli.Context) ([]render.Row, error) {
	go d.repo.Config(ctx) // read while git lists; what it says, or that it cannot be read, is asked for below
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
	rows := slices.DeleteFunc(merged(tips, current), func(row render.Row) bool {
		return !keep(row, staleBefore, c)
	})
	standings, err := d.repo.AllStandings(ctx, tips)
	if err != nil {
		return nil, err
	}
	for i := range rows {
		rows[i].Stale = isStale(rows[i], staleBefore)
		if rows[i].Remote == "" {
			for _, s := range standings[rows[i].Name] {
				rows[i].Remotes = append(rows[i].Remotes, remoteOf(s))
			}
		}
	}
	slices.SortFunc(rows, func(a, b render.Row) int {
		if n := savedAt(b).Compare(savedAt(a)); n != 0 {
			return n
		}
		return strings.Compare(a.Name.String(), b.Name.String())
	})
	return rows, nil
}

func isStale(row render.Row, before int64) bool {
	return row.Message.Status == handoff.Active && savedAt(row).Unix() < before
}

func keep(row render.Row, staleBefore int64, c *cli.Context) bool {
	switch {
	case !c.Bool("all") && row.Message.Status != handoff.Active:
		return false
	case c.Bool("stale") && !isStale(row, staleBefore):
		return false
	}
	return strings.Contains(strings.ToLower(row.Message.BriefAuthor()), strings.ToLower(c.String("author")))
}

// merged puts the local handoffs first and adds what only remotes have.
func merged(tips []gitstore.Version, current string) []render.Row {
	known := make(map[handoff.Name]bool, len(tips))
	all := make([]render.Row, 0, len(tips))
	for _, v := range tips {
		if strings.HasPrefix(v.Ref, handoff.RefPrefix) {
			known[v.Name] = true
			all = append(all, rowOf(v, current))
		}
	}
	for _, v := range tips {
		remote, isHead := gitstore.TrackedBy(v.Ref)
		if known[v.Name] || !isHead {
			continue
		}
		known[v.Name] = true
		row := rowOf(v, current)
		row.Remote = remote
		all = append(all, row)
	}
	return all
}

func rowOf(v gitstore.Version, current string) render.Row {
	return render.Row{Name: v.Name, OID: v.OID, When: v.Committer.When, Message: signedMessage(v), Current: v.Name.Branch == current}
}

// signedMessage is the message with the commit's author as the brief's, where it names none.
func signedMessage(v gitstore.Version) handoff.Message {
	m := v.Message
	if m.BriefAuthor() == "" {
		m.Actor = v.Author.Name
	}
	return m
}

// savedAt is when the brief was last saved; a refresh does not make it younger.
func savedAt(r render.Row) time.Time {
	if at := r.Message.Saved; !at.IsZero() {
		return at.Std()
	}
	return r.When
}
