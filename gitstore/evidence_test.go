package gitstore

import (
	"math/rand/v2"
	"path/filepath"
	"testing"

	"git-handoff/gitstore/handoff"

	"github.com/google/go-cmp/cmp"
)

func asserted(tree string, minute int) NoteLine {
	return NoteLine{Verified: Asserted, Tree: tree, At: at(minute), By: "ada", Why: "tried by hand"}
}

// TestEvidenceRules adds lines about one tree in every order; the same line decides.
func TestEvidenceRules(t *testing.T) {
	t.Parallel()
	const tree = "t"
	for name, test := range map[string]struct {
		lines []NoteLine
		good  bool
		want  NoteLine
	}{
		"nothing":                            {nil, false, NoteLine{}},
		"a pass":                             {[]NoteLine{passed(tree, 1)}, true, passed(tree, 1)},
		"a fail":                             {[]NoteLine{failed(tree, 1)}, false, failed(tree, 1)},
		"the later counts: pass":             {[]NoteLine{failed(tree, 1), passed(tree, 2)}, true, passed(tree, 2)},
		"the later counts: fail":             {[]NoteLine{passed(tree, 1), failed(tree, 2)}, false, failed(tree, 2)},
		"a tie is a fail":                    {[]NoteLine{passed(tree, 1), failed(tree, 1)}, false, failed(tree, 1)},
		"an assertion alone":                 {[]NoteLine{asserted(tree, 1), asserted(tree, 2)}, true, asserted(tree, 2)},
		"an assertion never beats a fail":    {[]NoteLine{failed(tree, 1), asserted(tree, 2)}, false, failed(tree, 1)},
		"nor through an older pass":          {[]NoteLine{passed(tree, 1), failed(tree, 2), asserted(tree, 3)}, false, failed(tree, 2)},
		"a later assertion leaves a pass":    {[]NoteLine{passed(tree, 1), asserted(tree, 2)}, true, passed(tree, 1)},
		"what is said about another tree":    {[]NoteLine{passed("u", 9), failed(tree, 1)}, false, failed(tree, 1)},
		"a pass after fail and an assertion": {[]NoteLine{failed(tree, 1), asserted(tree, 2), passed(tree, 3)}, true, passed(tree, 3)},
	} {
		for range 20 {
			e := Evidence{}
			rand.Shuffle(len(test.lines), func(i, j int) { test.lines[i], test.lines[j] = test.lines[j], test.lines[i] })
			for _, n := range test.lines {
				e.add(n)
			}
			n, good := e.Good(tree)
			if diff := cmp.Diff(test.want, n, sameTime); diff != "" || good != test.good || e.Failed(tree) != (test.want.Verified == Fail) {
				t.Fatalf("%s, in the order %+v: good %v, failed %v\n%s", name, test.lines, good, e.Failed(tree), diff)
			}
		}
	}
}

func TestLastKnownGood(t *testing.T) {
	t.Parallel()
	newest, middle, base := Commit{OID: "3", Tree: "c"}, Commit{OID: "2", Tree: "b"}, Commit{OID: "1", Tree: "a"}
	commits := []Commit{newest, middle}
	for name, test := range map[string]struct {
		lines []NoteLine
		oid   string
		kind  handoff.EvidenceKind
	}{
		"no evidence":             {nil, "1", handoff.Assumed},
		"the newest good":         {[]NoteLine{passed("b", 1), passed("c", 1)}, "3", handoff.Verified},
		"the newest is red":       {[]NoteLine{passed("b", 1), failed("c", 1)}, "2", handoff.Verified},
		"asserted":                {[]NoteLine{asserted("b", 1)}, "2", handoff.Asserted},
		"base is verified":        {[]NoteLine{passed("a", 1), failed("b", 1)}, "1", handoff.Verified},
		"base is red":             {[]NoteLine{failed("a", 1)}, "", ""},
		"base is red, not so all": {[]NoteLine{failed("a", 1), passed("b", 1)}, "2", handoff.Verified},
	} {
		e := Evidence{}
		for _, n := range test.lines {
			e.add(n)
		}
		oid, got := e.lastKnownGood(commits, base, nil)
		if oid != test.oid || (got == nil) != (test.kind == "") || got != nil && got.Kind != test.kind {
			t.Errorf("%s: %q, %+v", name, oid, got)
		}
	}
	if oid, got := (Evidence{}).lastKnownGood(nil, Commit{}, nil); oid != "" || got != nil {
		t.Errorf("without a base: %q, %+v", oid, got)
	}
}

// TestEvidenceFollowsTheTree amends a verified commit: with the same tree it stays good, with another it does not.
func TestEvidenceFollowsTheTree(t *testing.T) {
	t.Parallel()
	dir, fork, topic := topicRepo(t)
	record(t, open(t, dir), topic[1], passed("", 1))
	git(t, dir, "commit", "-q", "--amend", "-m", "better words")
	head := git(t, dir, "rev-parse", "HEAD")
	exit := 0
	want := &handoff.Evidence{Kind: handoff.Verified, Command: passed("", 1).Command, Exit: &exit, At: at(1), By: "ada"}
	got := observe(t, dir, "topic", nil)
	if diff := cmp.Diff(want, got.Evidence, sameTime); diff != "" || got.LastKnownGood != head {
		t.Errorf("last known good %s, want %s\n%s", got.LastKnownGood, head, diff)
	}
	commitFile(t, dir, "c.txt", "other\n")
	next := observe(t, dir, "topic", &got)
	if next.LastKnownGood != head || next.Head == head {
		t.Errorf("after another commit: last known good %s, want %s", next.LastKnownGood, head)
	}
	git(t, dir, "reset", "-q", "--soft", fork)
	git(t, dir, "commit", "-q", "-m", "squashed")
	if o := observe(t, dir, "topic", &next); o.LastKnownGood != fork || o.Evidence.Kind != handoff.Assumed {
		t.Errorf("squashed to a tree that nobody tried: %s, %+v", o.LastKnownGood, o.Evidence)
	}
}

// TestNewestIsByHistory has a parent whose clock was ahead of its children's: by clock it would come first.
func TestNewestIsByHistory(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	commitAt := func(date, file string, parents ...string) string {
		write(t, filepath.Join(dir, file), file)
		git(t, dir, "add", file)
		tree := git(t, dir, "write-tree")
		text := "tree " + tree + "\n"
		for _, p := range parents {
			text += "parent " + p + "\n"
		}
		who := " A <a@example.org> " + date + " +0000\n"
		return gitIn(t, dir, text+"author"+who+"committer"+who+"\n"+file+"\n", "hash-object", "-t", "commit", "-w", "--stdin")
	}
	base := commitAt("1000", "base")
	early := commitAt("9000", "early", base)
	left, right := commitAt("2000", "left", early), commitAt("5000", "right", early)
	tip := commitAt("9500", "tip", left, right)
	git(t, dir, "update-ref", "refs/heads/main", base)
	git(t, dir, "update-ref", "refs/heads/topic", tip)
	r := open(t, dir)
	for i, id := range []string{early, left} {
		record(t, r, id, passed("", i))
	}
	if o := observe(t, dir, "topic", nil); o.LastKnownGood != left {
		t.Errorf("last known good is %s, want %s, a child of %s", o.LastKnownGood, left, early)
	}
	commits, err := r.Commits(t.Context(), "", tip, 0)
	if len(commits) != 5 || err != nil || commits[3].OID != early {
		t.Errorf("commits %+v, %v", commits, err)
	}
}
