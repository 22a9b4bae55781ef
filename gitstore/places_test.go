package gitstore

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"git-handoff/gitstore/handoff"
)

// A kind is one kind of repository; make gives the folder to open it from.
type kind struct {
	name string
	make func(t *testing.T) string
	// ordinary ones are recognised without asking git; own ones have their objects written in process.
	ordinary, own bool
}

var kinds = []kind{
	{"ordinary", ordinaryRepo, true, true},
	{"unborn", func(t *testing.T) string { return newRepo(t) }, true, true},
	{"detached", func(t *testing.T) string {
		dir := ordinaryRepo(t)
		git(t, dir, "checkout", "-q", "--detach")
		return dir
	}, true, true},
	{"subfolder", func(t *testing.T) string {
		dir := filepath.Join(ordinaryRepo(t), "sub", "folder")
		return mkdir(t, dir)
	}, true, true},
	{"odd path", func(t *testing.T) string {
		dir := mkdir(t, filepath.Join(t.TempDir(), "a b\n'c\" d\n--handoff-mark"))
		git(t, dir, "init", "-q", "-b", "main")
		identify(t, dir)
		commitFile(t, dir, "a", "1")
		git(t, dir, "worktree", "add", "-q", "-b", "side", "sub tree\n")
		return filepath.Join(dir, "sub tree\n")
	}, false, true},
	{"through a symbolic link", func(t *testing.T) string {
		link := filepath.Join(t.TempDir(), "link")
		symlink(t, ordinaryRepo(t), link)
		return link
	}, true, true},
	{"git folder is a symbolic link", func(t *testing.T) string {
		dir, moved := ordinaryRepo(t), filepath.Join(t.TempDir(), "elsewhere")
		if err := os.Rename(filepath.Join(dir, ".git"), moved); err != nil {
			t.Fatal(err)
		}
		symlink(t, moved, filepath.Join(dir, ".git"))
		return dir
	}, false, true},
	{"bare", func(t *testing.T) string {
		dir := filepath.Join(t.TempDir(), "bare.git")
		git(t, ".", "clone", "-q", "--bare", ordinaryRepo(t), dir)
		identify(t, dir)
		return dir
	}, false, true},
	{"bare and unborn", func(t *testing.T) string { return newRepo(t, "--bare") }, false, true},
	{"inside the git folder", func(t *testing.T) string { return filepath.Join(ordinaryRepo(t), ".git") }, false, true},
	{"separate git folder", func(t *testing.T) string {
		dir := newRepo(t, "--separate-git-dir", filepath.Join(t.TempDir(), "store"))
		commitFile(t, dir, "a", "1")
		return dir
	}, false, true},
	{"linked worktree", func(t *testing.T) string {
		tree := filepath.Join(t.TempDir(), "tree")
		git(t, ordinaryRepo(t), "worktree", "add", "-q", "-b", "side", tree)
		return tree
	}, false, true},
	{"submodule", func(t *testing.T) string {
		dir := ordinaryRepo(t)
		git(t, dir, "-c", "protocol.file.allow=always", "submodule", "add", "-q", ordinaryRepo(t), "sub")
		sub := filepath.Join(dir, "sub")
		identify(t, sub)
		return sub
	}, false, true},
	{"core.worktree", func(t *testing.T) string {
		dir, tree := ordinaryRepo(t), mkdir(t, filepath.Join(t.TempDir(), "tree"))
		git(t, dir, "config", "core.worktree", tree)
		return dir
	}, false, true},
	{"sparse checkout", func(t *testing.T) string {
		dir := ordinaryRepo(t)
		git(t, dir, "sparse-checkout", "set", "x")
		return dir
	}, false, true},
	{"odd configuration", func(t *testing.T) string {
		dir := ordinaryRepo(t)
		git(t, dir, "config", "branch.main.merge", "refs/pull/1/head")
		git(t, dir, "config", "branch.main.rebase", "merges")
		git(t, dir, "config", "--add", "remote.origin.fetch", "^refs/heads/x/*")
		git(t, dir, "config", "alias.x", "!f() { echo \"a;b\" # c\\\\; }; f")
		return dir
	}, true, true},
	{"included configuration", func(t *testing.T) string {
		dir := ordinaryRepo(t)
		write(t, filepath.Join(dir, ".git", "more"), "[user]\n\tname = Included\n")
		git(t, dir, "config", "include.path", "more")
		return dir
	}, false, true},
	{"packed", func(t *testing.T) string {
		dir := ordinaryRepo(t)
		git(t, dir, "gc", "-q")
		return dir
	}, true, true},
	{"relative alternates", func(t *testing.T) string {
		dir := ordinaryRepo(t)
		borrower := filepath.Join(filepath.Dir(dir), "borrower")
		git(t, ".", "clone", "-q", "--shared", dir, borrower)
		write(t, filepath.Join(borrower, ".git", "objects", "info", "alternates"), "../../../repo/.git/objects\n")
		identify(t, borrower)
		return borrower
	}, true, true},
	{"shared clone", cloned("--shared"), true, true},
	{"reference clone", func(t *testing.T) string {
		from := ordinaryRepo(t)
		return cloned("--reference", from)(t)
	}, true, true},
	{"shallow", cloned("--depth=1"), true, true},
	{"partial", cloned("--filter=blob:none"), false, true},
	{"shared repository", func(t *testing.T) string {
		dir := newRepo(t, "--shared=group")
		commitFile(t, dir, "a", "1")
		return dir
	}, true, false},
	{"sha256", func(t *testing.T) string {
		supports(t, "init", "-q", "--object-format=sha256", "x")
		dir := newRepo(t, "--object-format=sha256")
		commitFile(t, dir, "a", "1")
		return dir
	}, false, false},
	{"reftable", func(t *testing.T) string {
		supports(t, "init", "-q", "--ref-format=reftable", "x")
		dir := newRepo(t, "--ref-format=reftable")
		commitFile(t, dir, "a", "1")
		return dir
	}, false, false},
	{"reftable and unborn", func(t *testing.T) string {
		supports(t, "init", "-q", "--ref-format=reftable", "x")
		return newRepo(t, "--ref-format=reftable")
	}, false, false},
	{"reftable linked worktree", func(t *testing.T) string {
		supports(t, "init", "-q", "--ref-format=reftable", "x")
		dir, tree := newRepo(t, "--ref-format=reftable"), filepath.Join(t.TempDir(), "tree")
		commitFile(t, dir, "a", "1")
		git(t, dir, "worktree", "add", "-q", "--detach", tree)
		return tree
	}, false, false},
}

func ordinaryRepo(t *testing.T) string {
	dir := newRepo(t)
	commitFile(t, dir, "a", "1")
	commitFile(t, dir, "a", "2")
	return dir
}

// cloned makes a clone that goes through the file transport, so that --depth and --filter count.
func cloned(args ...string) func(t *testing.T) string {
	return func(t *testing.T) string {
		from, dir := ordinaryRepo(t), filepath.Join(t.TempDir(), "clone")
		git(t, from, "config", "uploadpack.allowFilter", "true")
		if args[0] != "--shared" {
			from = "file://" + from
		}
		git(t, ".", append(append([]string{"clone", "-q"}, args...), from, dir)...)
		identify(t, dir)
		return dir
	}
}

func mkdir(t *testing.T, dir string) string {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func symlink(t *testing.T, to, link string) {
	t.Helper()
	if err := os.Symlink(to, link); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
}

// Every kind of repository is seen as git sees it, and a handoff can live in it.
func TestEveryKindOfRepository(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			dir := k.make(t)
			r := open(t, dir)
			if got := r.recognise(); got != k.ordinary {
				t.Errorf("recognised without git: %v, want %v", got, k.ordinary)
			}
			if p, ok := r.store.(*preferred); k.own != (ok && !p.gitWrites.Load()) {
				t.Errorf("objects written in process: %v, want %v", !k.own, k.own)
			}
			checkPlace(t, dir, r)
			checkHead(t, dir, r)
			checkRound(t, dir, r)
		})
	}
}

func checkPlace(t *testing.T, dir string, r *Repo) {
	t.Helper()
	ask := func(what ...string) string {
		return git(t, dir, append([]string{"rev-parse", "--path-format=absolute"}, what...)...)
	}
	p := r.Place()
	want := Place{GitDir: ask("--git-dir"), CommonDir: ask("--git-common-dir"), ObjectFormat: ask("--show-object-format"),
		RefFormat: p.RefFormat, Partial: strings.Contains(t.Name(), "partial")}
	want.Bare = ask("--is-bare-repository") == "true"
	want.Shallow = ask("--is-shallow-repository") == "true"
	if !want.Bare && filepath.Base(dir) != ".git" {
		want.TopLevel = ask("--show-toplevel")
	}
	if format := ask("--show-ref-format"); format != "--show-ref-format" {
		want.RefFormat = format
	}
	if p != want {
		t.Errorf("place\n%+v, git says\n%+v", p, want)
	}
}

func checkHead(t *testing.T, dir string, r *Repo) {
	t.Helper()
	h, err := r.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var want Head
	want.OID = try(dir, "rev-parse", "-q", "--verify", "HEAD")
	want.Branch = try(dir, "symbolic-ref", "-q", "--short", "HEAD")
	want.Detached, want.Unborn = want.Branch == "", want.OID == ""
	if h != want {
		t.Errorf("head %+v, git says %+v", h, want)
	}
}

// checkRound writes a handoff twice, and reads it by every way there is, and with plain git.
func checkRound(t *testing.T, dir string, r *Repo) {
	t.Helper()
	name := handoff.Name{Branch: "feature/login", Topic: "default"}
	for i := range 2 {
		save(t, r, name, fmt.Sprintf("step %d", i+1))
	}
	fresh := open(t, dir)
	v, err := fresh.Tip(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := fresh.Document(t.Context(), v)
	if err != nil || doc.NextAction != "step 2" || v.Message.Event != handoff.EventSave || v.Author.Email != "ada@example.org" {
		t.Errorf("tip %+v, document %+v, %v", v, doc, err)
	}
	raw, err := fresh.Raw(t.Context(), v.OID)
	if shown := git(t, dir, "show", name.Ref()+":"+handoff.File); err != nil || strings.TrimSuffix(string(raw), "\n") != shown {
		t.Errorf("git shows\n%s, raw is\n%s, %v", shown, raw, err)
	}
	tips, err := fresh.Tips(t.Context())
	if err != nil || len(tips) != 1 || tips[0].OID != v.OID || tips[0].Name != name {
		t.Errorf("tips %+v, %v", tips, err)
	}
	history, err := fresh.History(t.Context(), v.OID, 0)
	if err != nil || len(history) != 2 || history[0].OID != v.OID || len(history[1].Parents) != 0 {
		t.Errorf("history %+v, %v", history, err)
	}
	if log := git(t, dir, "reflog", "show", "--format=%gs", name.Ref()); strings.Count(log, "handoff: save") != 2 {
		t.Errorf("reflog:\n%s", log)
	}
	git(t, dir, "fsck", "--strict", "--no-dangling", "--connectivity-only")
	git(t, dir, "cat-file", "-e", v.OID)
}

// save writes one version with a next action.
func save(t testing.TB, r *Repo, name handoff.Name, next string) *Version {
	t.Helper()
	v, err := r.Edit(t.Context(), name, saving(name, next))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func saving(name handoff.Name, next string) EditFunc {
	return func(_ *Version, doc *handoff.Document) (*Change, error) {
		if doc == nil {
			doc = handoff.New(name)
		}
		doc.NextAction = next
		return &Change{Doc: doc, Message: handoff.MessageOf(doc, handoff.EventSave)}, nil
	}
}
