package gitstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
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

// editAttempts is how often a lost race is run again. With sixteen writers on one handoff, one has not been seen to
// lose more than a third of that.
const editAttempts = 40

// ErrConflict is a handoff that changed again and again while it was written.
var ErrConflict = errors.New("others keep changing it")

// Edit writes the next version of a handoff: it loads the tip, has change made, and moves the ref if nobody else did
// meanwhile; else it starts again. It gives the version as it reads back; where nothing was to be done, the present
// one, nil if there is none. Saves in the user's name are signed where commit.gpgSign says so.
func (r *Repo) Edit(ctx context.Context, name handoff.Name, change EditFunc) (*Version, error) {
	var err error
	for n := range editAttempts {
		if n > 0 {
			if err := pause(ctx, n); err != nil {
				return nil, err
			}
		}
		var v *Version
		v, err = r.editOnce(ctx, name, change)
		if !errors.Is(err, ErrRefMoved) && !errors.Is(err, ErrRefLocked) {
			return v, err
		}
	}
	if errors.Is(err, ErrRefLocked) {
		return nil, err
	}
	return nil, fmt.Errorf("%s: %w, %w", name, ErrConflict, err)
}

// pause lets the other writers through: longer with each lost race, and never the same for two.
func pause(ctx context.Context, n int) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(time.Duration(rand.IntN(min(n, 20)*5_000)+500) * time.Microsecond):
		return nil
	}
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
	var old string
	var parents []string
	if prev != nil {
		old, parents = prev.OID, []string{prev.OID}
	}
	if c.Replace && prev != nil {
		parents = prev.Parents
	}
	opt := WriteOptions{Identity: c.Identity, When: c.When}
	if opt.Sign, err = r.signs(ctx, c.Identity); err != nil {
		return nil, err
	}
	oid, err := r.WriteVersion(ctx, c.Doc, c.Message, parents, opt)
	if err != nil {
		return nil, err
	}
	moves := []RefChange{{Ref: name.Ref(), Old: old, New: oid}}
	if c.Extra != nil {
		more, err := c.Extra(oid)
		if err != nil {
			return nil, err
		}
		moves = append(moves, more...)
	}
	if err := r.UpdateRefs(ctx, "handoff: "+string(c.Message.Event), moves...); err != nil {
		return nil, err
	}
	return r.readBack(ctx, name, oid, c.Doc)
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
func (r *Repo) readBack(ctx context.Context, name handoff.Name, oid string, doc *handoff.Document) (*Version, error) {
	v, err := r.VersionAt(ctx, oid)
	if err != nil {
		return nil, fmt.Errorf("what was written does not read back: %w", err)
	}
	stored, err := r.Raw(ctx, oid)
	if err != nil {
		return nil, fmt.Errorf("what was written does not read back: %w", err)
	}
	if meant, err := handoff.Encode(doc); err != nil || !bytes.Equal(stored, meant) {
		return nil, fmt.Errorf("what was written as %s does not read back as it was meant", oid)
	}
	v.Ref, v.Name = name.Ref(), name
	return v, nil
}
