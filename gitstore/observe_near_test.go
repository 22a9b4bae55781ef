package gitstore

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestNearSpanIsGits holds what is read in process against git, on histories with and without merges, whose dates go
// forth and back.
func TestNearSpanIsGits(t *testing.T) {
	dir := newRepo(t)
	random := rand.New(rand.NewPCG(1, 2))
	tree := git(t, dir, "mktree")
	var commits []string
	for i := range 60 {
		t.Setenv("GIT_COMMITTER_DATE", fmt.Sprintf("@%d +0000", 1_700_000_000+i*100+random.IntN(400)))
		args := []string{"commit-tree", "-m", fmt.Sprint(i), tree}
		for n := 0; n < 1+random.IntN(12)/11 && len(commits) > 0; n++ {
			back := min(len(commits), 1+random.IntN(3))
			args = append(args, "-p", commits[len(commits)-back])
		}
		if i == 30 {
			// A history with nothing in common.
			args = []string{"commit-tree", "-m", fmt.Sprint(i), tree}
		}
		commits = append(commits, git(t, dir, args...))
	}
	os.Unsetenv("GIT_COMMITTER_DATE")
	r := open(t, dir)
	found := 0
	for range 300 {
		tip, other := commits[random.IntN(len(commits))], commits[random.IntN(len(commits))]
		near, ok := r.nearSpan(t.Context(), tip, other)
		if !ok {
			continue
		}
		found++
		far, err := r.span(t.Context(), tip, []string{other})
		if err != nil {
			t.Fatal(err)
		}
		if !sameCommits(near.commits, far.commits) || !sameCommits(near.edges, far.edges) {
			t.Errorf("%.7s beyond %.7s: %v and %v, git has %v and %v", tip, other, near.commits, near.edges, far.commits, far.edges)
		}
	}
	if found < 60 {
		t.Errorf("only %d of 300 were near", found)
	}
	git(t, dir, "replace", commits[59], commits[58])
	if _, ok := r.nearSpan(t.Context(), commits[59], commits[59]); ok {
		t.Error("a replaced commit was read as it is")
	}
	git(t, dir, "pack-refs", "--all")
	os.RemoveAll(filepath.Join(dir, ".git", "refs", "replace"))
	if _, ok := r.nearSpan(t.Context(), commits[59], commits[59]); ok {
		t.Error("a commit whose replacement is packed was read as it is")
	}
}

func sameCommits(a, b []Commit) bool {
	return slices.EqualFunc(a, b, func(x, y Commit) bool {
		return x.OID == y.OID && x.Tree == y.Tree && x.When.Equal(y.When)
	})
}
