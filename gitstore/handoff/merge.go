package handoff

import (
	"cmp"
	"slices"
)

// ChooseNextStep is the next action of a merged handoff whose steps are all done.
const ChooseNextStep = "choose the next step"

// A Side is one of the two versions that Merge joins, with what only its history can tell. Everything in it is the
// same on every clone, so that all of them make the same document.
type Side struct {
	Doc *Document
	// OID is the object id of the version. It alone orders the sides: which of them is local counts for nothing.
	OID string
	// Saved is when the side's newest author version was written, and By who wrote it.
	Saved Time
	By    string
	// SavedSince reports whether the side has a save, or a reopening, that the other has not: it beats an archive.
	SavedSince bool
	// HeadDescends reports whether the head in this document descends from the other's.
	HeadDescends bool
	// LastChange tells which version of the side last changed a field. Where it is nil, the newest one did.
	LastChange func(Field) Stamp
}

// A Field names one text of a brief: a text by its key, or a sub-key of the item What in the list List.
type Field struct{ List, What, Key string }

// Of gives the field's value in a document; "" where it is absent.
func (f Field) Of(d *Document) string {
	if f.List == "" {
		return textOf(&d.Brief, f.Key)
	}
	l, ok := ListOf(f.List)
	if !ok {
		return ""
	}
	items := *l.Of(&d.Brief)
	i := slices.IndexFunc(items, func(it Item) bool { return it.What == f.What })
	if i < 0 {
		return ""
	}
	return items[i].Subkey(f.Key)
}

func textOf(b *Brief, key string) string {
	for _, t := range Texts {
		if t.Key == key {
			return *t.Of(b)
		}
	}
	return ""
}

// A Stamp says who wrote a version and when; OID is the version's, for two that were written in the same second.
type Stamp struct {
	At  Time
	By  string
	OID string
}

func (s Stamp) compare(t Stamp) int {
	return cmp.Or(s.At.Std().Compare(t.At.Std()), cmp.Compare(s.OID, t.OID))
}

func (s Side) lastChange(f Field) Stamp {
	if s.LastChange != nil {
		return s.LastChange(f)
	}
	return s.stamp()
}

func (s Side) stamp() Stamp { return Stamp{At: s.Saved, By: s.By, OID: s.OID} }

// Merge joins two versions that diverged from base, which is nil where they have no common ancestor. The order of
// the sides does not matter. The result shares facts with the sides and holds no list with two items of one identity.
//
// What changed on one side alone is taken from it. A text that changed on both is the one of the save that changed it
// last, and the other's becomes a question in open. Where both changed an effect, a replay or a severity, the safer
// value stays.
func Merge(base *Document, a, b Side) *Document {
	if base == nil {
		base = new(Document)
	}
	if b.OID < a.OID {
		a, b = b, a
	}
	m := &merger{base: base, a: a, b: b}
	m.mergeTexts()
	for _, l := range Lists {
		*l.Of(&m.out.Brief) = m.mergeList(l)
	}
	m.mergeNextAction()
	m.askQuestions()
	m.mergeLedger()
	m.mergeObserved()
	m.mergeRecorded()
	return &m.out
}

// merger is the state of one Merge; a and b are ordered by object id.
type merger struct {
	base      *Document
	a, b      Side
	out       Document
	questions []Item
}

// pick merges one value. It reports a clash if both sides changed it, each to something else.
func pick[T comparable](base, a, b T) (value T, clash bool) {
	switch {
	case a == b, b == base:
		return a, false
	case a == base:
		return b, false
	}
	return a, true
}

// newer is the side with the newer save; other is the other.
func (m *merger) newer() (newer, other Side) {
	if m.a.stamp().compare(m.b.stamp()) > 0 {
		return m.a, m.b
	}
	return m.b, m.a
}

// last is the side that changed the field last, and when the other did.
func (m *merger) last(f Field) (winner, loser Side, lost Stamp) {
	sa, sb := m.a.lastChange(f), m.b.lastChange(f)
	if sa.compare(sb) > 0 {
		return m.a, m.b, sb
	}
	return m.b, m.a, sa
}
