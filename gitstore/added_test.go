package gitstore

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestAddedLines(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	commitFile(t, dir, "a.txt", "1\n2\n3\n4\n5\n6\n7\n8\n")
	base := commitFile(t, dir, "old.txt", strings.Repeat("the same\n", 20))
	commitFile(t, dir, "a.txt", "1\nnew 2\n3\n4\n5\n6\n++ b/odd\n-- a/odd\n")
	commitFile(t, dir, "tab\tand \"quote\".txt", "x\r\ny")
	commitFile(t, dir, "binary", "a\x00b\n")
	git(t, dir, "mv", "old.txt", "moved here.txt")
	git(t, dir, "commit", "-q", "-m", "move")
	write(t, filepath.Join(dir, "a.txt"), "1\nnew 2\n3\n4\n5\n6\n++ b/odd\n-- a/odd\nuncommitted\n")
	write(t, filepath.Join(dir, "untracked.txt"), "not asked for\n")
	git(t, dir, "config", "diff.noprefix", "true")
	git(t, dir, "config", "diff.external", "false")
	git(t, dir, "config", "color.diff", "always")
	got, cut, err := open(t, dir).AddedLines(t.Context(), base)
	if err != nil || cut {
		t.Fatal(cut, err)
	}
	want := []AddedLine{{"a.txt", 2, "new 2"}, {"a.txt", 7, "++ b/odd"}, {"a.txt", 8, "-- a/odd"}, {"a.txt", 9, "uncommitted"},
		{"tab\tand \"quote\".txt", 1, "x"}, {"tab\tand \"quote\".txt", 2, "y"}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("added lines (-want +got):\n%s", d)
	}
}

func TestAddedLinesAreBounded(t *testing.T) {
	t.Parallel()
	text := "+++ b/x\n@@ -0,0 +1,9 @@\n" + strings.Repeat("+"+strings.Repeat("ø", 4000)+"\n", 9)
	lines, err := parseAdded(bufio.NewReaderSize(strings.NewReader(text), 16), 5)
	if err != errEnough || len(lines) != 5 || len(lines[4].Text) > maxAddedLine+3 {
		t.Errorf("%d lines, %v", len(lines), err)
	}
	dir := newRepo(t)
	base := commitFile(t, dir, "a.txt", "1\n")
	commitFile(t, dir, "big.txt", strings.Repeat("line\n", maxAddedLines+10))
	got, cut, err := open(t, dir).AddedLines(t.Context(), base)
	if err != nil || !cut || len(got) != maxAddedLines {
		t.Errorf("%d lines, cut is %v, %v", len(got), cut, err)
	}
}

// FuzzParseAdded holds that no difference makes it fail or count lines from before the first.
func FuzzParseAdded(f *testing.F) {
	for _, s := range []string{"+++ b/x\n@@ -1,2 +3 @@\n-a\n-b\n+c\n", "@@ -1 +1,99999999999 @@\n+a\n", `+++ "b/a\tb\303\270\"c"` + "\n@@ -0,0 +1 @@\n+x", "@@\n+++ \n+++ \"\n@@ -,+, @@\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		lines, err := parseAdded(bufio.NewReader(strings.NewReader(s)), 100)
		if err != nil && err != errEnough {
			t.Fatal(err)
		}
		for _, l := range lines {
			if strings.Contains(l.Text, "\n") {
				t.Errorf("%q holds a line break", l.Text)
			}
		}
	})
}

func TestStrayBranches(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	commitFile(t, dir, "a.txt", "1\n")
	git(t, dir, "branch", "before")
	since := time.Now().Add(-time.Hour)
	git(t, dir, "switch", "-q", "-c", "alone")
	commitFile(t, dir, "b.txt", "1\n")
	commitFile(t, dir, "b.txt", "2\n")
	git(t, dir, "switch", "-q", "-c", "merged", "main")
	commitFile(t, dir, "c.txt", "1\n")
	git(t, dir, "switch", "-q", "main")
	git(t, dir, "merge", "-q", "--no-ff", "-m", "take it", "merged")
	git(t, dir, "branch", "empty")
	git(t, dir, "switch", "-q", "-c", "mine")
	commitFile(t, dir, "d.txt", "1\n")
	got, err := open(t, dir).StrayBranches(t.Context(), since, "mine")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]StrayBranch{{"alone", 2}}, got); d != "" {
		t.Errorf("stray branches (-want +got):\n%s", d)
	}
	if got, err := open(t, dir).StrayBranches(t.Context(), time.Now().Add(time.Hour), "mine"); err != nil || got != nil {
		t.Errorf("made later than now: %+v, %v", got, err)
	}
}

func TestUntrackedIn(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	commitFile(t, dir, ".gitignore", "*.o\n")
	for i := range 5 {
		name := filepath.Join(dir, "new [folder]", fmt.Sprintf("%d.txt", i))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, fmt.Sprintf("new [folder]/%d.txt", i)), "x\n")
	}
	write(t, filepath.Join(dir, "new [folder]/x.o"), "x\n")
	write(t, filepath.Join(dir, "other.txt"), "x\n")
	r := open(t, dir)
	got, err := r.UntrackedIn(t.Context(), []string{"new [folder]/"}, 3)
	if err != nil || len(got) != 3 || got[0] != "new [folder]/0.txt" {
		t.Errorf("bounded: %q, %v", got, err)
	}
	got, err = r.UntrackedIn(t.Context(), []string{"new [folder]/"}, 100)
	if err != nil || len(got) != 5 {
		t.Errorf("all: %q, %v", got, err)
	}
	if got, err := r.UntrackedIn(t.Context(), nil, 100); err != nil || got != nil {
		t.Errorf("no folder: %q, %v", got, err)
	}
}
