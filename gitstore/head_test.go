package gitstore

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// stop runs a git command that must stop half-way.
func stop(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err == nil {
		t.Fatalf("git %v went through:\n%s", args, out)
	}
}

// conflicting makes two branches that change the same line, side checked out, and gives main's tip.
func conflicting(t *testing.T, dir string) string {
	t.Helper()
	commitFile(t, dir, "a", "1\n")
	git(t, dir, "checkout", "-q", "-b", "feature/side")
	commitFile(t, dir, "a", "2\n")
	git(t, dir, "checkout", "-q", "main")
	tip := commitFile(t, dir, "a", "3\n")
	git(t, dir, "checkout", "-q", "feature/side")
	return tip
}

func TestHeadDuringAnOperation(t *testing.T) {
	for name, test := range map[string]struct {
		args   []string
		branch string
		want   Operation
	}{
		"rebase":       {[]string{"rebase", "main"}, "", Operation{Name: "rebase", Branch: "feature/side", Step: "1 of 1"}},
		"rebase by am": {[]string{"rebase", "--apply", "main"}, "", Operation{Name: "rebase", Branch: "feature/side", Step: "1 of 1"}},
		"cherry-pick":  {[]string{"cherry-pick", "main"}, "feature/side", Operation{Name: "cherry-pick"}},
		"merge":        {[]string{"merge", "main"}, "feature/side", Operation{Name: "merge"}},
		"revert":       {[]string{"revert", "--no-edit", "HEAD~1"}, "feature/side", Operation{Name: "revert"}},
	} {
		refFormats(t, func(t *testing.T, r *Repo, _ [2]string) {
			onto, want := conflicting(t, r.dir), test.want
			stop(t, r.dir, test.args...)
			if want.Name == "rebase" {
				want.Onto = onto
			}
			h, err := r.Head(t.Context())
			if err != nil || h.Branch != test.branch || h.Detached != (test.branch == "") || h.Operation != want {
				t.Errorf("%s: %+v, %v", name, h, err)
			}
		})
	}
}

// An operation belongs to its worktree alone.
func TestHeadOfALinkedWorktree(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	conflicting(t, dir)
	tree := filepath.Join(t.TempDir(), "tree")
	git(t, dir, "worktree", "add", "-q", "-b", "other", tree)
	stop(t, tree, "merge", "main")
	if h, err := open(t, tree).Head(t.Context()); err != nil || h.Branch != "other" || h.Operation.Name != "merge" {
		t.Errorf("there %+v, %v", h, err)
	}
	if h, err := open(t, dir).Head(t.Context()); err != nil || h.Branch != "feature/side" || h.Operation != (Operation{}) {
		t.Errorf("here %+v, %v", h, err)
	}
}
