package gitstore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"git-handoff/gitstore/handoff"
)

// The trailers of versions that close, reopen or rename a handoff.
const (
	TrailerOutcome     = "Handoff-Outcome"
	TrailerRenamedFrom = "Handoff-Renamed-From"
	TrailerRenamedTo   = "Handoff-Renamed-To"
)

// Outcomes are what a handoff can come to.
var Outcomes = []string{"done", "abandoned", "failed"}

// A Closing is a handoff that is closed, and why.
type Closing struct {
	Name handoff.Name
	// Event is archive, supersede or rename.
	Event handoff.Event
	// Outcome is one of Outcomes, of an archive; "" is not told.
	Outcome string
	// Reason is the evidence, in words.
	Reason string
	// By drives instead: the handoff that supersedes this one, or the one that this one is renamed to.
	By handoff.Link
	// Actor and Session are who closes.
	Actor, Session string
	// Before and After are the versions.
	Before, After string
}

// Archive closes handoffs in one transaction, and gives those that were not closed already. It remembers them as the
// last batch. A name that does not exist is ErrNoHandoff, and closes none.
func (r *Repo) Archive(ctx context.Context, asked []Closing) ([]Closing, error) {
	var done []Closing
	err := r.race(ctx, func() error {
		done = nil
		var moves []RefChange
		for _, c := range asked {
			c.Event = handoff.EventArchive
			changes, err := r.closeOne(ctx, &c)
			if err != nil {
				return fmt.Errorf("%s: %w", c.Name, err)
			}
			if changes != nil {
				done, moves = append(done, c), append(moves, changes...)
			}
		}
		if len(moves) == 0 {
			return nil
		}
		return r.UpdateRefs(ctx, "handoff: archive", moves...)
	})
	if err != nil {
		return nil, err
	}
	r.rememberBatch(done)
	return done, nil
}

// closeOne writes the version that archives a handoff; no change where it is archived already.
func (r *Repo) closeOne(ctx context.Context, c *Closing) ([]RefChange, error) {
	prev, doc, err := r.load(ctx, c.Name)
	if err != nil {
		return nil, err
	}
	if prev == nil {
		return nil, ErrNoHandoff
	}
	if doc.Status == handoff.Archived {
		return nil, nil
	}
	c.Before = prev.OID
	if c.After, err = r.writeArchived(ctx, doc, prev, c); err != nil {
		return nil, err
	}
	return []RefChange{{Ref: c.Name.Ref(), Old: c.Before, New: c.After}}, nil
}

// writeArchived writes the closed version. Only the holder's own archiving ends a claim.
func (r *Repo) writeArchived(ctx context.Context, doc *handoff.Document, prev *Version, c *Closing) (string, error) {
	next := *doc
	next.Status = handoff.Archived
	next.Claim = ClaimAfter(next.Claim, r.Holder(c.Session))
	trailers := []handoff.Trailer{{Key: TrailerOutcome, Value: c.Outcome}, {Key: TrailerReason, Value: c.Reason}}
	if c.Event == handoff.EventRename {
		trailers = append(trailers, handoff.Trailer{Key: TrailerRenamedTo, Value: c.By.Handoff})
	}
	msg := handoff.MessageOf(&next, handoff.EventArchive, trailers...).By(c.Actor, c.Session)
	return r.WriteVersion(ctx, &next, msg, []string{prev.OID}, WriteOptions{Identity: AsUserOrProgram})
}

// ErrNotClosed is a handoff that is active, so that there is nothing to undo.
var ErrNotClosed = errors.New("it is active")

// takesBack is how the reason of a version begins that takes back what closed its handoff.
const takesBack = "takes back "

// takenBack reports whether somebody took back that a handoff was closed, and nobody saved since.
func (r *Repo) takenBack(ctx context.Context, v *Version) bool {
	for {
		e := v.Message.Event
		if e == handoff.EventReopen {
			return strings.HasPrefix(v.Message.Get(TrailerReason), takesBack)
		}
		if !e.Disposable() && e != handoff.EventClaim || len(v.Parents) != 1 {
			return false
		}
		var err error
		if v, err = r.VersionAt(ctx, v.Parents[0]); err != nil {
			return false
		}
	}
}

// Reopen takes back that a handoff was archived or superseded: it goes on as it was. One that made room comes back too,
// if there is room.
func (r *Repo) Reopen(ctx context.Context, name handoff.Name, actor, session string) (*Version, error) {
	if restored, err := r.restoreArchived(ctx, name); err != nil || restored != nil && restored.Message.Status == handoff.Active {
		return restored, err
	}
	return r.Edit(ctx, name, func(prev *Version, doc *handoff.Document) (*Change, error) {
		switch {
		case prev == nil:
			return nil, fmt.Errorf("%w: %s", ErrNoHandoff, name)
		case doc.Status == handoff.Active:
			return nil, fmt.Errorf("%s: %w", name, ErrNotClosed)
		}
		next := *doc
		next.Status, next.SupersededBy = handoff.Active, nil
		msg := handoff.MessageOf(&next, handoff.EventReopen,
			handoff.Trailer{Key: TrailerReason, Value: takesBack + string(doc.Status)}).By(actor, session)
		return &Change{Doc: &next, Message: msg, Identity: AsUserOrProgram}, nil
	})
}

// restoreArchived brings a handoff back from refs/handoff-archive/, if it is nowhere else. The archive keeps its version.
func (r *Repo) restoreArchived(ctx context.Context, name handoff.Name) (*Version, error) {
	if r.Has(ctx, name) {
		return nil, nil
	}
	v, err := r.InArchive(ctx, name)
	if err != nil || v == nil {
		return nil, err
	}
	err = r.UpdateRefs(ctx, "handoff: restore", RefChange{Ref: name.Ref(), New: v.OID})
	if errors.Is(err, ErrRefMoved) {
		return nil, nil
	}
	return v, err
}

// InArchive is the newest version of a handoff among those that made room here; nil where there is none.
func (r *Repo) InArchive(ctx context.Context, name handoff.Name) (*Version, error) {
	refs, err := r.Refs(ctx, handoff.ArchivePrefix)
	if err != nil {
		return nil, err
	}
	var newest *Version
	for _, ref := range refs {
		v, err := r.VersionAt(ctx, ref.OID)
		if err != nil {
			continue
		}
		doc, err := r.Document(ctx, v)
		if err != nil || doc.Branch != name.Branch || doc.Topic != name.Topic {
			continue
		}
		if newest == nil || newest.Committer.When.Before(v.Committer.When) {
			v.Name, newest = name, v
		}
	}
	return newest, nil
}

func (r *Repo) batchFile() string {
	return filepath.Join(r.place.CommonDir, "handoff", "last-archive")
}

// rememberBatch keeps what was closed together, so that it can be taken back together.
func (r *Repo) rememberBatch(done []Closing) {
	if len(done) == 0 {
		return
	}
	var text strings.Builder
	for _, c := range done {
		fmt.Fprintf(&text, "%s %s\n", c.After, c.Name)
	}
	if os.MkdirAll(filepath.Dir(r.batchFile()), 0o755) == nil {
		_ = os.WriteFile(r.batchFile(), []byte(text.String()), 0o644)
	}
}

// LastBatch are the handoffs that were last closed together and that nobody changed since.
func (r *Repo) LastBatch(ctx context.Context) []handoff.Name {
	text, err := os.ReadFile(r.batchFile())
	if err != nil {
		return nil
	}
	var names []handoff.Name
	for line := range strings.Lines(string(text)) {
		oid, full, _ := strings.Cut(strings.TrimSpace(line), " ")
		name, err := handoff.ParseName(full)
		if err != nil {
			continue
		}
		if now, err := r.ref(ctx, name.Ref()); err == nil && now == oid {
			names = append(names, name)
		}
	}
	return names
}
