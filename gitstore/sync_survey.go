package gitstore

import (
	"context"
	"strings"

	"git-handoff/gitstore/handoff"
)

// A survey is every ref that counts when handoffs travel, read in two children: what is here, and what each peer had.
type survey struct {
	// local are the handoffs here.
	local map[handoff.Name]Version
	// tracked are the handoffs of each peer by its tracking key, archived the versions that made room there.
	tracked  map[string]map[handoff.Name]Version
	archived map[string]map[string]bool
	// notes is the evidence of each peer.
	notes map[string]string
	// ownArchive are the versions that made room here, ownNotes our evidence.
	ownArchive map[string]bool
	ownNotes   string
	// branches are the local branches, among them one that is checked out and has no commit yet.
	branches map[string]string
}

// survey lists the refs. Handoffs and what was fetched come with their commits.
func (r *Repo) survey(ctx context.Context) (*survey, error) {
	tips, err := r.Tips(ctx, handoff.RefPrefix, handoff.TrackingPrefix)
	if err != nil {
		return nil, err
	}
	refs, err := r.Refs(ctx, "refs/heads/", handoff.ArchivePrefix, handoff.TrackingPrefix)
	if err != nil {
		return nil, err
	}
	s := newSurvey()
	for _, v := range tips {
		s.addTip(v)
	}
	for _, ref := range refs {
		s.addRef(ref)
	}
	if s.ownNotes, err = r.ref(ctx, handoff.NotesRef); err != nil {
		return nil, err
	}
	if head, err := r.Head(ctx); err == nil && head.Unborn && head.Branch != "" {
		s.branches[head.Branch] = ""
	}
	return s, nil
}

// surveyOf is a survey of some branches and one peer, in one child: without archives and local branches.
func (r *Repo) surveyOf(ctx context.Context, branches []string, key string) (*survey, error) {
	var patterns []string
	for _, b := range branches {
		patterns = append(patterns, handoff.RefPrefix+b, handoff.TrackingPrefix+key+"/heads/"+b)
		for i := range b {
			// The handoff a/b stands in the way of all of branch a/b/c.
			if b[i] == '/' && strings.Contains(b[:i], "/") {
				patterns = append(patterns, handoff.TrackingPrefix+key+"/heads/"+b[:i])
			}
		}
	}
	tips, err := r.tipsAt(ctx, patterns...)
	if err != nil {
		return nil, err
	}
	s := newSurvey()
	for _, v := range tips {
		s.addTip(v)
	}
	if s.notes[key], err = r.ref(ctx, handoff.TrackingPrefix+key+"/notes/handoff"); err != nil {
		return nil, err
	}
	s.ownNotes, err = r.ref(ctx, handoff.NotesRef)
	return s, err
}

func newSurvey() *survey {
	return &survey{local: map[handoff.Name]Version{}, tracked: map[string]map[handoff.Name]Version{}, archived: map[string]map[string]bool{},
		notes: map[string]string{}, ownArchive: map[string]bool{}, branches: map[string]string{}}
}

func (s *survey) addTip(v Version) {
	key, _, ok := trackedPath(v.Ref)
	if !ok {
		s.local[v.Name] = v
		return
	}
	if s.tracked[key] == nil {
		s.tracked[key] = map[handoff.Name]Version{}
	}
	s.tracked[key][v.Name] = v
}

func (s *survey) addRef(ref Ref) {
	if branch, ok := strings.CutPrefix(ref.Name, "refs/heads/"); ok {
		s.branches[branch] = ref.OID
		return
	}
	if _, ok := strings.CutPrefix(ref.Name, handoff.ArchivePrefix); ok {
		s.ownArchive[ref.OID] = true
		return
	}
	key, rest, ok := trackedPath(ref.Name)
	switch {
	case !ok:
	case strings.HasPrefix(rest, "archive/"):
		if s.archived[key] == nil {
			s.archived[key] = map[string]bool{}
		}
		s.archived[key][ref.OID] = true
	case rest == "notes/handoff":
		s.notes[key] = ref.OID
	}
}

// trackedPath takes a tracking ref apart: the key of the peer, and what follows it.
func trackedPath(ref string) (key, rest string, ok bool) {
	path, ok := strings.CutPrefix(ref, handoff.TrackingPrefix)
	if !ok {
		return "", "", false
	}
	return strings.Cut(path, "/")
}

// elsewhere reports whether a version is on a peer other than the one with the key, as far as was fetched.
func (s *survey) elsewhere(g *graph, key string, name handoff.Name) func(oid string) bool {
	return func(oid string) bool {
		for other, tips := range s.tracked {
			if v, ok := tips[name]; ok && other != key && g.ancestors(v.OID)[oid] {
				return true
			}
		}
		return false
	}
}
