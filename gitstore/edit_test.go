package gitstore

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"git-handoff/gitstore/handoff"
)

func TestEdit(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	r := open(t, dir)
	ctx := t.Context()
	if _, err := r.Tip(ctx, testName); !errors.Is(err, ErrNoHandoff) {
		t.Errorf("before the first: %v", err)
	}
	nothing := func(*Version, *handoff.Document) (*Change, error) { return nil, nil }
	if v, err := r.Edit(ctx, testName, nothing); v != nil || err != nil {
		t.Errorf("nothing of nothing: %v, %v", v, err)
	}
	first := save(t, r, testName, "one")
	second := save(t, r, testName, "two")
	if !slices.Equal(second.Parents, []string{first.OID}) || second.Name != testName || second.Ref != testName.Ref() || second.Message.Next != "two" {
		t.Errorf("second version %+v", second)
	}
	if v, err := r.Edit(ctx, testName, nothing); err != nil || v.OID != second.OID {
		t.Errorf("nothing: %+v, %v", v, err)
	}
	refuse := errors.New("refused")
	if _, err := r.Edit(ctx, testName, func(*Version, *handoff.Document) (*Change, error) { return nil, refuse }); err != refuse {
		t.Errorf("refused: %v", err)
	}
	// What is replaced leaves history.
	replaced, err := r.Edit(ctx, testName, func(_ *Version, doc *handoff.Document) (*Change, error) {
		return &Change{Doc: doc, Message: handoff.MessageOf(doc, handoff.EventRefresh), Replace: true, Identity: AsProgram, When: time.Unix(7, 0)}, nil
	})
	if err != nil || !slices.Equal(replaced.Parents, []string{first.OID}) || replaced.Committer.Name != Program.Name || replaced.Committer.When.Unix() != 7 {
		t.Errorf("replaced %+v, %v", replaced, err)
	}
	if history, err := r.History(ctx, replaced.OID, 1); len(history) != 1 || err != nil {
		t.Errorf("limited history %v, %v", history, err)
	}
	git(t, dir, "fsck", "--strict")
}

// Other refs move with the handoff, or neither does.
func TestEditWithExtraRefs(t *testing.T) {
	t.Parallel()
	r := open(t, newRepo(t))
	first := save(t, r, testName, "one")
	other := handoff.Name{Branch: "main", Topic: "other"}
	with := func(extra ...RefChange) EditFunc {
		return func(prev *Version, doc *handoff.Document) (*Change, error) {
			c, err := saving(other, "two")(prev, doc)
			c.Extra = func(string) ([]RefChange, error) { return extra, nil }
			return c, err
		}
	}
	var df *ConflictDF
	if _, err := r.Edit(t.Context(), other, with(RefChange{Ref: testName.Ref() + "/below", New: first.OID})); !errors.As(err, &df) {
		t.Errorf("conflict: %v", err)
	}
	if _, err := r.Tip(t.Context(), other); !errors.Is(err, ErrNoHandoff) {
		t.Errorf("after the conflict: %v", err)
	}
	if _, err := r.Edit(t.Context(), other, with(RefChange{Ref: testName.Ref(), Old: first.OID})); err != nil {
		t.Error(err)
	}
	if _, err := r.Tip(t.Context(), testName); !errors.Is(err, ErrNoHandoff) {
		t.Errorf("deleted with it: %v", err)
	}
}

// A lost race is run again on what is there then.
func TestEditAfterALostRace(t *testing.T) {
	t.Parallel()
	r := open(t, newRepo(t))
	rival := open(t, r.dir)
	calls := 0
	v, err := r.Edit(t.Context(), testName, func(prev *Version, doc *handoff.Document) (*Change, error) {
		if calls++; calls <= 3 {
			save(t, rival, testName, fmt.Sprint("rival ", calls))
		}
		return saving(testName, "mine")(prev, doc)
	})
	if err != nil || calls != 4 {
		t.Fatalf("%d calls, %v", calls, err)
	}
	if history, _ := r.History(t.Context(), v.OID, 0); len(history) != 4 {
		t.Errorf("%d versions", len(history))
	}
}

// A race that cannot be won ends.
func TestEditThatAlwaysLoses(t *testing.T) {
	t.Parallel()
	r := open(t, newRepo(t))
	places := []string{save(t, r, testName, "one").OID, save(t, r, testName, "two").OID}
	_, err := r.Edit(t.Context(), testName, func(prev *Version, doc *handoff.Document) (*Change, error) {
		places[0], places[1] = places[1], places[0]
		git(t, r.dir, "update-ref", testName.Ref(), places[1])
		return saving(testName, "mine")(prev, doc)
	})
	if !errors.Is(err, ErrConflict) {
		t.Errorf("%v, want ErrConflict", err)
	}
}

// A version that a newer release wrote is not touched.
func TestEditOfANewerDocument(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	r := open(t, dir)
	for _, tree := range []string{
		gitIn(t, dir, "100644 blob "+gitIn(t, dir, "version: 99\nbranch: main\ntopic: default\n", "hash-object", "-w", "--stdin")+"\thandoff.yaml\n", "mktree"),
		gitIn(t, dir, "100644 blob "+gitIn(t, dir, string(encoded(t)), "hash-object", "-w", "--stdin")+"\thandoff.yaml\n"+
			"100644 blob "+gitIn(t, dir, "x", "hash-object", "-w", "--stdin")+"\tsecond.yaml\n", "mktree"),
	} {
		oid := git(t, dir, "commit-tree", "-m", "newer", tree)
		git(t, dir, "update-ref", testName.Ref(), oid)
		var newer *handoff.NewerError
		if _, err := r.Edit(t.Context(), testName, saving(testName, "x")); !errors.As(err, &newer) {
			t.Errorf("%v", err)
		}
		if raw, err := r.Raw(t.Context(), oid); err != nil || len(raw) == 0 {
			t.Errorf("raw %q, %v", raw, err)
		}
		if got := git(t, dir, "rev-parse", testName.Ref()); got != oid {
			t.Errorf("the ref moved to %s", got)
		}
	}
}

func encoded(t *testing.T) []byte {
	doc := handoff.New(testName)
	doc.NextAction = "x"
	data, err := handoff.Encode(doc)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestWhatIsNoHandoff(t *testing.T) {
	t.Parallel()
	dir := ordinaryRepo(t)
	r := open(t, dir)
	head, blob := git(t, dir, "rev-parse", "HEAD"), git(t, dir, "rev-parse", "HEAD:a")
	git(t, dir, "update-ref", testName.Ref(), head)
	git(t, dir, "update-ref", "refs/handoff/main/blob", blob)
	git(t, dir, "update-ref", "refs/handoff/main/No-Topic", head)
	if _, err := r.Raw(t.Context(), head); !errors.Is(err, ErrNotHandoff) {
		t.Errorf("a code commit: %v", err)
	}
	if _, err := r.VersionAt(t.Context(), blob); !errors.Is(err, ErrNotHandoff) {
		t.Errorf("a blob: %v", err)
	}
	if tips, err := r.Tips(t.Context()); len(tips) != 1 || err != nil {
		t.Errorf("tips %+v, %v", tips, err)
	}
}

func TestTips(t *testing.T) {
	refFormats(t, func(t *testing.T, r *Repo, oids [2]string) {
		save(t, r, testName, "one")
		save(t, r, handoff.Name{Branch: "a/b", Topic: "x"}, "two")
		tracked := handoff.TrackingPrefix + "origin/heads/feature/x/default"
		for _, ref := range []string{tracked, handoff.TrackingPrefix + "origin/notes/x", "refs/handoffs/x/y"} {
			if err := r.UpdateRefs(t.Context(), "test", RefChange{Ref: ref, New: oids[0]}); err != nil {
				t.Fatal(err)
			}
		}
		names := func(prefixes ...string) (names []string) {
			tips, err := r.Tips(t.Context(), prefixes...)
			if err != nil {
				t.Error(err)
			}
			for _, v := range tips {
				names = append(names, v.Name.String())
				if oid, err := r.ref(t.Context(), v.Ref); oid != v.OID || err != nil {
					t.Errorf("%s is at %s, %v, listed with %s", v.Ref, oid, err, v.OID)
				}
			}
			return names
		}
		if got := names(); !slices.Equal(got, []string{"a/b/x", "main/default"}) {
			t.Errorf("local %q", got)
		}
		if got := names("refs/handoff/main", handoff.TrackingPrefix); !slices.Equal(got, []string{"feature/x/default", "main/default"}) {
			t.Errorf("one branch, and tracked %q", got)
		}
	})
}

// The refs that are listed here are those that git lists, in whatever file they stand.
func TestNearRefs(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	oid := commitFile(t, dir, "a", "1")
	other := commitFile(t, dir, "a", "2")
	for _, ref := range []string{"refs/handoff/a/b/x", "refs/handoff/a/default", "refs/handoff/z/default", "refs/handoff-remotes/origin/heads/a/default"} {
		git(t, dir, "update-ref", ref, oid)
	}
	git(t, dir, "pack-refs", "--all")
	git(t, dir, "update-ref", "refs/handoff/a/default", other)
	git(t, dir, "update-ref", "refs/handoff/new/default", oid)
	git(t, dir, "update-ref", "-d", "refs/handoff/z/default")
	write(t, filepath.Join(dir, ".git", "refs", "handoff", "a", "x.lock"), "")
	r := open(t, dir)
	for _, folders := range [][]string{{"refs/handoff/"}, {"refs/handoff/", "refs/handoff-remotes/"}, {"refs/handoff/a/"}, {"refs/handoff/none/"}} {
		near, ok := r.nearRefs(folders)
		asked, err := r.refsAt(t.Context(), folders...)
		if !ok || err != nil || !slices.Equal(near, asked) {
			t.Errorf("%q: %v, %v here, %v of git, %v", folders, ok, near, asked, err)
		}
	}
	if _, ok := r.nearRefs([]string{"refs/heads/"}); ok {
		t.Error("branches were listed here")
	}
	git(t, dir, "symbolic-ref", "refs/handoff/a/symbolic", "refs/handoff/a/default")
	if _, ok := r.nearRefs([]string{"refs/handoff/"}); ok {
		t.Error("a symbolic ref was taken for a plain one")
	}
}

// Many are read in another way than few, and are the same.
func TestManyTips(t *testing.T) {
	engines(t, func(t *testing.T, r *Repo) {
		one := save(t, r, testName, "one")
		blob := gitIn(t, r.dir, "no version", "hash-object", "-w", "--stdin")
		var commands strings.Builder
		for i := range fewTips + 10 {
			fmt.Fprintf(&commands, "create refs/handoff/b%d/default %s\n", i, one.OID)
		}
		fmt.Fprintf(&commands, "create refs/handoff/blob/default %s\ncreate refs/handoff/not-named %s\n", blob, one.OID)
		gitIn(t, r.dir, commands.String(), "update-ref", "--stdin")
		many, err := r.Tips(t.Context())
		if err != nil || len(many) != fewTips+11 {
			t.Fatalf("%d tips, %v", len(many), err)
		}
		few, err := r.Tips(t.Context(), "refs/handoff/b7", "refs/handoff/blob")
		if err != nil || len(few) != 1 {
			t.Fatalf("%d tips, %v", len(few), err)
		}
		i := slices.IndexFunc(many, func(v Version) bool { return v.Ref == few[0].Ref })
		if i < 0 {
			t.Fatalf("%s is not among many", few[0].Ref)
		}
		if diff := cmp.Diff(few[0], many[i], sameTime); diff != "" {
			t.Errorf("among few, and among many:\n%s", diff)
		}
	})
}

func FuzzReadBatched(f *testing.F) {
	oid := strings.Repeat("a", 40)
	f.Add([]byte(oid + " commit 10\ntree x\n\nm\n\n" + oid + " missing\n"))
	f.Add([]byte("o commit -1\n"))
	f.Add([]byte("o commit 99999999999\n"))
	f.Add([]byte("o blob 0\n\no  \n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		in := bufio.NewReader(bytes.NewReader(data))
		var scratch []byte
		for range 1000 {
			kind, content, err := readBatched(in, &scratch)
			if err != nil {
				return
			}
			var v Version
			if kind == "commit" && v.parse(oid, content) == nil && v.Tree == "" {
				t.Errorf("%q gives %+v", data, v)
			}
		}
	})
}

// A save costs what it must: the move of the ref, and where it has to be asked for, the configuration.
func TestChildrenOfASave(t *testing.T) {
	dir := ordinaryRepo(t)
	if n := countChildren(t, func() { save(t, open(t, dir), testName, "one") }); n != 1+configChildren {
		t.Errorf("a save starts %d git children, want %d", n, 1+configChildren)
	}
	n := countChildren(t, func() {
		r := open(t, dir)
		if v, err := r.Tip(t.Context(), testName); err != nil {
			t.Error(err)
		} else if _, err := r.Document(t.Context(), v); err != nil {
			t.Error(err)
		}
	})
	if n != 0 {
		t.Errorf("reading starts %d git children, want none", n)
	}
}

// TestWriterProcess is no test: copies of the test binary run it to write beside each other. Its instructions are
// FOLDER|NAME|COUNT; it prints the id of each version that it was told is stored.
func TestWriterProcess(t *testing.T) {
	job := strings.Split(os.Getenv(writerEnv), "|")
	if len(job) != 3 {
		t.Skip("only for copies that the other tests start")
	}
	count, _ := strconv.Atoi(job[2])
	r := open(t, job[0])
	for i := range count {
		item := fmt.Sprintf("%s %d", job[1], i)
		v, err := r.Edit(context.Background(), testName, func(_ *Version, doc *handoff.Document) (*Change, error) {
			if doc == nil {
				doc = handoff.New(testName)
			}
			doc.NextAction = item
			doc.Next = append(doc.Next, handoff.Item{What: item})
			doc.Next = doc.Next[max(0, len(doc.Next)-2000):]
			return &Change{Doc: doc, Message: handoff.MessageOf(doc, handoff.EventSave)}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Printf("saved %s\n", v.OID)
	}
}

// writer starts a copy of the test binary that saves count times.
func writer(t *testing.T, dir, name string, count int) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestWriterProcess$", "-test.v")
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s|%s|%d", writerEnv, dir, name, count))
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	return cmd, bufio.NewScanner(out)
}

// soak is the size of a test that can always find more: small as a rule, large with GIT_HANDOFF_TEST_SOAK set.
func soak(small, large int) int {
	if os.Getenv("GIT_HANDOFF_TEST_SOAK") != "" {
		return large
	}
	return small
}

// Whatever sixteen processes were told is stored is in history, while refs are packed all the time.
func TestManyWriters(t *testing.T) {
	dir := newRepo(t)
	each := soak(3, 60)
	stop := make(chan struct{})
	var packer, writers sync.WaitGroup
	packer.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				try(dir, "pack-refs", "--all")
			}
		}
	})
	var mu sync.Mutex
	saved := map[string]bool{}
	for i := range 16 {
		cmd, lines := writer(t, dir, fmt.Sprint("writer", i), each)
		writers.Go(func() {
			var output []string
			for lines.Scan() {
				output = append(output, lines.Text())
				if oid, ok := strings.CutPrefix(lines.Text(), "saved "); ok {
					mu.Lock()
					saved[oid] = true
					mu.Unlock()
				}
			}
			if err := cmd.Wait(); err != nil {
				t.Errorf("%v\n%s", err, strings.Join(output, "\n"))
			}
		})
	}
	writers.Wait()
	close(stop)
	packer.Wait()
	checkHistory(t, dir, saved, 16*each)
}

// checkHistory holds that every version that was reported is in the history of the tip, once, and the repository whole.
func checkHistory(t *testing.T, dir string, saved map[string]bool, want int) {
	t.Helper()
	r := open(t, dir)
	tip, err := r.Tip(t.Context(), testName)
	if err != nil {
		t.Fatal(err)
	}
	history, err := r.History(t.Context(), tip.OID, 0)
	if err != nil || len(history) != want || len(saved) != want {
		t.Errorf("%d versions in history, %d reported, want %d: %v", len(history), len(saved), want, err)
	}
	for _, v := range history {
		delete(saved, v.OID)
	}
	if len(saved) > 0 {
		t.Errorf("%d lost", len(saved))
	}
	if doc, err := r.Document(t.Context(), tip); err != nil || len(doc.Next) != min(want, 2000) {
		t.Errorf("document: %v", err)
	}
	checkWhole(t, dir)
}

// checkWhole holds that the repository is sound and nobody left a lock.
func checkWhole(t *testing.T, dir string) {
	t.Helper()
	git(t, dir, "fsck", "--strict", "--no-dangling")
	err := filepath.WalkDir(filepath.Join(dir, ".git"), func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".lock") {
			t.Errorf("left behind: %s", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// A writer that is killed at any moment leaves the old version or the new one, and nothing in the way of the next.
func TestKilledWriter(t *testing.T) {
	dir := newRepo(t)
	for round := range soak(10, 400) {
		cmd, lines := writer(t, dir, fmt.Sprint("round", round), 1_000_000)
		var last string
		for lines.Scan() {
			var saved bool
			if last, saved = strings.CutPrefix(lines.Text(), "saved "); saved {
				break
			}
		}
		time.Sleep(time.Duration(rand.IntN(30_000)) * time.Microsecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for lines.Scan() {
			if oid, ok := strings.CutPrefix(lines.Text(), "saved "); ok {
				last = oid
			}
		}
		_ = cmd.Wait()
		r := open(t, dir)
		v := save(t, r, testName, "after the kill")
		history, err := r.History(t.Context(), v.OID, 4)
		if err != nil || !slices.ContainsFunc(history, func(v Version) bool { return v.OID == last }) {
			t.Fatalf("round %d: %s was reported, history is %+v, %v", round, last, history, err)
		}
	}
	checkWhole(t, dir)
}
