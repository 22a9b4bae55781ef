package gitstore

import (
	"context"
	"iter"
	"slices"
	"strings"

	"git-handoff/gitstore/handoff"
)

// A clearing is what makes room for refs that could not exist beside others: first each of these is kept under its
// full id, then it is deleted. Never both in one transaction, which git refuses; a crash between them loses nothing.
type clearing struct{ keep, drop []RefChange }

// clear adds a handoff to what goes.
func (c *clearing) clear(s *survey, v Version) {
	if !s.ownArchive[v.OID] {
		s.ownArchive[v.OID] = true
		c.keep = append(c.keep, RefChange{Ref: handoff.ArchivePrefix + v.OID, New: v.OID})
	}
	c.drop = append(c.drop, RefChange{Ref: v.Name.Ref(), Old: v.OID})
	delete(s.local, v.Name)
}

// has reports whether a handoff goes.
func (c *clearing) has(n handoff.Name) bool {
	return slices.ContainsFunc(c.drop, func(d RefChange) bool { return d.Ref == n.Ref() })
}

// clear carries a clearing out.
func (r *Repo) clear(ctx context.Context, c clearing) error {
	for _, step := range [][]RefChange{c.keep, c.drop} {
		if len(step) == 0 {
			continue
		}
		if err := r.UpdateRefs(ctx, "handoff: make room", step...); err != nil {
			return err
		}
	}
	return nil
}

// beside reports whether the refs of two handoffs can exist together.
func beside(a, b handoff.Name) bool {
	return !strings.HasPrefix(a.String(), b.String()+"/") && !strings.HasPrefix(b.String(), a.String()+"/")
}

// A thicket finds, among many handoffs, those that stand in the way of one.
type thicket struct {
	names map[handoff.Name]Version
	// below are the names under each folder.
	below map[string][]handoff.Name
}

func newThicket(names map[handoff.Name]Version) *thicket {
	t := &thicket{names: names, below: map[string][]handoff.Name{}}
	for n := range names {
		for folder := range foldersOf(n) {
			t.below[folder] = append(t.below[folder], n)
		}
	}
	return t
}

// foldersOf are the folders that the ref of a handoff lies in, below refs/handoff/.
func foldersOf(n handoff.Name) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range n.Branch {
			if n.Branch[i] == '/' && !yield(n.Branch[:i]) {
				return
			}
		}
		yield(n.Branch)
	}
}

// inTheWay are the handoffs beside which n cannot exist, as far as they are still there, sorted by name.
func (t *thicket) inTheWay(n handoff.Name) []Version {
	var found []Version
	for _, other := range t.below[n.String()] {
		if v, there := t.names[other]; there {
			found = append(found, v)
		}
	}
	for folder := range foldersOf(n) {
		if other, err := handoff.ParseName(folder); err == nil {
			if v, there := t.names[other]; there {
				found = append(found, v)
			}
		}
	}
	slices.SortFunc(found, func(a, b Version) int { return compareNames(a.Name, b.Name) })
	return found
}

// place sees to it that a handoff can be created here: what is in its way goes, if its branch is not here. The error is
// a *ConflictDF with a handoff whose branch is.
func (m *meeting) place(n handoff.Name) error {
	if m.here == nil {
		m.here = newThicket(m.survey.local)
	}
	blocking := m.here.inTheWay(n)
	for _, v := range blocking {
		if _, live := m.survey.branches[v.Name.Branch]; live {
			return &ConflictDF{Ref: n.Ref(), Blocking: v.Name.Ref()}
		}
	}
	for _, v := range blocking {
		m.room.clear(m.survey, v)
		m.settled = append(m.settled, Settlement{Name: v.Name, Action: MakeRoom, Before: v.OID})
	}
	return nil
}

// madeRoom reports whether a handoff here is one that made room on the peer: the peer has it no more, but under its
// archive, its branch is not here either, and nobody saved anything here since.
func (s *survey) madeRoom(ctx context.Context, m *meeting, n handoff.Name) bool {
	if _, live := s.branches[n.Branch]; live {
		return false
	}
	if _, there := s.tracked[m.key][n]; there || len(s.archived[m.key]) == 0 {
		return false
	}
	for oid := s.local[n].OID; ; {
		if s.archived[m.key][oid] {
			return true
		}
		v, err := m.version(ctx)(oid)
		if err != nil || v == nil || len(v.Parents) != 1 || !v.Message.Event.Disposable() {
			return false
		}
		oid = v.Parents[0]
	}
}

// makeRoom frees the place that a handoff was refused because of others, if the branches of all these are gone. It
// reports whether it did: if not, the conflict is the error to show.
func (r *Repo) makeRoom(ctx context.Context, c *ConflictDF) bool {
	wanted, ok := handoff.ParseRef(c.Ref)
	if !ok {
		return false
	}
	s, err := r.survey(ctx)
	if err != nil {
		return false
	}
	m := &meeting{repo: r, survey: s}
	if err := m.place(wanted); err != nil || len(m.room.drop) == 0 {
		return false
	}
	err = r.clear(ctx, m.room)
	if err == nil {
		for _, d := range m.room.drop {
			name, _ := handoff.ParseRef(d.Ref)
			r.evicted = append(r.evicted, Eviction{Name: name, OID: d.Old})
		}
	}
	return err == nil || lost(err)
}

// An Eviction is a handoff that made room for one that was written; it is kept under refs/handoff-archive/ by its id.
type Eviction struct {
	Name handoff.Name
	OID  string
}

// Evicted are the handoffs that made room for what was written through this Repo.
func (r *Repo) Evicted() []Eviction { return r.evicted }
