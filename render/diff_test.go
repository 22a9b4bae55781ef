package render

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/yuin/goldmark/ast"

	"git-handoff/gitstore/handoff"
)

// changed is the full document after a day of work: every kind of change is in it.
func changed() *handoff.Document {
	d := full().Doc
	d.Status, d.SupersededBy, d.Claim = handoff.Active, nil, &handoff.Claim{By: "eve", At: at("2026-03-05T10:00:00Z"), Until: at("2026-03-05T12:00:00Z")}
	d.Provenance = handoff.Provenance{Session: "s-13", ProducedBy: "eve", Turns: 12, SavedAt: at("2026-03-05T09:30:00Z"), Tool: "git-handoff 1.0.0"}
	changedFacts(d)
	changedBrief(d)
	return d
}

func changedFacts(d *handoff.Document) {
	d.LastKnownGood, d.Head, d.Commits = oidA, oidC, 6
	d.Evidence = &handoff.Evidence{Kind: handoff.Asserted, By: "eve", Why: "clicked through it", At: at("2026-03-05T09:00:00Z")}
	d.ChangedFiles = handoff.ChangedFiles{Total: 28}
	for i := range 28 {
		d.ChangedFiles.Files = append(d.ChangedFiles.Files, handoff.ChangedFile{Path: "auth/f" + string(rune('a'+i)), Change: handoff.Added})
	}
	d.Worktree = &handoff.Worktree{Untracked: []string{"HANDOFF.md", "notes.txt"}}
	d.CommandsRun = nil
	d.VerdictPointer = &handoff.VerdictPointer{Verification: &handoff.Verification{Path: "outputs/verification/gate.json", Digest: oidC, Passed: ptr(true)}}
	d.Findings = []handoff.Finding{{What: "two acceptance checks were never run", Severity: handoff.Info, Source: "outputs/review.md"},
		{What: "the mail template has no tests", Severity: handoff.Warn, Source: "outputs/review.md"}}
	d.ArtifactDigests = map[string]string{"docs/plan.md": oidB, "docs/more.md": oidC}
	d.Clean = &handoff.Clean{OK: true}
}

func changedBrief(d *handoff.Document) {
	d.Progress, d.Objective = handoff.InProgress, strings.Replace(d.Objective, "first of April", "last of May", 1)
	d.Summary, d.TaskID = "Everything else.", "T-004"
	d.NextAction = "write the migration"
	d.Next = []handoff.Item{{What: "turn it on"}}
	d.Constraints = []handoff.Item{{What: "no new dependencies at all"}}
	d.Decisions = []handoff.Item{{What: "tokens are opaque strings", Why: "they can be revoked", At: at("2026-03-05T09:00:00Z")}}
	d.Rejected = append(d.Rejected, handoff.Item{What: "PASETO", Why: "no library that we may use"})
	d.Done = append(d.Done, handoff.Item{What: "Run make gate and mend TestToken", Effect: handoff.EffectLocal, Evidence: "exit 0", By: "eve", At: at("2026-03-05T08:00:00Z")},
		handoff.Item{What: "move the store"}, handoff.Item{What: "refund 4711 submitted", Effect: handoff.EffectExternal})
	d.Uncertain = []handoff.Item{d.Uncertain[3], {What: "index rebuilt", Kind: "expired", Replay: handoff.ReplayNever, Check: "\\d tokens in the new schema"}}
	d.Pending = []handoff.Item{{What: "staging database", Kind: "external", On: "turn it on"}, {What: "keep the old cookie?", Kind: "blocker"}}
	d.Open = d.Open[1:2]
	d.FailedAttempts = nil
	d.OpenRisks = []handoff.Item{d.OpenRisks[2], d.OpenRisks[0], d.OpenRisks[1]}
	d.Artifacts = []handoff.Item{{What: "plan", Kind: "file", Ref: "docs/plan-2.md"}, d.Artifacts[1]}
	d.Notes.DoNotRepeat, d.Notes.EscalationReason = nil, ""
	d.Notes.Interpretation = "expire means on the server side"
}

func comparison(a, b *handoff.Document) Comparison {
	name := handoff.Name{Branch: "feature/login", Topic: "default"}
	return Comparison{
		Difference: handoff.Diff(a, b),
		From:       End{Name: name, OID: oidA, When: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC), By: "ada"},
		To:         End{Name: name, Label: "the working input"},
	}
}

func TestGoldenDiff(t *testing.T) {
	t.Parallel()
	tests := map[string]Comparison{
		"diff":      comparison(full().Doc, changed()),
		"diff.back": comparison(changed(), full().Doc),
		"diff.new":  comparison(new(handoff.Document), full().Doc),
		"diff.same": comparison(full().Doc, full().Doc),
	}
	for name, c := range tests {
		golden(t, name+".txt", DiffText(c, Terminal{Width: 80}))
		golden(t, name+".md", DiffMarkdown(c, "### "))
		data, err := DiffJSON(c)
		if err != nil || !json.Valid(data) {
			t.Fatal(err)
		}
		golden(t, name+".json", data)
	}
	golden(t, "diff.colour.txt", DiffText(tests["diff"], Terminal{Width: 80, Color: true}))
}

// TestDiffShowsEveryChange demands that each key that changed is named by each format, with the keys of the facts that
// the golden files do not have all.
func TestDiffShowsEveryChange(t *testing.T) {
	t.Parallel()
	for _, c := range []Comparison{comparison(full().Doc, changed()), comparison(small().Doc, full().Doc)} {
		shown := map[string]bool{}
		for _, g := range factGroups {
			for _, key := range g.keys {
				shown[key] = true
			}
		}
		for _, f := range c.Difference.Facts {
			if first, _, _ := strings.Cut(f.Key, "."); !shown[first] {
				t.Errorf("no section shows the fact %s", f.Key)
			}
		}
	}
}

// TestDiffTellsBothSidesApart: no fact is said to have become what it was.
func TestDiffTellsBothSidesApart(t *testing.T) {
	t.Parallel()
	a, b := full().Doc, full().Doc
	b.Provenance.SavedAt = handoff.TimeOf(a.Provenance.SavedAt.Std().Add(time.Second))
	evidence := *a.Evidence
	evidence.At = handoff.TimeOf(evidence.At.Std().Add(time.Second))
	b.Evidence = &evidence
	commands := *a.CommandsRun
	commands.Runs = slices.Clone(commands.Runs)
	commands.Runs[0].Output = "other"
	b.CommandsRun = &commands
	page := string(DiffMarkdown(comparison(a, b), "## "))
	for line := range strings.Lines(page) {
		before, after, arrow := strings.Cut(strings.TrimSpace(line), " → ")
		if _, value, _ := strings.Cut(before, ": "); arrow && value == after {
			t.Errorf("both sides are the same: %q", line)
		}
	}
	if n := strings.Count(page, unseen); n == 0 || strings.Contains(page, "was: ") || !strings.Contains(page, a.Provenance.SavedAt.String()+" → ") {
		t.Errorf("got %s", page)
	}
}

// diffsOf are differences that have s in each place where a text can stand.
func diffsOf(s string) []*handoff.Difference {
	other := filled("another", true).Doc
	hostile := filled(s, true).Doc
	return []*handoff.Difference{
		handoff.Diff(new(handoff.Document), hostile), handoff.Diff(hostile, other), handoff.Diff(filled(s+" and words to share", true).Doc, filled("and words to share "+s, true).Doc),
	}
}

func TestDiffOfHostileContent(t *testing.T) {
	t.Parallel()
	for _, s := range hostile {
		checkDiff(t, s, diffsOf(s)...)
	}
}

func FuzzDiff(f *testing.F) {
	f.Add(hostile[0])
	f.Fuzz(func(t *testing.T, s string) {
		s = shortly(s)
		checkDiff(t, s, handoff.Diff(briefly(s+" and words to share", true).Doc, briefly("and words to share "+s, true).Doc))
	})
}

// checkDiff holds the pages of a difference with a hostile text to what the template puts there.
func checkDiff(t *testing.T, s string, differences ...*handoff.Difference) {
	t.Helper()
	for _, d := range differences {
		c := Comparison{Difference: d, From: End{Label: s, By: s, OID: s}, To: End{Name: handoff.Name{Branch: s, Topic: s}}}
		titles := diffTitles(d)
		for i, line := range strings.Split(string(DiffText(c, Terminal{Width: 100})), "\n") {
			title, _, _ := strings.Cut(line, " (")
			if line != "" && line[0] != ' ' && !titles[title] && !strings.HasPrefix(line+" ", "from ") && !strings.HasPrefix(line+" ", "to ") {
				t.Errorf("%q: line %d stands at the left edge: %q", s, i+1, line)
			}
		}
		source := DiffMarkdown(c, "## ")
		checkInert(t, string(source))
		checkActive(t, source)
		checkElements(t, s, source, titles)
	}
}

// diffTitles are the headings that a difference may have.
func diffTitles(d *handoff.Difference) map[string]bool {
	titles := map[string]bool{}
	for _, s := range (comparer{d, true}).sections() {
		titles[s.title] = true
	}
	return titles
}

// checkElements demands that Markdown has the template's headings, lists, emphasis and code, and nothing else.
func checkElements(t *testing.T, s string, source []byte, titles map[string]bool) {
	t.Helper()
	emphasis := []string{"dropped", "removed", "block", "superseded", "archived", "not clean", "failed", "the verification is failing",
		"the verification does not say that it passed", "no evidence is recorded"}
	_ = ast.Walk(parse(source), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		ok := true
		switch n := n.(type) {
		case *ast.Document, *ast.List, *ast.ListItem, *ast.Text, *ast.String, *ast.Paragraph, *ast.TextBlock, *ast.CodeSpan:
		case *ast.Heading:
			ok = titles[plainText(n, source)]
		case *ast.Emphasis:
			seen := plainText(n, source)
			ok = slices.Contains(emphasis, seen) || strings.HasSuffix(seen, " failed") || strings.HasPrefix(seen, "exit ")
		default:
			ok = false
		}
		if !ok && entering {
			t.Errorf("%q makes a %s: %q", s, n.Kind(), plainText(n, source))
		}
		return ast.WalkContinue, nil
	})
}

func TestDiffJSONNamesArtifacts(t *testing.T) {
	t.Parallel()
	a, b := small().Doc, small().Doc
	b.Artifacts = []handoff.Item{{What: "plan", Kind: "file", Ref: "p.md"}}
	data, err := DiffJSON(Comparison{Difference: handoff.Diff(a, b)})
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Changed bool
		Lists   []struct {
			Items []struct{ After map[string]any }
		}
	}
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if want := map[string]any{"name": "plan", "kind": "file", "ref": "p.md"}; !got.Changed || !maps.Equal(got.Lists[0].Items[0].After, want) {
		t.Errorf("got %s", data)
	}
}
