package handoff

import (
	"cmp"
	"reflect"
	"slices"
	"time"
)

// mergeLedger merges what events wrote. A merge is no save: who produced the newer save still produced the document.
func (m *merger) mergeLedger() {
	out, a, b := &m.out.Ledger, m.a.Doc.Ledger, m.b.Doc.Ledger
	newer, _ := m.newer()
	out.Version = FormatVersion
	name, clash := pick(m.base.Name(), m.a.Doc.Name(), m.b.Doc.Name())
	if clash {
		name = newer.Doc.Name()
	}
	out.Branch, out.Topic = name.Branch, name.Topic
	out.Status = m.mergeStatus()
	out.Supersedes = mergeLinks(m.base.Supersedes, a.Supersedes, b.Supersedes)
	if out.Status != Active {
		out.SupersededBy = m.mergeSupersededBy()
	}
	out.Claim = m.mergeClaim()
	out.Provenance = newer.Doc.Provenance
	out.Provenance.SavedAt = laterTime(a.Provenance.SavedAt, b.Provenance.SavedAt)
	out.Provenance.RefreshedAt = laterTime(a.Provenance.RefreshedAt, b.Provenance.RefreshedAt)
}

func laterTime(a, b Time) Time {
	if a.Std().Before(b.Std()) {
		return b
	}
	return a
}

// mergeStatus lets a save, or a reopening, beat a concurrent archive, and an archive beat a supersession. A side that
// neither saved nor changed the status has no say.
func (m *merger) mergeStatus() Status {
	var said []Status
	for _, s := range []Side{m.a, m.b} {
		if st := s.Doc.Status; st != m.base.Status || s.SavedSince && st == Active {
			said = append(said, st)
		}
	}
	for _, st := range []Status{Active, Archived, Superseded} {
		if slices.Contains(said, st) {
			return st
		}
	}
	return m.a.Doc.Status
}

func (m *merger) mergeSupersededBy() *Link {
	a, b := m.a.Doc.SupersededBy, m.b.Doc.SupersededBy
	switch {
	case a == nil, sameLink(a, m.base.SupersededBy) && b != nil:
		return b
	case b == nil, sameLink(b, m.base.SupersededBy):
		return a
	}
	newer, _ := m.newer()
	return newer.Doc.SupersededBy
}

func sameLink(a, b *Link) bool { return reflect.DeepEqual(a, b) }

// mergeLinks keeps every handoff that one side names and the other has not removed; of two versions of one handoff the
// one that a side alone changed, else the first side's.
func mergeLinks(base, a, b []Link) []Link {
	var out []Link
	for _, l := range slices.Concat(a, b) {
		if linkTo(out, l.Handoff) != nil {
			continue
		}
		inBase, inA, inB := linkTo(base, l.Handoff), linkTo(a, l.Handoff), linkTo(b, l.Handoff)
		switch {
		case inA != nil && inB != nil:
			if inBase != nil {
				l.Version, _ = pick(inBase.Version, inA.Version, inB.Version)
			}
			out = append(out, l)
		case inBase == nil || l != *inBase:
			out = append(out, l)
		}
	}
	return out
}

func linkTo(links []Link, handoff string) *Link {
	i := slices.IndexFunc(links, func(l Link) bool { return l.Handoff == handoff })
	if i < 0 {
		return nil
	}
	return &links[i]
}

// ClaimGrace is how long after its end a claim still counts, for clocks that disagree.
const ClaimGrace = 5 * time.Minute

// mergeClaim never joins two claims. One that a side alone made, renewed or ended is taken as it is; of two, what had
// expired when the newer side was saved goes, and the earlier stays. Which of them a remote accepted first is not for
// a merge to decide: a claim that no save has followed is not merged at all, but made again on the remote's version.
func (m *merger) mergeClaim() *Claim {
	a, b, base := m.a.Doc.Claim, m.b.Doc.Claim, m.base.Claim
	switch {
	case sameClaim(a, b), sameClaim(b, base):
		return a
	case sameClaim(a, base):
		return b
	}
	newer, _ := m.newer()
	a, b = a.unexpired(newer.Saved), b.unexpired(newer.Saved)
	switch {
	case a == nil:
		return b
	case b == nil, cmp.Or(a.At.Std().Compare(b.At.Std()), cmp.Compare(a.By, b.By)) <= 0:
		return a
	}
	return b
}

func sameClaim(a, b *Claim) bool { return a == b || a != nil && b != nil && *a == *b }

// ExpiredAt reports whether the claim no longer counts at a moment, the grace included.
func (c *Claim) ExpiredAt(now Time) bool {
	return c.Until.Std().Add(ClaimGrace).Before(now.Std())
}

// InGraceAt reports whether the claim has ended at a moment, and counts all the same.
func (c *Claim) InGraceAt(now Time) bool {
	return c.Until.Std().Before(now.Std()) && !c.ExpiredAt(now)
}

func (c *Claim) unexpired(now Time) *Claim {
	if c != nil && c.ExpiredAt(now) {
		return nil
	}
	return c
}

// mergeObserved takes all of one side, since its parts belong together: the side whose head is ahead, else the newer.
func (m *merger) mergeObserved() {
	newer, other := m.newer()
	from := newer
	switch {
	case other.HeadDescends && !newer.HeadDescends, newer.Doc.Head == "":
		from = other
	}
	m.out.Observed = from.Doc.Observed
}

// mergeRecorded takes each record from the side that alone made a new one, else from the newer save; what the newer
// could not know stays as the other recorded it.
func (m *merger) mergeRecorded() {
	newer, other := m.newer()
	base, n, o := m.base.Recorded, newer.Doc.Recorded, other.Doc.Recorded
	m.out.Recorded = Recorded{
		Worktree:        record(base.Worktree, n.Worktree, o.Worktree),
		CommandsRun:     record(base.CommandsRun, n.CommandsRun, o.CommandsRun),
		VerdictPointer:  record(base.VerdictPointer, n.VerdictPointer, o.VerdictPointer),
		Clean:           record(base.Clean, n.Clean, o.Clean),
		Findings:        n.Findings,
		ArtifactDigests: n.ArtifactDigests,
	}
	if reflect.DeepEqual(n.Findings, base.Findings) {
		m.out.Findings = o.Findings
	}
	if n.ArtifactDigests == nil || reflect.DeepEqual(n.ArtifactDigests, base.ArtifactDigests) {
		m.out.ArtifactDigests = o.ArtifactDigests
	}
}

func record[T any](base, newer, other *T) *T {
	if newer == nil || other != nil && reflect.DeepEqual(newer, base) {
		return other
	}
	return newer
}
