package check_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"git-handoff/check"
	"git-handoff/check/workbench"
	"git-handoff/gitstore/handoff"
)

func no() *bool  { return new(bool) }
func yes() *bool { b := true; return &b }

// rules names the issues by severity and rule.
func rules(issues []check.Issue) []string {
	var names []string
	for _, i := range issues {
		names = append(names, string(i.Severity)+" "+i.Rule)
	}
	return names
}

// bench is a workbench with one task on its board and in its state file.
func bench(change func(*workbench.Workbench)) *workbench.Workbench {
	w := &workbench.Workbench{
		State: workbench.State{File: workbench.File{Path: "agent_state.json", Present: true, Readable: true}, ActiveTask: "T-1"},
		Boards: []workbench.Board{{File: workbench.File{Path: "task_board.json", Present: true, Readable: true}, Recognised: true,
			Items: []workbench.Item{{ID: "T-1", Title: "the importer", Position: 1, Line: 4, Status: workbench.InProgress}, {ID: "T-2", Position: 2, Line: 9, Status: workbench.Open}}}},
	}
	change(w)
	return w
}

func TestCleanRules(t *testing.T) {
	const head = "0123456789abcdef0123456789abcdef01234567"
	known := check.Tests{Head: head, Known: true}
	for name, test := range map[string]struct {
		state check.State
		want  []string
		says  string
	}{
		"nothing":            {check.State{Branch: "b", Tests: known}, nil, ""},
		"an unborn branch":   {check.State{Branch: "b"}, nil, ""},
		"a rebase":           {check.State{Branch: "topic", Operation: "rebase", Onto: "main", Tests: known}, []string{"block tree.operation"}, "a rebase of topic onto main is half done"},
		"a merge":            {check.State{Branch: "b", Operation: "merge", Tests: known}, []string{"block tree.operation"}, "a merge is half done"},
		"a bisect":           {check.State{Branch: "b", Operation: "bisect", Tests: known}, nil, ""},
		"an unmerged file":   {check.State{Unmerged: []string{"a b.txt"}, Tests: known}, []string{"block tree.unmerged"}, "1 unmerged file: a b.txt"},
		"uncommitted":        {check.State{Changed: []handoff.ChangedFile{{Path: "x"}, {Path: "y"}}, Tests: known}, []string{"block tree.uncommitted"}, "2 uncommitted files: x, y"},
		"many uncommitted":   {check.State{Changed: make([]handoff.ChangedFile, 8), Tests: known}, []string{"block tree.uncommitted"}, "and 3 more"},
		"a stash":            {check.State{Stashes: []check.Stash{{Name: "stash@{0}"}}, Tests: known}, []string{"block tree.stash"}, "without a note"},
		"a stash with note":  {check.State{Stashes: []check.Stash{{"stash@{1}", "half of the parser"}}, Tests: known}, []string{"warn tree.stash"}, "half of the parser"},
		"an untracked file":  {check.State{Untracked: []string{"new.go"}, Tests: known}, []string{"warn tree.untracked"}, "1 untracked path is in no commit"},
		"workbench files":    {check.State{Untracked: []string{"agent_state.json", "feedback_record.jsonl.1", "outputs/", "task-board.json", "x/feature_list.json"}, Tests: known}, nil, ""},
		"a configured board": {check.State{Untracked: []string{"plan/"}, Bench: bench(func(w *workbench.Workbench) { w.Boards[0].Path = "plan/items.json" }), Tests: known}, nil, ""},
		"a temporary file":   {check.State{Untracked: []string{"a.tmp"}, Tests: known}, []string{"block temp.file"}, "1 temporary file: a.tmp"},
		"a scratch folder":   {check.State{Untracked: []string{"scratch/"}, Inside: []string{"scratch/a.go", "scratch/b.tmp"}, Tests: known}, []string{"block temp.file"}, "1 temporary file: scratch/"},
		"inside a folder":    {check.State{Untracked: []string{"src/"}, Inside: []string{"src/a.go", "src/a.go.orig"}, Tests: known}, []string{"block temp.file", "warn tree.untracked"}, "1 temporary file: src/a.go.orig"},
		"own patterns":       {check.State{Untracked: []string{"dump.sql", "a.tmp"}, Temp: []string{"*.sql", "!a.tmp"}, Tests: known}, []string{"block temp.file", "warn tree.untracked"}, "1 temporary file: dump.sql"},
		"a pattern of a path": {check.State{Untracked: []string{"gen/out.c", "src/out.c"}, Temp: []string{"gen/*.c"}, Tests: known},
			[]string{"block temp.file", "warn tree.untracked"}, "1 temporary file: gen/out.c"},
		"red":                  {check.State{Tests: check.Tests{Head: head, Known: true, Failed: true, Command: "make t"}}, []string{"block tests.red"}, "failed at 0123456789ab: make t"},
		"red and named":        {check.State{Tests: check.Tests{Head: head, Known: true, Failed: true}, OpenRisks: []handoff.Item{{What: "the suite fails on arm"}}}, nil, ""},
		"red, another risk":    {check.State{Tests: check.Tests{Head: head, Known: true, Failed: true}, OpenRisks: []handoff.Item{{What: "the licence is unclear"}}}, []string{"block tests.red"}, ""},
		"red, named by id":     {check.State{Tests: check.Tests{Head: head, Known: true, Failed: true}, OpenRisks: []handoff.Item{{What: "0123456 does not start"}}}, nil, ""},
		"not verified":         {check.State{Tests: check.Tests{Head: head}}, []string{"warn tests.unknown"}, ""},
		"verified is required": {check.State{Tests: check.Tests{Head: head}, RequireVerified: true}, []string{"block tests.unknown"}, "handoff.requireVerified"},
		"done against the gate": {check.State{Tests: known, Bench: bench(func(w *workbench.Workbench) {
			w.Boards[0].Items[0].Status = workbench.Done
			w.Verification = gate("T-1", no())
		})}, []string{"block board.verdict"}, "T-1: the importer is done on the board"},
		"done, gate of another": {check.State{Tests: known, Bench: bench(func(w *workbench.Workbench) {
			w.Boards[0].Items[0].Status = workbench.Done
			w.Verification = gate("T-2", no())
		})}, nil, ""},
		"done, gate passed": {check.State{Tests: known, Bench: bench(func(w *workbench.Workbench) {
			w.Boards[0].Items[0].Status = workbench.Done
			w.Verification = gate("", yes())
		})}, nil, ""},
		"in progress, failing": {check.State{Tests: known, Bench: bench(func(w *workbench.Workbench) { w.Verification = gate("T-1", no()) })}, nil, ""},
		"done against review": {check.State{Tests: known, Bench: bench(func(w *workbench.Workbench) {
			w.Boards[0].Items[0].Status = workbench.Done
			w.Review = workbench.Review{File: workbench.File{Path: "r.json", Present: true, Readable: true}, Passed: no()}
		})}, []string{"block board.verdict"}, "r.json says that it did not pass"},
		"active elsewhere":    {check.State{Tests: known, Bench: bench(func(w *workbench.Workbench) { w.State.ActiveTask = "T-9" })}, []string{"block board.active"}, "T-9 is not on the board task_board.json"},
		"active, no board":    {check.State{Tests: known, Bench: bench(func(w *workbench.Workbench) { w.Boards = nil })}, nil, ""},
		"an unreadable board": {check.State{Tests: known, Bench: bench(func(w *workbench.Workbench) { w.Boards[0].Recognised, w.Boards[0].Readable = false, false })}, []string{"warn board.unreadable"}, ""},
		"a contradiction": {check.State{Tests: known, Bench: bench(func(w *workbench.Workbench) {
			w.Boards[0].Items[1].Status, w.Boards[0].Items[1].Conflict = workbench.Contradictory, "done, passes: false"
		})}, []string{"warn board.contradiction"}, "T-2 contradicts itself (done, passes: false)"},
		"detached":             {check.State{Detached: true, Tests: known}, []string{"block branch.detached"}, ""},
		"the state's branch":   {check.State{Branch: "a", Tests: known, Bench: bench(func(w *workbench.Workbench) { w.State.Branch = "refs/heads/a" })}, nil, ""},
		"another branch":       {check.State{Branch: "a", Tests: known, Bench: bench(func(w *workbench.Workbench) { w.State.Branch = "b" })}, []string{"block branch.other"}, "names the branch b, and a is checked out"},
		"a branch left behind": {check.State{Tests: known, Stray: []check.StrayBranch{{"try", 2}}}, []string{"warn branch.stray"}, "branch try, made since the last save, has 2 commits"},
	} {
		t.Run(name, func(t *testing.T) {
			issues := check.Clean(&test.state)
			if d := cmp.Diff(test.want, rules(issues)); d != "" {
				t.Errorf("issues (-want +got):\n%s", d)
			}
			if test.says != "" && (len(issues) == 0 || !strings.Contains(issues[0].What, test.says)) {
				t.Errorf("says %+v, want %q", issues, test.says)
			}
			for _, i := range issues {
				if i.What == "" || len(i.Mend) == 0 {
					t.Errorf("%s has no text or no mend: %+v", i.Rule, i)
				}
			}
		})
	}
}

func gate(task string, passed *bool) workbench.Verification {
	return workbench.Verification{File: workbench.File{Path: "v.json", Present: true, Readable: true}, Task: task, Passed: passed}
}

func TestCleanTellsBlockersFirst(t *testing.T) {
	s := check.State{Untracked: []string{"new.go"}, Detached: true, Unmerged: []string{"x"}}
	if got, want := rules(check.Clean(&s)), []string{"block tree.unmerged", "block branch.detached", "warn tree.untracked"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestRecord(t *testing.T) {
	blocks := []check.Issue{{Rule: "tree.unmerged", What: "x", Severity: handoff.Block}, {Rule: "tests.unknown", What: "y", Severity: handoff.Warn}}
	want := &handoff.Clean{Allowed: "why", Issues: []handoff.CleanIssue{{Check: "tree", What: "x", Severity: handoff.Block}, {Check: "tests", What: "y", Severity: handoff.Warn}}}
	if d := cmp.Diff(want, check.Record(blocks, "why")); d != "" {
		t.Errorf("with a blocker:\n%s", d)
	}
	if c := check.Record(blocks[1:], "why"); !c.OK || c.Allowed != "" {
		t.Errorf("nothing had to be allowed, and it says %+v", c)
	}
}

// added makes lines of a file of what was added to it.
func added(path string, lines ...string) []check.AddedLine {
	var all []check.AddedLine
	for i, text := range lines {
		all = append(all, check.AddedLine{Path: path, Line: i + 1, Text: text})
	}
	return all
}

func TestAddedLines(t *testing.T) {
	for name, test := range map[string]struct {
		path string
		yes  []string
		no   []string
	}{
		"temp.conflict-marker": {"notes.md", []string{"<<<<<<< HEAD", ">>>>>>> topic", "||||||| 1234567"},
			[]string{"=======", "<<<<<<<<", "> quoted >>>>>>> text", "<<<<<<<"}},
		"temp.debug-print py": {"a.py", []string{`    print("DEBUG", x)`, `print(f"here {x}")`, `breakpoint()`, `import pdb; pdb.set_trace()`, `print(f"{x=}")`, `    pprint(rows)`},
			[]string{`print("total: 3")`, `logger.debug("x")`, `# print("DEBUG")`, `blueprint(x)`, `sprint("debug")`}},
		"temp.debug-print js": {"a.tsx", []string{`console.log(x)`, `  debugger;`, `console.debug("a")`}, []string{`console.error(x)`, `logger.log(x)`, `const debuggers = 1`}},
		"temp.debug-print go": {"a.go", []string{`	fmt.Println("DEBUG", x)`, `	println(x)`, `	spew.Dump(x)`, `	log.Printf(">>> %v", x)`}, []string{`	fmt.Println("usage: x")`, `	fmt.Fprintln(w, x)`, `	log.Printf("listening on %s", a)`}},
		"temp.debug-print rs": {"a.rs", []string{`dbg!(x);`, `println!("here");`}, []string{`println!("{}", total);`}},
		"temp.debug-print md": {"a.md", nil, []string{`console.log(x)`, `print("DEBUG")`}},
		"temp.commented-code py": {"a.py", []string{`# x = compute(a, b)`, `    # return total(rows)`, `#if ready:`, `# import os`, `# foo.bar(1)`},
			[]string{`# the sum of all rows`, `# see issue 12 (the old one)`, `#!/usr/bin/env python`, `# type: ignore`, `# noqa`, `# Returns the total.`, `# Note: this is slow`, `x = 1  # x = compute(a)`}},
		"temp.commented-code go": {"a.go", []string{`	// return errors.New("x")`, `	// for i := range n {`, `	// x := f(a)`, `// fmt.Println(x)`},
			[]string{`// Run runs the command to its end.`, `//go:build unix`, `// that is (as said) enough`, `// A Tree is a folder of files`, `// nolint:errcheck`, `// https://example.org/x`}},
		"temp.commented-code c": {"a.c", []string{`// free(p);`, `    // if (x) {`, `// int y = 3;`}, []string{`// free the list; then leave`, `/* done; */`}},
	} {
		t.Run(name, func(t *testing.T) {
			rule, _, _ := strings.Cut(name, " ")
			for _, line := range append(test.yes, test.no...) {
				issues := check.Clean(&check.State{Added: added(test.path, line)})
				found := slices.ContainsFunc(issues, func(i check.Issue) bool { return i.Rule == rule })
				if want := slices.Contains(test.yes, line); found != want {
					t.Errorf("%q: found is %v", line, found)
				}
			}
		})
	}
}

func TestAddedLinesAreCountedByFile(t *testing.T) {
	lines := append(added("a.js", "console.log(1)", "x", "console.log(2)"), added("b.js", "y", "console.log(3)")...)
	issues := check.Clean(&check.State{Added: lines})
	if len(issues) != 2 || issues[0].Place != "a.js:1" || issues[1].Place != "b.js:2" || !strings.HasPrefix(issues[0].What, "2 debug prints") {
		t.Errorf("issues: %+v", issues)
	}
	lines = nil
	for i := range 30 {
		lines = append(lines, added(strings.Repeat("x", i+1)+".js", "debugger")...)
	}
	if issues = check.Clean(&check.State{Added: lines}); len(issues) != 10 || !strings.Contains(issues[9].What, "in 20 more files") {
		t.Errorf("%d issues, the last one %+v", len(issues), issues[len(issues)-1])
	}
}

func TestFindings(t *testing.T) {
	score, mark := 6.0, 7.0
	zero := 0.0
	w := bench(func(w *workbench.Workbench) {
		w.State.Blockers = []string{"waiting for the key"}
		w.Verification = gate("T-1", no())
		w.Verification.Findings = []handoff.Finding{{What: "no test for zero", Severity: handoff.Warn, Source: "v.json"}}
		w.Review = workbench.Review{File: workbench.File{Path: "r.json", Present: true, Readable: true}, Verdict: "accept", Passed: yes(), Total: "6", Score: &score, PassMark: &mark,
			Dimensions: []workbench.Dimension{{Name: "tests", Score: &zero}}}
		w.Boards[0].Items[1].Status, w.Boards[0].Items[1].Reason = workbench.Blocked, "no amplifier"
	})
	tree := &handoff.Worktree{Operation: "rebase", Onto: "main", Step: "1 of 3", Unmerged: []string{"clock.txt"}}
	want := []handoff.Finding{
		{What: "clock.txt is unmerged", Severity: handoff.Block, Source: "worktree"},
		{What: "a rebase of topic onto main, step 1 of 3, is half done: finish or abort it before anything else", Severity: handoff.Block, Source: "worktree"},
		{What: "the verification is failing for T-1", Severity: handoff.Block, Source: "v.json"},
		{What: "no test for zero", Severity: handoff.Warn, Source: "v.json"},
		{What: "the review does not pass: verdict accept; total 6, pass mark 7; nothing for tests", Severity: handoff.Block, Source: "r.json"},
		{What: "waiting for the key", Severity: handoff.Block, Source: "agent_state.json"},
		{What: "board: 0 of 2 items done, 1 in progress, 1 blocked; in hand: T-1: the importer", Severity: handoff.Info, Source: "task_board.json"},
		{What: "T-2 is blocked: no amplifier", Severity: handoff.Warn, Source: "task_board.json:9"},
	}
	if d := cmp.Diff(want, check.Findings(w, tree, "topic")); d != "" {
		t.Errorf("findings (-want +got):\n%s", d)
	}
	if got := check.Findings(&workbench.Workbench{}, nil, "topic"); got != nil {
		t.Errorf("nothing there, and found: %+v", got)
	}
}

func TestTheTaskInHandIsTheStateFiles(t *testing.T) {
	w := bench(func(w *workbench.Workbench) { w.State.ActiveTask = "T-2" })
	for _, f := range check.Findings(w, nil, "topic") {
		if strings.HasPrefix(f.What, "board: ") && !strings.Contains(f.What, "in hand: T-2") {
			t.Errorf("the state file names T-2: %s", f.What)
		}
	}
}

func TestFindingsOfALargeBoardAreBounded(t *testing.T) {
	w := bench(func(w *workbench.Workbench) {
		for i := range 1000 {
			w.Boards[0].Items = append(w.Boards[0].Items, workbench.Item{Title: strings.Repeat("long ", 100), Position: i, Line: i, Status: workbench.Blocked})
		}
	})
	found := check.Findings(w, nil, "b")
	if last := found[len(found)-1]; len(found) != 12 || last.What != "990 more items are blocked or contradictory" || !strings.HasPrefix(found[0].What, "board: 0 of 1002") {
		t.Errorf("%d findings, the last one %+v", len(found), last)
	}
}

func TestFindingsOfUnreadableReports(t *testing.T) {
	w := &workbench.Workbench{}
	w.Verification.File = workbench.File{Path: "v.json", Present: true}
	w.Review.File = workbench.File{Path: "r.json", Present: true}
	for _, f := range check.Findings(w, nil, "b") {
		if f.Severity != handoff.Warn || !strings.Contains(f.What, "cannot be read") {
			t.Errorf("finding: %+v", f)
		}
	}
}

func TestAssumptions(t *testing.T) {
	for score, cleared := range map[float64]bool{0: false, 1: false, 1.5: true, 2: true} {
		w := &workbench.Workbench{State: workbench.State{Assumptions: []string{"the clock is right"}}}
		w.Review.Dimensions = []workbench.Dimension{{Name: "Assumptions", Score: &score}}
		if got := len(check.Assumptions(w)) == 0; got != cleared {
			t.Errorf("score %v: cleared is %v", score, got)
		}
	}
	if got := check.Assumptions(&workbench.Workbench{State: workbench.State{Assumptions: []string{"a"}}}); len(got) != 1 {
		t.Errorf("without a review: %q", got)
	}
}
