package gitstore

import (
	"fmt"
	"testing"

	"git-handoff/gitstore/handoff"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// sameTime lets cmp compare times, which hide their field.
var sameTime = cmpopts.EquateComparable(handoff.Time{})

// observe is Observe on a fresh look at the repository.
func observe(t *testing.T, dir, branch string, prev *handoff.Observed) handoff.Observed {
	t.Helper()
	o, err := open(t, dir).Observe(t.Context(), branch, prev)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// topicRepo is a repository with one commit on main and two on topic, which is checked out.
func topicRepo(t *testing.T) (dir, fork string, topic []string) {
	t.Helper()
	dir = newRepo(t)
	fork = commitFile(t, dir, "a.txt", "one\n")
	git(t, dir, "checkout", "-q", "-b", "topic")
	topic = append(topic, commitFile(t, dir, "b.txt", "b\n"), commitFile(t, dir, "c.txt", "c\n"))
	return dir, fork, topic
}

func TestObserveTopic(t *testing.T) {
	t.Parallel()
	dir, fork, topic := topicRepo(t)
	want := handoff.Observed{
		Head: topic[1], Base: fork, Commits: 2, LastKnownGood: fork, Evidence: &handoff.Evidence{Kind: handoff.Assumed},
		ChangedFiles: handoff.ChangedFiles{Total: 2, Files: []handoff.ChangedFile{
			{Path: "b.txt", Change: handoff.Added}, {Path: "c.txt", Change: handoff.Added}}},
	}
	if diff := cmp.Diff(want, observe(t, dir, "topic", nil), sameTime); diff != "" {
		t.Error(diff)
	}
}

func TestObserveUnborn(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	if got := observe(t, dir, "main", nil); !cmp.Equal(got, handoff.Observed{}, sameTime) {
		t.Errorf("unborn branch: %+v", got)
	}
	prev := &handoff.Observed{Head: fakeOID(1), Base: fakeOID(2)}
	if got := observe(t, dir, "gone", prev); !cmp.Equal(got, *prev, sameTime) {
		t.Errorf("branch that is not here: %+v", got)
	}
}

// TestObserveBase tells one story a row: what is done to the repository of topicRepo, and which commit is the base.
func TestObserveBase(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		branch string
		// prev is the old base, a revision before the story begins.
		prev  string
		story func(t *testing.T, dir string) (base string, commits int)
	}{
		"own upstream is no base": {"topic", "", func(t *testing.T, dir string) (string, int) {
			remote := t.TempDir()
			git(t, remote, "init", "-q", "--bare")
			git(t, dir, "remote", "add", "origin", remote)
			git(t, dir, "push", "-q", "-u", "origin", "topic")
			return "main", 2
		}},
		"tracking branch is ahead of the local one": {"topic", "", func(t *testing.T, dir string) (string, int) {
			git(t, dir, "remote", "add", "origin", "nowhere")
			git(t, dir, "update-ref", "refs/remotes/origin/main", "topic~1")
			git(t, dir, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
			return "topic~1", 1
		}},
		"local branch is ahead of the tracking one": {"topic", "", func(t *testing.T, dir string) (string, int) {
			git(t, dir, "remote", "add", "origin", "nowhere")
			git(t, dir, "update-ref", "refs/remotes/origin/main", "main")
			git(t, dir, "branch", "-f", "main", "topic~1")
			return "topic~1", 1
		}},
		"remote's HEAD names another branch": {"topic", "", func(t *testing.T, dir string) (string, int) {
			git(t, dir, "remote", "add", "origin", "nowhere")
			git(t, dir, "update-ref", "refs/remotes/origin/trunk", "topic~1")
			git(t, dir, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk")
			return "topic~1", 1
		}},
		"handoff.base": {"topic", "", func(t *testing.T, dir string) (string, int) {
			git(t, dir, "branch", "develop", "topic~1")
			git(t, dir, "config", "handoff.base", "develop")
			return "topic~1", 1
		}},
		"handoff.base on another remote": {"topic", "", func(t *testing.T, dir string) (string, int) {
			git(t, dir, "remote", "add", "origin", "nowhere")
			git(t, dir, "remote", "add", "team/up", "nowhere")
			git(t, dir, "update-ref", "refs/remotes/team/up/dev/x", "topic~1")
			git(t, dir, "config", "handoff.base", "team/up/dev/x")
			return "topic~1", 1
		}},
		"handoff.base is a tag": {"topic", "", func(t *testing.T, dir string) (string, int) {
			git(t, dir, "tag", "-a", "-m", "v1", "v1", "topic~1")
			git(t, dir, "config", "handoff.base", "v1")
			return "topic~1", 1
		}},
		"handoff.base that is not here": {"topic", "", func(t *testing.T, dir string) (string, int) {
			git(t, dir, "config", "handoff.base", "nowhere")
			return "main", 2
		}},
		"main was merged into the topic": {"topic", "main", func(t *testing.T, dir string) (string, int) {
			git(t, dir, "checkout", "-q", "main")
			commitFile(t, dir, "m.txt", "m\n")
			git(t, dir, "checkout", "-q", "topic")
			git(t, dir, "merge", "-q", "-m", "take main", "main")
			commitFile(t, dir, "d.txt", "d\n")
			return "main", 4
		}},
		"the topic is contained in main and keeps its base": {"topic", "main", func(t *testing.T, dir string) (string, int) {
			git(t, dir, "branch", "-f", "main", "topic")
			return "main~2", 2
		}},
		"contained and never seen before": {"topic", "", func(t *testing.T, dir string) (string, int) {
			git(t, dir, "branch", "-f", "main", "topic")
			return "topic", 0
		}},
		"default branch, first save": {"main", "", func(t *testing.T, dir string) (string, int) { return "main", 0 }},
		"default branch, ahead of the remote": {"main", "", func(t *testing.T, dir string) (string, int) {
			git(t, dir, "remote", "add", "origin", "nowhere")
			git(t, dir, "update-ref", "refs/remotes/origin/main", "main")
			git(t, dir, "branch", "-f", "main", "topic")
			return "main", 0
		}},
		"default branch, later": {"main", "main", func(t *testing.T, dir string) (string, int) {
			git(t, dir, "branch", "-f", "main", "topic")
			return "main~2", 2
		}},
		"default branch with a merge, later": {"main", "topic~1", func(t *testing.T, dir string) (string, int) {
			git(t, dir, "checkout", "-q", "main")
			git(t, dir, "checkout", "-q", "-b", "side")
			commitFile(t, dir, "s.txt", "s\n")
			git(t, dir, "checkout", "-q", "topic")
			git(t, dir, "merge", "-q", "-m", "take side", "side")
			git(t, dir, "branch", "-f", "main", "topic")
			return "main~2", 3
		}},
		"default branch, amended": {"main", "topic", func(t *testing.T, dir string) (string, int) {
			git(t, dir, "checkout", "-q", "-B", "main", "topic")
			git(t, dir, "commit", "-q", "--amend", "-m", "other words")
			return "main~1", 1
		}},
		"default branch, reset behind the base": {"main", "topic", func(t *testing.T, dir string) (string, int) { return "main", 0 }},
		"no default branch": {"topic", "", func(t *testing.T, dir string) (string, int) {
			git(t, dir, "branch", "-m", "main", "stable")
			return "topic", 0
		}},
		"nothing in common with main": {"topic", "", func(t *testing.T, dir string) (string, int) {
			git(t, dir, "checkout", "-q", "--orphan", "pages")
			git(t, dir, "commit", "-q", "-m", "pages")
			git(t, dir, "branch", "-f", "topic", "pages")
			return "topic", 0
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, _, _ := topicRepo(t)
			var prev handoff.Observed
			if test.prev != "" {
				prev.Base = git(t, dir, "rev-parse", test.prev)
			}
			base, commits := test.story(t, dir)
			got := observe(t, dir, test.branch, &prev)
			if want := git(t, dir, "rev-parse", base); got.Base != want || got.Commits != commits {
				t.Errorf("base %s (%s), %d commits; want %s, %d", got.Base, git(t, dir, "name-rev", got.Base), got.Commits, base, commits)
			}
		})
	}
}

// TestObserveCrissCross takes the same base whatever the order of the parents is: the first by id.
func TestObserveCrissCross(t *testing.T) {
	t.Parallel()
	dir, _, _ := topicRepo(t)
	git(t, dir, "checkout", "-q", "main")
	commitFile(t, dir, "m.txt", "m\n")
	main, topic := git(t, dir, "rev-parse", "main"), git(t, dir, "rev-parse", "topic")
	git(t, dir, "merge", "-q", "-m", "one way", topic)
	git(t, dir, "checkout", "-q", "topic")
	git(t, dir, "merge", "-q", "-m", "other way", main)
	got := observe(t, dir, "topic", nil)
	if want := min(main, topic); got.Base != want {
		t.Errorf("base %s, want the first by id of %s and %s", got.Base, main, topic)
	}
	if want := git(t, dir, "rev-list", "--count", got.Base+"..topic"); fmt.Sprint(got.Commits) != want {
		t.Errorf("%d commits since the base, git counts %s", got.Commits, want)
	}
}

// TestObserveLostBase keeps what was known where the base is a commit that is not here.
func TestObserveLostBase(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	head := commitFile(t, dir, "a.txt", "one\n")
	prev := handoff.Observed{Head: fakeOID(1), Base: fakeOID(2), Commits: 7, LastKnownGood: fakeOID(2),
		Evidence:     &handoff.Evidence{Kind: handoff.Assumed},
		ChangedFiles: handoff.ChangedFiles{Total: 1, Files: []handoff.ChangedFile{{Path: "x", Change: handoff.Added}}}}
	want := prev
	want.Head = head
	if diff := cmp.Diff(want, observe(t, dir, "main", &prev), sameTime); diff != "" {
		t.Error(diff)
	}
}

// TestObserveChildren holds what a hook may spend: nothing, but for the configuration where it has to be asked for, and
// the history where it is not near and plain.
func TestObserveChildren(t *testing.T) {
	dir, fork, topic := topicRepo(t)
	r := open(t, dir)
	var first handoff.Observed
	n := countChildren(t, func() { first, _ = r.Observe(t.Context(), "topic", nil) })
	if n != configChildren || first.Base != fork {
		t.Errorf("first look: %d children, base %s; want %d, %s", n, first.Base, configChildren, fork)
	}
	n = countChildren(t, func() { _, _ = r.ObserveAll(t.Context(), "topic", &first, &first) })
	if n != 0 {
		t.Errorf("nothing new, two handoffs: %d children, want 0", n)
	}
	next := commitFile(t, dir, "d.txt", "d\n")
	var second handoff.Observed
	n = countChildren(t, func() { second, _ = r.Observe(t.Context(), "topic", &first) })
	if n != 0 || second.Head != next {
		t.Errorf("after a commit: %d children, head %s; want 0, %s", n, second.Head, next)
	}
	n = countChildren(t, func() {
		if ok, err := r.MayRefresh(t.Context(), "topic", &first, &second, nil); !ok || err != nil {
			t.Errorf("after a commit: may refresh %v, %v", ok, err)
		}
	})
	if n != 0 {
		t.Errorf("may refresh after a commit: %d children, want 0", n)
	}
	n = countChildren(t, func() {
		if s, _ := r.GeneratedSummary(t.Context(), &first); s != "2 commits: change b.txt; change c.txt" {
			t.Errorf("summary %q", s)
		}
	})
	if n != 0 || first.Head != topic[1] {
		t.Errorf("summary: %d children, want 0", n)
	}
	git(t, dir, "checkout", "-q", "main")
	commitFile(t, dir, "m.txt", "m\n")
	git(t, dir, "checkout", "-q", "topic")
	git(t, dir, "merge", "-q", "-m", "take main", "main")
	n = countChildren(t, func() { _, _ = r.Observe(t.Context(), "topic", &second) })
	if n != 1 {
		t.Errorf("after main was merged: %d children, want 1", n)
	}
}

// fakeOID is an object id that is nowhere.
func fakeOID(n int) string { return fmt.Sprintf("%040x", n) }
