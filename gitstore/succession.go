package gitstore

import (
	"context"
	"slices"

	"git-handoff/gitstore/handoff"
)

// A Predecessor is a handoff that another one drives instead of.
type Predecessor struct {
	Name handoff.Name
	// Tip is its current version; where it is not here any more, the one that was superseded.
	Tip *Version
}

// Predecessors are the handoffs that the one with the given document and versions drives instead of: those that it names,
// and those of its branch that say so. One that was reopened since drives itself, and is not among them.
func (r *Repo) Predecessors(ctx context.Context, doc *handoff.Document, history []Version) ([]Predecessor, error) {
	siblings, err := r.BranchTips(ctx, doc.Branch)
	if err != nil {
		return nil, err
	}
	var all []Predecessor
	add := func(n handoff.Name, v *Version) {
		if n != doc.Name() && !slices.ContainsFunc(all, func(p Predecessor) bool { return p.Name == n }) {
			all = append(all, Predecessor{n, v})
		}
	}
	for _, link := range slices.Backward(doc.Supersedes) {
		if n, err := handoff.ParseName(link.Handoff); err == nil {
			if v := r.supersededTip(ctx, n, link); v != nil {
				add(n, v)
			}
		}
	}
	for i := range siblings {
		v := &siblings[i]
		if v.Message.Status != handoff.Active && r.gaveWayTo(ctx, v, doc.Name(), history) {
			add(v.Name, v)
		}
	}
	return all, nil
}

// supersededTip is what became of a handoff that another one names; nil where it drives itself again.
func (r *Repo) supersededTip(ctx context.Context, n handoff.Name, link handoff.Link) *Version {
	v, err := r.Tip(ctx, n)
	if err == nil && v.Message.Status == handoff.Active {
		return nil
	}
	if err == nil {
		return v
	}
	if v, err = r.InArchive(ctx, n); err == nil && v != nil {
		return v
	}
	if v, err = r.VersionAt(ctx, link.Version); err != nil {
		return nil
	}
	v.Name = n
	return v
}

// gaveWayTo reports whether a handoff that is closed says that it is superseded by another one, which may have had
// another name by then.
func (r *Repo) gaveWayTo(ctx context.Context, v *Version, name handoff.Name, history []Version) bool {
	doc, err := r.Document(ctx, v)
	if err != nil || doc.SupersededBy == nil {
		return false
	}
	by := doc.SupersededBy
	return by.Handoff == name.String() || slices.ContainsFunc(history, func(v Version) bool { return v.OID == by.Version })
}

// Successors are the handoffs that drive the work of a closed one, from the next to the last: what it is superseded by, or
// was renamed to, and so on. There are none for one that is active. Ended tells that the last one is closed, too.
func (r *Repo) Successors(ctx context.Context, v *Version) (chain []handoff.Name, ended bool) {
	for seen := []handoff.Name{v.Name}; ; seen = chain {
		next, ok := r.successorOf(ctx, v)
		if !ok || next == v.Name || slices.Contains(seen, next) {
			return chain, v.Message.Status != handoff.Active
		}
		chain = append(chain, next)
		var err error
		if v, err = r.Tip(ctx, next); err != nil {
			return chain, false
		}
	}
}

func (r *Repo) successorOf(ctx context.Context, v *Version) (next handoff.Name, ok bool) {
	if v.Message.Status == handoff.Active {
		return next, false
	}
	to := v.Message.Get(TrailerRenamedTo)
	if to == "" {
		doc, err := r.Document(ctx, v)
		if err != nil || doc.SupersededBy == nil {
			return next, false
		}
		to = doc.SupersededBy.Handoff
	}
	next, err := handoff.ParseName(to)
	return next, err == nil
}
