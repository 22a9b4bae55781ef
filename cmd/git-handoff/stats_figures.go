package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"git-handoff/gitstore"
	"git-handoff/render"
)

// scopeOf makes the figures of what was measured.
func scopeOf(branch string, m *gitstore.Measures) render.Scope {
	return render.Scope{Branch: branch, Handoffs: m.Handoffs, Active: m.Active, Figures: []render.Figure{
		successRate(m), timeToProductive(m),
		{Name: "duplicate_action_incidents", Unit: render.Number, Value: float64(m.Duplicates), Count: m.Duplicates, Of: m.Resumes,
			Definition: "reports of a successor that something settled was done again (resume --report duplicate), of all resumes"},
		share("deep_read_share", m.DeepReads, m.Resumes,
			"resumes for which the handoff did not suffice and the history had to be read (resume --report deep-read), of all resumes"),
		share("expired_pending_rate", m.Expired, m.Expiring,
			"pending items that reached their expiry while they were still pending, of those that had an expiry"),
		completeness(m), activeAge(m),
	}}
}

func share(name string, n, of int, definition string) render.Figure {
	f := render.Figure{Name: name, Unit: render.Share, Count: n, Of: of, Definition: definition}
	if of > 0 {
		f.Value = float64(n) / float64(of)
	}
	return f
}

func successRate(m *gitstore.Measures) render.Figure {
	f := share("resume_success_rate", m.Succeeded, m.Succeeded+m.Failed,
		"resumes with a commit, a save, a passing verification or the end of the work as done within 7 days and before another resume, and no report of a wrong next action, of all that are decided")
	var left []string
	if m.Undecided > 0 {
		left = append(left, fmt.Sprintf("%d not decided yet", m.Undecided))
	}
	if m.Unobserved > 0 {
		left = append(left, fmt.Sprintf("%d unknown, since their branch is not here", m.Unobserved))
	}
	f.Remarks = strings.Join(left, ", ")
	return f
}

func timeToProductive(m *gitstore.Measures) render.Figure {
	return render.Figure{Name: "time_to_productive_resume", Unit: render.Seconds, Value: medianOf(m.Productive).Seconds(),
		Count: len(m.Productive), Of: len(m.Productive),
		Definition: "the median time from a resume to the first of these, commits being those of the branch itself"}
}

func completeness(m *gitstore.Measures) render.Figure {
	f := render.Figure{Name: "completeness", Unit: render.Points, Count: len(m.Completeness), Of: len(m.Completeness),
		Definition: "the mean score of the active handoffs, from 0 to 100, as git handoff check gives it"}
	for _, points := range m.Completeness {
		f.Value += float64(points) / float64(len(m.Completeness))
	}
	return f
}

func activeAge(m *gitstore.Measures) render.Figure {
	f := render.Figure{Name: "active_age", Unit: render.Seconds, Value: medianOf(m.Ages).Seconds(), Count: len(m.Ages), Of: len(m.Ages),
		Definition: "the median time since the active handoffs were saved"}
	if len(m.Ages) > 1 {
		f.Remarks = "the oldest " + render.Age(gitstore.Now(), gitstore.Now().Add(-slices.Max(m.Ages)))
	}
	return f
}

// medianOf is the middle of some lengths of time, 0 of none.
func medianOf(all []time.Duration) time.Duration {
	if len(all) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(all))
	mid := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[mid]
	}
	return (sorted[mid-1] + sorted[mid]) / 2
}
