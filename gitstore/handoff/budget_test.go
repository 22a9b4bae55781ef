package handoff

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// heavy is a document whose facts are far over their budget in every part.
func heavy() *Document {
	d := New(Name{"main", "default"})
	d.NextAction = strings.Repeat("the brief is not touched ", 1000)
	d.CommandsRun = &CommandsRun{Total: 60, Failed: 30}
	one, zero := int64(1), int64(0)
	for i := range 25 {
		d.CommandsRun.Runs = append(d.CommandsRun.Runs,
			Run{Command: fmt.Sprintf("make %d", i), Exit: &one, Output: strings.Repeat(fmt.Sprintf("øline %d\n", i), 200)})
	}
	for i := range 5 {
		d.CommandsRun.Runs = append(d.CommandsRun.Runs, Run{Command: fmt.Sprintf("true %d", i), Exit: &zero})
	}
	d.Worktree = &Worktree{}
	for i := range 50 {
		d.Worktree.Untracked = append(d.Worktree.Untracked, fmt.Sprintf("%0100d", i))
		d.Worktree.Modified = append(d.Worktree.Modified, ChangedFile{Path: fmt.Sprintf("%0100d", i), Change: Modified})
	}
	d.Clean = &Clean{}
	for i := range 40 {
		d.Findings = append(d.Findings, Finding{What: strings.Repeat("long ", 100), Severity: Info, Source: "x"})
		d.Clean.Issues = append(d.Clean.Issues, CleanIssue{"tree", strings.Repeat("long ", 100), Warn})
		d.ChangedFiles.Files = append(d.ChangedFiles.Files, ChangedFile{Path: fmt.Sprintf("dir/%0120d", i), Change: Added})
	}
	d.Findings = append(d.Findings, Finding{What: "the grave one", Severity: Block, Source: "y"})
	d.ChangedFiles.Total = 40
	return d
}

func TestFitFacts(t *testing.T) {
	d := heavy()
	before, _ := Encode(d)
	shared := *d
	d.FitFacts()
	if n := d.FactsSize(); n > MaxFacts {
		t.Errorf("the facts still take %d bytes", n)
	}
	if after, err := Encode(&shared); err != nil || string(after) != string(before) {
		t.Errorf("a document that shares its lists was changed: %v", err)
	}
	if d.NextAction != shared.NextAction || d.ChangedFiles.Total != 40 {
		t.Error("what must stay was cut")
	}
	if d.Findings[0].What != "the grave one" {
		t.Errorf("the first finding is %+v", d.Findings[0])
	}
	once := *d
	d.FitFacts()
	if !reflect.DeepEqual(&once, d) {
		t.Error("cutting twice is not cutting once")
	}
	shown := 0
	for _, r := range d.CommandsRun.Runs {
		shown += max(1, r.Times)
	}
	if got := shown + d.CommandsRun.Omitted; got != 30 {
		t.Errorf("of 30 runs %d are shown or counted as left out", got)
	}
	if w := d.Worktree; len(w.Untracked)+len(w.Modified)+w.Omitted != 100 {
		t.Errorf("of 100 paths %d and %d are shown, %d counted", len(w.Untracked), len(w.Modified), w.Omitted)
	}
}

// TestFitFactsCutsOutputsFirst keeps everything else where the outputs alone are too much, and the end of each.
func TestFitFactsCutsOutputsFirst(t *testing.T) {
	d := New(Name{"main", "default"})
	one := int64(1)
	d.CommandsRun = &CommandsRun{Total: 6, Failed: 6}
	for i := range 6 {
		d.CommandsRun.Runs = append(d.CommandsRun.Runs, Run{Command: fmt.Sprintf("make %d", i), Exit: &one, Output: strings.Repeat("x\n", 1000) + fmt.Sprintf("the end %d", i)})
	}
	d.CommandsRun.Runs[5].Output = "short"
	d.Findings = []Finding{{What: "a finding", Severity: Warn, Source: "x"}}
	d.FitFacts()
	if n := d.FactsSize(); n > MaxFacts || n < MaxFacts/2 {
		t.Errorf("the facts take %d bytes", n)
	}
	if len(d.CommandsRun.Runs) != 6 || d.CommandsRun.Omitted != 0 || len(d.Findings) != 1 || d.CommandsRun.Runs[5].Output != "short" {
		t.Errorf("more than outputs was cut: %+v", d.CommandsRun)
	}
	for i, r := range d.CommandsRun.Runs[:5] {
		if !strings.HasPrefix(r.Output, outputMark) || !strings.HasSuffix(r.Output, fmt.Sprintf("the end %d", i)) {
			t.Errorf("output %d: %.40q … %q", i, r.Output, r.Output[len(r.Output)-20:])
		}
	}
}

func TestFactsThatFitStay(t *testing.T) {
	d := New(Name{"main", "default"})
	d.CommandsRun = &CommandsRun{Total: 1, Runs: []Run{{Command: "make", Output: strings.Repeat("x", 8000)}}}
	before := *d
	d.FitFacts()
	if d.CommandsRun != before.CommandsRun || !reflect.DeepEqual(&before, d) {
		t.Error("facts that fit were touched")
	}
}
