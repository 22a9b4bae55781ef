package main

import (
	"context"
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"git-handoff/check/workbench"
	"git-handoff/gitstore"
	"git-handoff/gitstore/handoff"
)

func saveCommand() *cli.Command {
	return &cli.Command{
		Name:      "save",
		Usage:     "write down where the work stands",
		ArgsUsage: "[HANDOFF]",
		Description: `Writes a version of the handoff from the options, a file, or an editor. What is not given stays as it
was: an option of a list replaces the list, its --add- form appends, --clear empties, --finish moves
one item to done, --drop removes one. Sub-keys follow a text as ' :: KEY=VALUE'.

The files that a session leaves in the tree (agent_state.json, task_board.json or feature_list.json,
feedback_record.jsonl, reports of verification and review) are recorded; with them nothing need be
given. A worktree that cannot be left as it is, with changes in no commit or a rebase half done, is
refused, with what mends it: git handoff check shows the same.

Examples:
  git handoff save --next-action 'run the migration on staging' --constraint 'no downtime'
  git handoff save --finish 'run the migration :: evidence=job 4711 :: effect=external'
  git handoff save --add-uncertain 'refund 88 submitted :: check=ask the ledger :: replay=never'
  git handoff save -f brief.yaml
  git handoff save --edit`,
		Flags:  append(saveFlags(), briefFlags()...),
		Action: save,
	}
}

func saveFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "file", Aliases: []string{"f"}, Usage: "read the brief from `FILE`, - for standard input"},
		&cli.StringFlag{Name: "from", Usage: "the shape of FILE: packet, record, document or brief, found out if not given"},
		&cli.BoolFlag{Name: "edit", Aliases: []string{"e"}, Usage: "write the whole brief in an editor"},
		&cli.BoolFlag{Name: "retry", Usage: "save the last refused input again, with what else is given"},
		&cli.BoolFlag{Name: "dry-run", Aliases: []string{"n"}, Usage: "print what would be stored, and store nothing"},
		&cli.StringFlag{Name: "allow-unclean", Usage: "save although the state is not clean, and record `WHY`"},
		&cli.BoolFlag{Name: "auto", Usage: "as an agent's session ends: save what can be saved, never fail"},
		&cli.StringSliceFlag{Name: "supersedes", Usage: "this handoff takes the place of `HANDOFF`"},
		&cli.StringFlag{Name: "branch", Usage: "the handoff of `BRANCH`"},
		&cli.StringFlag{Name: "session", Usage: "the session that saves", EnvVars: []string{"HANDOFF_SESSION"}},
		&cli.StringFlag{Name: "actor", Usage: "who saves", EnvVars: []string{"HANDOFF_ACTOR"}},
		&cli.IntFlag{Name: "turns", Usage: "how many turns the session took", EnvVars: []string{"HANDOFF_TURNS"}},
	}
}

func save(c *cli.Context) error {
	d, err := open(c)
	if err != nil {
		return err
	}
	defer d.close()
	s, err := newSaving(c, d)
	if err != nil {
		return err
	}
	s.startLooking(c.Context)
	if s.preview {
		return s.dryRun(c.Context)
	}
	if s.refused == nil {
		s.catchUp(c.Context)
	}
	tip, err := d.repo.Edit(c.Context, s.name, s.change(c.Context))
	s.sayBench()
	if err != nil {
		return s.goBack(c.Context, s.name, s.keep(c.Context, err))
	}
	s.forget()
	return s.announce(c.Context, tip)
}

// catchUp puts the save on what was last fetched. Where that cannot be, as over a document of a newer release, the save
// stands on what is here, and the two are joined later.
func (s *saving) catchUp(ctx context.Context) {
	remote, err := s.repo.CatchUp(ctx, s.name)
	switch {
	case err != nil:
		s.note("what was fetched from %s is not taken in: %s", remote, err)
	case remote != "":
		s.note("%s had another version, which is taken in", remote)
	}
}

// A saving is one save on its way: what the author gave, and what became of it.
type saving struct {
	*desk
	name  handoff.Name
	input input
	patch *handoff.Patch
	// refused is why the patch, which is understood, must not be saved. It is told with what else is in the way.
	refused error
	config  *gitstore.Config
	who     author
	allow   string
	preview bool
	// auto tells that nobody asked for the save: who made it is then no reason for a version.
	auto     bool
	replaces []handoff.Name
	// here tells that the branch is checked out in this worktree, so that what lies in the worktree is its.
	here bool

	// look and workbench are what was found in the worktree, once; since is from when on the workbench's log was read.
	look      *gitstore.Look
	looking   func() (*gitstore.Look, error)
	workbench *workbench.Workbench
	since     time.Time
	masks     *masker
	past      []gitstore.Version

	written *handoff.Document
	report  handoff.Report
	notes   []string
}

// An author is who saves: session, actor and turns, each absent where nobody told.
type author struct {
	session, actor string
	turns          int
}

func newSaving(c *cli.Context, d *desk) (*saving, error) {
	s := &saving{desk: d, preview: c.Bool("dry-run"), auto: c.Bool("auto"), who: author{c.String("session"), c.String("actor"), c.Int("turns")}}
	var err error
	if s.config, err = d.repo.Config(c.Context); err != nil {
		return nil, err
	}
	wrong := []error{s.readWords(c), s.readName(c)}
	if s.input, err = readInput(c, d); err != nil {
		return nil, together(append(wrong, err)...)
	}
	if together(wrong...) != nil {
		s.input.edit = false // nobody is asked to write what cannot be saved
	}
	s.patch, err = s.input.patch(c.Context, s)
	if err = together(append(wrong, err)...); err == nil {
		return s, nil
	}
	if s.patch != nil && holdsSecret(err) && together(wrong...) == nil {
		s.refused = err
		return s, nil
	}
	return nil, s.keep(c.Context, err)
}

// readWords reads what is given beside the brief.
func (s *saving) readWords(c *cli.Context) (err error) {
	var unsaid, unknown error
	s.allow, unsaid = unclean(c)
	for _, old := range c.StringSlice("supersedes") {
		name, err := s.find(c.Context, old, "")
		unknown = together(unknown, err)
		s.replaces = append(s.replaces, name)
	}
	if s.who.turns < 0 {
		unsaid = together(unsaid, badUsage("--turns %d is no number of turns", s.who.turns).hint("leave it out where it is not known"))
	}
	words := map[string]string{"--allow-unclean": s.allow, "--session": s.who.session, "--actor": s.who.actor}
	return together(unsaid, guardWords(s.config, words), unknown)
}

// readName finds out which handoff is meant, and what the worktree tells of who saves it.
func (s *saving) readName(c *cli.Context) error {
	arg, err := one(c)
	if err != nil {
		return err
	}
	if s.name, err = s.target(c.Context, arg, c.String("branch")); err != nil {
		return err
	}
	if err := s.place(c.Context); err != nil {
		return err
	}
	return s.fillAuthor()
}

// place finds out whether the branch is checked out here.
func (s *saving) place(ctx context.Context) error {
	head, err := s.repo.Head(ctx)
	if err != nil {
		return err
	}
	s.here = head.WorkBranch() == s.name.Branch && s.repo.Place().TopLevel != ""
	return nil
}

// announce prints what was dropped and, as the last line, what was saved and where it is.
func (s *saving) announce(ctx context.Context, tip *gitstore.Version) error {
	s.sayNotes()
	s.sayEvicted()
	if s.written == nil {
		fmt.Fprintf(s.out, "%s is as it was, version %.12s\n", s.name, tip.OID)
		return nil
	}
	s.unreached(ctx)
	fmt.Fprintf(s.out, "saved %s, version %.12s%s\n", s.name, tip.OID, s.whereabouts(ctx, s.name, tip.OID))
	return nil
}

// sayNotes says what the save did beyond what it was told.
func (s *saving) sayNotes() {
	for _, note := range s.notes {
		s.say(note)
	}
}

// sayEvicted names the handoffs of branches that are gone and stood where this one had to.
func (s *saving) sayEvicted() {
	for _, e := range s.repo.Evicted() {
		s.say(fmt.Sprintf("%s made room, since branch %s is gone: it is in the archive, and git handoff archive --undo %s brings it back",
			e.Name, e.Name.Branch, word(e.Name)))
	}
}
