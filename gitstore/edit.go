package gitstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"git-handoff/gitstore/handoff"
)

// A Change is the next version of a handoff.
type Change struct {
	Doc     *handoff.Document
	Message handoff.Message
	// Replace puts the version in the place of the tip, which must be disposable and on no remote.
	Replace  bool
	Identity Identity
	// When is the version's date; zero is Now.
	When time.Time
	// Extra, if set, gives the changes of other refs that happen with it or not at all; oid is the new version's id.
	Extra func(oid string) ([]RefChange, error)
}

// An EditFunc gives the change to make, or nil for none. Where the handoff does not exist yet, both are nil. It is
// called again, with what is there then, when somebody else was faster, so it must depend on nothing else.
type EditFunc func(prev *Version, doc *handoff.Document) (*Change, error)

// ErrConflict is a handoff that changed again and again while it was written.
var ErrConflict = errors.New("others keep changing it")

// Edit writes the next version of a handoff: it loads the tip, has change made, and moves the ref if nobody else did
// meanwhile; else it starts again. It gives the version as it reads back; where nothing was to be done, the present
// one, nil if there is none. Saves in the user's name are signed where commit.gpgSign says so.
func (r *Repo) Edit(ctx context.Context, name handoff.Name, change EditFunc) (*Version, error) {
	var v *Version
	err := r.race(ctx, func() (err error) {
		v, err = r.editOnce(ctx, name, change)
		if df := (*ConflictDF)(nil); errors.As(err, &df) && r.makeRoom(ctx, df) {
			v, err = r.editOnce(ctx, name, change)
		}
		return err
	})
	if errors.Is(err, ErrRefMoved) {
		return nil, fmt.Errorf("%s: %w, %w", name, ErrConflict, err)
	}
	return v, err
}

func (r *Repo) editOnce(ctx context.Context, name handoff.Name, change EditFunc) (*Version, error) {
	prev, doc, err := r.load(ctx, name)
	if err != nil {
		return nil, err
	}
	c, err := change(prev, doc)
	if err != nil || c == nil {
		return prev, err
	}
	opt := WriteOptions{Identity: c.Identity, When: c.When}
	if opt.Sign, err = r.signs(ctx, c.Identity); err != nil {
		return nil, err
	}
	update := &refUpdate{repo: r, why: "handoff: " + string(c.Message.Event)}
	defer update.abandon()
	if !opt.Sign { // whoever signs may be away for minutes
		_ = update.start()
	}
	data, err := handoff.Encode(c.Doc)
	if err != nil {
		return nil, err
	}
	oid, err := r.writeVersion(ctx, data, c.Message, c.parents(prev), opt)
	if err != nil {
		return nil, err
	}
	moves, err := c.moves(name, prev, oid)
	if err != nil {
		return nil, err
	}
	if err := update.commit(ctx, moves); err != nil {
		return nil, err
	}
	r.learnSystemConfig(ctx)
	return r.readBack(ctx, name, oid, data)
}

// parents are those of the version that follows prev.
func (c *Change) parents(prev *Version) []string {
	switch {
	case prev == nil:
		return nil
	case c.Replace:
		return prev.Parents
	}
	return []string{prev.OID}
}

// moves are the ref changes that make oid the version after prev.
func (c *Change) moves(name handoff.Name, prev *Version, oid string) ([]RefChange, error) {
	move := RefChange{Ref: name.Ref(), New: oid}
	if prev != nil {
		move.Old = prev.OID
	}
	if c.Extra == nil {
		return []RefChange{move}, nil
	}
	more, err := c.Extra(oid)
	return append([]RefChange{move}, more...), err
}

// load gives the tip and its document, nil where there is none.
func (r *Repo) load(ctx context.Context, name handoff.Name) (*Version, *handoff.Document, error) {
	v, err := r.Tip(ctx, name)
	if errors.Is(err, ErrNoHandoff) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	doc, err := r.Document(ctx, v)
	return v, doc, err
}

func (r *Repo) signs(ctx context.Context, as Identity) (bool, error) {
	if as != AsUser {
		return false, nil
	}
	config, err := r.Config(ctx)
	if err != nil {
		return false, err
	}
	return config.SignCommits, nil
}

// readBack reads the version that was written, by its id, and holds it against what was meant.
func (r *Repo) readBack(ctx context.Context, name handoff.Name, oid string, meant []byte) (*Version, error) {
	v, err := r.VersionAt(ctx, oid)
	if err != nil {
		return nil, fmt.Errorf("what was written does not read back: %w", err)
	}
	stored, _, err := r.file(ctx, v)
	if err != nil {
		return nil, fmt.Errorf("what was written does not read back: %w", err)
	}
	if !bytes.Equal(stored, meant) {
		return nil, fmt.Errorf("what was written as %s does not read back as it was meant", oid)
	}
	v.Ref, v.Name = name.Ref(), name
	return v, nil
}
