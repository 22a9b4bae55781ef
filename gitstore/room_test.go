package gitstore

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"git-handoff/gitstore/handoff"
)

func named(s string) handoff.Name {
	n, err := handoff.ParseName(s)
	if err != nil {
		panic(err)
	}
	return n
}

// formats are the arguments of git init for each way to keep refs.
func formats(t *testing.T, test func(t *testing.T, initArgs ...string)) {
	t.Run("files", func(t *testing.T) { test(t) })
	t.Run("reftable", func(t *testing.T) {
		supports(t, "init", "-q", "--ref-format=reftable")
		test(t, "--ref-format=reftable")
	})
}

// TestRoomHere saves two handoffs whose refs cannot exist together, in both orders. The one whose branch is gone makes
// room and is not lost; one whose branch is here does not.
func TestRoomHere(t *testing.T) {
	t.Parallel()
	formats(t, func(t *testing.T, initArgs ...string) {
		for _, order := range [][2]string{{"a/b", "a/b/c"}, {"a/b/c", "a/b"}} {
			dir := newRepo(t, initArgs...)
			commitFile(t, dir, "f", "1")
			first, second := named(order[0]), named(order[1])
			git(t, dir, "checkout", "-q", "-b", first.Branch)
			old := saveIn(t, dir, first, nil)
			if _, err := open(t, dir).Edit(t.Context(), second, saving(second, "x")); !errors.As(err, new(*ConflictDF)) {
				t.Errorf("%v: with both branches live: %v", order, err)
			}
			git(t, dir, "checkout", "-q", "main")
			git(t, dir, "branch", "-q", "-D", first.Branch)
			git(t, dir, "checkout", "-q", "-b", second.Branch)
			saveIn(t, dir, second, nil)
			if got := git(t, dir, "rev-parse", handoff.ArchivePrefix+old); got != old {
				t.Errorf("%v: the archive has %s", order, got)
			}
			r := open(t, dir)
			if v, err := r.InArchive(t.Context(), first); err != nil || v == nil || v.OID != old {
				t.Errorf("%v: %v %v", order, v, err)
			}
			git(t, dir, "checkout", "-q", "main")
			git(t, dir, "branch", "-q", "-D", second.Branch)
			if _, err := r.Archive(t.Context(), []Closing{{Name: second}}); err != nil {
				t.Fatal(err)
			}
			git(t, dir, "update-ref", "-d", second.Ref())
			if v, err := r.Reopen(t.Context(), first, "", ""); err != nil || v.OID != old {
				t.Errorf("%v: reopened as %v, %v", order, v, err)
			}
		}
	})
}

// TestRoomAfterACrash stops between the two transactions.
func TestRoomAfterACrash(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	commitFile(t, dir, "f", "1")
	git(t, dir, "checkout", "-q", "-b", "a")
	first, second := named("a/b"), named("a/b/c")
	old := saveIn(t, dir, first, nil)
	git(t, dir, "checkout", "-q", "main")
	git(t, dir, "branch", "-q", "-D", "a")
	git(t, dir, "update-ref", handoff.ArchivePrefix+old, old)
	git(t, dir, "checkout", "-q", "-b", "a/b")
	saveIn(t, dir, second, nil)
	if got := try(dir, "rev-parse", "-q", "--verify", handoff.ArchivePrefix+old); got != old {
		t.Errorf("the archive has %q", got)
	}
}

// TestRoomOnTheRemote brings a handoff to a remote where another one is in the way, and takes the news to a third clone.
func TestRoomOnTheRemote(t *testing.T) {
	t.Parallel()
	formats(t, func(t *testing.T, initArgs ...string) {
		for _, order := range [][2]string{{"a/b", "a/b/c"}, {"a/b/c", "a/b"}} {
			roomOnTheRemote(t, named(order[0]), named(order[1]), initArgs)
		}
	})
}

func roomOnTheRemote(t *testing.T, first, second handoff.Name, initArgs []string) {
	w := newTraffic(t, initArgs...)
	one, two, three := w.clone("one", initArgs...), w.clone("two", initArgs...), w.clone("three", initArgs...)
	git(t, one, "checkout", "-q", "-b", first.Branch)
	old := saveIn(t, one, first, nil)
	git(t, one, "push", "-q", "origin", first.Branch)
	syncIn(t, one, TravelOptions{})
	git(t, three, "branch", "-q", first.Branch)
	syncIn(t, three, TravelOptions{})
	git(t, three, "branch", "-q", "-D", first.Branch)

	git(t, two, "checkout", "-q", "-b", second.Branch)
	saveIn(t, two, second, nil)
	if got := syncIn(t, two, TravelOptions{}).told(); got != "" {
		t.Errorf("before the branch is there: %s", got)
	}
	git(t, one, "checkout", "-q", "main")
	git(t, one, "push", "-q", "origin", ":"+first.Branch)
	git(t, two, "push", "-q", "origin", second.Branch)
	if got, want := syncIn(t, two, TravelOptions{}).told(), "push archive, delete "+first.String()+", push "+second.String(); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := w.refs("refs/handoff-archive"); !slices.Equal(got, []string{handoff.ArchivePrefix + old}) {
		t.Errorf("archive: %v", got)
	}
	if got := syncIn(t, two, TravelOptions{}).told(); got != "" {
		t.Errorf("idle: %s", got)
	}
	// The first clone still has the branch: what it has stays. The third has none, and follows.
	if got := syncIn(t, one, TravelOptions{}).told(); got != "" {
		t.Errorf("with the branch here: %s", got)
	}
	if got := syncIn(t, three, TravelOptions{}).told(); got != first.String()+" make-room" {
		t.Errorf("without the branch: %s", got)
	}
	git(t, three, "branch", "-q", second.Branch)
	if got := syncIn(t, three, TravelOptions{}).told(); got != second.String()+" fast-forward" {
		t.Errorf("the new one: %s", got)
	}
	git(t, one, "branch", "-q", "-D", first.Branch)
	git(t, one, "branch", "-q", second.Branch)
	got := syncIn(t, one, TravelOptions{}).told()
	if !strings.Contains(got, first.String()+" make-room") || !strings.Contains(got, second.String()+" fast-forward") {
		t.Errorf("at last: %s", got)
	}
	if got := syncIn(t, one, TravelOptions{}).told(); got != "" {
		t.Errorf("idle: %s", got)
	}
}

// TestUnpublishedSaveStaysWhenItsPlaceIsGone keeps what stands on a version that made room on the remote.
func TestUnpublishedSaveStaysWhenItsPlaceIsGone(t *testing.T) {
	t.Parallel()
	w := newTraffic(t)
	a := w.clone("a")
	n := named("x/y")
	git(t, a, "branch", "-q", "x")
	git(t, a, "push", "-q", "origin", "x")
	old := saveIn(t, a, n, nil)
	syncIn(t, a, TravelOptions{})
	git(t, w.remote, "update-ref", handoff.ArchivePrefix+old, old)
	git(t, w.remote, "update-ref", "-d", n.Ref())
	git(t, w.remote, "update-ref", "-d", "refs/heads/x")
	git(t, a, "branch", "-q", "-D", "x")
	saved := saveIn(t, a, n, adds("constraints", "mine"))
	syncIn(t, a, TravelOptions{})
	if got := git(t, a, "rev-parse", n.Ref()); got != saved {
		t.Errorf("it is at %s", got)
	}
}

// TestLiveBranchesKeepTheirHandoffs has a local branch beside a remote one whose handoffs exclude each other.
func TestLiveBranchesKeepTheirHandoffs(t *testing.T) {
	t.Parallel()
	w := newTraffic(t)
	one, two := w.clone("one"), w.clone("two")
	first, second := named("a/b"), named("a/b/c")
	git(t, one, "checkout", "-q", "-b", "a")
	saveIn(t, one, first, nil)
	git(t, one, "push", "-q", "origin", "a:a", "a:other")
	syncIn(t, one, TravelOptions{})
	git(t, two, "checkout", "-q", "-b", "a/b")
	git(t, two, "config", "branch.a/b.remote", "origin")
	git(t, two, "config", "branch.a/b.merge", "refs/heads/other")
	mine := saveIn(t, two, second, nil)
	j := syncIn(t, two, TravelOptions{})
	if got := j.told(); got != "keep a/b/c" || !strings.Contains(j.Withheld[0].Why, "branch a is there too") {
		t.Errorf("%s %+v", got, j.Withheld)
	}
	if got := git(t, two, "rev-parse", second.Ref()); got != mine {
		t.Errorf("ours is %s", got)
	}
}
