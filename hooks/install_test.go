package hooks

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"git-handoff/gitstore"
)

func install(t *testing.T, dir string, mode Mode) Report {
	t.Helper()
	repo, err := gitstore.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer repo.Close()
	r, err := Install(t.Context(), repo, mode)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func undo(t *testing.T, dir string) Report {
	t.Helper()
	repo, err := gitstore.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer repo.Close()
	r, err := Undo(t.Context(), repo)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// snapshot is the content and mode of every file under a folder, but for git's objects, index and logs.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		if strings.HasPrefix(rel, ".git/objects") || strings.HasPrefix(rel, ".git/logs") || rel == ".git/index" {
			return nil
		}
		files[rel] = info.Mode().String()
		if info.Mode().IsRegular() {
			files[rel] += "\n" + read(t, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func compare(t *testing.T, before, after map[string]string) {
	t.Helper()
	for name, was := range before {
		if now, ok := after[name]; !ok || now != was {
			t.Errorf("%s was %q, is %q", name, was, now)
		}
	}
	for name := range after {
		if _, ok := before[name]; !ok {
			t.Errorf("%s is new", name)
		}
	}
}

// logHooks has the hooks that git calls logged.
func logHooks(t *testing.T) (log string) {
	log = filepath.Join(t.TempDir(), "log")
	t.Setenv("HANDOFF_TEST_LOG", log)
	return log
}

func TestInstallTwiceUndoOnce(t *testing.T) {
	for name, folder := range gits(t) {
		t.Run(name, func(t *testing.T) {
			useGit(t, folder)
			dir := newRepo(t)
			for _, c := range theirs {
				write(t, filepath.Join(dir, ".git/hooks/pre-push"), c.content, 0o755)
				write(t, filepath.Join(dir, ".git/hooks/post-commit"), c.content, 0o700)
				write(t, filepath.Join(dir, ".git/hooks/post-merge"), c.content, 0o644)
				before := snapshot(t, dir)
				install(t, dir, Auto)
				once := snapshot(t, dir)
				install(t, dir, Auto)
				compare(t, once, snapshot(t, dir))
				compare(t, snapshot(t, dir), once)
				undo(t, dir)
				compare(t, before, snapshot(t, dir))
			}
		})
	}
}

func TestEveryEventRunsOnce(t *testing.T) {
	for name, folder := range gits(t) {
		t.Run(name, func(t *testing.T) {
			useGit(t, folder)
			log := logHooks(t)
			dir := newRepo(t)
			r := install(t, dir, Auto)
			if r.NotInstalled != "" || r.Mechanism == "" {
				t.Fatalf("%+v", r)
			}
			git(t, dir, "update-ref", "refs/handoff/main/default", "HEAD")
			remote := filepath.Join(t.TempDir(), "remote.git")
			git(t, ".", "init", "-q", "--bare", remote)
			git(t, dir, "remote", "add", "origin", remote)
			expect := func(want string, args ...string) {
				t.Helper()
				os.Remove(log)
				out := git(t, dir, args...)
				var ran []string
				for line := range strings.Lines(read(t, log)) {
					if rest, ok := strings.CutPrefix(line, "ran: hook "); ok {
						ran = append(ran, strings.Fields(strings.Replace(rest, "--configured ", "", 1))[0])
					}
				}
				if got := strings.Join(ran, " "); got != want {
					t.Errorf("git %v ran %q, want %q; %s", args, got, want, out)
				}
			}
			expect("post-commit", "commit", "-q", "--allow-empty", "-m", "two")
			expect("post-commit post-rewrite", "commit", "-q", "--allow-empty", "--amend", "-m", "second")
			expect("pre-push", "push", "-q", "origin", "main")
			expect("", "switch", "-q", "-c", "side", "HEAD~1")
			expect("", "commit", "-q", "--allow-empty", "-m", "aside")
			expect("post-checkout", "switch", "-q", "main")
			expect("post-merge", "merge", "-q", "--no-edit", "side")
			write(t, filepath.Join(dir, "a"), "a", 0o644)
			git(t, dir, "add", "a")
			expect("", "checkout", "-q", "--", "a")
		})
	}
}

// TestTheirHook is a team's pre-push: its arguments, input, output order and status are as they were.
func TestTheirHook(t *testing.T) {
	log := logHooks(t)
	dir := newRepo(t)
	busy(t, dir)
	seen := filepath.Join(t.TempDir(), "seen")
	theirs := fmt.Sprintf("#!/bin/sh\necho before\necho \"$#: $1\" >>'%s'\ncat >>'%s'\necho after >&2\nexec sh -c 'exit 7'\n", seen, seen)
	write(t, filepath.Join(dir, ".git/hooks/pre-push"), theirs, 0o755)
	off := "#!/bin/sh\nexit 0\n"
	write(t, filepath.Join(dir, ".git/hooks/post-commit"), off, 0o644)
	remote := filepath.Join(t.TempDir(), "remote.git")
	git(t, ".", "init", "-q", "--bare", remote)
	git(t, dir, "remote", "add", "origin", remote)
	plain, err := tryGit(dir, "push", "origin", "main")
	if err == nil {
		t.Fatal("their hook does not stop the push")
	}
	want := read(t, seen)
	os.Remove(seen)
	r := install(t, dir, Auto)
	if text := fmt.Sprint(r.Steps); r.Mechanism == Files && !strings.Contains(text, "not executable") {
		t.Errorf("the hook that is off is not mentioned: %s", text)
	}
	if got := read(t, filepath.Join(dir, ".git/hooks/post-commit")); got != off {
		t.Errorf("the hook that is off was changed: %q", got)
	}
	out, err := tryGit(dir, "push", "origin", "main")
	if err == nil || out != plain {
		t.Errorf("the push says %q, %v, without us %q", out, err, plain)
	}
	if got := read(t, seen); got != want {
		t.Errorf("their hook got %q, without us %q", got, want)
	}
	if n := strings.Count(read(t, log), "ran: "); n != 1 {
		t.Errorf("ours ran %d times", n)
	}
}

func TestFilesThatAreNotEdited(t *testing.T) {
	dir := newRepo(t)
	if ok, _ := open(t, dir).RunsConfiguredHooks(t.Context()); ok {
		t.Skip("this git has configuration hooks, which edit no file")
	}
	target := filepath.Join(dir, "tools", "post-merge")
	write(t, target, "#!/bin/sh\n", 0o755)
	if err := os.Symlink(target, filepath.Join(dir, ".git/hooks/post-merge")); err != nil {
		t.Fatal(err)
	}
	python := "#!/usr/bin/env python3\nimport sys\n"
	write(t, filepath.Join(dir, ".git/hooks/pre-push"), python, 0o755)
	program := "\x7fELF\x00\x00"
	write(t, filepath.Join(dir, ".git/hooks/post-rewrite"), program, 0o755)
	write(t, filepath.Join(dir, ".git/hooks/post-commit"), "#!/bin/sh\ngit handoff hook post-commit\n", 0o755)
	r := install(t, dir, Auto)
	if r.NotInstalled != "post-rewrite, post-merge, pre-push: somebody else's, and not edited" {
		t.Errorf("not installed: %q", r.NotInstalled)
	}
	for file, want := range map[string]string{"hooks/pre-push": python, "hooks/post-rewrite": program, "hooks/post-merge": "#!/bin/sh\n",
		"hooks/post-commit": "#!/bin/sh\ngit handoff hook post-commit\n"} {
		if got := read(t, filepath.Join(dir, ".git", file)); got != want {
			t.Errorf("%s is %q", file, got)
		}
	}
	if got := read(t, filepath.Join(dir, ".git/hooks/post-checkout")); !strings.Contains(got, blockStart) {
		t.Errorf("post-checkout is %q", got)
	}
}

func TestFoldersOfOthers(t *testing.T) {
	cases := []struct {
		name    string
		prepare func(t *testing.T, dir string)
		// says is part of why nothing was written; "" where it was.
		says string
		// shows is part of the change to make by hand.
		shows string
		// write is the file that --hooks write puts the hook in.
		write string
	}{
		{"husky", func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, ".husky/_/pre-push"), "#!/usr/bin/env sh\n. \"${0%/*}/h\"", 0o755)
			git(t, dir, "config", "core.hooksPath", ".husky/_")
		}, "husky", "# .husky/pre-push", ".husky/pre-push"},
		{"an empty core.hooksPath", func(t *testing.T, dir string) { git(t, dir, "config", "core.hooksPath", "") },
			"core.hooksPath is empty", "git-handoff hook pre-push", ""},
		{"lefthook", func(t *testing.T, dir string) { write(t, filepath.Join(dir, "lefthook.yml"), "pre-push:\n", 0o644) },
			"lefthook", "post-rewrite:\n  commands:\n    git-handoff:\n      use_stdin: true", ".git/hooks/pre-push"},
		{"pre-commit", func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, ".pre-commit-config.yaml"), "repos: []\n", 0o644)
			write(t, filepath.Join(dir, ".git/hooks/pre-push"), "#!/usr/bin/env bash\n# File generated by pre-commit: https://pre-commit.com\n", 0o755)
		}, "pre-commit", "# pre-push.legacy", ".git/hooks/pre-push.legacy"},
		{"pre-commit without configuration", func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, ".git/hooks/pre-commit"), "#!/usr/bin/env bash\n# File generated by pre-commit: https://pre-commit.com\n", 0o755)
		}, "pre-commit", "#!/bin/sh", ".git/hooks/pre-push"},
		{"overcommit", func(t *testing.T, dir string) { write(t, filepath.Join(dir, ".overcommit.yml"), "", 0o644) },
			"overcommit", "PrePush:\n  GitHandoff:", ".git/hooks/pre-push"},
		{"simple-git-hooks", func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, "package.json"), `{"simple-git-hooks": {}}`, 0o644)
		}, "simple-git-hooks", `git-handoff hook pre-push \"$@\" || [ $? -ne 75 ] || exit 1\n`, ".git/hooks/pre-push"},
		{"another package.json", func(t *testing.T, dir string) { write(t, filepath.Join(dir, "package.json"), `{}`, 0o644) }, "", "", ".git/hooks/pre-push"},
		{"global", func(t *testing.T, dir string) { git(t, dir, "config", "--global", "core.hooksPath", "/etc/hooks") },
			"more than this repository (global: /etc/hooks)", "# add to /etc/hooks/pre-push", ""},
		{"outside", func(t *testing.T, dir string) { git(t, dir, "config", "core.hooksPath", "../hooks") }, "outside the repository", "/hooks/pre-push", ""},
		{"inside", func(t *testing.T, dir string) { git(t, dir, "config", "core.hooksPath", "tools/hooks") }, "", "", "tools/hooks/pre-push"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(t.TempDir(), "gitconfig"))
			dir := newRepo(t)
			if ok, _ := open(t, dir).RunsConfiguredHooks(t.Context()); ok {
				t.Skip("this git has configuration hooks, which need no folder")
			}
			c.prepare(t, dir)
			before := snapshot(t, dir)
			r := install(t, dir, Auto)
			if (c.says == "") != (r.NotInstalled == "") || !strings.Contains(r.NotInstalled, c.says) {
				t.Errorf("not installed: %q, want %q", r.NotInstalled, c.says)
			}
			if !strings.Contains(r.Change, c.shows) {
				t.Errorf("the change is\n%s", r.Change)
			}
			if c.says != "" {
				compare(t, before, snapshot(t, dir))
			}
			r = install(t, dir, Write)
			if c.write == "" {
				compare(t, before, snapshot(t, dir))
				return
			}
			text := read(t, filepath.Join(dir, c.write))
			if !strings.Contains(text, blockStart) || r.NotInstalled != "" {
				t.Errorf("%s is %q; %+v", c.write, text, r)
			}
			if !strings.HasPrefix(c.write, ".git/") && strings.Contains(text, "h='/") {
				t.Errorf("a shared file has our path:\n%s", text)
			}
			undo(t, dir)
			compare(t, before, snapshot(t, dir))
		})
	}
}

func TestManagerThatCallsUs(t *testing.T) {
	dir := newRepo(t)
	if ok, _ := open(t, dir).RunsConfiguredHooks(t.Context()); ok {
		t.Skip("this git has configuration hooks")
	}
	for _, event := range Events {
		write(t, filepath.Join(dir, ".husky", event), script{event: event}.plainLine()+"\n", 0o644)
	}
	git(t, dir, "config", "core.hooksPath", ".husky/_")
	if r := install(t, dir, Auto); r.NotInstalled != "" || r.Change != "" {
		t.Errorf("%+v", r)
	}
}

func TestPrintChangesNothing(t *testing.T) {
	for name, folder := range gits(t) {
		t.Run(name, func(t *testing.T) {
			useGit(t, folder)
			dir := newRepo(t)
			before := snapshot(t, dir)
			r := install(t, dir, Print)
			compare(t, before, snapshot(t, dir))
			if len(r.Steps) != len(Events) || r.Change == "" {
				t.Errorf("%+v", r)
			}
		})
	}
}

func TestLinkedWorktreeSharesTheHooks(t *testing.T) {
	log := logHooks(t)
	dir := newRepo(t)
	linked := filepath.Join(t.TempDir(), "linked")
	git(t, dir, "worktree", "add", "-q", "-b", "side", linked)
	install(t, linked, Auto)
	git(t, dir, "update-ref", "refs/handoff/side/default", "HEAD")
	git(t, linked, "commit", "-q", "--allow-empty", "-m", "two")
	if got := read(t, log); strings.Count(got, "ran: ") != 1 {
		t.Errorf("ran %q", got)
	}
	if r := install(t, dir, Auto); !strings.Contains(fmt.Sprint(r.Steps), "already") {
		t.Errorf("%+v", r)
	}
}

// TestTwoMechanisms goes from one git to another and back, as an upgrade and a downgrade do.
func TestTwoMechanisms(t *testing.T) {
	old, new := "", ""
	for _, dir := range gits(t) {
		t.Run("", func(t *testing.T) {
			useGit(t, dir)
			ok, err := open(t, newRepo(t)).RunsConfiguredHooks(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if ok {
				new = dir
			} else if dir != "" {
				old = dir
			}
		})
	}
	if new == "" || old == "" {
		t.Skip("needs a git before 2.54 and one after in GIT_HANDOFF_TEST_GITS")
	}
	log := logHooks(t)
	dir := newRepo(t)
	mine := "#!/bin/sh\nexit 0\n"
	write(t, filepath.Join(dir, ".git/hooks/post-commit"), mine, 0o755)
	busy(t, dir)
	path := os.Getenv("PATH")
	commitWith := func(t *testing.T, folder string, want int) {
		t.Helper()
		t.Setenv("PATH", folder+":"+path)
		os.Remove(log)
		git(t, dir, "commit", "-q", "--allow-empty", "-m", "x")
		if got := strings.Count(read(t, log), "ran: hook"); got != want {
			t.Errorf("ran %d times, want %d: %s", got, want, read(t, log))
		}
	}
	installWith := func(folder string) {
		t.Setenv("PATH", folder+":"+path)
		install(t, dir, Auto)
	}
	installWith(old)
	commitWith(t, old, 1)
	commitWith(t, new, 1)
	installWith(new)
	if got := read(t, filepath.Join(dir, ".git/hooks/post-commit")); got != mine {
		t.Errorf("after the upgrade, their hook is %q", got)
	}
	commitWith(t, new, 1)
	// A downgrade that nobody told us of: nothing runs, and whoever saves or looks is told.
	commitWith(t, old, 0)
	if s := Reached(t.Context(), open(t, dir)); len(s.Lost) != len(Events) || !strings.Contains(s.Hint(), "does not run hooks from the configuration") {
		t.Errorf("after the downgrade alone: %+v", s)
	}
	commitWith(t, new, 1)
	if s := Reached(t.Context(), open(t, dir)); len(s.Lost) > 0 {
		t.Errorf("with the newer git again: %+v", s)
	}
	installWith(old)
	commitWith(t, old, 1)
	commitWith(t, new, 1)
	if section, _ := tryGit(dir, "config", "--get-regexp", "^hook[.]"); section != "" {
		t.Errorf("after the downgrade, the configuration has %s", section)
	}
}
