package render

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark/ast"

	"git-handoff/gitstore/handoff"
)

// reviewOf is a review of documents, each compared with one before it (nil for none).
func reviewOf(pairs ...[2]*handoff.Document) Review {
	r := Review{Branch: "feature/login", Tip: oidC, Host: HostOf("git@github.com:example/shop.git", nil), OnHost: map[string]bool{oidA: true, oidB: true, oidC: true}}
	for _, p := range pairs {
		v := full()
		v.Doc, v.Notes = p[1], nil
		t := Topic{View: v, Behind: 3, Beyond: 2, SinceWhy: "the one that the base knows"}
		if p[0] != nil {
			c := comparison(p[0], p[1])
			c.From.OID = oidB
			t.Since = &c
		}
		r.Topics = append(r.Topics, t)
	}
	return r
}

// busy is a topic about which there is something to say in every section.
func busy() Review {
	r := reviewOf([2]*handoff.Document{full().Doc, changed()})
	t := &r.Topics[0]
	t.Wait = []string{"approval: security sign-off", "a question for a human: keep the old cookie?"}
	t.Checked, t.Completeness = true, 71
	t.Findings = []Finding{
		{Rule: "decision-why", Place: "decisions[0]", What: "the decision has no why", Mend: []string{"git handoff save …", "ask"}, Severity: handoff.Warn},
		{Rule: "next-action-vague", Place: "next_action", What: "next_action is vague", Severity: handoff.Block}}
	t.Drift = []Drift{{Kind: "commits", What: "3 commits since the save", State: DriftFound}, {Kind: "artifacts", State: DriftNone}, {Kind: "clean_state", What: "the worktree is not here", State: DriftUnknown}}
	t.Doc.Artifacts = append(t.Doc.Artifacts, handoff.Item{What: "fix", Kind: "commit", Ref: oidB}, handoff.Item{What: "out", Kind: "file", Ref: "../secret"})
	return r
}

func quiet() Review {
	d := small().Doc
	d.Provenance.SavedAt = at("2026-03-02T09:00:00Z")
	d.LastKnownGood, d.Head = oidC, oidC
	d.Evidence = &handoff.Evidence{Kind: handoff.Verified, Command: "make gate"}
	r := reviewOf([2]*handoff.Document{d, d})
	r.Topics[0].View = View{Doc: d, OID: oidA, Now: now}
	r.Topics[0].Behind, r.Topics[0].Beyond = 0, 0
	r.Topics[0].Checked, r.Topics[0].Completeness = true, 100
	return r
}

func TestGoldenReview(t *testing.T) {
	t.Parallel()
	second := reviewOf([2]*handoff.Document{nil, small().Doc}).Topics[0]
	second.Doc.Topic, second.SinceWhy = "second-try", "no version of it was saved before"
	second.Behind, second.Beyond, second.Doc.Worktree = -1, -1, nil
	two := busy()
	two.Topics = append(two.Topics, second)
	two.Host = Host{}
	lost := quiet()
	lost.Topics[0].Lost, lost.Topics[0].Rewritten = true, true
	for name, r := range map[string]Review{"review": busy(), "review.two": two, "review.quiet": quiet(), "review.lost": lost} {
		got := ReviewMarkdown(r)
		golden(t, name+".md", got)
		if again := ReviewMarkdown(r); !bytes.Equal(got, again) {
			t.Errorf("%s: the same review has other bytes: %s", name, cmp.Diff(string(got), string(again)))
		}
	}
	golden(t, "review.body.md", ReviewBody(busy()))
	golden(t, "review.body.two.md", ReviewBody(two))
}

// TestReviewSaysWhat holds the first line and the paragraph below it to what a reviewer must learn from them.
func TestReviewSaysWhat(t *testing.T) {
	t.Parallel()
	lines := strings.Split(string(ReviewMarkdown(busy())), "\n")
	for _, want := range []string{"`feature/login/default`", "version [`1a2b3c4d5e6f`](https://github.com/example/shop/commit/" + oidA + ")", "saved 2026-03-05 09:30 UTC", "3 commits behind"} {
		if !strings.Contains(lines[1], want) {
			t.Errorf("the first line is %q, which lacks %q", lines[1], want)
		}
	}
	for _, want := range []string{"**Stop**", "the next action waits: approval: security sign-off", "1 blocking finding", "entries dropped", "1 thing drifted"} {
		if !strings.Contains(lines[3], want) {
			t.Errorf("the verdict is %q, which lacks %q", lines[3], want)
		}
	}
	if quietly := string(ReviewMarkdown(quiet())); !strings.Contains(quietly, "In order: ") || strings.Contains(quietly, "**") {
		t.Errorf("where all is well, the review says %s", quietly)
	}
}

func TestMarker(t *testing.T) {
	t.Parallel()
	branch := "a-->b/<!--x y\n--"
	m := Marker(branch, map[string]string{"default": oidA, "x--y": oidB})
	if strings.Count(m, "--") != 2 || !strings.HasPrefix(m, MarkerPrefix) || !strings.HasSuffix(m, " -->") || strings.Contains(m, "\n") {
		t.Errorf("marker %q", m)
	}
	if got := MarkedVersions(m + "\n## more\n"); !slices.Equal(got, []string{oidA, oidB}) {
		t.Errorf("%q marks %q", m, got)
	}
	for _, no := range []string{"", "x " + m, MarkerPrefix + "b default=" + oidA, MarkerPrefix + "b default=main -->"} {
		if got := MarkedVersions(no); got != nil {
			t.Errorf("%q marks %q", no, got)
		}
	}
}

// reviewsOf are reviews that have s in each place where a text can stand.
func reviewsOf(s string) []Review {
	other, hostile := filled("another", true).Doc, filled(s, true).Doc
	return []Review{hostileReview(s, [2]*handoff.Document{other, hostile}, [2]*handoff.Document{hostile, other}, [2]*handoff.Document{nil, filled(s, false).Doc})}
}

// hostileReview has s in all that is said of documents beside what is in them.
func hostileReview(s string, pairs ...[2]*handoff.Document) Review {
	r := reviewOf(pairs...)
	r.Branch, r.Tip = s, s
	for i := range r.Topics {
		t := &r.Topics[i]
		t.Message, t.Wait = filled(s, true).Message, []string{s}
		t.Checked, t.Findings = true, []Finding{{s, s, s, handoff.Severity(s), []string{s, s}}, {s, s, s, handoff.Warn, []string{s}}}
		t.Drift = []Drift{{s, s, DriftFound}, {s, s, DriftNone}, {s, s, DriftUnknown}}
		if t.Since != nil {
			t.Since.From = End{Label: s, By: s, OID: s}
		}
	}
	r.Topics[len(r.Topics)/2].OID = s
	return r
}

// checkReview holds a review with a hostile text to the elements that the template puts there.
func checkReview(t *testing.T, s string, reviews ...Review) {
	t.Helper()
	for _, r := range reviews {
		source := ReviewMarkdown(r)
		checkInert(t, string(source))
		checkActive(t, source)
		checkReviewTree(t, s, source)
		body := ReviewBody(r)
		checkInert(t, string(body))
		checkActive(t, body)
		checkReviewTree(t, s, body)
	}
}

func checkReviewTree(t *testing.T, s string, source []byte) {
	t.Helper()
	_ = ast.Walk(parse(source), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		ok := true
		switch n := n.(type) {
		case *ast.Document, *ast.List, *ast.ListItem, *ast.Text, *ast.String, *ast.Paragraph, *ast.TextBlock, *ast.CodeSpan:
		case *ast.Heading:
			seen := plainText(n, source)
			ok = reviewTitles()[seen] || n.Level == 2 && (strings.HasPrefix(seen, "Handoff \ufffc, ") || strings.HasPrefix(seen, "Handoff (empty)")) || n.Level == 1 && (seen == "\ufffc" || seen == "(empty)")
		case *ast.Emphasis:
			ok = n.Level == 2 && loudWords()[plainText(n, source)]
		case *ast.Link:
			ok = strings.HasPrefix(string(n.Destination), "https://github.com/example/shop/") && plainText(n, source) == "\ufffc" && len(n.Title) == 0
		case *ast.HTMLBlock:
			first := n.Lines().At(0)
			ok = first.Start == 0 && n.Lines().Len() == 1 && strings.HasPrefix(string(first.Value(source)), MarkerPrefix)
		default:
			ok = false
		}
		if !ok && entering {
			t.Errorf("%q makes a %s: %q", s, n.Kind(), plainText(n, source))
		}
		return ast.WalkContinue, nil
	})
}

// reviewTitles are the headings that a review may have.
var reviewTitles = sync.OnceValue(func() map[string]bool {
	titles := map[string]bool{}
	r := busy()
	for _, s := range append(r.sections(r.Topics[0]), r.bodySections(r.Topics[0])...) {
		titles[s.title] = true
	}
	return titles
})

// loudWords are the template's words that a review emphasises: those of reviews in which no text could do it.
var loudWords = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for _, r := range append(append(reviewsOf("word"), reviewsOf("")...), busy()) {
		for _, source := range [][]byte{ReviewMarkdown(r), ReviewBody(r)} {
			_ = ast.Walk(parse(source), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
				if n.Kind() == ast.KindEmphasis {
					words[plainText(n, source)] = true
				}
				return ast.WalkContinue, nil
			})
		}
	}
	return words
})

func TestReviewOfHostileContent(t *testing.T) {
	t.Parallel()
	for _, s := range hostile {
		checkReview(t, s, reviewsOf(s)...)
	}
}

func FuzzReview(f *testing.F) {
	f.Add(hostile[0])
	f.Fuzz(func(t *testing.T, s string) {
		s = shortly(s)
		checkReview(t, s, hostileReview(s, [2]*handoff.Document{briefly("another", true).Doc, briefly(s, true).Doc}))
	})
}

// crowded has n items in each list, and all of them changed.
func crowded(n int, text string) Review {
	a, b := small().Doc, small().Doc
	for _, l := range handoff.Lists {
		for i := range n {
			*l.Of(&a.Brief) = append(*l.Of(&a.Brief), handoff.Item{What: fmt.Sprintf("old %s %d %s", l.Key, i, text)})
			*l.Of(&b.Brief) = append(*l.Of(&b.Brief), handoff.Item{What: fmt.Sprintf("%s %d %s", l.Key, i, text)})
		}
	}
	return reviewOf([2]*handoff.Document{a, b})
}

// checkBound holds a review to its limit, to whole entries and to saying what is missing.
func checkBound(t *testing.T, r Review) {
	t.Helper()
	for name, got := range map[string][]byte{"review": ReviewMarkdown(r), "body": ReviewBody(r)} {
		if n := len(utf16.Encode([]rune(string(got)))); n > r.limit() {
			t.Errorf("the %s of %d topics has %d characters, the limit is %d", name, len(r.Topics), n, r.limit())
		}
		if name == "review" && !bytes.Contains(got, []byte("for want of room: `git handoff show ")) {
			t.Errorf("the %s does not say what it leaves out", name)
		}
		for _, line := range strings.Split(string(got), "\n") {
			if strings.HasPrefix(line, "- ") && strings.Contains(line, "tail") && !strings.HasSuffix(line, "tail") {
				t.Errorf("the %s has a part of an entry: %q", name, line)
			}
		}
	}
}

func TestReviewIsBounded(t *testing.T) {
	t.Parallel()
	for _, text := range []string{strings.Repeat("漢", 200) + " tail", strings.Repeat("🚀", 200) + " tail", strings.Repeat("@x #1 ", 60) + "tail"} {
		checkBound(t, crowded(50, text))
	}
	r := crowded(30, strings.Repeat("word ", 20)+"tail")
	for range 40 {
		r.Topics = append(r.Topics, r.Topics[0])
	}
	checkBound(t, r)
	r.Host = HostOf("https://bitbucket.org/w/r", nil)
	if got := ReviewMarkdown(r); !bytes.Contains(got, []byte("more active handoff")) || utf8.RuneCount(got) >= 32768 {
		t.Errorf("41 handoffs are shown on one page of %d characters", utf8.RuneCount(got))
	}
	huge := crowded(1, "tail")
	huge.Topics[0].Doc.NextAction = strings.Repeat("word ", 100_000)
	huge.Topics[0].Doc.Objective = huge.Topics[0].Doc.NextAction
	huge.Topics[0].Doc.Provenance.ProducedBy = huge.Topics[0].Doc.NextAction
	huge.Topics[0].Wait = []string{huge.Topics[0].Doc.NextAction}
	checkBound(t, huge)
}

// TestReviewShowsShortLists: what one section has too much of does not push the others out.
func TestReviewShowsShortLists(t *testing.T) {
	t.Parallel()
	r := busy()
	for i := range 2000 {
		r.Topics[0].Doc.OpenRisks = append(r.Topics[0].Doc.OpenRisks, handoff.Item{What: fmt.Sprintf("risk %d with some words to it", i)})
	}
	got := string(ReviewMarkdown(r))
	for _, want := range []string{"moved from 4 to 1", "index rebuilt", "next_action is vague", "(https://github.com/example/shop/compare/", "not shown, for want of room"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q was pushed out", want)
		}
	}
	if n := utf8.RuneCountInString(got); n < 60_000 {
		t.Errorf("only %d characters of 65,536 were used", n)
	}
}

// BenchmarkReview500 is the review of a handoff of 500 items, all of them changed.
func BenchmarkReview500(b *testing.B) {
	r := crowded(500/len(handoff.Lists), "tail")
	for b.Loop() {
		ReviewMarkdown(r)
	}
}
