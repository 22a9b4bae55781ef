package check

import (
	"fmt"
	"strconv"
	"strings"

	"git-handoff/check/workbench"
	"git-handoff/gitstore/handoff"
)

// Assumptions are those that the session logged and the review did not clear: it gave them no score, or one of at most 1.
func Assumptions(b *workbench.Workbench) []string {
	if score := b.Review.Assumptions(); score != nil && *score > 1 {
		return nil
	}
	return b.State.Assumptions
}

// WorktreeSource is the source of a finding about the worktree itself.
const WorktreeSource = "worktree"

// Findings derives the risks that a document records: what is half done in the worktree first, then what the verdicts,
// the state file and the board say. w may be nil.
func Findings(b *workbench.Workbench, w *handoff.Worktree, branch string) []handoff.Finding {
	var all []handoff.Finding
	if w != nil {
		all = append(all, unfinished(w, branch)...)
	}
	all = append(all, verification(b)...)
	all = append(all, review(b)...)
	for _, blocker := range b.State.Blockers {
		all = append(all, handoff.Finding{What: blocker, Severity: handoff.Block, Source: b.State.Path})
	}
	return append(all, boards(b)...)
}

func unfinished(w *handoff.Worktree, branch string) []handoff.Finding {
	var all []handoff.Finding
	add := func(what string) {
		all = append(all, handoff.Finding{What: what, Severity: handoff.Block, Source: WorktreeSource})
	}
	for _, path := range w.Unmerged {
		add(path + " is unmerged")
	}
	if w.Operation != "" && w.Operation != "bisect" {
		what := named(w.Operation) + " of " + branch
		if w.Onto != "" {
			what += " onto " + w.Onto
		}
		if w.Step != "" {
			what += ", step " + w.Step + ","
		}
		add(what + " is half done: finish or abort it before anything else")
	}
	return all
}

// verification is what the gate says, unless it says that it passed without a finding.
func verification(b *workbench.Workbench) []handoff.Finding {
	v := &b.Verification
	if !v.Present {
		return nil
	}
	head := handoff.Finding{Source: v.Path, Severity: handoff.Block, What: "the verification is failing" + of(v.Task)}
	switch {
	case !v.Readable:
		head.Severity, head.What = handoff.Warn, "the verification report cannot be read, so it is not known whether it passed"
	case v.Passed == nil:
		head.Severity, head.What = handoff.Warn, "the verification report does not say clearly that it passed"
	case *v.Passed:
		return v.Findings
	}
	return append([]handoff.Finding{head}, v.Findings...)
}

func of(task string) string {
	if task == "" {
		return ""
	}
	return " for " + task
}

// review is what the reviewer says, unless it is a pass that reaches its mark.
func review(b *workbench.Workbench) []handoff.Finding {
	v := &b.Review
	if !v.Present {
		return nil
	}
	below := v.Score != nil && v.PassMark != nil && *v.Score < *v.PassMark
	head := handoff.Finding{Source: v.Path, Severity: handoff.Block}
	switch {
	case !v.Readable:
		head.Severity, head.What = handoff.Warn, "the review cannot be read, so it is not known whether it passed"
	case v.Passed != nil && !*v.Passed, below:
		head.What = "the review does not pass" + of(v.Task) + reviewDetail(v)
	case v.Passed == nil:
		head.Severity, head.What = handoff.Warn, "the review has no verdict that is known"+reviewDetail(v)
	default:
		return v.Findings
	}
	return append([]handoff.Finding{head}, v.Findings...)
}

// reviewDetail gives the verdict, the total against its pass mark and the dimensions that got nothing.
func reviewDetail(v *workbench.Review) string {
	var parts []string
	if v.Verdict != "" {
		parts = append(parts, "verdict "+v.Verdict)
	}
	switch {
	case v.Total != "" && v.PassMark != nil:
		parts = append(parts, "total "+v.Total+", pass mark "+number(*v.PassMark))
	case v.Total != "":
		parts = append(parts, "total "+v.Total)
	}
	var zeros []string
	for _, d := range v.Dimensions {
		if d.Score != nil && *d.Score <= 0 && d.Name != "" {
			zeros = append(zeros, d.Name)
		}
	}
	if len(zeros) > 0 {
		parts = append(parts, "nothing for "+Some(zeros))
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, "; ")
}

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// boards counts each board, and tells of the items that are blocked or contradict themselves.
func boards(b *workbench.Workbench) []handoff.Finding {
	var all []handoff.Finding
	for i := range b.Boards {
		board := &b.Boards[i]
		if board.Present && !board.Readable {
			all = append(all, handoff.Finding{What: "the board cannot be read", Severity: handoff.Warn, Source: board.Path})
		}
		if !board.Recognised {
			continue
		}
		all = append(all, handoff.Finding{What: tally(board, b.State.ActiveTask), Severity: handoff.Info, Source: board.Path})
		all = append(all, itemRisks(board)...)
	}
	return all
}

// maxItemRisks is how many items of a board are told one by one.
const maxItemRisks = 10

func itemRisks(board *workbench.Board) []handoff.Finding {
	var all []handoff.Finding
	more := 0
	for _, it := range board.Items {
		what := risk(it)
		switch {
		case what == "":
		case len(all) == maxItemRisks:
			more++
		default:
			all = append(all, handoff.Finding{What: what, Severity: handoff.Warn, Source: place(board.Path, it.Line)})
		}
	}
	if more > 0 {
		all = append(all, handoff.Finding{What: count(more, "more item is", "more items are") + " blocked or contradictory", Severity: handoff.Warn, Source: board.Path})
	}
	return all
}

// risk is what an item of a board says that somebody has to look at.
func risk(it workbench.Item) string {
	switch it.Status {
	case workbench.Contradictory:
		return it.Label() + " contradicts itself: " + it.Conflict + "; it is not counted as done"
	case workbench.Blocked:
		if it.Reason != "" {
			return it.Label() + " is blocked: " + it.Reason
		}
		return it.Label() + " is blocked"
	}
	return ""
}

// tally counts the items of a board by their status, and names the one in hand.
func tally(b *workbench.Board, active string) string {
	parts := []string{fmt.Sprintf("board: %d of %s done", b.Count(workbench.Done), count(len(b.Items), "item", "items"))}
	for _, s := range []struct {
		status workbench.Status
		word   string
	}{{workbench.InProgress, "in progress"}, {workbench.Open, "open"}, {workbench.Blocked, "blocked"},
		{workbench.Contradictory, "contradictory"}, {workbench.Dropped, "dropped"}, {workbench.Unknown, "unknown"}} {
		if n := b.Count(s.status); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, s.word))
		}
	}
	line := strings.Join(parts, ", ")
	if it := inHand(b, active); it != nil {
		return line + "; in hand: " + it.Label()
	}
	for _, it := range b.Items {
		if it.Status == workbench.Open {
			return line + fmt.Sprintf("; first open, number %d: %s", it.Position, it.Label())
		}
	}
	return line
}

// inHand is the item that the state file names as the active one, else the board, else the first that is in progress.
func inHand(b *workbench.Board, active string) *workbench.Item {
	for _, name := range []string{active, b.Active} {
		if it := b.Find(name); it != nil {
			return it
		}
	}
	for i := range b.Items {
		if b.Items[i].Status == workbench.InProgress {
			return &b.Items[i]
		}
	}
	return nil
}

func place(file string, line int) string {
	if line > 0 {
		return file + ":" + strconv.Itoa(line)
	}
	return file
}
