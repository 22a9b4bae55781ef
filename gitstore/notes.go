package gitstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"git-handoff/gitstore/handoff"
)

// notesTip is a commit of a notes ref and its tree; the zero value is a ref that is not there.
type notesTip struct{ commit, tree string }

// notesTip reads where a notes ref points.
func (r *Repo) notesTip(ctx context.Context, ref string) (notesTip, error) {
	oid, err := r.ref(ctx, ref)
	if err != nil || oid == "" {
		return notesTip{}, err
	}
	tip, err := r.notesAt(ctx, oid)
	if err != nil && !Promised(err) {
		err = &NotesError{Ref: ref, OID: oid, Err: err}
	}
	return tip, err
}

// A NotesError is a ref for notes that holds none: its commit is not here, is damaged or is no commit.
type NotesError struct {
	Ref, OID string
	Err      error
}

func (e *NotesError) Error() string { return e.Ref + ": " + e.Err.Error() }

func (e *NotesError) Unwrap() error { return e.Err }

// notesAt reads a commit of a notes ref; "" is none.
func (r *Repo) notesAt(ctx context.Context, commit string) (notesTip, error) {
	if commit == "" {
		return notesTip{}, nil
	}
	tree, err := r.TreeOf(ctx, commit)
	return notesTip{commit, tree}, err
}

// TreeOf is the tree of a commit, both as full object ids.
func (r *Repo) TreeOf(ctx context.Context, commit string) (string, error) {
	kind, data, err := r.object(ctx, commit)
	if err != nil {
		return "", err
	}
	c, err := parseCommit(data)
	if kind != "commit" || err != nil {
		return "", fmt.Errorf("%s is a %s, not a commit", commit, kind)
	}
	return c.tree, nil
}

// note is the text of the notes on an object, one after the other; nil where there is none.
func (r *Repo) note(ctx context.Context, t *noteTree, object string) ([]byte, error) {
	blobs, err := t.find(ctx, r, object)
	if err != nil {
		return nil, err
	}
	var text []byte
	for _, blob := range blobs {
		more, err := r.noteText(ctx, blob)
		if err != nil {
			return nil, err
		}
		text = mergeNotes(text, more)
	}
	return text, nil
}

// noteText reads one note. A blob that is not here, as in a partial clone without its remote, is an error.
func (r *Repo) noteText(ctx context.Context, blob string) ([]byte, error) {
	kind, data, err := r.object(ctx, blob)
	if err == nil && kind != "blob" {
		err = fmt.Errorf("notes: %s is a %s where a blob was expected", blob, kind)
	}
	return data, err
}

// ReadNotes gives the lines of evidence that are noted on a commit, in the order they stand there.
func (r *Repo) ReadNotes(ctx context.Context, commit string) ([]NoteLine, error) {
	tip, err := r.notesTip(ctx, handoff.NotesRef)
	if err != nil {
		return nil, err
	}
	t, err := r.noteTree(ctx, tip.tree)
	if err != nil {
		return nil, err
	}
	text, err := r.note(ctx, t, commit)
	return noteLines(text), err
}

// NotedCommits gives the ids of all objects that have a note of ours, here or not.
func (r *Repo) NotedCommits(ctx context.Context) ([]string, error) {
	var ids []string
	err := r.eachNote(ctx, handoff.NotesRef, func(object, _ string) { ids = append(ids, object) })
	return ids, err
}

func (r *Repo) eachNote(ctx context.Context, ref string, visit func(object, blob string)) error {
	tip, err := r.notesTip(ctx, ref)
	if err != nil || tip.tree == "" {
		return err
	}
	t, err := r.noteTree(ctx, tip.tree)
	if err != nil {
		return err
	}
	return t.each(ctx, r, "", len(tip.tree), visit)
}

// Evidence reads every note once. It is what all notes say, not those of one commit: a commit that was amended or
// rebased without a change keeps the evidence of the tree it still has. What was fetched from the configured remotes
// counts too, be it merged into the notes here yet or not.
func (r *Repo) Evidence(ctx context.Context) (Evidence, error) {
	refs, err := r.evidenceRefs(ctx)
	if err != nil {
		return nil, err
	}
	var blobs []string
	seen := map[string]bool{}
	for _, ref := range refs {
		err := r.eachNote(ctx, ref, func(_, blob string) {
			if !seen[blob] {
				seen[blob] = true
				blobs = append(blobs, blob)
			}
		})
		var none *NotesError
		if errors.As(err, &none) && ref != handoff.NotesRef {
			continue // what a remote has there is no evidence, and must not keep anybody from saving
		}
		if err != nil {
			return nil, err
		}
	}
	texts, err := r.noteTexts(ctx, blobs)
	if err != nil {
		return nil, err
	}
	e := Evidence{}
	for _, text := range texts {
		for _, n := range noteLines(text) {
			e.add(n)
		}
	}
	return e, nil
}

// evidenceRefs are the notes here and those of the remotes where they say more. A fork that was fetched by its URL is
// no remote of ours: its word is no evidence.
func (r *Repo) evidenceRefs(ctx context.Context) ([]string, error) {
	own, err := r.ref(ctx, handoff.NotesRef)
	if err != nil {
		return nil, err
	}
	names, err := r.remoteNames(ctx)
	if err != nil {
		return nil, err
	}
	refs := []string{handoff.NotesRef}
	for _, name := range names {
		ref := TrackingNotes(name)
		if oid, err := r.ref(ctx, ref); err != nil {
			return nil, err
		} else if oid != "" && oid != own {
			refs = append(refs, ref)
		}
	}
	return refs, nil
}

// manyNotes is from how many notes on one child that reads them all is faster than reading them in process.
const manyNotes = 300

// noteTexts reads the notes that are here. In a partial clone a note may not be: it is no evidence then.
func (r *Repo) noteTexts(ctx context.Context, blobs []string) ([][]byte, error) {
	if len(blobs) > manyNotes {
		return r.manyNoteTexts(ctx, blobs)
	}
	texts := make([][]byte, 0, len(blobs))
	for _, blob := range blobs {
		text, err := r.noteText(ctx, blob)
		switch {
		case err == nil:
			texts = append(texts, text)
		case !errors.Is(err, ErrNoObject):
			return nil, err
		}
	}
	return texts, nil
}

func (r *Repo) manyNoteTexts(ctx context.Context, blobs []string) ([][]byte, error) {
	out, err := r.gitIn(ctx, []byte(strings.Join(blobs, "\n")+"\n"), "cat-file", "--batch", "--buffer")
	if err != nil {
		return nil, err
	}
	var texts [][]byte
	for len(out) > 0 {
		text, rest, err := nextBatched(out)
		if err != nil {
			return nil, err
		}
		texts, out = append(texts, text), rest
	}
	return texts, nil
}

// nextBatched reads one answer of git cat-file --batch: "ID KIND SIZE\nDATA\n", or "ID missing\n".
func nextBatched(out []byte) (data, rest []byte, err error) {
	head, rest, _ := bytes.Cut(out, []byte{'\n'})
	var id, kind string
	var size int
	if bytes.HasSuffix(head, []byte(" missing")) {
		return nil, rest, nil
	}
	if _, err := fmt.Sscanf(string(head), "%s %s %d", &id, &kind, &size); err != nil || size < 0 || size >= len(rest) {
		return nil, nil, fmt.Errorf("git cat-file answered %.80q", head)
	}
	return rest[:size], rest[size+1:], nil
}
