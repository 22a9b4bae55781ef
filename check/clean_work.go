package check

import (
	"strings"

	"git-handoff/check/workbench"
	"git-handoff/gitstore/handoff"
)

// red tells that the tests fail at HEAD, unless the author says so in open_risks.
func red(s *State) []Issue {
	if !s.Tests.Failed || s.riskNamesTests() {
		return nil
	}
	what := "the verification failed at " + short(s.Tests.Head)
	if s.Tests.Command != "" {
		what += ": " + s.Tests.Command
	}
	return []Issue{{Place: short(s.Tests.Head), What: what, Severity: handoff.Block,
		Mend: []string{"mend it and git handoff verify", "or name it: git handoff save --add-open-risk 'tests fail: WHY :: severity=block'"}}}
}

// testWords are how a risk may name the tests.
var testWords = lazily(`(?i)\b(?:tests?|testing|suite|verif\w*|ci|build|red|spec|specs|unittests?|pytest)\b`)

func (s *State) riskNamesTests() bool {
	for _, it := range s.OpenRisks {
		if testWords().MatchString(it.What) || s.Tests.Command != "" && strings.Contains(it.What, s.Tests.Command) ||
			s.Tests.Head != "" && strings.Contains(it.What, s.Tests.Head[:min(7, len(s.Tests.Head))]) {
			return true
		}
	}
	return false
}

func notVerified(s *State) []Issue {
	if s.Tests.Known || s.Tests.Head == "" {
		return nil
	}
	i := Issue{Place: short(s.Tests.Head), Severity: handoff.Warn, What: "it is not known whether the tests pass at " + short(s.Tests.Head),
		Mend: []string{"git handoff verify -- COMMAND"}}
	if s.RequireVerified {
		i.Severity = handoff.Block
		i.What += ", and handoff.requireVerified asks for it"
	}
	return []Issue{i}
}

func short(oid string) string { return oid[:min(12, len(oid))] }

// doneAgainstVerdict finds the task that the board calls done while its verdict says otherwise.
func doneAgainstVerdict(s *State) []Issue {
	var all []Issue
	for _, v := range verdicts(s.Bench) {
		b, it := s.item(v.task)
		if v.passed || it == nil || it.Status != workbench.Done {
			continue
		}
		all = append(all, Issue{Place: place(b.Path, it.Line), Severity: handoff.Block,
			What: it.Label() + " is done on the board, and " + v.path + " says that it did not pass",
			Mend: []string{"mend what " + v.path + " found and have it pass", "or set the item back on " + b.Path}})
	}
	return all
}

// A verdict is what a report says of a task, where it says anything.
type verdict struct {
	task, path string
	passed     bool
}

func verdicts(b *workbench.Workbench) []verdict {
	var all []verdict
	add := func(f workbench.File, task string, passed *bool) {
		if task == "" {
			task = b.ActiveTask()
		}
		if f.Present && passed != nil && task != "" {
			all = append(all, verdict{task, f.Path, *passed})
		}
	}
	add(b.Verification.File, b.Verification.Task, b.Verification.Passed)
	add(b.Review.File, b.Review.Task, b.Review.Passed)
	for _, f := range b.Against {
		all = append(all, verdict{task: f.Task, path: f.Path})
	}
	return all
}

// item finds an item on the boards.
func (s *State) item(id string) (*workbench.Board, *workbench.Item) {
	for i := range s.Bench.Boards {
		if it := s.Bench.Boards[i].Find(id); it != nil {
			return &s.Bench.Boards[i], it
		}
	}
	return nil, nil
}

// activeNotOnBoard tells that the task in hand is one that no board has. Without a board there is nothing to be on.
func activeNotOnBoard(s *State) []Issue {
	active, board := s.Bench.ActiveTask(), s.Bench.Board()
	if active == "" || board == nil {
		return nil
	}
	if _, it := s.item(active); it != nil {
		return nil
	}
	where := board.Path
	if s.Bench.State.ActiveTask == active {
		where = s.Bench.State.Path
	}
	return []Issue{{Place: where, Severity: handoff.Block, What: "the active task " + active + " is not on the board " + board.Path,
		Mend: []string{"add it to " + board.Path, "or correct the active task in " + where}}}
}

func contradictions(s *State) []Issue {
	var all []Issue
	for _, b := range s.Bench.Boards {
		for _, it := range b.Items {
			if it.Status == workbench.Contradictory {
				all = append(all, Issue{Place: place(b.Path, it.Line), Severity: handoff.Warn,
					What: it.Label() + " contradicts itself (" + it.Conflict + ") and is not counted as done",
					Mend: []string{"make " + b.Path + " say one thing"}})
			}
		}
	}
	return shorten(all)
}

func unreadableBoard(s *State) []Issue {
	var all []Issue
	for _, b := range s.Bench.Boards {
		if b.Present && !b.Readable {
			all = append(all, Issue{Place: b.Path, Severity: handoff.Warn, What: b.Path + " " + s.problemOf(b.Path),
				Mend: []string{"mend " + b.Path + ", or remove it"}})
		}
	}
	return all
}

// problemOf is what is wrong with a file of the workbench.
func (s *State) problemOf(file string) string {
	for _, p := range s.Bench.Problems {
		if p.File == file {
			return p.What
		}
	}
	return "cannot be read"
}
