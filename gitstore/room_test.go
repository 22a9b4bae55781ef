package gitstore

import (
	"errors"
	"os"
	"path/filepath"
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

// TestRoomAfterACrash stops before each transaction of those that make room here, in both orders: nothing is lost at any
// moment, and the next attempt completes it.
func TestRoomAfterACrash(t *testing.T) {
	t.Parallel()
	formats(t, func(t *testing.T, initArgs ...string) {
		for _, order := range [][2]string{{"a/b", "a/b/c"}, {"a/b/c", "a/b"}} {
			for _, stop := range []string{handoff.ArchivePrefix, named(order[0]).Ref() + " ", named(order[1]).Ref() + " "} {
				crashHere(t, named(order[0]), named(order[1]), stop, initArgs)
			}
		}
	})
}

// crashHere has git refuse the transaction in which stop occurs, as if the process had died before it.
func crashHere(t *testing.T, first, second handoff.Name, stop string, initArgs []string) {
	dir := newRepo(t, initArgs...)
	commitFile(t, dir, "f", "1")
	git(t, dir, "checkout", "-q", "-b", first.Branch)
	old := saveIn(t, dir, first, nil)
	git(t, dir, "checkout", "-q", "main")
	git(t, dir, "branch", "-q", "-D", first.Branch)
	git(t, dir, "checkout", "-q", "-b", second.Branch)
	hook := filepath.Join(dir, ".git", "hooks", "reference-transaction")
	write(t, hook, "#!/bin/sh\nwhile read old new ref; do case \"$ref \" in *'"+stop+"'*) [ $1 != prepared ] || exit 1 ;; esac; done\n")
	if err := os.Chmod(hook, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, dir).Edit(t.Context(), second, saving(second, "x")); err == nil {
		t.Fatalf("%s: nothing was stopped", stop)
	}
	if all := git(t, dir, "for-each-ref", "--format=%(objectname)", "refs/handoff", "refs/handoff-archive"); !strings.Contains(all, old) {
		t.Errorf("%s, then %s, stopped before %s: %s is lost", first, second, stop, old)
	}
	if err := os.Remove(hook); err != nil {
		t.Fatal(err)
	}
	saveIn(t, dir, second, nil)
	if got := try(dir, "rev-parse", "-q", "--verify", handoff.ArchivePrefix+old); got != old {
		t.Errorf("%s, then %s, stopped before %s: the archive has %q", first, second, stop, got)
	}
}

// TestRoomOnTheRemoteAfterACrash has the remote refuse one step of those that make room there, in both orders: nothing
// is lost at any moment, and the next journey completes it.
func TestRoomOnTheRemoteAfterACrash(t *testing.T) {
	t.Parallel()
	formats(t, func(t *testing.T, initArgs ...string) {
		for _, order := range [][2]string{{"a/b", "a/b/c"}, {"a/b/c", "a/b"}} {
			for _, stop := range []string{handoff.ArchivePrefix + "*", named(order[0]).Ref(), named(order[1]).Ref()} {
				crashThere(t, named(order[0]), named(order[1]), stop, initArgs)
			}
		}
	})
}

func crashThere(t *testing.T, first, second handoff.Name, stop string, initArgs []string) {
	w := newTraffic(t, initArgs...)
	one := w.clone("one", initArgs...)
	git(t, one, "branch", "-q", first.Branch)
	old := saveIn(t, one, first, nil)
	git(t, one, "push", "-q", "origin", first.Branch)
	syncIn(t, one, TravelOptions{})
	git(t, one, "push", "-q", "origin", ":"+first.Branch)
	git(t, one, "branch", "-q", "-D", first.Branch)
	git(t, one, "branch", "-q", second.Branch)
	git(t, one, "push", "-q", "origin", second.Branch)
	saved := saveIn(t, one, second, nil)
	hook := filepath.Join(w.remote, "hooks", "update")
	write(t, hook, "#!/bin/sh\ncase $1 in "+stop+") exit 1 ;; esac\n")
	if err := os.Chmod(hook, 0o755); err != nil {
		t.Fatal(err)
	}
	if j := syncIn(t, one, TravelOptions{}); len(j.Withheld) == 0 {
		t.Errorf("%s: %s", stop, j.told())
	}
	if all := git(t, w.remote, "for-each-ref", "--format=%(objectname)", "refs/handoff", "refs/handoff-archive"); !strings.Contains(all, old) {
		t.Errorf("%s, then %s, stopped at %s: %s is lost", first, second, stop, old)
	}
	if err := os.Remove(hook); err != nil {
		t.Fatal(err)
	}
	syncIn(t, one, TravelOptions{})
	all := git(t, w.remote, "for-each-ref", "--format=%(refname) %(objectname)", "refs/handoff", "refs/handoff-archive")
	if want := handoff.ArchivePrefix + old + " " + old + "\n" + second.Ref() + " " + saved; all != want {
		t.Errorf("%s, then %s, stopped at %s: the remote has\n%s\nwant\n%s", first, second, stop, all, want)
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
