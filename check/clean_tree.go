package check

import (
	"strings"

	"git-handoff/gitstore/handoff"
)

// named is an operation of git with its article.
func named(operation string) string {
	if operation == "am" {
		return "an am"
	}
	return "a " + operation
}

func operation(s *State) []Issue {
	if s.Operation == "" || s.Operation == "bisect" {
		return nil
	}
	what := named(s.Operation) + " is half done"
	if s.Operation == "rebase" && s.Onto != "" {
		what = "a rebase of " + s.Branch + " onto " + s.Onto + " is half done"
	}
	return []Issue{{Place: s.Branch, What: what, Severity: handoff.Block,
		Mend: []string{"git " + s.Operation + " --continue finishes it", "git " + s.Operation + " --abort gives it up"}}}
}

func unmerged(s *State) []Issue {
	if len(s.Unmerged) == 0 {
		return nil
	}
	return []Issue{{Place: s.Unmerged[0], Severity: handoff.Block,
		What: count(len(s.Unmerged), "unmerged file", "unmerged files") + ": " + Some(s.Unmerged),
		Mend: []string{"resolve the conflicts, then git add -- " + pasted(s.Unmerged)}}}
}

// uncommitted is what tracked files hold and no commit does.
func uncommitted(s *State) []Issue {
	if len(s.Changed) == 0 {
		return nil
	}
	var paths []string
	for _, f := range s.Changed {
		paths = append(paths, f.Path)
	}
	return []Issue{{Place: paths[0], Severity: handoff.Block,
		What: count(len(paths), "uncommitted file", "uncommitted files") + ": " + Some(paths),
		Mend: []string{"git commit -a", "git stash push -m 'WHAT IT IS' keeps it in this clone alone"}}}
}

// stashes tells of what is put away: without a note nobody knows what it is, and with one it still does not travel.
func stashes(s *State) []Issue {
	var all []Issue
	for _, st := range s.Stashes {
		i := Issue{Place: st.Name, Severity: handoff.Warn, What: st.Name + " (" + st.Note + ") exists in this clone alone: it does not travel",
			Mend: []string{"git stash branch NAME " + shellWord(st.Name) + " makes a branch of it"}}
		if st.Note == "" {
			i.Severity, i.What = handoff.Block, st.Name+" was made on this branch without a note of what it is"
			i.Mend = []string{"git stash apply " + shellWord(st.Name) + ", then commit it or git stash push -m 'WHAT IT IS'",
				"git stash drop " + shellWord(st.Name)}
		}
		all = append(all, i)
	}
	return all
}

// untracked tells of files that are in no commit and neither temporary nor the workbench's: they do not travel.
func untracked(s *State) []Issue {
	var paths []string
	for _, p := range s.Untracked {
		if !s.isTemporary(p) && !s.isWorkbench(p) {
			paths = append(paths, p)
		}
	}
	if len(paths) == 0 {
		return nil
	}
	return []Issue{{Place: paths[0], Severity: handoff.Warn,
		What: count(len(paths), "untracked path is", "untracked paths are") + " in no commit and will not travel: " + Some(paths),
		Mend: []string{"git add -- " + pasted(paths) + " && git commit", "or name it in .gitignore"}}}
}

// workbenchNames are files that sessions leave in the tree, whatever became of reading them.
var workbenchNames = []string{"agent_state.json", "task_board.json", "feature_list.json", "feedback_record.jsonl", "clean_state.json"}

// isWorkbench reports whether an untracked path is a file of the workbench, or a folder that holds some.
func (s *State) isWorkbench(path string) bool {
	base := strings.ToLower(strings.ReplaceAll(path[strings.LastIndexByte(path, '/')+1:], "-", "_"))
	for _, name := range workbenchNames {
		if base == name || strings.HasPrefix(base, name+".") {
			return true
		}
	}
	for _, f := range s.benchFiles() {
		if f != "" && (path == f || strings.HasSuffix(path, "/") && strings.HasPrefix(f, path)) {
			return true
		}
	}
	return path == "outputs/" || strings.HasPrefix(path, "outputs/")
}

func (s *State) benchFiles() []string {
	b := s.Bench
	files := []string{b.State.Path, b.Verification.Path, b.Review.Path, b.Feedback.Path}
	for _, board := range b.Boards {
		files = append(files, board.Path)
	}
	return files
}
