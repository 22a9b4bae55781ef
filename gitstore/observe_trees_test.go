package gitstore

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"git-handoff/gitstore/handoff"
)

// changeAtRandom edits, adds, deletes, moves and makes executable what is in a small worktree.
func changeAtRandom(t *testing.T, rnd *rand.Rand, dir string) {
	t.Helper()
	name := func() string {
		return filepath.Join(dir, []string{"", "a", "a/b", "c"}[rnd.IntN(4)], fmt.Sprintf("f%d", rnd.IntN(5)))
	}
	for range 1 + rnd.IntN(3) {
		file := name()
		switch rnd.IntN(6) {
		case 0:
			os.Remove(file)
		case 1:
			os.Chmod(file, 0o755)
		case 2:
			to := name()
			os.MkdirAll(filepath.Dir(to), 0o777)
			os.Rename(file, to)
		case 3:
			os.Remove(file)
			os.MkdirAll(filepath.Dir(file), 0o777)
			os.Symlink("nowhere", file)
		default:
			os.Remove(file)
			write(t, file, fmt.Sprint(rnd.IntN(3), " of the lines\nand more\nof them\n"))
		}
	}
}

// What is compared here is what git says of it.
func TestNearChangesAreGits(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(7, 11))
	dir := newRepo(t)
	commits := []string{commitFile(t, dir, "f0", "start\n")}
	for i := range 24 {
		changeAtRandom(t, rnd, dir)
		git(t, dir, "add", "-A")
		git(t, dir, "commit", "-q", "--allow-empty", "-m", fmt.Sprint(i))
		if i%8 == 5 {
			git(t, dir, "checkout", "-q", "-b", fmt.Sprint("side", i), "HEAD~2")
			git(t, dir, "commit", "-q", "--allow-empty", "-m", "aside")
			git(t, dir, "checkout", "-q", "main")
			git(t, dir, "merge", "-q", "-m", "merge", fmt.Sprint("side", i))
		}
		commits = append(commits, git(t, dir, "rev-parse", "HEAD"))
	}
	r := open(t, dir)
	found := 0
	for range 60 {
		from, to := commits[rnd.IntN(len(commits))], commits[rnd.IntN(len(commits))]
		if near, ok := r.nearChanges(t.Context(), from, to); ok {
			found++
			asked, err := r.diffTree(t.Context(), from, to)
			sortChanges(near)
			sortChanges(asked)
			if diff := cmp.Diff(asked, near); err != nil || diff != "" {
				t.Errorf("%s..%s: %v, git and we:\n%s", from, to, err, diff)
			}
		}
	}
	if found < 5 {
		t.Errorf("only %d of 60 were found out here", found)
	}
}

// Counted on from what was observed before, the facts are those that git gives at once.
func TestObserveGoesOn(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	first := commitFile(t, dir, "a", "0")
	going := observe(t, dir, "main", nil)
	for i := range nearReads + 8 {
		commitFile(t, dir, "a", fmt.Sprint(i+1))
		if i == nearReads/2 {
			record(t, open(t, dir), git(t, dir, "rev-parse", "HEAD~3"), passed(git(t, dir, "rev-parse", "HEAD~3^{tree}"), 1))
		}
		going = observe(t, dir, "main", &going)
		going = observe(t, dir, "main", &going) // nothing new
	}
	afresh := observe(t, dir, "main", &handoff.Observed{Base: first})
	if diff := cmp.Diff(afresh, going, sameTime); diff != "" || going.Commits != nearReads+8 {
		t.Errorf("%d commits; at once and one by one:\n%s", going.Commits, diff)
	}
}

func TestNearTreesAreFew(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	first := commitFile(t, dir, "a", "1")
	for i := range maxNearTrees + 1 {
		write(t, filepath.Join(dir, fmt.Sprint("d", i), "f"), "x")
	}
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-q", "-m", "many folders")
	r := open(t, dir)
	tip := git(t, dir, "rev-parse", "HEAD")
	if _, ok := r.nearChanges(t.Context(), first, tip); ok {
		t.Error("every folder was read here")
	}
	changed, err := r.changedFiles(t.Context(), first, tip)
	if err != nil || changed.Total != maxNearTrees+1 {
		t.Errorf("%d changed, %v", changed.Total, err)
	}
}
