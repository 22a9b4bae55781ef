package gitstore

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"git-handoff/gitstore/handoff"
)

// TestBranchTipsIsWhatGitLists holds the refs that are read in process against git's own list.
func TestBranchTipsIsWhatGitLists(t *testing.T) {
	dir := newRepo(t)
	commitFile(t, dir, "a", "1")
	branches := []string{"main", "main/x", "mai", "main0", "feature/login", "feature"}
	var in strings.Builder
	for i, branch := range branches {
		for _, topic := range []string{"default", "z", "0", fmt.Sprint("t", i)} {
			fmt.Fprintf(&in, "create refs/handoff/%s/%s HEAD\n", branch, topic)
		}
	}
	for i := range 1500 {
		fmt.Fprintf(&in, "create refs/handoff/b%04d/default HEAD\ncreate refs/tags/v%d HEAD\n", i, i)
	}
	check := func(state string) {
		t.Helper()
		r := open(t, dir)
		for _, branch := range append(branches, "b0000", "b0777", "b1499", "none", "b") {
			all, err := r.Tips(t.Context(), handoff.RefPrefix+branch)
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			for _, v := range all {
				if v.Name.Branch == branch {
					want = append(want, v.Ref+" "+v.OID)
				}
			}
			tips, err := r.BranchTips(t.Context(), branch)
			var got []string
			for _, v := range tips {
				got = append(got, v.Ref+" "+v.OID)
			}
			if err != nil || strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("%s, %s: %q, %v, want %q", state, branch, got, err, want)
			}
		}
	}
	gitIn(t, dir, in.String(), "update-ref", "--stdin")
	check("loose")
	git(t, dir, "pack-refs", "--all")
	check("packed")
	git(t, dir, "update-ref", "refs/handoff/main/z", git(t, dir, "commit-tree", "-m", "other", "HEAD^{tree}"))
	git(t, dir, "update-ref", "-d", "refs/handoff/feature/0")
	git(t, dir, "update-ref", "refs/handoff/main/blob", git(t, dir, "rev-parse", "HEAD:a"))
	write(t, filepath.Join(dir, ".git/refs/handoff/main/default.lock"), "")
	check("loose beside packed")
	os.Remove(filepath.Join(dir, ".git/refs/handoff/main/default.lock"))
	n := countChildren(t, func() {
		if _, err := open(t, dir).BranchTips(t.Context(), "b0777"); err != nil {
			t.Error(err)
		}
	})
	if n != 0 {
		t.Errorf("%d children, want none", n)
	}
}
