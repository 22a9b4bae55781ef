package check

import (
	"strings"

	"git-handoff/check/workbench"
	"git-handoff/gitstore/handoff"
)

// A State is what the rules of the clean state look at: one worktree, in which the branch of the handoff is checked
// out. What was not looked at is empty, and nothing is said about it.
type State struct {
	// Branch is the branch of the handoff; Detached tells that HEAD is on no branch and no rebase is under way.
	Branch   string
	Detached bool
	// Operation is what git has begun and not finished; Onto is where a rebase goes.
	Operation, Onto string
	Unmerged        []string
	Changed         []handoff.ChangedFile
	// Untracked are paths; one that ends in a slash is a folder of which nothing is tracked. Inside are files in such folders.
	Untracked, Inside []string
	Stashes           []Stash
	// Added are the lines that the branch and the worktree have and its base has not.
	Added []AddedLine
	// Temp are patterns of temporary files, beside those that every project has.
	Temp            []string
	Bench           *workbench.Workbench
	Tests           Tests
	RequireVerified bool
	OpenRisks       []handoff.Item
	Stray           []StrayBranch
}

// A Stash is one entry of the stash that was made on the branch. Note is what its maker said, "" for nothing.
type Stash struct{ Name, Note string }

// An AddedLine is one line that was added, and where it stands.
type AddedLine struct {
	Path string
	Line int
	Text string
}

// Tests is what is known of the commit at HEAD: the evidence that is noted for its tree. Head is "" where the branch
// has no commit yet.
type Tests struct {
	Head          string
	Known, Failed bool
	Command       string
}

// A StrayBranch is a local branch that was made since the last save and has commits that nothing else reaches.
type StrayBranch struct {
	Name    string
	Commits int
}

// A cleanRule finds one kind of thing that is not clean.
type cleanRule struct {
	id   string
	find func(*State) []Issue
}

// cleanRules are the checks of the clean state, in the order in which issues are told.
var cleanRules = []cleanRule{
	{"tree.operation", operation},
	{"tree.unmerged", unmerged},
	{"tree.uncommitted", uncommitted},
	{"tree.stash", stashes},
	{"tree.untracked", untracked},
	{"temp.file", temporaryFiles},
	{"temp.conflict-marker", conflictMarkers},
	{"temp.debug-print", debugPrints},
	{"temp.commented-code", commentedCode},
	{"tests.red", red},
	{"tests.unknown", notVerified},
	{"board.verdict", doneAgainstVerdict},
	{"board.active", activeNotOnBoard},
	{"board.contradiction", contradictions},
	{"board.unreadable", unreadableBoard},
	{"branch.detached", detached},
	{"branch.other", otherBranch},
	{"branch.stray", strayBranches},
}

// Clean checks whether the worktree can be left as it is. What blocks comes first.
func Clean(s *State) []Issue {
	if s.Bench == nil {
		c := *s
		c.Bench = &workbench.Workbench{}
		s = &c
	}
	var all []Issue
	for _, r := range cleanRules {
		for _, i := range r.find(s) {
			i.Rule = r.id
			all = append(all, i)
		}
	}
	return bySeverity(all)
}

// Record is the outcome of the checks as a document holds it. allowed is the author's reason to save all the same; it
// counts only where something blocks.
func Record(issues []Issue, allowed string) *handoff.Clean {
	blocking, _ := Blocking(issues)
	c := &handoff.Clean{OK: len(blocking) == 0}
	if !c.OK {
		c.Allowed = allowed
	}
	for _, i := range issues {
		c.Issues = append(c.Issues, handoff.CleanIssue{Check: i.Check(), What: i.What, Severity: i.Severity})
	}
	return c
}

// Routine reports whether an issue is so common that a save need not mention it: a document that no verification was
// run for says so itself.
func (i Issue) Routine() bool { return i.Rule == "tests.unknown" && i.Severity != handoff.Block }

func detached(s *State) []Issue {
	if !s.Detached {
		return nil
	}
	return []Issue{{What: "HEAD is on no branch, so a commit made here is on none", Severity: handoff.Block,
		Mend: []string{"git switch BRANCH", "git switch -c NAME keeps what was committed here"}}}
}

// otherBranch holds the branch against the one that the state file names. A state file that names none says nothing.
func otherBranch(s *State) []Issue {
	named := strings.TrimPrefix(s.Bench.State.Branch, "refs/heads/")
	if named == "" || s.Branch == "" || named == s.Branch {
		return nil
	}
	return []Issue{{Place: s.Bench.State.Path, Severity: handoff.Block,
		What: s.Bench.State.Path + " names the branch " + named + ", and " + s.Branch + " is checked out",
		Mend: []string{"git switch " + shellWord(named), "or correct the branch in " + s.Bench.State.Path}}}
}

func strayBranches(s *State) []Issue {
	var all []Issue
	for _, b := range s.Stray {
		all = append(all, Issue{Place: b.Name, Severity: handoff.Warn,
			What: "branch " + b.Name + ", made since the last save, has " + count(b.Commits, "commit", "commits") + " that nothing else reaches",
			Mend: []string{"git handoff save " + shellWord(b.Name+"/"+handoff.DefaultTopic) + " … hands it over too",
				"git merge " + shellWord(b.Name) + ", git push, or git branch -D " + shellWord(b.Name)}})
	}
	return all
}
