package gitstore

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"git-handoff/gitstore/handoff"

	"github.com/google/go-cmp/cmp"
)

func TestAncestry(t *testing.T) {
	t.Parallel()
	dir, fork, topic := topicRepo(t)
	git(t, dir, "checkout", "-q", "main")
	main := commitFile(t, dir, "m", "m\n")
	r := open(t, dir)
	for _, test := range []struct {
		a, b string
		want bool
	}{{fork, topic[1], true}, {topic[1], fork, false}, {main, topic[1], false}, {main, main, true}} {
		if got, err := r.IsAncestor(t.Context(), test.a, test.b); got != test.want || err != nil {
			t.Errorf("%s is ancestor of %s: %v, %v", test.a, test.b, got, err)
		}
	}
	if _, err := r.IsAncestor(t.Context(), fakeOID(1), main); err == nil {
		t.Error("a commit that is not here is no error")
	}
	if got, err := r.MergeBases(t.Context(), topic[1], main); !slices.Equal(got, []string{fork}) || err != nil {
		t.Errorf("merge bases %v, %v", got, err)
	}
	if n, err := r.Distance(t.Context(), fork, topic[1]); n != 2 || err != nil {
		t.Errorf("distance %d, %v", n, err)
	}
	got, err := r.Reachable(t.Context(), []string{fork, main, topic[0], fakeOID(1)}, []string{main})
	if !slices.Equal(got, []string{fork, main}) || err != nil {
		t.Errorf("reachable %v, %v", got, err)
	}
	commits, err := r.Commits(t.Context(), fork, topic[1], 1)
	if len(commits) != 1 || err != nil || commits[0].Subject != "change c.txt" || commits[0].Author != "Ada" || commits[0].Parents[0] != topic[0] {
		t.Errorf("commits %+v, %v", commits, err)
	}
}

func TestBranches(t *testing.T) {
	t.Parallel()
	dir, fork, topic := topicRepo(t)
	git(t, dir, "remote", "add", "origin", "nowhere")
	git(t, dir, "update-ref", "refs/remotes/origin/topic", "HEAD")
	git(t, dir, "branch", "-q", "--set-upstream-to=origin/topic", "topic")
	r := open(t, dir)
	got, err := r.Branches(t.Context())
	want := []Branch{{Name: "main", OID: fork}, {Name: "topic", OID: topic[1], Upstream: "refs/remotes/origin/topic",
		Push: "refs/remotes/origin/topic", Worktree: git(t, dir, "rev-parse", "--show-toplevel")}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	for name, want := range map[string]bool{"main": true, "mai": false, "origin/topic": false} {
		if ok, err := r.BranchExists(t.Context(), name); ok != want || err != nil {
			t.Errorf("branch %s exists: %v, %v", name, ok, err)
		}
	}
}

func TestRenames(t *testing.T) {
	t.Parallel()
	dir, _, _ := topicRepo(t)
	r := open(t, dir)
	if got, err := r.Renames(t.Context()); got != nil || err != nil {
		t.Errorf("nothing renamed: %v, %v", got, err)
	}
	git(t, dir, "branch", "-m", "topic", "feat/x")
	git(t, dir, "branch", "-m", "feat/x", "feat/y")
	git(t, dir, "branch", "feat/x")
	got, err := r.Renames(t.Context())
	want := []Rename{{Old: "feat/x", New: "feat/y"}, {Old: "topic", New: "feat/y"}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	if log, err := r.Reflog(t.Context(), "feat/y"); len(log) < 4 || err != nil || !strings.HasPrefix(log[2].Message, "commit: ") {
		t.Errorf("reflog %+v, %v", log, err)
	}
	git(t, dir, "branch", "-q", "-D", "feat/x")
	cmd := exec.Command("git", "branch", "feat/x", "main")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GIT_COMMITTER_DATE=1700000000 +0200")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	log, err := r.Reflog(t.Context(), "feat/x")
	if len(log) != 1 || err != nil || log[0].When.Unix() != 1700000000 || log[0].Message != "branch: Created from main" {
		t.Errorf("reflog of a new branch %+v, %v", log, err)
	}
}

// TestPartialCloneOffline observes a branch whose blobs, and in the end trees, are on a remote that is not there any
// more. Nothing may be fetched: a fetch would be one more child.
func TestPartialCloneOffline(t *testing.T) {
	dir, fork, topic := topicRepo(t)
	git(t, dir, "mv", "a.txt", "moved.txt")
	write(t, filepath.Join(dir, "moved.txt"), "one\nand\n")
	git(t, dir, "commit", "-qam", "move")
	git(t, dir, "config", "uploadpack.allowFilter", "true")
	git(t, dir, "checkout", "-q", "main")
	for filter, total := range map[string]int{"blob:none": 4, "tree:0": 7} {
		clone := filepath.Join(t.TempDir(), "clone")
		git(t, ".", "clone", "-q", "--filter="+filter, "--no-checkout", "-b", "topic", "file://"+filepath.ToSlash(dir), clone)
		git(t, clone, "remote", "set-url", "origin", filepath.Join(dir, "nowhere"))
		prev := handoff.Observed{Head: fakeOID(1), ChangedFiles: handoff.ChangedFiles{Total: 7}}
		var o handoff.Observed
		r := open(t, clone)
		n := countChildren(t, func() { o, _ = r.Observe(t.Context(), "topic", &prev) })
		if o.Base != fork || o.ChangedFiles.Total != total || filter == "blob:none" && n != 2+configChildren {
			t.Errorf("%s, %d children: %+v", filter, n, o)
		}
		n = countChildren(t, func() {
			if ok, err := r.MayRefresh(t.Context(), "topic", &prev, &o, nil); ok || err != nil {
				t.Errorf("may refresh from a head that is not here: %v, %v", ok, err)
			}
		})
		if n != 1 {
			t.Errorf("a look for a commit that is not here: %d children, want 1", n)
		}
		here, err := r.Reachable(t.Context(), []string{fork, fakeOID(1), topic[1]}, []string{topic[0]})
		if !slices.Equal(here, []string{fork}) || err != nil {
			t.Errorf("reachable %v, %v", here, err)
		}
	}
}

// TestShallowClone keeps the base that it cannot see.
func TestShallowClone(t *testing.T) {
	t.Parallel()
	dir, fork, topic := topicRepo(t)
	clone := filepath.Join(t.TempDir(), "clone")
	git(t, ".", "clone", "-q", "--depth=1", "-b", "topic", "file://"+filepath.ToSlash(dir), clone)
	prev := handoff.Observed{Head: topic[0], Base: fork, Commits: 1, LastKnownGood: fork}
	o := observe(t, clone, "topic", &prev)
	if o.Head != topic[1] || o.Base != fork || o.Commits != 1 || o.LastKnownGood != fork {
		t.Errorf("%+v", o)
	}
}

// TestObserveFormats looks at a branch in repositories that this process cannot read itself.
func TestObserveFormats(t *testing.T) {
	t.Parallel()
	for _, arg := range []string{"--object-format=sha256", "--ref-format=reftable"} {
		t.Run(arg, func(t *testing.T) {
			t.Parallel()
			supports(t, "init", "-q", arg)
			dir := newRepo(t, arg)
			base := commitFile(t, dir, "a", "1\n")
			git(t, dir, "checkout", "-q", "-b", "topic")
			head := commitFile(t, dir, "b", "1\n")
			record(t, open(t, dir), head, passed("", 1))
			git(t, dir, "remote", "add", "origin", "nowhere")
			git(t, dir, "update-ref", "refs/remotes/origin/trunk", base)
			git(t, dir, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk")
			git(t, dir, "branch", "-q", "-D", "main")
			o := observe(t, dir, "topic", nil)
			if o.Base != base || o.Commits != 1 || o.LastKnownGood != head || o.ChangedFiles.Total != 1 {
				t.Errorf("%+v", o)
			}
			write(t, filepath.Join(dir, "b"), "2\n")
			git(t, dir, "stash", "-q")
			if w := worktree(t, dir); len(w.Stashes) != 1 || w.Modified != nil {
				t.Errorf("%+v", w)
			}
		})
	}
}
