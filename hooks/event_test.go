package hooks

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"git-handoff/gitstore"
	"git-handoff/gitstore/handoff"
)

// saveHandoff writes an author's version, as save does.
func saveHandoff(t testing.TB, dir string, name handoff.Name, next string) string {
	t.Helper()
	repo := open(t, dir)
	v, err := repo.Edit(t.Context(), name, func(prev *gitstore.Version, doc *handoff.Document) (*gitstore.Change, error) {
		d := &handoff.Document{}
		if doc != nil {
			d = doc
		}
		d.Version, d.Branch, d.Topic, d.Status, d.NextAction = handoff.FormatVersion, name.Branch, name.Topic, handoff.Active, next
		var err error
		d.Observed, err = repo.Observe(t.Context(), name.Branch, &d.Observed)
		return &gitstore.Change{Doc: d, Message: handoff.MessageOf(d, handoff.EventSave)}, err
	})
	if err != nil {
		t.Fatal(err)
	}
	return v.OID
}

var main = handoff.Name{Branch: "main", Topic: "default"}

// run handles an event as a hook does.
func run(t testing.TB, dir, event string, args ...string) Outcome {
	t.Helper()
	return Event(t.Context(), open(t, dir), event, args, strings.NewReader(""))
}

func TestCheckoutMovesForwardToWhatWasFetched(t *testing.T) {
	dir := newRepo(t)
	git(t, dir, "remote", "add", "origin", "/no/such/remote")
	saved := saveHandoff(t, dir, main, "go on")
	tracking := "refs/handoff-remotes/origin/heads/main/default"
	git(t, dir, "update-ref", tracking, saved)
	newer := saveHandoff(t, dir, main, "go further")
	cases := []struct {
		name, local, fetched, want string
	}{
		{"behind", saved, newer, newer},
		{"ahead", newer, saved, newer},
		{"only there", "", newer, newer},
		{"the same", saved, saved, saved},
		{"only here", saved, "", saved},
	}
	for _, c := range cases {
		for ref, oid := range map[string]string{main.Ref(): c.local, tracking: c.fetched} {
			tryGit(dir, "update-ref", "-d", ref)
			if oid != "" {
				git(t, dir, "update-ref", ref, oid)
			}
		}
		out := run(t, dir, "post-checkout", "a", "b", "1")
		if got := git(t, dir, "rev-parse", main.Ref()); got != c.want || out.Status != 0 {
			t.Errorf("%s: at %s, want %s; %+v", c.name, got, c.want, out)
		}
		if !out.Notice || !strings.Contains(out.Line, "main/default is an active handoff, next: go ") {
			t.Errorf("%s: notice %+v", c.name, out)
		}
	}
	git(t, dir, "config", "handoff.notice", "off")
	if out := run(t, dir, "post-checkout", "a", "b", "1"); out.Line != "" {
		t.Errorf("with handoff.notice off: %+v", out)
	}
}

func TestCheckoutLeavesWhatDiverged(t *testing.T) {
	dir := newRepo(t)
	git(t, dir, "remote", "add", "origin", "/no/such/remote")
	saved := saveHandoff(t, dir, main, "go on")
	theirs := saveHandoff(t, dir, main, "go left")
	git(t, dir, "update-ref", main.Ref(), saved)
	ours := saveHandoff(t, dir, main, "go right")
	git(t, dir, "update-ref", "refs/handoff-remotes/origin/heads/main/default", theirs)
	run(t, dir, "post-checkout", "a", "b", "1")
	if got := git(t, dir, "rev-parse", main.Ref()); got != ours {
		t.Errorf("moved from %s to %s", ours, got)
	}
	// A refresh that nobody saw does not hold anything up.
	git(t, dir, "update-ref", main.Ref(), saved)
	git(t, dir, "commit", "-q", "--allow-empty", "-m", "two")
	if _, err := Refresh(t.Context(), open(t, dir), "main", nil); err != nil {
		t.Fatal(err)
	}
	run(t, dir, "post-checkout", "a", "b", "1")
	if got := git(t, dir, "rev-parse", main.Ref()); got != theirs {
		t.Errorf("stayed at %s, want %s", got, theirs)
	}
}

func TestRefreshIsReplacedUntilItIsPublished(t *testing.T) {
	dir := newRepo(t)
	git(t, dir, "remote", "add", "origin", "/no/such/remote")
	saved := saveHandoff(t, dir, main, "go on")
	versions := func() string { return git(t, dir, "rev-list", "--count", main.Ref()) }
	step := func(want string) {
		t.Helper()
		git(t, dir, "commit", "-q", "--allow-empty", "-m", "next")
		if out := run(t, dir, "post-commit"); out != (Outcome{}) || versions() != want {
			t.Errorf("%s versions, want %s; %+v", versions(), want, out)
		}
	}
	step("2")
	step("2")
	if got := git(t, dir, "rev-parse", main.Ref()+"~1"); got != saved {
		t.Errorf("the refresh stands on %s, want %s", got, saved)
	}
	git(t, dir, "update-ref", "refs/handoff-remotes/origin/heads/main/default", main.Ref())
	step("3")
	step("3")
	if out := run(t, dir, "post-commit"); versions() != "3" || out != (Outcome{}) {
		t.Errorf("nothing new made a version: %+v", out)
	}
}

func TestOnlyActiveHandoffsOfTheBranch(t *testing.T) {
	dir := newRepo(t)
	second := handoff.Name{Branch: "main", Topic: "second"}
	other := handoff.Name{Branch: "main/sub", Topic: "default"}
	for _, name := range []handoff.Name{main, second, other} {
		saveHandoff(t, dir, name, "go on")
	}
	archived := handoff.Name{Branch: "main", Topic: "closed"}
	saveHandoff(t, dir, archived, "nothing")
	_, err := open(t, dir).Edit(t.Context(), archived, func(_ *gitstore.Version, doc *handoff.Document) (*gitstore.Change, error) {
		doc.Status = handoff.Archived
		return &gitstore.Change{Doc: doc, Message: handoff.MessageOf(doc, handoff.EventArchive)}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	git(t, dir, "commit", "-q", "--allow-empty", "-m", "next")
	names, err := Refresh(t.Context(), open(t, dir), "main", nil)
	if err != nil || len(names) != 2 || names[0] != main || names[1] != second {
		t.Errorf("refreshed %v, %v", names, err)
	}
}

func TestNothingWhileARebaseIsUnderWay(t *testing.T) {
	dir := newRepo(t)
	before := saveHandoff(t, dir, main, "go on")
	git(t, dir, "commit", "-q", "--allow-empty", "-m", "next")
	for _, folder := range []string{"rebase-merge", "rebase-apply"} {
		if err := os.Mkdir(filepath.Join(dir, ".git", folder), 0o755); err != nil {
			t.Fatal(err)
		}
		for _, event := range []string{"post-commit", "post-merge", "post-checkout"} {
			if out := run(t, dir, event, "0", "x", "1"); out != (Outcome{}) || git(t, dir, "rev-parse", main.Ref()) != before {
				t.Errorf("%s, %s: %+v", folder, event, out)
			}
		}
		os.Remove(filepath.Join(dir, ".git", folder))
	}
}

func TestUnknownEventIsOneLine(t *testing.T) {
	if out := run(t, newRepo(t), "pre-auto-gc"); out.Line == "" || out.Status != 0 {
		t.Errorf("%+v", out)
	}
}

func TestTimeLimitIsOneLine(t *testing.T) {
	dir := newRepo(t)
	saveHandoff(t, dir, main, "go on")
	git(t, dir, "commit", "-q", "--allow-empty", "-m", "next")
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	out := Event(ctx, open(t, dir), "post-commit", nil, nil)
	if out.Status != 0 || !strings.Contains(out.Line, "longer than") {
		t.Errorf("%+v", out)
	}
}

func TestReadRewrite(t *testing.T) {
	got, err := readRewrite(strings.NewReader("a b\nb c extra words\nd d\n\nodd\n"))
	if err != nil || len(got) != 2 || got["a"] != "b" || got["b"] != "c" {
		t.Errorf("%v, %v", got, err)
	}
}

func TestRestIsOnlyMarkedWherePackedRefsIsAtRest(t *testing.T) {
	dir := newRepo(t)
	old := time.Now().Add(-time.Hour)
	packed := filepath.Join(dir, ".git/packed-refs")
	mark := filepath.Join(dir, ".git/handoff/rest/main/.newer")
	look := func() bool {
		os.RemoveAll(filepath.Join(dir, ".git/handoff"))
		run(t, dir, "post-commit")
		_, err := os.Stat(mark)
		return !errors.Is(err, os.ErrNotExist)
	}
	if look() {
		t.Error("marked without packed-refs")
	}
	git(t, dir, "pack-refs", "--all")
	if look() {
		t.Error("marked although packed-refs was just written")
	}
	os.Chtimes(packed, old, old)
	if !look() {
		t.Error("not marked")
	}
	git(t, dir, "config", "core.ignoreCase", "true")
	if look() {
		t.Error("marked where two branches may share the mark")
	}
	git(t, dir, "config", "core.ignoreCase", "false")
	git(t, dir, "update-ref", "refs/handoff-remotes/origin/heads/main/default", saveHandoff(t, dir, main, "x"))
	git(t, dir, "update-ref", "-d", main.Ref())
	if look() {
		t.Error("marked although a remote has a handoff of the branch")
	}
}

// TestBothMechanismsRunOnce is what a crash between the two, or a copied configuration, leaves.
func TestBothMechanismsRunOnce(t *testing.T) {
	for name, folder := range gits(t) {
		t.Run(name, func(t *testing.T) {
			useGit(t, folder)
			dir := newRepo(t)
			repo := open(t, dir)
			configured, err := repo.RunsConfiguredHooks(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if Doubled(t.Context(), repo, "post-commit") {
				t.Error("doubled without any hook")
			}
			git(t, dir, "config", sectionOf("post-commit")+".command", "true")
			git(t, dir, "config", sectionOf("post-commit")+".event", "post-commit")
			if got := Doubled(t.Context(), repo, "post-commit"); got != configured {
				t.Errorf("doubled is %v, and git runs configured hooks is %v", got, configured)
			}
			git(t, dir, "config", sectionOf("post-commit")+".enabled", "false")
			if Doubled(t.Context(), repo, "post-commit") {
				t.Error("doubled by a hook that is switched off")
			}
		})
	}
}
