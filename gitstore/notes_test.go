package gitstore

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"git-handoff/gitstore/handoff"

	"github.com/google/go-cmp/cmp"
)

func at(minute int) handoff.Time {
	return handoff.TimeOf(time.Date(2026, 3, 1, 12, minute, 0, 0, time.UTC))
}

func passed(tree string, minute int) NoteLine {
	exit := 0
	return NoteLine{Verified: Pass, Tree: tree, Command: "go test ./... 2>&1 | tail <&> x", Exit: &exit, At: at(minute), By: "ada"}
}

func failed(tree string, minute int) NoteLine {
	exit := 1
	return NoteLine{Verified: Fail, Tree: tree, Command: "go test ./...", Exit: &exit, At: at(minute), By: "ada"}
}

func record(t *testing.T, r *Repo, commit string, n NoteLine) {
	t.Helper()
	if err := r.RecordEvidence(t.Context(), commit, n); err != nil {
		t.Fatal(err)
	}
}

func TestNoteIsReadByGitAndByUs(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			dir := newRepo(t, "--object-format="+format)
			id := commitFile(t, dir, "a.txt", "one\n")
			r := open(t, dir)
			first, second := failed("", 1), passed("", 2)
			record(t, r, id, first)
			record(t, r, id, second)
			record(t, r, id, second) // twice says no more than once
			tree := git(t, dir, "rev-parse", "HEAD^{tree}")
			first.Tree, second.Tree = tree, tree
			got, err := r.ReadNotes(t.Context(), id)
			if diff := cmp.Diff([]NoteLine{first, second}, got, sameTime); diff != "" || err != nil {
				t.Errorf("%v\n%s", err, diff)
			}
			log := git(t, dir, "log", "--notes=handoff", "--format=%N")
			if n := strings.Count(log, `"tree":"`+tree+`"`); n != 2 || !strings.Contains(log, "tail <&> x") {
				t.Errorf("git log shows %d lines of evidence:\n%s", n, log)
			}
			git(t, dir, "fsck", "--strict", "--no-dangling")
		})
	}
}

// TestNotesKeepWhatOthersWrote adds evidence to notes of every depth, beside files that are no notes.
func TestNotesKeepWhatOthersWrote(t *testing.T) {
	t.Parallel()
	for _, fan := range []func(id string) string{
		func(id string) string { return id },
		func(id string) string { return id[:2] + "/" + id[2:] },
		func(id string) string { return id[:2] + "/" + id[2:4] + "/" + id[4:] },
	} {
		dir := newRepo(t)
		id := commitFile(t, dir, "a.txt", "one\n")
		git(t, dir, "checkout", "-q", "--orphan", "notes")
		git(t, dir, "rm", "-qf", "a.txt")
		write(t, filepath.Join(dir, fan(id)), "by hand: <ok>\n\nno line feed at the end")
		write(t, filepath.Join(dir, id[:2]+"-x"), "what others keep here\n")
		write(t, filepath.Join(dir, "zz", "README"), "and here\n")
		git(t, dir, "add", "-A")
		git(t, dir, "commit", "-q", "-m", "notes")
		git(t, dir, "update-ref", handoff.NotesRef, "HEAD")
		git(t, dir, "checkout", "-q", "main")
		r := open(t, dir)
		record(t, r, id, passed("", 1))
		note := git(t, dir, "notes", "--ref=handoff", "show", id)
		if !strings.HasPrefix(note, "by hand: <ok>\n\nno line feed at the end\n{") || strings.Count(note, "\n") != 3 {
			t.Errorf("note at %s is now\n%s", fan(id), note)
		}
		files := git(t, dir, "ls-tree", "-r", "--name-only", handoff.NotesRef)
		if want := strings.Join([]string{id[:2] + "-x", fan(id), "zz/README"}, "\n"); len(files) != len(want) || !strings.Contains(files, fan(id)) {
			t.Errorf("the notes tree has\n%s\nwant, in git's order,\n%s", files, want)
		}
		if lines, err := r.ReadNotes(t.Context(), id); len(lines) != 1 || err != nil {
			t.Errorf("read %v, %v", lines, err)
		}
		git(t, dir, "fsck", "--strict", "--no-dangling")
	}
}

// TestManyNotesGoIntoFolders writes past the number that lies flat, in one edit, and lets git read all of them.
func TestManyNotesGoIntoFolders(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	head := commitFile(t, dir, "a.txt", "one\n")
	r := open(t, dir)
	const n = maxFlatNotes + 60
	line, _ := passed(fakeOID(7), 1).encode()
	err := r.editNotes(t.Context(), "many", func(tree *noteTree) error {
		for i := range n {
			id := fmt.Sprintf("%02x%038x", i%256, i)
			if err := r.putNote(t.Context(), tree, id, nil, fmt.Appendf(nil, "%s\nnote %d\n", line, i)); err != nil {
				return err
			}
		}
		return r.putNote(t.Context(), tree, head, nil, []byte("head\n"))
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(git(t, dir, "notes", "--ref=handoff", "list")+"\n", "\n"); got != n+1 {
		t.Errorf("git lists %d notes, want %d", got, n+1)
	}
	noted, err := r.NotedCommits(t.Context())
	if len(noted) != n+1 || err != nil {
		t.Errorf("we list %d notes, want %d (%v)", len(noted), n+1, err)
	}
	e, err := r.Evidence(t.Context()) // so many are read by git
	if _, ok := e.Good(fakeOID(7)); !ok || err != nil {
		t.Errorf("evidence %v, %v", e, err)
	}
	if got := git(t, dir, "notes", "--ref=handoff", "show", head); got != "head" {
		t.Errorf("git shows %q on HEAD", got)
	}
	git(t, dir, "fsck", "--strict", "--no-dangling")
}

func TestAppendNoteRefuses(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	id := commitFile(t, dir, "a.txt", "one\n")
	r := open(t, dir)
	for name, err := range map[string]error{
		"a commit that is not here": r.AppendNote(t.Context(), fakeOID(1), passed(fakeOID(2), 1)),
		"a tree of something else":  r.RecordEvidence(t.Context(), id, passed(fakeOID(2), 1)),
		"no time":                   r.AppendNote(t.Context(), id, NoteLine{Verified: Pass, Tree: fakeOID(2)}),
		"no outcome":                r.AppendNote(t.Context(), id, NoteLine{Tree: fakeOID(2), At: at(1)}),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if oid, _ := r.ref(t.Context(), handoff.NotesRef); oid != "" {
		t.Error("something was written all the same")
	}
}

// TestNotesForPublishesNothingElse builds on the remote's notes and takes along what belongs to the commits alone.
func TestNotesForPublishesNothingElse(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	public, private := commitFile(t, dir, "a.txt", "one\n"), commitFile(t, dir, "a.txt", "two\n")
	r := open(t, dir)
	record(t, r, public, passed("", 1))
	theirs, err := r.NotesFor(t.Context(), []string{public}, "")
	if err != nil {
		t.Fatal(err)
	}
	record(t, r, private, passed("", 2))
	record(t, r, public, failed("", 3))
	next, err := r.NotesFor(t.Context(), []string{public, fakeOID(9)}, theirs)
	if err != nil || next == theirs {
		t.Fatalf("%s, %v", next, err)
	}
	if got := git(t, dir, "ls-tree", "-r", "--name-only", next); strings.ReplaceAll(got, "/", "") != public {
		t.Errorf("published notes on %s, want %s alone", got, public)
	}
	if got := git(t, dir, "rev-list", next); strings.Count(got, "\n") != 1 {
		t.Errorf("published the history\n%s", got)
	}
	if again, err := r.NotesFor(t.Context(), []string{public}, next); again != next || err != nil {
		t.Errorf("nothing new makes %s of %s (%v)", again, next, err)
	}
	if none, err := r.NotesFor(t.Context(), []string{fakeOID(9)}, ""); none != "" || err != nil {
		t.Errorf("nothing to say makes %q (%v)", none, err)
	}
}

// TestMergeNotes joins the notes of two clones; then both have the same tree and nothing more to tell one another.
func TestMergeNotes(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	id := commitFile(t, dir, "a.txt", "one\n")
	other := filepath.Join(t.TempDir(), "other")
	git(t, ".", "clone", "-q", dir, other)
	a, b := open(t, dir), open(t, other)
	record(t, a, id, passed("", 1))
	fetchNotes(t, dir, other)
	if changed, err := b.MergeNotes(t.Context(), notesOf(t, dir)); !changed || err != nil || notesOf(t, other) != notesOf(t, dir) {
		t.Errorf("first merge: changed %v, %v; want theirs as it is", changed, err)
	}
	record(t, a, id, failed("", 2))
	record(t, b, id, passed("", 3))
	fetchNotes(t, dir, other)
	fetchNotes(t, other, dir)
	ours, theirs := notesOf(t, dir), notesOf(t, other)
	if changed, err := a.MergeNotes(t.Context(), theirs); !changed || err != nil {
		t.Errorf("merge: changed %v, %v", changed, err)
	}
	if changed, err := b.MergeNotes(t.Context(), ours); !changed || err != nil {
		t.Errorf("merge: changed %v, %v", changed, err)
	}
	if x, y := git(t, dir, "rev-parse", handoff.NotesRef+"^{tree}"), git(t, other, "rev-parse", handoff.NotesRef+"^{tree}"); x != y {
		t.Errorf("two clones merged to different trees")
	}
	if lines, err := a.ReadNotes(t.Context(), id); len(lines) != 3 || err != nil {
		t.Errorf("%d lines after the merge, want 3 (%v)", len(lines), err)
	}
	fetchNotes(t, other, dir)
	if changed, err := a.MergeNotes(t.Context(), notesOf(t, other)); changed || err != nil {
		t.Errorf("merge of the same: changed %v, %v", changed, err)
	}
	git(t, dir, "fsck", "--strict", "--no-dangling")
}

func notesOf(t *testing.T, dir string) string { return git(t, dir, "rev-parse", handoff.NotesRef) }

func fetchNotes(t *testing.T, from, to string) {
	t.Helper()
	git(t, to, "fetch", "-q", from, handoff.NotesRef)
}

func TestMergeNoteTexts(t *testing.T) {
	t.Parallel()
	line := func(n NoteLine) string { b, _ := n.encode(); return string(b) + "\n" }
	one, two, three := line(passed(fakeOID(1), 1)), line(failed(fakeOID(1), 2)), line(passed(fakeOID(1), 3))
	for _, test := range []struct{ a, b, want string }{
		{"", one, one},
		{one + two, two, one + two},
		{two + one, one + two, min(two+one, one+two)},
		{three, one + two, one + two + three},
		{one + three, one + two, one + two + three},
		{"word\n\nmore\n" + two, "other\n" + one, "other\nword\nmore\n" + one + two},
		{`{"verified":"perhaps"}` + "\n" + two, one, `{"verified":"perhaps"}` + "\n" + one + two},
	} {
		x, y := string(mergeNotes([]byte(test.a), []byte(test.b))), string(mergeNotes([]byte(test.b), []byte(test.a)))
		if x != y {
			t.Errorf("merge of %q and %q depends on the order:\n%q\n%q", test.a, test.b, x, y)
		}
		if !sameLines(x, test.want) {
			t.Errorf("merge of %q and %q:\n%q, want\n%q", test.a, test.b, x, test.want)
		}
	}
}

// sameLines compares texts in which the order of foreign lines of two sides is by their whole texts.
func sameLines(a, b string) bool {
	left, right := noteLinesOf([]byte(a)), noteLinesOf([]byte(b))
	return len(left) == len(right) && left.within(right)
}

func FuzzMergeNotes(f *testing.F) {
	line, _ := passed(fakeOID(1), 1).encode()
	f.Add("a\nb\n", string(line)+"\nb")
	f.Add("", "\n\n")
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := mergeNotes([]byte(a), []byte(b)), mergeNotes([]byte(b), []byte(a))
		if string(x) != string(y) {
			t.Fatalf("order counts: %q, %q", x, y)
		}
		for _, l := range append(noteLinesOf([]byte(a)), noteLinesOf([]byte(b))...) {
			if !strings.Contains(string(x), l) {
				t.Fatalf("line %q was lost in %q", l, x)
			}
		}
		if again := mergeNotes(x, []byte(a)); string(again) != string(x) && sameLines(string(x), a) == false {
			t.Fatalf("merging again changes %q to %q", x, again)
		}
	})
}

// TestNotesRace lets processes append at the same time. Not one line may be lost. GIT_HANDOFF_TEST_BIG=1 is 8 x 20.
func TestNotesRace(t *testing.T) {
	t.Parallel()
	processes, each := 4, 5
	if os.Getenv("GIT_HANDOFF_TEST_BIG") != "" {
		processes, each = 8, 20
	}
	dir := newRepo(t)
	id := commitFile(t, dir, "a.txt", "one\n")
	var wg sync.WaitGroup
	for p := range processes {
		wg.Go(func() {
			cmd := exec.Command(os.Args[0], "-test.run=^TestNotesRaceWriter$", "-test.count=1")
			cmd.Env = append(os.Environ(), fmt.Sprintf(writerEnv+"=%s %d %d %s", id, p, each, dir))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("writer %d: %v\n%s", p, err, out)
			}
		})
	}
	for range each {
		git(t, dir, "pack-refs", "--all")
	}
	wg.Wait()
	lines, err := open(t, dir).ReadNotes(t.Context(), id)
	if len(lines) != processes*each || err != nil {
		t.Errorf("%d of %d lines are there (%v)", len(lines), processes*each, err)
	}
	git(t, dir, "fsck", "--strict", "--no-dangling")
}

// TestNotesRaceWriter is one process of TestNotesRace, and nothing on its own.
func TestNotesRaceWriter(t *testing.T) {
	job := os.Getenv(writerEnv)
	if job == "" {
		return
	}
	var id, dir string
	var p, each int
	if _, err := fmt.Sscanf(job, "%s %d %d", &id, &p, &each); err != nil {
		t.Fatal(err)
	}
	dir = strings.SplitN(job, " ", 4)[3]
	r, err := Open(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for i := range each {
		n := passed("", 1)
		n.By = fmt.Sprintf("writer %d, line %d", p, i)
		record(t, r, id, n)
	}
}

func FuzzParseNoteLine(f *testing.F) {
	line, _ := passed(fakeOID(1), 1).encode()
	f.Add(line)
	f.Add([]byte(`{"verified":"pass","tree":"x","at":"2026-01-01T00:00:00Z","exit":1.5}`))
	f.Add([]byte(`{"verified":"asserted","tree":"x","at":"nonsense"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		n, ok := parseNoteLine(data)
		if !ok {
			return
		}
		again, err := n.encode()
		if err != nil || strings.ContainsAny(string(again), "\n\r") || !json.Valid(again) {
			t.Fatalf("%q is written as %q (%v)", data, again, err)
		}
		if m, ok := parseNoteLine(again); !ok || !cmp.Equal(n, m, sameTime) {
			t.Fatalf("%q is read back as %+v, was %+v", again, m, n)
		}
	})
}
