package gitstore

import (
	"bytes"
	"context"

	"git-handoff/gitstore/handoff"
)

// MergeNotes takes the notes of another tip, such as a fetched one, into ours: every line of both is kept. If ours have
// nothing of their own, they become the other's tip. It reports whether ours have changed.
func (r *Repo) MergeNotes(ctx context.Context, theirs string) (changed bool, err error) {
	other, err := r.notesAt(ctx, theirs)
	if err != nil || theirs == "" {
		return false, err
	}
	err = r.moveNotes(ctx, "merge notes", func(ours notesTip) (string, error) {
		next, err := r.joinNotes(ctx, ours, other)
		changed = next != ours.commit
		return next, err
	})
	return changed && err == nil, err
}

// joinNotes gives the commit that has the notes of both tips.
func (r *Repo) joinNotes(ctx context.Context, ours, theirs notesTip) (string, error) {
	if ours.commit == "" {
		return theirs.commit, nil
	}
	left, err := r.noteTree(ctx, ours.tree)
	if err != nil || ours.tree == theirs.tree {
		return ours.commit, err
	}
	right, err := r.noteTree(ctx, theirs.tree)
	if err != nil {
		return "", err
	}
	if err := r.takeNotes(ctx, left, right, len(theirs.tree)); err != nil {
		return "", err
	}
	tree, err := left.write(ctx, r)
	if err == nil && tree == theirs.tree {
		return theirs.commit, nil
	}
	return r.commitNotes(ctx, left, ours, "merge notes", theirs.commit)
}

// takeNotes merges every note of from into t.
func (r *Repo) takeNotes(ctx context.Context, t, from *noteTree, idLen int) error {
	type noted struct{ object, blob string }
	var all []noted
	if err := from.each(ctx, r, "", idLen, func(object, blob string) { all = append(all, noted{object, blob}) }); err != nil {
		return err
	}
	for _, n := range all {
		blobs, err := t.find(ctx, r, n.object)
		if err != nil {
			return err
		}
		if len(blobs) == 1 && blobs[0] == n.blob {
			continue
		}
		text, err := r.noteText(ctx, n.blob)
		if err != nil {
			return err
		}
		if err := r.takeNote(ctx, t, n.object, text); err != nil {
			return err
		}
	}
	return nil
}

// takeNote merges one note into t.
func (r *Repo) takeNote(ctx context.Context, t *noteTree, object string, text []byte) error {
	old, err := r.note(ctx, t, object)
	if err != nil {
		return err
	}
	if old == nil {
		return r.putNote(ctx, t, object, nil, text)
	}
	return r.putNote(ctx, t, object, old, mergeNotes(old, text))
}

// NotesFor builds what to publish of our notes on a remote whose notes are at onto ("" for none): its own notes, and
// ours on commits, which the caller knows to be there already. Nothing else of ours goes along, no other note and no
// history. It gives onto itself if the remote has everything.
func (r *Repo) NotesFor(ctx context.Context, commits []string, onto string) (string, error) {
	ours, err := r.notesTip(ctx, handoff.NotesRef)
	if err != nil || ours.tree == "" {
		return onto, err
	}
	theirs, err := r.notesAt(ctx, onto)
	if err != nil {
		return "", err
	}
	from, err := r.noteTree(ctx, ours.tree)
	if err != nil {
		return "", err
	}
	to, err := r.noteTree(ctx, theirs.tree)
	if err != nil {
		return "", err
	}
	for _, commit := range commits {
		text, err := r.note(ctx, from, commit)
		if err == nil && len(bytes.TrimSpace(text)) > 0 {
			err = r.takeNote(ctx, to, commit, text)
		}
		if err != nil {
			return "", err
		}
	}
	return r.commitNotes(ctx, to, theirs, "publish evidence")
}
