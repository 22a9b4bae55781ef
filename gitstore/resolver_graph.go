package gitstore

import (
	"cmp"
	"slices"
	"strings"

	"git-handoff/gitstore/handoff"
)

// graph is the history of a fork as far as it was asked for. The first error stops it: from then on its answers mean
// nothing.
type graph struct {
	fork     Fork
	versions map[string]*Version
	docs     map[string]*handoff.Document
	merged   map[string]*handoff.Document
	reached  map[string]map[string]bool
	err      error
}

// version is a version that was reached; one that is not here has no parents and no event.
func (g *graph) version(oid string) *Version {
	if v, ok := g.versions[oid]; ok {
		return v
	}
	v, err := g.fork.Version(oid)
	if err != nil {
		g.fail(err)
	}
	if v == nil {
		v = &Version{OID: oid, Message: handoff.Message{Event: handoff.EventRefresh}}
	}
	g.versions[oid] = v
	return v
}

func (g *graph) fail(err error) {
	if g.err == nil {
		g.err = err
	}
}

func (g *graph) doc(oid string) *handoff.Document {
	if d, ok := g.docs[oid]; ok {
		return d
	}
	d, err := g.fork.Document(oid)
	if err != nil {
		g.fail(err)
		d = new(handoff.Document)
	}
	g.docs[oid] = d
	return d
}

type relation int

const (
	diverged relation = iota
	ahead
	behind
)

// relation walks both histories in turn, so that a few versions between the tips cost a few reads, however long the
// history before them is.
func (g *graph) relation(local, fetched string) relation {
	ours, theirs := g.walk(local), g.walk(fetched)
	for more := true; more && g.err == nil; {
		a, moreOurs := ours()
		b, moreTheirs := theirs()
		switch {
		case a == fetched:
			return ahead
		case b == local:
			return behind
		}
		more = moreOurs || moreTheirs
	}
	return diverged
}

// walk gives the ancestors of a version, itself first, one a call; false when there are no more.
func (g *graph) walk(tip string) func() (string, bool) {
	queue, seen := []string{tip}, map[string]bool{tip: true}
	return func() (string, bool) {
		if len(queue) == 0 {
			return "", false
		}
		oid := queue[0]
		queue = queue[1:]
		for _, p := range g.version(oid).Parents {
			if !seen[p] {
				seen[p] = true
				queue = append(queue, p)
			}
		}
		return oid, true
	}
}

// ancestors are all versions that are reached from the tips, the tips among them.
func (g *graph) ancestors(tips ...string) map[string]bool {
	key := strings.Join(tips, "+")
	if set, ok := g.reached[key]; ok {
		return set
	}
	set := make(map[string]bool)
	for _, tip := range tips {
		next := g.walk(tip)
		for oid, ok := next(); ok; oid, ok = next() {
			set[oid] = true
		}
	}
	if g.reached == nil {
		g.reached = make(map[string]map[string]bool)
	}
	g.reached[key] = set
	return set
}

// bases are the merge bases of two groups of versions: what both have and no version that both have descends from.
// They are ordered by id; dates count for nothing, since clocks disagree.
func (g *graph) bases(a, b []string) []string {
	ours, theirs := g.ancestors(a...), g.ancestors(b...)
	inner := make(map[string]bool)
	for oid := range ours {
		if theirs[oid] {
			for _, p := range g.version(oid).Parents {
				inner[p] = true
			}
		}
	}
	var out []string
	for oid := range ours {
		if theirs[oid] && !inner[oid] {
			out = append(out, oid)
		}
	}
	slices.Sort(out)
	return out
}

// mergedDoc is the document of several versions merged, in the order of their ids, over the merge of their bases; nil
// for none.
func (g *graph) mergedDoc(tips []string) *handoff.Document {
	if len(tips) == 0 {
		return nil
	}
	slices.Sort(tips)
	key := strings.Join(tips, "+")
	if d, ok := g.merged[key]; ok {
		return d
	}
	d := g.doc(tips[0])
	for i := 1; i < len(tips) && g.err == nil; i++ {
		a, b := tips[:i:i], tips[i:i+1:i+1]
		other := g.doc(tips[i])
		base := g.mergedDoc(g.bases(a, b))
		d = handoff.Merge(base, g.side(a, d, b, other), g.side(b, other, a, d))
	}
	g.merged[key] = d
	return d
}

// side describes one side of a merge: doc is the document of the tips, which are several for one that is itself merged.
func (g *graph) side(tips []string, doc *handoff.Document, others []string, other *handoff.Document) handoff.Side {
	newest := g.version(slices.MaxFunc(tips, g.byDate))
	s := handoff.Side{
		Doc: doc, OID: strings.Join(tips, "+"), Saved: doc.Provenance.SavedAt, By: doc.Provenance.ProducedBy,
		SavedSince: g.savedSince(tips, others),
		LastChange: func(f handoff.Field) handoff.Stamp { return g.lastChange(tips, f, f.Of(doc)) },
	}
	if s.Saved.IsZero() {
		s.Saved = handoff.TimeOf(newest.Committer.When)
	}
	if g.fork.Descends != nil && doc.Head != "" && other.Head != "" && doc.Head != other.Head {
		s.HeadDescends = g.fork.Descends(doc.Head, other.Head)
	}
	return s
}

func (g *graph) byDate(a, b string) int {
	return cmp.Or(g.version(a).Committer.When.Compare(g.version(b).Committer.When), cmp.Compare(a, b))
}

// savedSince reports whether the tips have a save, or a reopening, that the others have not.
func (g *graph) savedSince(tips, others []string) bool {
	known := g.ancestors(others...)
	for oid := range g.ancestors(tips...) {
		e := g.version(oid).Message.Event
		if !known[oid] && (e == handoff.EventSave || e == handoff.EventReopen) {
			return true
		}
	}
	return false
}

// lastChange finds the version that gave a field the value it has: it follows the parents that have the same.
func (g *graph) lastChange(tips []string, f handoff.Field, value string) handoff.Stamp {
	v := g.version(slices.MaxFunc(tips, g.byDate))
	for parents := tips; g.err == nil; parents = slices.Sorted(slices.Values(v.Parents)) {
		i := slices.IndexFunc(parents, func(p string) bool {
			return v.Message.Event.Disposable() && len(v.Parents) == 1 && p == v.Parents[0] || f.Of(g.doc(p)) == value
		})
		if i < 0 {
			break
		}
		v = g.version(parents[i])
	}
	return handoff.Stamp{At: handoff.TimeOf(v.Committer.When), By: v.Message.BriefAuthor(), OID: v.OID}
}
