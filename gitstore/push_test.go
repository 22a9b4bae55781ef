package gitstore

import (
	"strings"
	"testing"
)

func TestReadPorcelain(t *testing.T) {
	t.Parallel()
	refs := []PushedRef{{Ref: "refs/handoff/a/b"}, {Ref: "refs/handoff/c/d"}, {Ref: "refs/handoff/e/f"}, {Ref: "refs/handoff/g/h"}, {Ref: "refs/handoff/i/j"}}
	out := "To /r\n*\t111:refs/handoff/a/b\t[new reference]\n!\t222:refs/handoff/c/d\t[rejected] (stale info)\n" +
		"!\t333:refs/handoff/e/f\t[remote rejected] (deny updating a hidden ref)\n=\t444:refs/handoff/g/h\t[up to date]\nDone\n"
	if !readPorcelain(out, refs) {
		t.Error("nothing was read")
	}
	for i, want := range []PushResult{Accepted, Stale, Refused, Accepted, Unanswered} {
		if refs[i].Result != want {
			t.Errorf("%s: %d, want %d", refs[i].Ref, refs[i].Result, want)
		}
	}
	if refs[2].Reason != "deny updating a hidden ref" {
		t.Errorf("reason %q", refs[2].Reason)
	}
	if readPorcelain("fatal: no\n", refs) {
		t.Error("something was read")
	}
}

func FuzzReadPorcelain(f *testing.F) {
	f.Add("*\t1:refs/handoff/a/b\t[new reference]\n")
	f.Add("!\t:refs/handoff/a/b\t[remote rejected] (x (y))\n=\t\t\n")
	f.Add("\t\t\t\n! \x00")
	f.Fuzz(func(t *testing.T, out string) {
		refs := []PushedRef{{Ref: "refs/handoff/a/b"}}
		if readPorcelain(out, refs) != (refs[0].Result != Unanswered) {
			t.Errorf("%q: %+v", out, refs[0])
		}
		if refs[0].Result == Accepted && !strings.Contains(out, ":refs/handoff/a/b\t") {
			t.Errorf("%q was taken for a success", out)
		}
	})
}

func TestReachability(t *testing.T) {
	t.Parallel()
	// a - b - d (merge of b and c), c is a root.
	reach := reachability("a\nb a\nc\nd b c\ne d\n", map[string]int{"a": 0, "c": 1, "z": 70})
	for id, want := range map[string][2]bool{"a": {true, false}, "b": {true, false}, "c": {false, true}, "d": {true, true}, "e": {true, true}} {
		if got := [2]bool{reach[id].has(0), reach[id].has(1)}; got != want || reach[id].has(70) {
			t.Errorf("%s reaches %v, want %v", id, got, want)
		}
	}
}
