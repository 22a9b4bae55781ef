package handoff

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var (
	saveTime   = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	secondSave = saveTime.Add(time.Hour)
)

// previous is a version with something in each list that a save treats in its own way.
func previous() *Document {
	d := New(Name{"main", "default"})
	old := TimeOf(saveTime.Add(-24 * time.Hour))
	d.Brief = Brief{
		Summary: "so far", NextAction: "write the tests", Next: []Item{{What: "review"}, {What: "deploy to staging"}, {What: "deploy to production"}},
		Constraints: []Item{{What: "no downtime"}, {What: "keep the API"}},
		Decisions:   []Item{{What: "use Postgres", Why: "we have it", At: old}},
		Done:        []Item{{What: "schema", Effect: EffectLocal, By: "ann", At: old}},
		Uncertain:   []Item{{What: "refund submitted", Check: "ledger", At: old}},
		Pending:     []Item{{What: "approval of legal", Kind: "approval", Since: old}},
		Open:        []Item{{What: "which region?"}},
		Notes:       Notes{Interpretation: "a", DoNotRepeat: []Item{{What: "no mails"}}},
	}
	return d
}

// patchOf builds a patch from YAML and from flags, written as KEY VALUE lines.
func patchOf(t *testing.T, text string, flags ...string) *Patch {
	t.Helper()
	p := &Patch{}
	if text != "" {
		var err error
		if p, err = DecodeBrief("f", []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range flags {
		if err := applyFlag(p, f); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func applyFlag(p *Patch, f string) error {
	name, value, _ := strings.Cut(f, " ")
	switch name {
	case "finish":
		return p.FinishItem(value)
	case "drop":
		return p.DropItem(value)
	case "clear":
		return p.Clear(value)
	case "note":
		return p.SetNote(value)
	}
	if list, ok := strings.CutPrefix(name, "add-"); ok {
		return p.Add(list, value)
	}
	if _, ok := ListOf(name); ok {
		return p.Replace(name, value)
	}
	return p.SetText(name, value)
}

func TestCarryForward(t *testing.T) {
	t.Parallel()
	now, old := TimeOf(saveTime), TimeOf(saveTime.Add(-24*time.Hour))
	for _, tt := range []struct {
		name   string
		text   string
		flags  []string
		opt    CarryOptions
		want   func(*Brief)
		report Report
	}{
		{name: "nothing", report: Report{Source: FromInherited}},
		{name: "the branch has moved", opt: CarryOptions{BranchMoved: true},
			report: Report{Source: FromInherited, Warnings: []string{"next_action is the one that was written before the branch's latest commits; say a new one if it no longer holds"}}},
		{name: "texts replace and empty", text: "summary: ''\nobjective: all\nnext_action: other\n", opt: CarryOptions{BranchMoved: true},
			want:   func(b *Brief) { b.Summary, b.Objective, b.NextAction = "", "all", "other" },
			report: Report{Source: FromAuthor}},
		{name: "a list replaces, and what vanishes is told", text: "constraints: [keep the API, new]\nnext: []\n",
			want:   func(b *Brief) { b.Constraints, b.Next = []Item{{What: "keep the API"}, {What: "new"}}, nil },
			report: Report{Source: FromInherited, Dropped: []Dropped{{"constraints", Item{What: "no downtime"}}}}},
		{name: "adding appends, and updates what is there",
			flags: []string{"add-decisions use Go :: why=fast", "add-decisions use Postgres :: why=we know it", "add-next tag"},
			want: func(b *Brief) {
				b.Decisions = []Item{{What: "use Postgres", Why: "we know it", At: old}, {What: "use Go", Why: "fast", At: now}}
				b.Next = append(b.Next, Item{What: "tag"})
			}, report: Report{Source: FromInherited}},
		{name: "an offset counts from the save", flags: []string{"add-pending x :: expires=+4h :: kind=task"},
			want: func(b *Brief) {
				b.Pending = append(b.Pending, Item{What: "x", Kind: "task", Since: now, Expires: TimeOf(saveTime.Add(4 * time.Hour))})
			}, report: Report{Source: FromInherited}},
		{name: "finishing the next action promotes the first of the queue", flags: []string{"finish write the tests :: evidence=CI 7 :: effect=none"},
			opt: CarryOptions{Actor: "bob", StateNextAction: "something else"},
			want: func(b *Brief) {
				b.NextAction, b.Next = "review", b.Next[1:]
				b.Done = append(b.Done, Item{What: "write the tests", Evidence: "CI 7", Effect: EffectNone, By: "bob", At: now})
			},
			report: Report{Source: FromQueue, Promoted: "review", Finished: []Finished{{Item{What: "write the tests", Evidence: "CI 7", Effect: EffectNone, By: "bob", At: now}, []string{"next_action"}}}}},
		{name: "the author's next action is before promotion", flags: []string{"finish write the tests", "next_action talk to ann"},
			want: func(b *Brief) {
				b.NextAction = "talk to ann"
				b.Done = append(b.Done, Item{What: "write the tests", At: now})
			},
			report: Report{Source: FromAuthor, Finished: []Finished{{Item{What: "write the tests", At: now}, []string{"next_action"}}}}},
		{name: "finishing by a part", flags: []string{"finish refund", "finish legal :: evidence=mail"},
			want: func(b *Brief) {
				b.Done = append(b.Done, Item{What: "refund submitted", At: now}, Item{What: "approval of legal", Evidence: "mail", At: now})
				b.Uncertain, b.Pending = nil, nil
			},
			report: Report{Source: FromInherited, Finished: []Finished{
				{Item{What: "refund submitted", At: now}, []string{"uncertain"}}, {Item{What: "approval of legal", Evidence: "mail", At: now}, []string{"pending"}}}}},
		{name: "finishing what is done gives it evidence", flags: []string{"finish schema :: evidence=commit 12"},
			want: func(b *Brief) { b.Done[0].Evidence = "commit 12" }, report: Report{Source: FromInherited}},
		{name: "dropping is not dropped", flags: []string{"drop constraints=downtime", "drop do-not-repeat=no mails"},
			want: func(b *Brief) { b.Constraints, b.Notes.DoNotRepeat = b.Constraints[1:], nil }, report: Report{Source: FromInherited}},
		{name: "clearing is", flags: []string{"clear open", "clear notes", "clear summary"},
			want: func(b *Brief) { b.Open, b.Notes, b.Summary = nil, Notes{}, "" },
			report: Report{Source: FromInherited, Dropped: []Dropped{
				{"open", Item{What: "which region?"}}, {"notes.do_not_repeat", Item{What: "no mails"}}}}},
		{name: "the state file's next action", opt: CarryOptions{StateNextAction: "review"},
			want: func(b *Brief) { b.NextAction, b.Next = "review", b.Next[1:] }, report: Report{Source: FromState}},
		{name: "a state file that was here before", opt: CarryOptions{StateNextAction: "plan  it", PreviousNextActions: []string{"plan it"}},
			report: Report{Source: FromInherited}},
		{name: "a state file that is done", opt: CarryOptions{StateNextAction: "schema"}, report: Report{Source: FromInherited}},
		{name: "what is newly done leaves the queue and the next action", text: "done: [schema, write the tests, review]\n",
			want: func(b *Brief) {
				b.NextAction, b.Next = "deploy to staging", b.Next[2:]
				b.Done = append(b.Done[:1:1], Item{What: "write the tests", At: now}, Item{What: "review", At: now})
				b.Done[0].Effect = ""
			}, report: Report{Source: FromQueue, Promoted: "deploy to staging"}},
		{name: "replacing the whole brief", text: "next_action: go\ndecisions: [use Postgres]\n", opt: CarryOptions{ReplaceAll: true},
			want: func(b *Brief) {
				*b = Brief{NextAction: "go", Decisions: []Item{{What: "use Postgres", At: old}}}
			},
			report: Report{Source: FromAuthor, Dropped: []Dropped{
				{"constraints", Item{What: "no downtime"}}, {"constraints", Item{What: "keep the API"}}, {"uncertain", Item{What: "refund submitted", Check: "ledger", At: old}},
				{"pending", Item{What: "approval of legal", Kind: "approval", Since: old}}, {"open", Item{What: "which region?"}}, {"notes.do_not_repeat", Item{What: "no mails"}}}}},
		{name: "reopening", text: "next_action: go\n", opt: CarryOptions{Reopen: true},
			want: func(b *Brief) { *b = Brief{NextAction: "go"} }, report: Report{Source: FromAuthor}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.opt.Now = saveTime
			prev, p := previous(), patchOf(t, tt.text, tt.flags...)
			got, report, err := CarryForward(prev, p, tt.opt)
			if err != nil {
				t.Fatal(err)
			}
			want := previous().Brief
			if tt.want != nil {
				tt.want(&want)
			}
			if !want.Equal(got) {
				t.Error(cmp.Diff(&want, got, cmp.AllowUnexported(Time{})))
			}
			if diff := cmp.Diff(tt.report, report, cmp.AllowUnexported(Time{})); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(previous(), prev, cmp.AllowUnexported(Time{})); diff != "" {
				t.Errorf("the previous version was changed: %s", diff)
			}
			sameAgain(t, prev, got, p, tt.opt)
		})
	}
}

// sameAgain saves the same input a second time, later.
func sameAgain(t *testing.T, prev *Document, first *Brief, p *Patch, opt CarryOptions) {
	t.Helper()
	if len(p.Drop) > 0 || strings.Contains(fmt.Sprint(p), "+4h") {
		return // a drop names nothing the second time; an offset counts from each save
	}
	d := *prev
	d.Brief = *first
	opt.Now, opt.Actor, opt.BranchMoved, opt.Reopen = secondSave, "someone else", false, false
	opt.PreviousNextActions = append(opt.PreviousNextActions, prev.NextAction)
	again, report, err := CarryForward(&d, p, opt)
	if err != nil && len(p.Finish) > 0 && strings.Contains(err.Error(), "names several items") {
		return // by now the part names several of what is done: refused, and nothing is written
	}
	if err != nil {
		t.Fatalf("the second time: %v\n%+v\n%+v", err, p, opt)
	}
	if !first.Equal(again) {
		t.Errorf("the second time: %s", cmp.Diff(first, again, cmp.AllowUnexported(Time{})))
	}
	if len(report.Dropped) > 0 {
		t.Errorf("the second time: %+v", report)
	}
}

func TestCarryStamps(t *testing.T) {
	t.Parallel()
	old, given := TimeOf(saveTime.Add(-24*time.Hour)), TimeOf(time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC))
	now := TimeOf(saveTime)
	p := patchOf(t, "decisions: [use Postgres, {what: use Go, at: ''}, {what: use Bazel, at: 2026-01-02}]\n"+
		"pending: [approval of legal, budget]\ndone: [schema, {what: tests, by: carl}, docs]\n")
	got, _, err := CarryForward(previous(), p, CarryOptions{Now: saveTime, Actor: "bob"})
	if err != nil {
		t.Fatal(err)
	}
	want := previous().Brief
	want.Decisions = []Item{{What: "use Postgres", At: old}, {What: "use Go", At: now}, {What: "use Bazel", At: given}}
	want.Pending = []Item{{What: "approval of legal", Since: old}, {What: "budget", Since: now}}
	want.Done = []Item{{What: "schema", By: "ann", At: old}, {What: "tests", By: "carl", At: now}, {What: "docs", By: "bob", At: now}}
	if !want.Equal(got) {
		t.Error(cmp.Diff(&want, got, cmp.AllowUnexported(Time{})))
	}
	sameAgain(t, previous(), got, p, CarryOptions{})
}

func TestCarryErrors(t *testing.T) {
	t.Parallel()
	only := New(Name{"main", "default"})
	only.NextAction = "the last step"
	for _, tt := range []struct {
		name        string
		prev        *Document
		text, flags string
		want        string
	}{
		{"no next action at all", nil, "summary: a\n", "", "there is no next action"},
		{"an emptied next action", previous(), "next_action: ''\n", "", "there is no next action"},
		{"a finish that leaves none", only, "", "finish the last step", `"the last step" is finished and nothing follows it`},
		{"a finish that names several", previous(), "", "finish deploy", "names several items"},
		{"a finish that names none", previous(), "", "finish nonsense", "names nothing in next_action, next, pending or uncertain"},
		{"a finish of a decision", previous(), "", "finish use Postgres", "names nothing"},
		{"a drop that names several", previous(), "", "drop next=deploy", "names several entries of next"},
		{"a drop that names none", previous(), "", "drop open=nonsense", "names nothing in open"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var flags []string
			if tt.flags != "" {
				flags = []string{tt.flags}
			}
			_, _, err := CarryForward(tt.prev, patchOf(t, tt.text, flags...), CarryOptions{Now: saveTime})
			var all InputErrors
			if !errors.As(err, &all) || !strings.Contains(err.Error(), tt.want) || all[0].Hint == "" {
				t.Errorf("got %v, want %q and a hint", err, tt.want)
			}
		})
	}
}

func TestCarryCandidates(t *testing.T) {
	t.Parallel()
	_, _, err := CarryForward(previous(), patchOf(t, "", "finish deploy", "drop constraints=x"), CarryOptions{Now: saveTime})
	var all InputErrors
	if !errors.As(err, &all) || len(all) != 2 {
		t.Fatal(err)
	}
	if all[1].Hint != "it may be one of: deploy to staging | deploy to production" || all[0].Hint != "it may be one of: no downtime | keep the API" {
		t.Errorf("%q, %q", all[0].Hint, all[1].Hint)
	}
}

// TestFinishPrefersTheSameItem finishes an item whose text is part of another's. The same command again must not finish
// the other one.
func TestFinishPrefersTheSameItem(t *testing.T) {
	t.Parallel()
	d := previous()
	d.NextAction = "deploy"
	p := patchOf(t, "", "finish deploy")
	d.Next = []Item{{What: "deploy to staging"}}
	for range 2 {
		b, _, err := CarryForward(d, p, CarryOptions{Now: saveTime})
		if err != nil {
			t.Fatal(err)
		}
		d.Brief = *b
	}
	if d.NextAction != "deploy to staging" || len(d.Done) != 2 || d.Done[1].What != "deploy" {
		t.Errorf("%+v", d.Brief)
	}
}

// TestCarryTwice makes random patches and saves each twice.
func TestCarryTwice(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	words := []string{"a", "b", "c", "a b", "write the tests", "review", "schema", "refund submitted", "deploy to staging"}
	word := func() string { return words[r.IntN(len(words))] }
	saved := 0
	for i := range 3000 {
		p := &Patch{}
		for range 1 + r.IntN(5) {
			l := Lists[r.IntN(len(Lists))].Key
			_ = applyFlag(p, []string{
				"next_action " + word(), "summary " + word(), "finish " + word() + " :: evidence=" + word(), "clear " + l,
				l + " " + word(), "add-" + l + " " + word(), "add-next " + word(), "done " + word(), "next " + word(), "finish " + word(),
			}[r.IntN(10)])
		}
		opt := CarryOptions{Now: saveTime, Actor: "bob", ReplaceAll: r.IntN(4) == 0}
		if r.IntN(2) == 0 {
			// in capitals, so that no finish names it
			opt.StateNextAction = strings.ToUpper(word())
		}
		prev := previous()
		b, _, err := CarryForward(prev, p, opt)
		if err != nil {
			continue
		}
		saved++
		if slices.ContainsFunc(b.Next, func(it Item) bool { return it.What == b.NextAction }) {
			t.Fatalf("patch %d: the next action is in the queue too: %+v", i, b)
		}
		sameAgain(t, prev, b, p, opt)
		if t.Failed() {
			t.Fatalf("patch %d: %+v\n%+v", i, p, opt)
		}
	}
	if saved < 1000 {
		t.Errorf("only %d of the patches could be saved", saved)
	}
}
