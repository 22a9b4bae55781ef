package gitstore

import (
	"context"
	"errors"
	"slices"

	"git-handoff/gitstore/handoff"
)

// An Effective version is what a handoff comes to when the local version and the one that was fetched are resolved. It
// was read, not written: where they have to be joined, git has no object for it yet.
type Effective struct {
	Name handoff.Name
	// Version is the version it is. Of one that is not written yet, OID is "".
	Version *Version
	Doc     *handoff.Document
	Action  Action
	// Local and Fetched are the tips, "" where there is none; Track is the tracking key of the fetched one.
	Local, Fetched, Track string
	// Passed is why what was fetched does not count: it is no handoff, or damaged. It takes nothing from the local version.
	Passed error
}

// Written reports whether the effective version is a version that git has.
func (e *Effective) Written() bool { return e.Version.OID != "" }

// Effective resolves a handoff with what was fetched under a tracking name (see Peer.Track; "" is none), and writes
// nothing. ErrNoHandoff is neither here nor fetched.
func (r *Repo) Effective(ctx context.Context, name handoff.Name, track string) (*Effective, error) {
	e := &Effective{Name: name, Track: track}
	var err error
	if e.Local, err = r.ref(ctx, name.Ref()); err != nil {
		return nil, err
	}
	if track != "" {
		if e.Fetched, err = r.ref(ctx, TrackingRef(track, name)); err != nil {
			return nil, err
		}
	}
	if e.Local == "" && e.Fetched == "" {
		return nil, ErrNoHandoff
	}
	e.passOver(ctx, r)
	res, err := Resolve(r.forkOf(ctx, e))
	if err != nil {
		return nil, err
	}
	e.Action = res.Action
	if len(res.Writes) > 0 {
		e.unwritten(res)
		return e, nil
	}
	if e.Version, err = r.versionAs(ctx, name.Ref(), res.Tip); err != nil {
		return nil, err
	}
	e.Doc, err = r.Document(ctx, e.Version)
	return e, err
}

// passOver leaves what was fetched out of it where that holds no document and the local version does not need it.
func (e *Effective) passOver(ctx context.Context, r *Repo) {
	if e.Local == "" || e.Fetched == "" || e.Fetched == e.Local {
		return
	}
	_, err := r.documentAt(ctx, e.Fetched)
	var corrupt *handoff.CorruptError
	if errors.Is(err, ErrNotHandoff) || errors.As(err, &corrupt) {
		e.Passed, e.Fetched = err, ""
	}
}

// unwritten makes a version of what would be written.
func (e *Effective) unwritten(res *Resolution) {
	last := res.Writes[len(res.Writes)-1]
	parents := last.Parents
	if parents == nil {
		parents = res.Writes[0].Parents
	}
	e.Doc = last.Doc
	e.Version = &Version{Ref: e.Name.Ref(), Name: e.Name, Parents: parents, Message: last.Message,
		Author: Ident{Name: Program.Name, When: last.When}, Committer: Ident{Name: Program.Name, When: last.When}}
}

// forkOf is the handoff as the resolver asks about it.
func (r *Repo) forkOf(ctx context.Context, e *Effective) Fork {
	f := Fork{
		Local: e.Local, Fetched: e.Fetched,
		Version:  (&meeting{repo: r}).version(ctx),
		Document: func(oid string) (*handoff.Document, error) { return r.documentAt(ctx, oid) },
		Descends: func(head, from string) bool {
			in, err := r.IsAncestor(ctx, from, head)
			return err == nil && in
		},
	}
	if others := r.otherTips(ctx, e); len(others) > 0 {
		g := &graph{fork: f, versions: map[string]*Version{}}
		f.Elsewhere = func(oid string) bool {
			return slices.ContainsFunc(others, func(tip string) bool { return g.ancestors(tip)[oid] })
		}
	}
	return f
}

// otherTips are the handoff's versions on the remotes that are not resolved with.
func (r *Repo) otherTips(ctx context.Context, e *Effective) []string {
	config, err := r.Config(ctx)
	if err != nil {
		return nil
	}
	var tips []string
	for _, m := range config.Remotes() {
		if TrackingKey(m.Name) == TrackingKey(e.Track) {
			continue
		}
		if oid, err := r.ref(ctx, TrackingRef(m.Name, e.Name)); err == nil && oid != "" {
			tips = append(tips, oid)
		}
	}
	return tips
}

// SavedVersion is the newest version, a version itself or one before it, that an author's brief came with: a save, a
// reopening or a merge. Where history ends before one is found, it is the oldest there is.
func (r *Repo) SavedVersion(ctx context.Context, v *Version) (*Version, error) {
	for len(v.Parents) > 0 && !savesBrief(v.Message.Event) {
		parent, err := r.VersionAt(ctx, v.Parents[0])
		if errors.Is(err, ErrNoObject) {
			break
		}
		if err != nil {
			return nil, err
		}
		parent.Name = v.Name
		v = parent
	}
	return v, nil
}

// savesBrief reports whether an event brings a brief. An event that is not known may.
func savesBrief(e handoff.Event) bool {
	switch e {
	case handoff.EventRefresh, handoff.EventResume, handoff.EventClaim, handoff.EventSupersede, handoff.EventArchive, handoff.EventRename:
		return false
	}
	return true
}
