package gitstore

import (
	"slices"
	"time"

	"git-handoff/gitstore/handoff"
)

// Measures count what became of handoffs. The zero value has measured nothing.
type Measures struct {
	// Handoffs were looked at, Active of them are active.
	Handoffs, Active int
	// Resumes are all; each is one of Succeeded, Failed, Undecided and Unobserved.
	Resumes, Succeeded, Failed, Undecided, Unobserved int
	// Productive are the times from a resume to the first thing that came of it.
	Productive []time.Duration
	// Duplicates are reports that something settled was done again, DeepReads resumes that needed a deep read.
	Duplicates, DeepReads int
	// Expiring are pending items that had an expiry, Expired those that reached it while still pending.
	Expiring, Expired int
	// Ages are how long ago the active handoffs were saved, Completeness their scores.
	Ages         []time.Duration
	Completeness []int
}

// AddResumes counts the resumes of a story since a moment (zero is all).
func (m *Measures) AddResumes(s *Story, since, now time.Time) {
	for _, r := range s.Resumptions(now) {
		if r.At.Before(since) {
			continue
		}
		m.Resumes++
		switch r.Outcome {
		case Succeeded:
			m.Succeeded++
		case Failed:
			m.Failed++
		case Undecided:
			m.Undecided++
		case Unobserved:
			m.Unobserved++
		}
		if !r.Productive.IsZero() {
			m.Productive = append(m.Productive, r.Productive.Sub(r.At))
		}
		for _, report := range r.Reports {
			if report == "duplicate" {
				m.Duplicates++
			}
		}
		if slices.Contains(r.Reports, "deep-read") {
			m.DeepReads++
		}
	}
}

// AddWaits counts the pending items that were pending at a moment or since.
func (m *Measures) AddWaits(waits []Wait, since, now time.Time) {
	for _, w := range waits {
		if w.Expires.IsZero() || !w.Ended.IsZero() && w.Ended.Before(since) {
			continue
		}
		m.Expiring++
		if w.ExpiredBy(now) {
			m.Expired++
		}
	}
}

// AddState counts the handoff as it is now; completeness is its score.
func (m *Measures) AddState(doc *handoff.Document, completeness int, now time.Time) {
	m.Handoffs++
	if doc.Status != handoff.Active {
		return
	}
	m.Active++
	m.Completeness = append(m.Completeness, completeness)
	if at := doc.Provenance.SavedAt; !at.IsZero() {
		m.Ages = append(m.Ages, max(0, now.Sub(at.Std())))
	}
}

// Add counts what o counted.
func (m *Measures) Add(o Measures) {
	for _, sum := range []struct {
		to *int
		n  int
	}{
		{&m.Handoffs, o.Handoffs}, {&m.Active, o.Active}, {&m.Resumes, o.Resumes}, {&m.Succeeded, o.Succeeded}, {&m.Failed, o.Failed},
		{&m.Undecided, o.Undecided}, {&m.Unobserved, o.Unobserved}, {&m.Duplicates, o.Duplicates}, {&m.DeepReads, o.DeepReads},
		{&m.Expiring, o.Expiring}, {&m.Expired, o.Expired},
	} {
		*sum.to += sum.n
	}
	m.Productive = append(m.Productive, o.Productive...)
	m.Ages = append(m.Ages, o.Ages...)
	m.Completeness = append(m.Completeness, o.Completeness...)
}
