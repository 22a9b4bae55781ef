package gitstore

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"git-handoff/gitstore/handoff"

	"github.com/google/go-cmp/cmp"
)

// buildCase runs the set-up script of a case and gives the repository that it made.
func buildCase(t *testing.T, name string) string {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh to run the case's script")
	}
	script, err := filepath.Abs(filepath.Join("..", "testdata", "cases", name, "setup.sh"))
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "repo")
	if out, err := exec.Command("sh", script, dir).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
	return dir
}

func worktree(t *testing.T, dir string) *handoff.Worktree {
	t.Helper()
	w, err := open(t, dir).Worktree(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestStoppedRebase is case 10: detached, a rebase of topic onto main, one file unmerged.
func TestStoppedRebase(t *testing.T) {
	t.Parallel()
	dir := buildCase(t, "10-rebase-stopped-stale-handoff")
	want := &handoff.Worktree{Operation: "rebase", Onto: "main", Step: "1 of 1",
		Unmerged: []string{"clock.txt"}, Untracked: []string{"HANDOFF.md"}}
	if diff := cmp.Diff(want, worktree(t, dir)); diff != "" {
		t.Error(diff)
	}
	head, err := open(t, dir).Head(t.Context())
	if err != nil || !head.Detached || head.Branch != "" || head.WorkBranch() != "topic" || head.OID != git(t, dir, "rev-parse", "main") {
		t.Errorf("head %+v (%v), works on %q", head, err, head.WorkBranch())
	}
	r := open(t, dir)
	var subjects []string
	commits, err := r.Commits(t.Context(), "", "topic", 0)
	for _, c := range commits {
		subjects = append(subjects, c.Subject)
	}
	if want := []string{"Paint the dial", "Add the second hand", "Add the clock"}; !slices.Equal(subjects, want) || err != nil {
		t.Errorf("commits by history: %q (%v)", subjects, err)
	}
	if r.HasCommit(t.Context(), "4f2a91c000000000000000000000000000000000") {
		t.Error("a commit that is not here is said to be")
	}
	if o := observe(t, dir, "topic", nil); o.Commits != 1 || o.Base != git(t, dir, "rev-parse", "main~1") {
		t.Errorf("the branch is observed as it was before the rebase: %+v", o)
	}
}

// TestOddPaths is case 11.
func TestOddPaths(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("other file systems do not hold these names")
	}
	dir := buildCase(t, "11-odd-paths")
	want := &handoff.Worktree{
		Modified: []handoff.ChangedFile{
			{Path: "blåbær/ærlig.txt", Change: handoff.Modified},
			{Path: "deep/er/gone.txt", Change: handoff.Deleted},
			{Path: "new name.txt", Change: handoff.Renamed, From: "old name/file one.txt"},
			{Path: `quote".txt`, Change: handoff.Modified},
			{Path: "run.sh", Change: handoff.ModeChanged},
		},
		Untracked: []string{" leading space.txt", "-rf", ".gitignore", `bad\xffbyte.txt`, "e\u0301.txt", "line\nbreak.txt",
			"pipe|and`tick.txt", "tab\tname.txt", "\u00e9.txt"},
	}
	if diff := cmp.Diff(want, worktree(t, dir)); diff != "" {
		t.Error(diff)
	}
	// The same names in a commit.
	git(t, dir, "checkout", "-q", "-b", "odd")
	git(t, dir, "add", "-A")
	git(t, dir, "-c", "user.name=Ada", "-c", "user.email=a@example.org", "commit", "-q", "-m", "odd")
	o := observe(t, dir, "odd", nil)
	if o.ChangedFiles.Total != 14 || !slices.Contains(o.ChangedFiles.Files, handoff.ChangedFile{Path: "run.sh", Change: handoff.ModeChanged}) ||
		!slices.Contains(o.ChangedFiles.Files, handoff.ChangedFile{Path: `bad\xffbyte.txt`, Change: handoff.Added}) {
		t.Errorf("changed files: %+v", o.ChangedFiles)
	}
}

// TestWorktreeOperations stops each operation half-way.
func TestWorktreeOperations(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		args []string
		want handoff.Worktree
	}{
		"rebase by am": {[]string{"rebase", "--apply", "main"}, handoff.Worktree{Operation: "rebase", Onto: "main", Step: "1 of 1"}},
		"merge":        {[]string{"merge", "main"}, handoff.Worktree{Operation: "merge"}},
		"cherry-pick":  {[]string{"cherry-pick", "main"}, handoff.Worktree{Operation: "cherry-pick"}},
		"revert":       {[]string{"revert", "--no-edit", "HEAD~1"}, handoff.Worktree{Operation: "revert"}},
		"bisect":       {[]string{"bisect", "start", "HEAD", "HEAD~2"}, handoff.Worktree{Operation: "bisect"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := newRepo(t)
			commitFile(t, dir, "a", "1\n")
			git(t, dir, "branch", "topic")
			commitFile(t, dir, "a", "main\n")
			git(t, dir, "checkout", "-q", "topic")
			commitFile(t, dir, "a", "2\n")
			if name != "rebase by am" {
				commitFile(t, dir, "a", "3\n")
			}
			try(dir, test.args...)
			if name != "bisect" {
				test.want.Unmerged = []string{"a"}
			}
			if diff := cmp.Diff(&test.want, worktree(t, dir)); diff != "" {
				t.Error(diff)
			}
			r := open(t, dir)
			head, err := r.Head(t.Context())
			if rebasing := strings.HasPrefix(name, "rebase"); err != nil || rebasing && head.WorkBranch() != "topic" || !rebasing && head.WorkBranch() != head.Branch {
				t.Errorf("works on %q (%v)", head.WorkBranch(), err)
			}
		})
	}
}

// TestRebaseInLinkedWorktree finds the branch that is rebased in another folder.
func TestRebaseInLinkedWorktree(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	commitFile(t, dir, "a", "1\n")
	git(t, dir, "branch", "feat/x")
	commitFile(t, dir, "a", "main\n")
	linked := filepath.Join(t.TempDir(), "linked")
	git(t, dir, "worktree", "add", "-q", linked, "feat/x")
	commitFile(t, linked, "a", "2\n")
	try(linked, "rebase", "main")
	head, err := open(t, linked).Head(t.Context())
	if err != nil || head.WorkBranch() != "feat/x" || worktree(t, linked).Onto != "main" {
		t.Errorf("%+v (%v)", head, err)
	}
	if w := worktree(t, dir); w.Operation != "" || w.Unmerged != nil {
		t.Errorf("the main worktree has %+v", w)
	}
}

func TestStatusCombinesIndexAndWorktree(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("files have no executable bit here")
	}
	dir := newRepo(t)
	for _, f := range []string{"both", "gone", "kept", "mode", "staged-mode", "mode+text", "binary", "moved-away"} {
		commitFile(t, dir, f, f+" 1\n2\n3\n\x00\n")
	}
	write(t, filepath.Join(dir, "both"), "x\n")
	git(t, dir, "add", "both")
	write(t, filepath.Join(dir, "both"), "y\n")
	git(t, dir, "rm", "-q", "--cached", "kept")
	write(t, filepath.Join(dir, "new"), "n\n")
	git(t, dir, "add", "new")
	git(t, dir, "rm", "-q", "gone")
	chmod := func(f string) {
		if err := os.Chmod(filepath.Join(dir, f), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	chmod("mode")
	chmod("binary")
	chmod("staged-mode")
	git(t, dir, "add", "staged-mode")
	chmod("mode+text")
	write(t, filepath.Join(dir, "mode+text"), "other\n")
	git(t, dir, "mv", "moved-away", "moved")
	if err := os.Remove(filepath.Join(dir, "moved")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "folder/one"), "1\n")
	write(t, filepath.Join(dir, "folder/two"), "2\n")
	s, err := open(t, filepath.Join(dir, "folder")).Status(t.Context())
	want := &Status{
		Changed: []handoff.ChangedFile{
			{Path: "binary", Change: handoff.ModeChanged},
			{Path: "both", Change: handoff.Modified},
			{Path: "gone", Change: handoff.Deleted},
			{Path: "kept", Change: handoff.Deleted},
			{Path: "mode", Change: handoff.ModeChanged},
			{Path: "mode+text", Change: handoff.Modified},
			{Path: "moved-away", Change: handoff.Deleted},
			{Path: "new", Change: handoff.Added},
			{Path: "staged-mode", Change: handoff.ModeChanged},
		},
		Untracked: []string{"folder/", "kept"},
	}
	if diff := cmp.Diff(want, s); diff != "" || err != nil || s.Clean() {
		t.Errorf("%v, clean %v\n%s", err, s.Clean(), diff)
	}
}

// TestWorktreeCap counts what a document has no room for.
func TestWorktreeCap(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	for i := range handoff.MaxWorktreePaths + 7 {
		write(t, filepath.Join(dir, fmt.Sprintf("f%03d", i)), "x\n")
	}
	w := worktree(t, dir)
	if len(w.Untracked) != handoff.MaxWorktreePaths || w.Omitted != 7 || w.Untracked[0] != "f000" {
		t.Errorf("%d listed, %d omitted", len(w.Untracked), w.Omitted)
	}
	index := git(t, dir, "rev-parse", "--git-path", "index.lock")
	write(t, filepath.Join(dir, index), "")
	if w := worktree(t, dir); w.Omitted != 7 {
		t.Error("a lock that somebody holds changes what is seen")
	}
}

func TestStashes(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	commitFile(t, dir, "a", "1\n")
	stash := func(args ...string) {
		write(t, filepath.Join(dir, "a"), strings.Join(args, " ")+"x\n")
		git(t, dir, append([]string{"stash", "push", "-q"}, args...)...)
	}
	stash()
	stash("-m", "on main: why")
	git(t, dir, "checkout", "-q", "-b", "feat/main")
	stash("-m", "elsewhere")
	git(t, dir, "checkout", "-q", "--detach")
	stash()
	git(t, dir, "checkout", "-q", "main")
	git(t, dir, "config", "log.date", "iso")
	got, err := open(t, dir).Stashes(t.Context(), "main")
	if err != nil || len(got) != 2 || got[0].Index != 2 || got[0].Note != "on main: why" || got[1].Note != "" || got[1].Index != 3 {
		t.Errorf("%+v (%v)", got, err)
	}
	if w := worktree(t, dir); len(w.Stashes) != 2 || w.Stashes[0] != "stash@{2}: On main: on main: why" {
		t.Errorf("%q", w.Stashes)
	}
}

func FuzzParseStatus(f *testing.F) {
	zeros := strings.Repeat("0", 40)
	f.Add([]byte("1 .M N... 100644 100644 100755 " + zeros + " " + zeros + " run.sh\x00"))
	f.Add([]byte("2 R. N... 100644 100644 100644 " + zeros + " " + zeros + " R100 new name\x00old\x00? a b\x00# x\x00"))
	f.Add([]byte("u UU N... 100644 100644 100644 100644 " + zeros + " " + zeros + " " + zeros + " clock.txt\x00"))
	f.Fuzz(func(t *testing.T, out []byte) {
		records, err := parseStatus(out)
		if err != nil {
			return
		}
		s := statusOf(records)
		for _, c := range s.Changed {
			if c.Change == "" {
				t.Fatalf("%q gives %+v", out, c)
			}
		}
	})
}
