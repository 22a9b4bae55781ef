package gitstore

import (
	"bytes"
	"context"
	"fmt"

	"git-handoff/gitstore/handoff"
)

// RecordEvidence notes on a commit what is known about its tree. Tree, At and By are filled in where they are empty; a
// tree that is not the commit's is an error, since it would say nothing about it.
func (r *Repo) RecordEvidence(ctx context.Context, commit string, n NoteLine) error {
	tree, err := r.TreeOf(ctx, commit)
	if err != nil {
		return err
	}
	if n.Tree == "" {
		n.Tree = tree
	}
	if n.Tree != tree {
		return fmt.Errorf("evidence about the tree %s says nothing about commit %s, whose tree is %s", n.Tree, commit, tree)
	}
	if n.At.IsZero() {
		n.At = handoff.TimeOf(Now())
	}
	return r.AppendNote(ctx, commit, n)
}

// AppendNote adds a line to the note on a commit. No note that somebody else writes at the same time is lost. The
// error is ErrRefMoved where others were faster every time.
func (r *Repo) AppendNote(ctx context.Context, commit string, n NoteLine) error {
	line, err := n.encode()
	if err != nil {
		return err
	}
	if _, ok := parseNoteLine(line); !ok {
		return fmt.Errorf("a line of evidence needs an outcome, a tree and a time: %s", line)
	}
	if !r.HasCommit(ctx, commit) {
		return fmt.Errorf("%w: commit %s", ErrNoObject, commit)
	}
	return r.editNotes(ctx, "evidence for "+commit, func(t *noteTree) error {
		old, err := r.note(ctx, t, commit)
		if err != nil {
			return err
		}
		return r.putNote(ctx, t, commit, old, appendNote(old, line))
	})
}

// putNote stores the text of a note, unless it is what stands there.
func (r *Repo) putNote(ctx context.Context, t *noteTree, object string, old, text []byte) error {
	if old != nil && bytes.Equal(old, text) {
		return nil
	}
	blob, err := r.writeObject(ctx, "blob", text)
	if err != nil {
		return err
	}
	return t.put(ctx, r, object, blob)
}

// editNotes changes our notes by compare-and-swap: read, edit, write, and again if somebody else was faster.
func (r *Repo) editNotes(ctx context.Context, why string, edit func(*noteTree) error) error {
	return r.moveNotes(ctx, why, func(ours notesTip) (string, error) {
		t, err := r.noteTree(ctx, ours.tree)
		if err != nil {
			return "", err
		}
		if err := edit(t); err != nil {
			return "", err
		}
		return r.commitNotes(ctx, t, ours, why)
	})
}

// commitNotes stores a tree of notes on top of a tip, and gives the tip itself if nothing changed.
func (r *Repo) commitNotes(ctx context.Context, t *noteTree, tip notesTip, why string, more ...string) (string, error) {
	if !t.changed {
		return tip.commit, nil
	}
	tree, err := t.write(ctx, r)
	if err != nil || tree == tip.tree {
		return tip.commit, err
	}
	c := commitObject{tree: tree, message: why}
	if tip.commit != "" {
		c.parents = append(c.parents, tip.commit)
	}
	c.parents = append(c.parents, more...)
	if c.author, c.committer, err = r.who(ctx, AsUserOrProgram, Now()); err != nil {
		return "", err
	}
	return r.writeObject(ctx, "commit", c.encode())
}

// moveNotes moves our notes to what next makes of where they are.
func (r *Repo) moveNotes(ctx context.Context, why string, next func(ours notesTip) (string, error)) error {
	return r.race(ctx, func() error {
		ours, err := r.notesTip(ctx, handoff.NotesRef)
		if err != nil {
			return err
		}
		commit, err := next(ours)
		if err != nil || commit == ours.commit {
			return err
		}
		return r.UpdateRefs(ctx, "git-handoff: "+why, RefChange{Ref: handoff.NotesRef, Old: ours.commit, New: commit})
	})
}
