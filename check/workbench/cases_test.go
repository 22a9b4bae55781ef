package workbench

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"git-handoff/gitstore/handoff"
)

func read(t *testing.T, dir string, opt Options) *Workbench {
	t.Helper()
	w, err := Read(dir, opt)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// tree writes files into a folder of their own and gives it.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func counts(b *Board) map[Status]int {
	n := map[Status]int{}
	for _, it := range b.Items {
		n[it.Status]++
	}
	return n
}

func ids(b *Board, s Status) (all []string) {
	for _, it := range b.Items {
		if it.Status == s {
			all = append(all, it.ID)
		}
	}
	return all
}

func lineNumbers(lines []Line) (all []int) {
	for _, l := range lines {
		all = append(all, l.Number)
	}
	return all
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

func TestCaseListOfPasses(t *testing.T) {
	w := read(t, "testdata/01-board-list-passes", Options{})
	b := w.Board()
	equal(t, "counts", counts(b), map[Status]int{Done: 5, Open: 9})
	for i, it := range b.Items {
		if it.ID != "" || it.Title == "" || it.Label() != handoff.CleanLine(it.Title, maxLabel) {
			t.Errorf("item %d: %+v", i, it)
		}
	}
	equal(t, "first open", b.Items[2].Status, Open)
	equal(t, "the twins", []string{b.Items[2].Title, b.Items[9].Title}, []string{"Two timers can run at the same time", "Two timers can run at the same time"})
	equal(t, "problems", w.Problems, []Problem(nil))
	equal(t, "state", w.State, State{})
}

func TestCaseColumns(t *testing.T) {
	b := read(t, "testdata/02-board-columns", Options{}).Board()
	equal(t, "counts", counts(b), map[Status]int{Done: 2, Open: 2, InProgress: 1})
	equal(t, "in progress", ids(b, InProgress), []string{"task_0003"})
	equal(t, "title", b.Items[0].Title, "Écrire la page d'aide")
}

func TestCaseListOfStringsIsNoBoard(t *testing.T) {
	w := read(t, "testdata/03-not-a-board-strings", Options{})
	if w.Board() != nil || len(w.Boards) != 1 || w.Boards[0].Recognised || len(w.Boards[0].Items) != 0 || !w.Boards[0].Readable {
		t.Errorf("boards: %+v", w.Boards)
	}
	equal(t, "what it is", w.Boards[0].What, "a list of strings")
}

func TestCasePackRun(t *testing.T) {
	w := read(t, "testdata/04-pack-run-failing", Options{})
	f := w.Feedback
	equal(t, "records", []int{f.Records, f.Passed, f.Failed, f.Unknown, f.SkippedTotal}, []int{120, 112, 8, 0, 0})
	equal(t, "failing records", lineNumbers(f.FailedAt), []int{3, 5, 6, 7, 39, 66, 93, 120})
	equal(t, "gate", *w.Verification.Passed, false)
	equal(t, "findings", len(w.Verification.Findings), 3)
	equal(t, "severities", []handoff.Severity{w.Verification.Findings[0].Severity, w.Verification.Findings[2].Severity}, []handoff.Severity{handoff.Block, handoff.Warn})
	equal(t, "verdict", []string{w.Review.Verdict, w.Review.Total}, []string{"hard_fail", "4"})
	equal(t, "score of the assumptions", *w.Review.Assumptions(), 2.0)
	equal(t, "next action", strings.HasPrefix(w.State.NextAction, "add a test for a negative rate"), true)
	equal(t, "blockers", w.State.Blockers, []string{"waiting for the rounding decision in T-003"})
	equal(t, "board", counts(w.Board()), map[Status]int{Done: 1, InProgress: 1, Open: 1, Blocked: 1})
	equal(t, "problems", w.Problems, []Problem(nil))

	c := f.Commands
	equal(t, "totals", []int{c.Total, c.Failed, c.Unknown, c.Omitted, c.OmittedFailed, len(c.Runs)}, []int{120, 8, 0, 108, 0, 12})
	var lines []string
	for _, run := range c.Runs {
		exit := "-"
		if run.Exit != nil {
			exit = map[bool]string{true: "0", false: "not 0"}[*run.Exit == 0]
		}
		lines = append(lines, exit+" "+run.Failed+" "+run.Command)
	}
	equal(t, "runs", lines, []string{
		`not 0  python3 -c 'import sys; print('\''level below sill'\'', file=sys.stderr); sys.exit(3)'`,
		`- timeout after 1.0s python3 -c 'import time; print('\''starting'\'', flush=True); time.sleep(5)'`,
		`- [Errno 2] No such file or directory: 'no-such-tool-xyz' no-such-tool-xyz --check`,
		`not 0  sh -c 'kill -9 $$'`,
		`not 0  sh -c 'exit 3'`,
		`not 0  sh -c 'exit 5'`,
		`not 0  sh -c 'exit 2'`,
		`0  sh -c 'echo probe 104'`,
		`0  sh -c 'echo probe 105'`,
		`0  sh -c 'echo probe 106'`,
		`0  sh -c 'echo probe 107'`,
		`not 0  sh -c 'exit 4'`,
	})
	again := read(t, "testdata/04-pack-run-failing", Options{})
	if !reflect.DeepEqual(again, w) {
		t.Error("reading twice gives something else")
	}
}

func TestCaseCutLog(t *testing.T) {
	w := read(t, "testdata/05-jsonl-truncated", Options{})
	f := w.Feedback
	equal(t, "records", f.Records, 6)
	equal(t, "skipped", lineNumbers(f.Skipped), []int{5, 6, 7, 12})
	equal(t, "failed", failedCommands(f), []string{"make lint", "make print"})
	equal(t, "problems", w.Problems, []Problem{{"feedback_record.jsonl", 5, "4 lines are no records of commands and were skipped: lines 5, 6, 7, 12; the last one is cut off"}})
	for _, run := range f.Commands.Runs {
		if run.Command == "make test" && run.Exit == nil {
			t.Errorf("the cut line is shown: %+v", run)
		}
	}
}

func failedCommands(f Feedback) (all []string) {
	for _, run := range f.Commands.Runs {
		if run.Failed != "" || run.Exit != nil && *run.Exit != 0 {
			all = append(all, run.Command)
		}
	}
	return all
}

func TestCaseMarkAndTwins(t *testing.T) {
	w := read(t, "testdata/06-bom-crlf-dupkeys", Options{})
	equal(t, "active", w.State.ActiveTask, "T-007")
	equal(t, "next action", w.State.NextAction, "bake one test loaf and note the weight")
	equal(t, "blockers", w.State.Blockers, []string{"waiting for the oven to be swept"})
	equal(t, "assumptions", w.State.Assumptions, []string(nil))
	equal(t, "problems", w.Problems, []Problem{
		{"agent_state.json", 8, `the key "next_action" is there twice; the last one counts`},
		{"outputs/verification/T-007.json", 0, "is there but empty"},
		{"outputs/review/T-007.json", 0, "is there but empty"},
	})
	v := w.VerdictPointer()
	if v == nil || v.Verification == nil || v.Verification.Passed != nil || v.Review == nil || v.Review.Verdict != "" {
		t.Errorf("verdict pointer: %+v", v)
	}
	if w.Verification.Readable || !w.Verification.Present {
		t.Errorf("verification: %+v", w.Verification)
	}
}

func TestCaseExitCodes(t *testing.T) {
	w := read(t, "testdata/07-exit-codes", Options{})
	f := w.Feedback
	equal(t, "failed", lineNumbers(f.FailedAt), []int{1, 3, 7, 8, 9, 11, 13, 16, 17, 19})
	equal(t, "unknown", lineNumbers(f.UnknownAt), []int{5, 6, 10})
	equal(t, "passed", f.Passed, 6)
	equal(t, "skipped", f.SkippedTotal, 0)
	byCommand := map[string]handoff.Run{}
	for _, run := range f.Commands.Runs {
		byCommand[run.Command] = run
	}
	if run, ok := byCommand["make c"]; !ok || run.Failed != "timeout after 30.0s" || run.Exit != nil {
		t.Errorf("make c: %+v", run)
	}
	if run, ok := byCommand[`'C:\tools\press.exe' --dir 'D:\work\my files'`]; !ok || *run.Exit != 3221225477 {
		t.Errorf("press.exe: %+v", run)
	}
	if run, ok := byCommand[unknownCommand]; !ok || *run.Exit != 1 {
		t.Errorf("null command: %+v", run)
	}
	if run := byCommand["make k"]; run.Output != "line one\nline two" {
		t.Errorf("output of make k: %q", run.Output)
	}
	if run := byCommand["make s"]; run.Failed != "SIGKILL" {
		t.Errorf("make s: %+v", run)
	}
	for _, c := range []string{"bash -lc 'nested list'", "make r"} {
		if run, ok := byCommand[c]; !ok || run.Exit == nil || *run.Exit != 0 || run.Output != "" {
			t.Errorf("%s: %+v", c, run)
		}
	}
}

func TestCaseHugeLine(t *testing.T) {
	dir := tree(t, map[string]string{"feedback_record.jsonl": `{"command":["make","small"],"stdout_tail":"ok","stderr_tail":"","exit_code":0,"duration_ms":4}` + "\n" +
		`{"command":["make","big"],"stderr_tail":"","stdout_tail":"BEGIN ` + strings.Repeat("x", 5<<20) + ` END","exit_code":7,"duration_ms":90000}` + "\n" +
		`{"command":["make","after"],"stdout_tail":"ok","stderr_tail":"","exit_code":1,"duration_ms":4}` + "\n"})
	f := read(t, dir, Options{}).Feedback
	equal(t, "records", f.Records, 3)
	equal(t, "failed", failedCommands(f), []string{"make big", "make after"})
	big := f.Commands.Runs[1]
	if *big.Exit != 7 || big.MS != 90000 || len(big.Output) > maxOutput {
		t.Errorf("make big: exit %d, %d ms, %d bytes of output", *big.Exit, big.MS, len(big.Output))
	}
	if !strings.HasPrefix(big.Output, "BEGIN xxx") || !strings.HasSuffix(big.Output, "xxx END") {
		t.Errorf("start and end: %.20q … %q", big.Output, big.Output[len(big.Output)-20:])
	}
	shown := strings.Count(big.Output, "x")
	if !strings.Contains(big.Output, cutMark(5<<20-shown)) {
		t.Errorf("%d letters are shown, and the mark says %q", shown, big.Output[headOutput:headOutput+40])
	}
}

func TestCaseMarkdown(t *testing.T) {
	w := read(t, "testdata/09-markdown-injection", Options{})
	equal(t, "counts", counts(w.Board()), map[Status]int{InProgress: 1, Open: 3})
	equal(t, "failed", w.Feedback.Failed, 3)
	equal(t, "next action", strings.SplitN(w.State.NextAction, "\n", 2)[0], "run make gate")
	equal(t, "goal", w.Board().Items[0].Title, "escape | in tables\nand line breaks")
}

func TestCaseConflictingSignals(t *testing.T) {
	w := read(t, "testdata/14-board-conflicting-signals", Options{})
	b := w.Board()
	equal(t, "counts", counts(b), map[Status]int{Done: 3, Contradictory: 2, Blocked: 1, Open: 1})
	equal(t, "contradictory", ids(b, Contradictory), []string{"B002", "B003"})
	equal(t, "active", []string{b.Active, w.ActiveTask()}, []string{"B003", "B003"})
	equal(t, "reason", b.Find("B005").Reason, "needs the new amplifier")
	equal(t, "number as id", b.Find("5").DependsOn, []string{"B002"})
	equal(t, "parent", b.Find("B003-WU1").Parent, "B003")
	equal(t, "problems", w.Problems, []Problem{
		{"feature_list.json", 20, "B002: Ring at a set hour contradicts itself: complete, passes: false; it is not counted as done"},
		{"feature_list.json", 33, "B003: Ring twice for a visitor contradicts itself: in_progress, passes: true; it is not counted as done"},
	})
}
