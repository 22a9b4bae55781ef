package main

import (
	"context"
	"errors"
	"slices"

	"git-handoff/gitstore"
	"git-handoff/gitstore/handoff"
)

// change makes the next version of the handoff from the one that is there.
func (s *saving) change(ctx context.Context) gitstore.EditFunc {
	given := len(s.notes)
	return func(prev *gitstore.Version, old *handoff.Document) (*gitstore.Change, error) {
		s.notes, s.written = s.notes[:given], nil
		next, err := s.next(ctx, prev, old)
		if err != nil || next == nil {
			return nil, err
		}
		s.written = next
		return &gitstore.Change{
			Doc:      next,
			Message:  handoff.MessageOf(next, eventAfter(old)),
			Replace:  s.replaceable(ctx, prev),
			Identity: gitstore.AsUser,
			Extra:    s.supersede(ctx),
		}, nil
	}
}

// eventAfter is what a save is called: one of an archived handoff opens it again.
func eventAfter(old *handoff.Document) handoff.Event {
	if old != nil && old.Status == handoff.Archived {
		return handoff.EventReopen
	}
	return handoff.EventSave
}

// next is the document that follows old, nil if the save changes nothing. All that is in the way is said in one go.
func (s *saving) next(ctx context.Context, prev *gitstore.Version, old *handoff.Document) (*handoff.Document, error) {
	next, err := s.following(ctx, prev, old)
	if err := together(s.refused, err); err != nil {
		return nil, err
	}
	return next, nil
}

func (s *saving) following(ctx context.Context, prev *gitstore.Version, old *handoff.Document) (*handoff.Document, error) {
	if err := s.mayFollow(ctx, prev, old); err != nil {
		return nil, err
	}
	next := &handoff.Document{}
	var err error
	if next.Observed, err = s.observe(ctx, old); err != nil {
		return nil, err
	}
	if err := s.readBench(ctx, prev); err != nil {
		return nil, err
	}
	if next.Recorded, err = s.record(ctx, old); err != nil {
		return nil, err
	}
	if next.Brief, err = s.brief(ctx, prev, old, next); err != nil {
		return nil, err
	}
	if next.Ledger, err = s.ledger(ctx, old); err != nil {
		return nil, err
	}
	if err := s.finish(ctx, old, next); err != nil {
		return nil, err
	}
	if old != nil && s.same(old, next) {
		return nil, nil
	}
	return next, nil
}

// finish does what needs the whole document: the digests of what it names, the clean state, and its size.
func (s *saving) finish(ctx context.Context, old, next *handoff.Document) error {
	if s.here {
		next.ArtifactDigests = s.repo.ArtifactDigests(next.Artifacts, next.ArtifactDigests)
	}
	if err := s.gate(ctx, old, next); err != nil {
		return err
	}
	next.FitFacts()
	return nil
}

// mayFollow refuses to save over a handoff that another one drives.
func (s *saving) mayFollow(ctx context.Context, prev *gitstore.Version, old *handoff.Document) error {
	if old == nil || old.Status != handoff.Superseded || old.SupersededBy == nil {
		return nil
	}
	driving := old.SupersededBy.Handoff
	if chain, _ := s.repo.Successors(ctx, prev); len(chain) > 0 {
		driving = chain[len(chain)-1].String()
	}
	return trouble(exitRefused, "%s is superseded by %s and drives nothing any more", s.name, driving).
		hint("git handoff save %s …", word(driving)).
		hint("git handoff archive --undo %s continues it all the same", word(s.name))
}

func (s *saving) observe(ctx context.Context, old *handoff.Document) (handoff.Observed, error) {
	var before *handoff.Observed
	if old != nil {
		before = &old.Observed
		if old.Status == handoff.Archived {
			before = &handoff.Observed{}
		}
	}
	o, err := s.repo.Observe(ctx, s.name.Branch, before)
	o.ChangedFiles.Files = newMasker(s.config).files(o.ChangedFiles.Files)
	return o, err
}

func (s *saving) brief(ctx context.Context, prev *gitstore.Version, old, next *handoff.Document) (handoff.Brief, error) {
	earlier, err := s.earlierActions(ctx, prev)
	if err != nil {
		return handoff.Brief{}, err
	}
	patch, err := s.patchFor(ctx, prev, old)
	if err != nil {
		return handoff.Brief{}, err
	}
	opt := handoff.CarryOptions{
		Now: gitstore.Now(), Actor: s.who.actor, ReplaceAll: s.input.Whole,
		Reopen:              old != nil && old.Status == handoff.Archived,
		BranchMoved:         old != nil && old.Head != next.Head,
		PreviousNextActions: earlier,
	}
	if s.workbench != nil {
		opt.StateNextAction = s.workbench.State.NextAction
	}
	b, report, err := handoff.CarryForward(old, patch, opt)
	if err != nil {
		return handoff.Brief{}, err
	}
	for _, w := range report.Warnings {
		s.note("%s", w)
	}
	for _, dropped := range report.Dropped {
		s.note("dropped from %s: %s", dropped.List, dropped.Item.What)
	}
	s.report = report
	return *b, nil
}

// earlierActions are the next actions that the handoff had before: a state file that still names one of them is behind,
// and one that is finished is not asked for again. They are not looked for where neither is at hand.
func (s *saving) earlierActions(ctx context.Context, prev *gitstore.Version) ([]string, error) {
	if len(s.patch.Finish) == 0 && (s.workbench == nil || s.workbench.State.NextAction == "") {
		return nil, nil
	}
	history, err := s.history(ctx, prev)
	if err != nil {
		return nil, err
	}
	var earlier []string
	for _, v := range history {
		earlier = append(earlier, v.Message.Next)
	}
	return slices.Compact(earlier), nil
}

// ledger is what this event, a save, writes into the books.
func (s *saving) ledger(ctx context.Context, old *handoff.Document) (handoff.Ledger, error) {
	next := handoff.Ledger{Version: handoff.FormatVersion, Branch: s.name.Branch, Topic: s.name.Topic, Status: handoff.Active}
	if old != nil && old.Status != handoff.Archived {
		next.Supersedes = slices.Clone(old.Supersedes)
		next.Claim = gitstore.ClaimAfter(old.Claim, s.repo.Holder(s.who.session))
		next.Provenance.RefreshedAt = old.Provenance.RefreshedAt
	}
	for _, name := range s.replaces {
		tip, err := s.repo.Tip(ctx, name)
		if err != nil {
			return next, err
		}
		next.Supersedes = withLink(next.Supersedes, handoff.Link{Handoff: name.String(), Version: tip.OID})
	}
	p := &next.Provenance
	p.Session, p.ProducedBy, p.Turns = s.who.session, s.who.actor, s.who.turns
	p.SavedAt, p.Tool = handoff.TimeOf(gitstore.Now()), "git-handoff "+version()
	return next, nil
}

// withLink adds a link, or replaces the one to the same handoff.
func withLink(links []handoff.Link, l handoff.Link) []handoff.Link {
	for i := range links {
		if links[i].Handoff == l.Handoff {
			links[i] = l
			return links
		}
	}
	return append(links, l)
}

// same reports whether next says nothing that old does not: only then is a second version pointless. What an agent's
// hook saves when its session ends is no work by itself: a session that did nothing leaves the handoff as it was, and the
// figures of stats without a save that came of its resume.
func (s *saving) same(old, next *handoff.Document) bool {
	a, b := *old, *next
	for _, d := range []*handoff.Document{&a, &b} {
		d.Provenance.SavedAt, d.Provenance.RefreshedAt, d.Provenance.Tool = handoff.Time{}, handoff.Time{}, ""
		if s.auto {
			d.Provenance = handoff.Provenance{}
		}
	}
	return handoff.Equal(&a, &b)
}

// replaceable reports whether the tip is a refresh that nobody else can have seen.
func (s *saving) replaceable(ctx context.Context, prev *gitstore.Version) bool {
	if prev == nil || prev.Message.Event != handoff.EventRefresh {
		return false
	}
	published, err := s.repo.Published(ctx, prev)
	return err == nil && !published
}

// supersede marks the handoffs that this one replaces, in the same transaction.
func (s *saving) supersede(ctx context.Context) func(string) ([]gitstore.RefChange, error) {
	if len(s.replaces) == 0 {
		return nil
	}
	return func(oid string) ([]gitstore.RefChange, error) {
		var moves []gitstore.RefChange
		for _, name := range s.replaces {
			move, err := s.repo.Supersede(ctx, name, handoff.Link{Handoff: s.name.String(), Version: oid}, "named by its successor")
			if err != nil {
				return nil, err
			}
			moves = append(moves, move...)
		}
		return moves, nil
	}
}

// dryRun prints the document that would be stored.
func (s *saving) dryRun(ctx context.Context) error {
	tip, err := s.repo.Tip(ctx, s.name)
	if err != nil && !errors.Is(err, gitstore.ErrNoHandoff) {
		return err
	}
	var old *handoff.Document
	if tip != nil {
		if old, err = s.repo.Document(ctx, tip); err != nil {
			return err
		}
	}
	next, err := s.next(ctx, tip, old)
	s.sayBench()
	if err != nil {
		return err
	}
	s.sayNotes()
	if next == nil {
		next = old
	}
	data, err := handoff.Encode(next)
	if err != nil {
		return err
	}
	return s.print(s.inert(data), nil)
}
