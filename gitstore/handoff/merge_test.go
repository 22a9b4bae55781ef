package handoff

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var mergeDay = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func hour(h int) Time { return TimeOf(mergeDay.Add(time.Duration(h) * time.Hour)) }

// sideOf makes a side whose brief was written at the hour given.
func sideOf(oid, by string, saved int, edit func(*Document), base *Document) Side {
	doc := *base
	doc.Provenance.SavedAt = hour(saved)
	for _, l := range Lists {
		items := l.Of(&doc.Brief)
		*items = slices.Clone(*items)
	}
	edit(&doc)
	return Side{Doc: &doc, OID: oid, Saved: hour(saved), By: by, SavedSince: true}
}

func baseDocument() *Document {
	return &Document{
		Ledger:   Ledger{Version: 1, Branch: "main", Topic: "default", Status: Active, Provenance: Provenance{SavedAt: hour(0)}},
		Observed: Observed{Head: "h0"},
		Brief: Brief{
			Objective: "ship", NextAction: "write tests",
			Next:      []Item{{What: "review"}, {What: "deploy"}},
			Decisions: []Item{{What: "use sqlite", Why: "small", At: hour(0)}},
			Uncertain: []Item{{What: "refund sent", Replay: ReplayNever}},
			OpenRisks: []Item{{What: "slow", Severity: Warn}},
			Artifacts: []Item{{What: "plan", Kind: "file", Ref: "plan.md"}},
		},
	}
}

// mergeBoth merges in both orders and demands one result.
func mergeBoth(t *testing.T, base *Document, a, b Side) *Document {
	t.Helper()
	ab, ba := Merge(base, a, b), Merge(base, b, a)
	if !reflect.DeepEqual(ab, ba) {
		t.Fatalf("the order of the sides matters (-ab +ba):\n%s", cmp.Diff(ab, ba))
	}
	return ab
}

func whats(items []Item) []string {
	var out []string
	for _, it := range items {
		out = append(out, it.What)
	}
	return out
}

func TestMergeBrief(t *testing.T) {
	t.Parallel()
	type edit = func(*Document)
	for _, tt := range []struct {
		name string
		a, b edit // a is saved at 1, b at 2
		want func(*Document) any
		is   any
	}{
		{"a text changed on one side",
			func(d *Document) { d.Objective = "ship it" }, func(d *Document) { d.Summary = "half" },
			func(d *Document) any { return []string{d.Objective, d.Summary} }, []string{"ship it", "half"}},
		{"a text changed on both is the later one's, the other's is a question",
			func(d *Document) { d.Objective = "ship A" }, func(d *Document) { d.Objective = "ship B" },
			func(d *Document) any { return append(whats(d.Open), d.Objective, d.Open[0].For) },
			[]string{"Which objective holds? Another save (ann, 2026-03-01T13:00:00Z) says: ship A", "ship B", "agent"}},
		{"a text cleared by the later save",
			func(d *Document) { d.Objective = "ship A" }, func(d *Document) { d.Objective = "" },
			func(d *Document) any { return append(whats(d.Open), d.Objective) },
			[]string{"Which objective holds? Another save (ann, 2026-03-01T13:00:00Z) says: ship A", ""}},
		{"a generated summary gives way without a question",
			func(d *Document) { d.Summary = "written" }, func(d *Document) { d.Summary = "1 commit (generated)" },
			func(d *Document) any { return append(whats(d.Open), d.Summary) }, []string{"written"}},
		{"items added on both sides",
			func(d *Document) { d.Constraints = []Item{{What: "x"}, {What: "y"}} },
			func(d *Document) { d.Constraints = []Item{{What: "z"}, {What: "y"}} },
			func(d *Document) any { return whats(d.Constraints) }, []string{"x", "y", "z"}},
		{"removed on one side, unchanged on the other",
			func(d *Document) { d.Decisions = nil }, func(d *Document) {},
			func(d *Document) any { return whats(d.Decisions) }, []string(nil)},
		{"removed on one side, changed on the other",
			func(d *Document) { d.Decisions = nil }, func(d *Document) { d.Decisions[0].Why = "tiny" },
			func(d *Document) any { return d.Decisions }, []Item{{What: "use sqlite", Why: "tiny", At: hour(0)}}},
		{"sub-keys changed on one side each",
			func(d *Document) { d.Artifacts[0].Ref = "PLAN.md" }, func(d *Document) { d.Artifacts[0].Required = true },
			func(d *Document) any { return []Item(d.Artifacts) },
			[]Item{{What: "plan", Kind: "file", Ref: "PLAN.md", Required: true}}},
		{"a sub-key changed on both",
			func(d *Document) { d.Decisions[0].Why = "A" }, func(d *Document) { d.Decisions[0].Why = "B" },
			func(d *Document) any { return append(whats(d.Open), d.Decisions[0].Why) },
			[]string{"Which why holds for 'use sqlite' in decisions? Another save (ann, 2026-03-01T13:00:00Z) says: A", "B"}},
		{"a replay that one side alone relaxed",
			func(d *Document) { d.Uncertain[0].Replay = ReplaySafe }, func(d *Document) {},
			func(d *Document) any { return d.Uncertain[0].Replay }, ReplaySafe},
		{"a replay that both changed",
			func(d *Document) { d.Uncertain[0].Replay = ReplayAfterCheck }, func(d *Document) { d.Uncertain[0].Replay = ReplaySafe },
			func(d *Document) any { return d.Uncertain[0].Replay }, ReplayAfterCheck},
		{"a severity that both changed",
			func(d *Document) { d.OpenRisks[0].Severity = Block }, func(d *Document) { d.OpenRisks[0].Severity = Info },
			func(d *Document) any { return d.OpenRisks[0].Severity }, Block},
		{"an effect of the same step done twice, an absent one reading as external",
			func(d *Document) { d.Done = []Item{{What: "x", By: "ann", At: hour(1)}} },
			func(d *Document) { d.Done = []Item{{What: "x", Effect: EffectNone, By: "bob", At: hour(2)}} },
			func(d *Document) any { return d.Done }, []Item{{What: "x", By: "ann", At: hour(1)}}},
		{"a queue reordered by the second side alone",
			func(d *Document) { d.Next = append(d.Next, Item{What: "tag"}) },
			func(d *Document) { slices.Reverse(d.Next) },
			func(d *Document) any { return whats(d.Next) }, []string{"deploy", "review", "tag"}},
		{"a step finished on one side leaves the other's next action",
			func(d *Document) { d.NextAction, d.Next = "review", d.Next[1:] },
			func(d *Document) { d.Done, d.Next = []Item{{What: "review"}}, d.Next[1:] },
			func(d *Document) any { return append(whats(d.Next), d.NextAction) }, []string{"deploy"}},
		{"everything done",
			func(d *Document) { d.Done, d.NextAction, d.Next = []Item{{What: "write tests"}}, "review", d.Next[1:] },
			func(d *Document) { d.Done, d.Next = []Item{{What: "review"}, {What: "deploy"}}, nil },
			func(d *Document) any { return append(whats(d.Next), d.NextAction) }, []string{ChooseNextStep}},
		{"a promoted step that gives way returns to the queue",
			func(d *Document) { d.NextAction, d.Next = "review", d.Next[1:] },
			func(d *Document) { d.NextAction = "call the bank" },
			func(d *Document) any { return append(whats(d.Next), d.NextAction) }, []string{"review", "deploy", "call the bank"}},
		{"a next action that is done gives way to the other's",
			func(d *Document) { d.NextAction, d.Done = "call the bank", []Item{{What: "review"}} },
			func(d *Document) { d.NextAction, d.Next = "review", d.Next[1:] },
			func(d *Document) any { return append(whats(d.Open), d.NextAction) }, []string{"call the bank"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			base := baseDocument()
			got := mergeBoth(t, base, sideOf("1", "ann", 1, tt.a, base), sideOf("2", "bob", 2, tt.b, base))
			if x := tt.want(got); !reflect.DeepEqual(x, tt.is) {
				t.Errorf("got %q\nwant %q", x, tt.is)
			}
		})
	}
}

func TestMergeWithoutBase(t *testing.T) {
	t.Parallel()
	base := baseDocument()
	a := sideOf("1", "ann", 1, func(d *Document) { d.Next = []Item{{What: "a"}} }, base)
	b := sideOf("2", "bob", 2, func(d *Document) { d.Next, d.NextAction = []Item{{What: "b"}}, "go" }, base)
	got := mergeBoth(t, nil, a, b)
	if want := []string{"a", "b"}; !slices.Equal(whats(got.Next), want) {
		t.Errorf("next is %q, want %q", whats(got.Next), want)
	}
	if got.NextAction != "go" || len(got.Open) != 1 {
		t.Errorf("next action %q, open %q", got.NextAction, whats(got.Open))
	}
}

func TestMergeAnsweredQuestionStaysAway(t *testing.T) {
	t.Parallel()
	base := baseDocument()
	a := sideOf("1", "ann", 1, func(d *Document) { d.Objective = "A" }, base)
	b := sideOf("2", "bob", 2, func(d *Document) { d.Objective = "B" }, base)
	merged := Merge(base, a, b)
	answered := *merged
	answered.Open = nil
	virtual := *merged
	virtual.Objective = "ship"
	got := mergeBoth(t, &virtual, Side{Doc: &answered, OID: "3", Saved: hour(3)}, a)
	if len(got.Open) != 0 {
		t.Errorf("the question is back: %q", whats(got.Open))
	}
}

func TestMergeLedger(t *testing.T) {
	t.Parallel()
	claim := func(by string, at, until int) *Claim { return &Claim{By: by, At: hour(at), Until: hour(until)} }
	link := func(s string) *Link { return &Link{Handoff: s} }
	for _, tt := range []struct {
		name  string
		base  func(*Document)
		a, b  func(*Document)
		sides func(a, b *Side)
		want  func(*Document) bool
	}{
		{"a save beats a concurrent archive", nil, func(d *Document) { d.Status = Archived }, func(d *Document) {}, nil,
			func(d *Document) bool { return d.Status == Active }},
		{"a claim does not", nil, func(d *Document) { d.Status = Archived }, func(d *Document) { d.Claim = claim("bob", 2, 4) },
			func(a, b *Side) { b.SavedSince = false }, func(d *Document) bool { return d.Status == Archived && d.Claim.By == "bob" }},
		{"an archive beats a supersession", nil,
			func(d *Document) { d.Status, d.SupersededBy = Superseded, link("main/x") }, func(d *Document) { d.Status = Archived }, nil,
			func(d *Document) bool { return d.Status == Archived }},
		{"a save beats a supersession, whose link goes", nil,
			func(d *Document) { d.Status, d.SupersededBy = Superseded, link("main/x") }, func(d *Document) {}, nil,
			func(d *Document) bool { return d.Status == Active && d.SupersededBy == nil }},
		{"a reopening stays", func(d *Document) { d.Status = Archived }, func(d *Document) { d.Status = Active }, func(d *Document) {},
			func(a, b *Side) { b.SavedSince = false }, func(d *Document) bool { return d.Status == Active }},
		{"a renamed branch", nil, func(d *Document) { d.Branch = "trunk" }, func(d *Document) {}, nil,
			func(d *Document) bool { return d.Branch == "trunk" }},
		{"links of both sides", func(d *Document) { d.Supersedes = []Link{{Handoff: "o/gone"}} },
			func(d *Document) { d.Supersedes = []Link{{Handoff: "o/a"}} },
			func(d *Document) { d.Supersedes = append(d.Supersedes[:1:1], Link{Handoff: "o/b"}) }, nil,
			func(d *Document) bool {
				return reflect.DeepEqual(d.Supersedes, []Link{{Handoff: "o/a"}, {Handoff: "o/b"}})
			}},
		{"a claim that its holder ended", func(d *Document) { d.Claim = claim("ann", 0, 9) },
			func(d *Document) { d.Claim = nil }, func(d *Document) {}, nil,
			func(d *Document) bool { return d.Claim == nil }},
		{"two claims: the earlier", nil, func(d *Document) { d.Claim = claim("ann", 1, 5) }, func(d *Document) { d.Claim = claim("bob", 2, 6) }, nil,
			func(d *Document) bool { return d.Claim.By == "ann" }},
		{"two claims: not the expired", nil, func(d *Document) { d.Claim = claim("ann", 0, 1) }, func(d *Document) { d.Claim = claim("bob", 2, 6) }, nil,
			func(d *Document) bool { return d.Claim.By == "bob" }},
		{"provenance is the newer save's", nil, func(d *Document) { d.Provenance.Session, d.Provenance.RefreshedAt = "s1", hour(7) },
			func(d *Document) { d.Provenance.Session = "s2" }, nil,
			func(d *Document) bool {
				return d.Provenance == Provenance{Session: "s2", SavedAt: hour(2), RefreshedAt: hour(7)}
			}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			base := baseDocument()
			if tt.base != nil {
				tt.base(base)
			}
			a, b := sideOf("1", "ann", 1, tt.a, base), sideOf("2", "bob", 2, tt.b, base)
			if tt.sides != nil {
				tt.sides(&a, &b)
			}
			if got := mergeBoth(t, base, a, b); !tt.want(got) {
				t.Errorf("got %+v", got.Ledger)
			}
		})
	}
}

func TestMergeFacts(t *testing.T) {
	t.Parallel()
	base := baseDocument()
	base.Worktree = &Worktree{Operation: "merge"}
	base.Findings = []Finding{{What: "red"}}
	a := sideOf("1", "ann", 1, func(d *Document) {
		d.Head, d.Worktree, d.Clean, d.Findings = "h2", &Worktree{Operation: "rebase"}, &Clean{OK: true}, nil
	}, base)
	b := sideOf("2", "bob", 2, func(d *Document) {
		d.Head, d.ArtifactDigests = "h1", map[string]string{"plan.md": "00"}
	}, base)
	got := mergeBoth(t, base, a, b)
	if got.Head != "h1" {
		t.Errorf("head %s, want the newer save's", got.Head)
	}
	if got.Worktree.Operation != "rebase" || got.Clean == nil || got.Findings != nil || got.ArtifactDigests == nil {
		t.Errorf("recorded: %+v", got.Recorded)
	}
	a.HeadDescends = true
	if got := mergeBoth(t, base, a, b); got.Head != "h2" {
		t.Errorf("head %s, want the descendant", got.Head)
	}
}

// TestMergeProperties holds over arbitrary documents: the order of the sides does not matter, no list has an item
// twice, what is done is no step, what one side alone did is taken whole, and no item is lost that nobody removed.
func TestMergeProperties(t *testing.T) {
	t.Parallel()
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(seed, 1))
		base := arbitraryDocument(r)
		a := Side{Doc: alter(r, base), OID: "1", Saved: hour(r.IntN(4)), By: "ann", SavedSince: r.IntN(2) == 0, HeadDescends: r.IntN(2) == 0}
		b := Side{Doc: alter(r, base), OID: "2", Saved: hour(r.IntN(4)), By: "bob", SavedSince: r.IntN(2) == 0}
		if r.IntN(8) == 0 {
			base = nil
		}
		before := fmt.Sprintf("%+v %+v", *a.Doc, *b.Doc)
		got := mergeBoth(t, base, a, b)
		if after := fmt.Sprintf("%+v %+v", *a.Doc, *b.Doc); after != before {
			t.Fatalf("seed %d: a side was changed", seed)
		}
		if err := wellMerged(base, a.Doc, b.Doc, got); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

func wellMerged(base, a, b, got *Document) error {
	if base == nil {
		base = new(Document)
	}
	for _, l := range Lists {
		items := *l.Of(&got.Brief)
		if names := whats(items); len(slices.Compact(slices.Sorted(slices.Values(names)))) != len(names) {
			return fmt.Errorf("%s has an item twice: %q", l.Key, names)
		}
		for _, it := range slices.Concat(*l.Of(&a.Brief), *l.Of(&b.Brief)) {
			inBase := hasItem(*l.Of(&base.Brief), it.What)
			everywhere := hasItem(*l.Of(&a.Brief), it.What) && hasItem(*l.Of(&b.Brief), it.What)
			over := l.Key == "next" && (hasItem(got.Done, it.What) || got.NextAction == it.What)
			if (everywhere || !inBase) && !hasItem(items, it.What) && !over {
				return fmt.Errorf("%s lost %q", l.Key, it.What)
			}
		}
	}
	for _, it := range got.Next {
		if hasItem(got.Done, it.What) {
			return fmt.Errorf("%q is done and in next", it.What)
		}
	}
	if got.NextAction == "" || hasItem(got.Done, got.NextAction) {
		return fmt.Errorf("next action %q is done or empty", got.NextAction)
	}
	return textsKept(base, a, b, got)
}

// textsKept demands that every text that a side wrote stands somewhere in the result.
func textsKept(base, a, b, got *Document) error {
	whole := strings.Join(whats(got.Open), "\n")
	for _, t := range Texts {
		for _, d := range []*Document{a, b} {
			text := *t.Of(&d.Brief)
			if text == *t.Of(&base.Brief) || text == *t.Of(&got.Brief) || strings.Contains(whole, text) {
				continue
			}
			if t.Key == "next_action" && (hasItem(got.Done, text) || text == ChooseNextStep) {
				continue
			}
			if !hasItem(base.Open, text) && !slices.ContainsFunc(base.Open, func(it Item) bool { return strings.HasSuffix(it.What, text) }) {
				return fmt.Errorf("%s %q is nowhere", t.Key, text)
			}
		}
	}
	return nil
}
