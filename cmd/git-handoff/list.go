package main

import (
	"cmp"
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
func (d *desk) rows(ctx context.Context, c *cli.Context) ([]*render.Row, error) {
	after, err := d.staleAfter(ctx)
	if err != nil {
		return nil, err
	}
	l := listing{all: c.Bool("all"), stale: c.Bool("stale"), author: strings.ToLower(c.String("author")),
		staleBefore: gitstore.Now().Add(-after).Unix()}
	l.current, _ = d.branch(ctx)
	remotes, plain := d.repo.RemoteNames()
	l.compare = !plain || len(remotes) > 0
	if err := d.tellUnread(d.repo.EachTip(ctx, l.take, handoff.RefPrefix, handoff.TrackingPrefix)); err != nil {
		return nil, err
	}
	rows := l.merged()
	standings, err := d.repo.AllStandings(ctx, l.tips)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		if row.Remote == "" {
			for _, s := range standings[row.Name] {
				row.Remotes = append(row.Remotes, remoteOf(s))
			}
		}
	}
	slices.SortFunc(rows, func(a, b *render.Row) int {
		if n := savedAt(b).Compare(savedAt(a)); n != 0 {
			return n
		}
		return cmp.Or(strings.Compare(a.Name.Branch, b.Name.Branch), strings.Compare(a.Name.Topic, b.Name.Topic))
	})
	return rows, nil
}

// A listing gathers rows, and asks of each what the options ask.
type listing struct {
	all, stale      bool
	author, current string
	staleBefore     int64
	// compare keeps the tips, to be held against what remotes have.
	compare bool
	tips    []gitstore.Version

	here, elsewhere []*render.Row
	// hidden are the handoffs here that are not asked for: those of remotes are not shown in their place.
	hidden []handoff.Name
}

// take takes a version as it is listed.
func (l *listing) take(v *gitstore.Version) {
	if l.compare {
		l.tips = append(l.tips, *v)
	}
	remote, isHead := gitstore.TrackedBy(v.Ref)
	isHere := strings.HasPrefix(v.Ref, handoff.RefPrefix)
	if !isHere && !isHead {
		return
	}
	row := &render.Row{Name: v.Name, OID: v.OID, When: v.Committer.When, Message: signedMessage(v), Current: v.Name.Branch == l.current, Remote: remote}
	row.Stale = row.Message.Status == handoff.Active && savedAt(row).Unix() < l.staleBefore
	switch {
	case isHere && l.keeps(row):
		l.here = append(l.here, row)
	case isHere:
		l.hidden = append(l.hidden, row.Name)
	default:
		l.elsewhere = append(l.elsewhere, row)
	}
}

func (l *listing) keeps(row *render.Row) bool {
	if !l.all && row.Message.Status != handoff.Active || l.stale && !row.Stale {
		return false
	}
	return l.author == "" || strings.Contains(strings.ToLower(row.Message.BriefAuthor()), l.author)
}

// merged puts the local handoffs first and adds what only remotes have, from the first that has it.
func (l *listing) merged() []*render.Row {
	if len(l.elsewhere) == 0 {
		return l.here
	}
	known := make(map[handoff.Name]bool, len(l.here)+len(l.hidden))
	for _, row := range l.here {
		known[row.Name] = true
	}
	for _, name := range l.hidden {
		known[name] = true
	}
	for _, row := range l.elsewhere {
		if !known[row.Name] && l.keeps(row) {
			l.here = append(l.here, row)
		}
		known[row.Name] = true
	}
	return l.here
}

// signedMessage is the message with the commit's author as the brief's, where it names none.
func signedMessage(v *gitstore.Version) handoff.Message {
	m := v.Message
	if m.BriefAuthor() == "" {
		m.Actor = v.Author.Name
	}
	return m
}

// savedAt is when the brief was last saved; a refresh does not make it younger.
func savedAt(r *render.Row) time.Time {
	if at := r.Message.Saved; !at.IsZero() {
		return at.Std()
	}
	return r.When
}
