package check

import (
	"strconv"

	"git-handoff/gitstore/handoff"
)

// A Score says how complete a document is: points out of 100, and where they come from.
type Score struct {
	Total int         `json:"total"`
	Items []ScoreItem `json:"items"`
}

// A ScoreItem is one thing that a complete document has: how many points of how many it got, and what is missing.
type ScoreItem struct {
	Name    string `json:"name"`
	Points  int    `json:"points"`
	Of      int    `json:"of"`
	Missing string `json:"missing,omitempty"`
}

// A scoreRule gives a share of its points, from 0 to 1, and says what is missing.
type scoreRule struct {
	name  string
	of    int
	share func(*handoff.Document) (float64, string)
}

// scoreRules are what whoever takes over needs, by weight. They come to 100.
var scoreRules = []scoreRule{
	{"a concrete next action", 25, scoreNextAction},
	{"an objective", 15, func(d *handoff.Document) (float64, string) {
		return yes(d.Objective != ""), "say what the work is for: --objective"
	}},
	{"what was done", 10, func(d *handoff.Document) (float64, string) {
		return yes(d.Summary != "" || len(d.Done) > 0 || d.Commits > 0 || d.Worktree != nil || d.CommandsRun != nil), "say it: --summary, or --done"
	}},
	{"a last known good commit with evidence", 15, scoreEvidence},
	{"the commands that were run", 10, func(d *handoff.Document) (float64, string) {
		return yes(d.CommandsRun != nil || d.Evidence != nil && d.Evidence.Command != ""), "git handoff run -- COMMAND records them"
	}},
	{"what is uncertain, open or risky", 5, func(d *handoff.Document) (float64, string) {
		n := len(d.Uncertain) + len(d.Open) + len(d.OpenRisks) + len(d.Assumptions) + len(d.Findings) + len(d.Pending) + len(d.Constraints)
		return yes(n > 0), "nothing is named as a risk, an assumption, a question or a constraint"
	}},
	{"a reason for every decision", 10, scoreReasons},
	{"a check for all that is uncertain, a step for all that waits", 5, scoreChecks},
	{"the clean state at the save", 5, func(d *handoff.Document) (float64, string) {
		return yes(d.Clean != nil && d.Clean.OK), "save from the worktree of the branch, with nothing half done in it"
	}},
}

// Completeness scores a document item by item.
func Completeness(d *handoff.Document) Score {
	var s Score
	for _, r := range scoreRules {
		share, missing := r.share(d)
		item := ScoreItem{Name: r.name, Of: r.of, Points: int(share * float64(r.of))}
		if item.Points < item.Of {
			item.Missing = missing
		}
		s.Items = append(s.Items, item)
		s.Total += item.Points
	}
	return s
}

func yes(ok bool) float64 {
	if ok {
		return 1
	}
	return 0
}

func scoreNextAction(d *handoff.Document) (float64, string) {
	switch {
	case d.NextAction == "":
		return 0, "there is none: --next-action"
	case Vague(d.NextAction):
		return 0.4, "it does not say what to do first"
	}
	return 1, ""
}

// scoreEvidence: a command that passed counts whole, a person's word somewhat less, an assumption little.
func scoreEvidence(d *handoff.Document) (float64, string) {
	const missing = "git handoff verify -- COMMAND notes that a commit works"
	if d.LastKnownGood == "" || d.Evidence == nil {
		return 0, missing
	}
	switch d.Evidence.Kind {
	case handoff.Verified:
		return 1, ""
	case handoff.Asserted:
		return 0.7, missing
	}
	return 0.4, missing
}

// scoreReasons is the share of decisions and rejections that have a reason.
func scoreReasons(d *handoff.Document) (float64, string) {
	return share(append(d.Decisions[:len(d.Decisions):len(d.Decisions)], d.Rejected...), func(it handoff.Item) bool { return it.Why != "" }, "has no reason", "have no reason")
}

func scoreChecks(d *handoff.Document) (float64, string) {
	var items []handoff.Item
	for _, it := range d.Uncertain {
		items = append(items, handoff.Item{What: it.What, Why: it.Check})
	}
	for _, it := range d.Pending {
		if it.Kind == "approval" {
			items = append(items, handoff.Item{What: it.What, Why: it.On})
		}
	}
	return share(items, func(it handoff.Item) bool { return it.Why != "" }, "has none", "have none")
}

// share is how many of the items are good; all of none are.
func share(items []handoff.Item, good func(handoff.Item) bool, one, many string) (float64, string) {
	n := 0
	for _, it := range items {
		if good(it) {
			n++
		}
	}
	if n == len(items) {
		return 1, ""
	}
	return float64(n) / float64(len(items)), strconv.Itoa(len(items)-n) + " " + map[bool]string{true: one, false: many}[len(items)-n == 1]
}
