package gitstore

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// What the reflogs tell here is what git says of them.
func TestBranchesMadeSince(t *testing.T) {
	dir := newRepo(t)
	at := func(seconds string) { t.Setenv("GIT_COMMITTER_DATE", seconds+" +0530") }
	at("1700000000")
	commitFile(t, dir, "a", "1")
	git(t, dir, "branch", "old")
	at("1700000100")
	git(t, dir, "branch", "new")
	git(t, dir, "branch", "feat/x", "old")
	git(t, dir, "checkout", "-q", "-b", "here")
	at("1700000200")
	git(t, dir, "branch", "-m", "new", "renamed")
	git(t, dir, "branch", "gone")
	git(t, dir, "branch", "-D", "gone")
	git(t, dir, "branch", "-f", "old", "main")
	git(t, dir, "branch", "unlogged")
	if err := os.Remove(filepath.Join(dir, ".git", "logs", "refs", "heads", "unlogged")); err != nil {
		t.Fatal(err)
	}
	r := open(t, dir)
	for _, since := range []int64{1600000000, 1700000000, 1700000099, 1700000100, 1700000200} {
		asked, err := r.askMadeSince(t.Context(), time.Unix(since, 0))
		if err != nil {
			t.Fatal(err)
		}
		near, ok := r.nearMadeSince(time.Unix(since, 0))
		if diff := cmp.Diff(asked, near); diff != "" || !ok {
			t.Errorf("since %d, read here %v, git and we:\n%s", since, ok, diff)
		}
	}
	write(t, filepath.Join(dir, ".git", "logs", "refs", "heads", "here"), string(make([]byte, maxNearLogSize+1)))
	if _, ok := r.nearMadeSince(time.Unix(0, 0)); ok {
		t.Error("a large reflog was read here")
	}
}
