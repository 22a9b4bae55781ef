package workbench

import (
	"fmt"
	"strconv"
)

// State is what the state file says about the work in hand.
type State struct {
	File
	ActiveTask string
	NextAction string
	// Next is the queue after NextAction, where the file gives several steps.
	Next        []string
	Objective   string
	Summary     string
	Blockers    []string
	Assumptions []string
	// Touched are the files that the session says it changed: a claim, git knows better.
	Touched []string
	Session string
	Actor   string
	Turns   int
	Branch  string
	RunID   string
}

func (r *reader) readState() {
	name, ok := r.one("handoff.state", r.opt.State, "agent_state.json")
	if !ok {
		return
	}
	f, tree, _ := r.load(name)
	s := State{File: f}
	switch {
	case tree == nil:
	case tree.kind != object:
		s.Readable = false
		r.problem(name, 0, "is no state file: it holds no object")
	default:
		s.read(r, innerState(tree))
	}
	r.bench.State = s
}

// taskKeys and nextStepKeys are what the task in hand and the next step are called.
var (
	taskKeys     = []string{"active_task_id", "active_task", "current_task_id", "current_task", "active_feature", "current_feature", "active_item", "task_id"}
	nextStepKeys = []string{"next_action", "next_step", "next_safe_step", "next_actions", "next_steps", "next"}
)

// innerState gives the object that says what is in hand: the top, or the one object below it that does where the top
// does not.
func innerState(tree *node) *node {
	if tree.first(taskKeys...) == nil && tree.first(nextStepKeys...) == nil {
		for _, key := range []string{"agent_state", "state", "current", "session", "agent"} {
			if inner := tree.get(key); inner != nil && inner.kind == object && (inner.first(taskKeys...) != nil || inner.first(nextStepKeys...) != nil) {
				return inner
			}
		}
	}
	return tree
}

func (s *State) read(r *reader, tree *node) {
	s.ActiveTask = r.mask(identity(tree.first(taskKeys...)))
	steps := r.entries(s.Path, "next steps", tree.first(nextStepKeys...).strings())
	if len(steps) > 0 {
		s.NextAction, s.Next = steps[0], steps[1:]
	}
	s.Objective = r.text(tree.first("objective", "goal", "task_goal").say())
	s.Summary = r.text(tree.first("summary", "session_summary").say())
	s.Blockers = r.masks(tree.first("blockers", "blocked_by", "blocker", "blocked_on", "blocking").strings())
	s.Assumptions = r.entries(s.Path, "assumptions", tree.first("assumptions", "assumption", "assumptions_to_validate", "open_assumptions").strings())
	s.Touched = r.masks(tree.first("touched_files", "files_touched", "changed_files", "modified_files", "touched").strings())
	s.Session = identity(tree.first("session_id", "session"))
	s.Actor = tree.first("actor", "agent", "produced_by", "author", "model").say()
	s.Turns = count(tree.first("turns", "turn", "turn_count", "iterations"))
	s.Branch = tree.first("branch", "working_branch", "git_branch").say()
	s.RunID = r.mask(tree.first("run_id").say())
}

// maxText is how many bytes of a text of the state file are taken, maxEntries how many entries of a list: a document
// that it alone fills is read by nobody.
const maxText, maxEntries = 1000, 20

// text is a text as the document takes it: masked, and cut where it is a whole page.
func (r *reader) text(s string) string { return cutEnd(r.mask(s), maxText) }

// entries are the first of a list as the document takes them; that there are more is told.
func (r *reader) entries(file, what string, list []string) []string {
	if len(list) > maxEntries {
		r.problem(file, 0, fmt.Sprintf("has %d %s; the first %d are taken", len(list), what, maxEntries))
		list = list[:maxEntries]
	}
	for i, s := range list {
		list[i] = r.text(s)
	}
	return list
}

// identity gives an id that may stand alone or in an object.
func identity(n *node) string {
	id := n.say()
	if n != nil && n.kind == object {
		id = n.first("id", "task_id", "feature_id", "key", "name", "title").say()
	}
	if nothing(id) {
		return ""
	}
	return id
}

// count gives a whole number that is not negative, 0 for anything else.
func count(n *node) int {
	if n == nil || n.kind != number && n.kind != text {
		return 0
	}
	i, err := strconv.ParseUint(n.text, 10, 31)
	if err != nil {
		return 0
	}
	return int(i)
}
