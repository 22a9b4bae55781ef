package gitstore

import (
	"context"
	"slices"
	"strings"

	"git-handoff/gitstore/handoff"
)

// planNotes adds the evidence on commits that are on the peer, or come there with the push that is under way.
func (p *publication) planNotes(ctx context.Context) error {
	if p.survey.ownNotes == "" || slices.Contains(p.skip, namespaceOf(handoff.NotesRef)) {
		return nil
	}
	onto := p.survey.notes[p.key]
	if same, err := p.sameNotes(ctx, onto); same || err != nil {
		return err
	}
	noted, err := p.repo.NotedCommits(ctx)
	if err != nil {
		return err
	}
	tips, err := p.tipsThere(ctx)
	if err != nil {
		return err
	}
	there, err := p.repo.Reachable(ctx, noted, tips)
	if err != nil || len(there) == 0 {
		return err
	}
	if there, err = p.harmless(ctx, there); err != nil {
		return err
	}
	notes, err := p.repo.NotesFor(ctx, there, onto)
	if err == nil && notes != onto && notes != "" {
		p.first = append(p.first, PushedRef{Ref: handoff.NotesRef, Old: onto, New: notes})
	}
	return err
}

// sameNotes reports whether the peer has exactly our notes.
func (p *publication) sameNotes(ctx context.Context, onto string) (bool, error) {
	ours, err := p.repo.notesAt(ctx, p.survey.ownNotes)
	if err != nil {
		return false, err
	}
	theirs, err := p.repo.notesAt(ctx, onto)
	return ours.tree == theirs.tree, err
}

// tipsThere are the commits that are pushed, else those of the peer's branches, as far as they are here.
func (p *publication) tipsThere(ctx context.Context) ([]string, error) {
	if p.push != nil {
		return p.push.Commits, nil
	}
	tips := map[string]bool{}
	if p.advertised != nil {
		for _, oid := range p.advertised {
			tips[oid] = true
		}
	} else {
		refs, err := p.repo.Refs(ctx, "refs/remotes/"+p.peer.Remote)
		if err != nil {
			return nil, err
		}
		for _, ref := range refs {
			tips[ref.OID] = true
		}
	}
	var here []string
	for oid := range tips {
		if p.repo.HasCommit(ctx, oid) {
			here = append(here, oid)
		}
	}
	slices.Sort(here)
	return here, nil
}

// harmless leaves out the commits whose notes hold a secret.
func (p *publication) harmless(ctx context.Context, commits []string) ([]string, error) {
	if p.scan == nil {
		return commits, nil
	}
	ours, err := p.repo.notesAt(ctx, p.survey.ownNotes)
	if err != nil {
		return nil, err
	}
	tree, err := p.repo.noteTree(ctx, ours.tree)
	if err != nil {
		return nil, err
	}
	var clean []string
	for _, c := range commits {
		text, err := p.repo.note(ctx, tree, c)
		if err != nil {
			return nil, err
		}
		if rules := p.scan(text); len(rules) > 0 {
			p.withhold(PushedRef{Ref: handoff.NotesRef}, "the evidence on commit "+c[:12]+" holds what looks like a secret ("+strings.Join(rules, ", ")+")", Secret)
			continue
		}
		clean = append(clean, c)
	}
	return clean, nil
}

// HasObject reports whether an object is here, without fetching it where it is promised.
func (r *Repo) HasObject(ctx context.Context, oid string) bool {
	if p, ok := r.store.(*preferred); ok && r.place.Partial {
		_, _, err := p.own.read(ctx, oid)
		return err == nil
	}
	_, _, err := r.object(ctx, oid)
	return err == nil
}
