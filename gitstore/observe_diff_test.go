package gitstore

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"git-handoff/gitstore/handoff"

	"github.com/google/go-cmp/cmp"
)

func TestParseRawDiff(t *testing.T) {
	t.Parallel()
	one, two := strings.Repeat("1", 40), strings.Repeat("2", 40)
	raw := func(modes, a, b, status string, paths ...string) string {
		return ":" + modes + " " + a + " " + b + " " + status + "\x00" + strings.Join(paths, "\x00") + "\x00"
	}
	got, err := parseRawDiff([]byte(raw("100644 100644", one, two, "M", "m") + raw("100644 100755", one, one, "M", "mode") +
		raw("100644 100755", one, two, "M", "both") + raw("100644 120000", one, two, "T", "type") +
		raw("100644 100755", one, one, "R100", "old", "new\xff") + raw("100644 100644", one, one, "C075", "old", "copy") +
		raw("000000 160000", one, two, "A", "sub module") + raw("100644 000000", one, two, "D", "-rf")))
	want := []handoff.ChangedFile{{Path: "m", Change: handoff.Modified}, {Path: "mode", Change: handoff.ModeChanged},
		{Path: "both", Change: handoff.Modified}, {Path: "type", Change: handoff.TypeChanged},
		{Path: `new\xff`, Change: handoff.Renamed, From: "old"}, {Path: "copy", Change: handoff.Copied, From: "old"},
		{Path: "sub module", Change: handoff.Added}, {Path: "-rf", Change: handoff.Deleted}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	for _, bad := range []string{"x", ":1 2 3 4 M", ":1 2 3 4 M\x00", ":1 2 3 4 M\x00\x00", ":1 2 3 4 R1\x00a\x00", ":1 2 3 M\x00a\x00"} {
		if got, err := parseRawDiff([]byte(bad)); err == nil {
			t.Errorf("%q is read as %+v", bad, got)
		}
	}
}

func FuzzParseRawDiff(f *testing.F) {
	id := strings.Repeat("1", 40)
	f.Add([]byte(":100644 100755 " + id + " " + id + " M\x00run.sh\x00"))
	f.Add([]byte(":100644 100644 " + id + " " + id + " R086\x00old\xff\x00new\n\x00"))
	f.Fuzz(func(t *testing.T, out []byte) {
		files, err := parseRawDiff(out)
		for _, c := range files {
			if err == nil && (c.Path == "" || !utf8.ValidString(c.Path) || !utf8.ValidString(c.From) || c.Change == "") {
				t.Fatalf("%q gives %+v", out, c)
			}
		}
	})
}

func FuzzParseSpan(f *testing.F) {
	id := strings.Repeat("1", 40)
	f.Add([]byte("commit " + id + "\n" + id + " 1795982445 " + id + "\x00Ada\x00subject\ncommit -" + id + "\n" + id + " 5 \x00\x00\n"))
	f.Fuzz(func(t *testing.T, out []byte) {
		s, err := parseSpan(out)
		if err == nil && strings.Count(string(out), "\n") != 2*(len(s.commits)+len(s.edges)) {
			t.Fatalf("%q gives %+v", out, s)
		}
	})
}

// TestChangedFilesCap lists the first by path and counts all.
func TestChangedFilesCap(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	commitFile(t, dir, "a.txt", "one\n")
	git(t, dir, "config", "diff.renames", "false")
	git(t, dir, "config", "diff.relative", "true")
	git(t, dir, "checkout", "-q", "-b", "topic")
	for i := range handoff.MaxChangedFiles + 5 {
		write(t, filepath.Join(dir, "sub", fmt.Sprintf("f%03d", i)), fmt.Sprint(i))
	}
	git(t, dir, "add", "sub")
	git(t, dir, "mv", "a.txt", "b.txt")
	git(t, dir, "commit", "-q", "-m", "many")
	o, err := open(t, filepath.Join(dir, "sub")).Observe(t.Context(), "topic", nil)
	if err != nil {
		t.Fatal(err)
	}
	c := o.ChangedFiles
	first := handoff.ChangedFile{Path: "b.txt", Change: handoff.Renamed, From: "a.txt"}
	if c.Total != handoff.MaxChangedFiles+6 || len(c.Files) != handoff.MaxChangedFiles || c.Files[0] != first || c.Files[1].Path != "sub/f000" {
		t.Errorf("%d files, %d listed, the first %+v", c.Total, len(c.Files), c.Files[:2])
	}
}

func TestGeneratedSummary(t *testing.T) {
	t.Parallel()
	dir, fork, topic := topicRepo(t)
	r := open(t, dir)
	summary := func(base, head string) string {
		s, err := r.GeneratedSummary(t.Context(), &handoff.Observed{Base: base, Head: head})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if got := summary(fork, topic[0]); got != "1 commit: change b.txt" {
		t.Errorf("one: %q", got)
	}
	if got := summary(fork, fork) + summary(fakeOID(1), fork) + summary("", ""); got != "" {
		t.Errorf("none: %q", got)
	}
	git(t, dir, "commit", "-q", "--allow-empty", "-m", "two\nlines\n\nand a body")
	git(t, dir, "checkout", "-q", "main")
	commitFile(t, dir, "m", "m\n")
	git(t, dir, "checkout", "-q", "topic")
	git(t, dir, "merge", "-q", "-m", "take main", "main")
	if got := summary(git(t, dir, "rev-parse", "main"), git(t, dir, "rev-parse", "topic")); got != "4 commits: change b.txt; change c.txt; two lines; take main" {
		t.Errorf("with a merge: %q", got)
	}
	for i := range summarySubjects {
		git(t, dir, "commit", "-q", "--allow-empty", "-m", fmt.Sprint(i))
	}
	if got := summary(fork, git(t, dir, "rev-parse", "topic")); got != "13 commits: 5 earlier ones; 0; 1; 2; 3; 4; 5; 6; 7" {
		t.Errorf("many: %q", got)
	}
}
