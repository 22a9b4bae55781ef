package hooks

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReached(t *testing.T) {
	cases := []struct {
		name  string
		spoil func(t *testing.T, dir string)
		// lost are the events that files, or configuration hooks, no longer serve.
		files, configuration string
	}{
		{"nothing happened", func(t *testing.T, dir string) {}, "", ""},
		{"another hooks folder", func(t *testing.T, dir string) { git(t, dir, "config", "core.hooksPath", ".husky/_") }, strings.Join(Events, " "), ""},
		{"an empty hooks folder", func(t *testing.T, dir string) { git(t, dir, "config", "core.hooksPath", "") }, strings.Join(Events, " "), ""},
		{"another for the user", func(t *testing.T, dir string) { git(t, dir, "config", "--global", "core.hooksPath", "~/hooks") }, strings.Join(Events, " "), ""},
		{"overwritten", func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, ".git/hooks/pre-push"), "#!/bin/sh\ngit lfs pre-push \"$@\"\n", 0o755)
		}, "pre-push", ""},
		{"deleted", func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, ".git/hooks/post-commit")) }, "post-commit", ""},
		{"switched off", func(t *testing.T, dir string) { os.Chmod(filepath.Join(dir, ".git/hooks/post-commit"), 0o644) }, "post-commit", ""},
		{"section removed", func(t *testing.T, dir string) { tryGit(dir, "config", "--remove-section", "hook.handoff-post-merge") }, "", "post-merge"},
		{"undone", func(t *testing.T, dir string) { undo(t, dir) }, "", ""},
	}
	for name, folder := range gits(t) {
		for _, c := range cases {
			t.Run(name+" "+c.name, func(t *testing.T) {
				useGit(t, folder)
				t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(t.TempDir(), "gitconfig"))
				dir := newRepo(t)
				want := c.configuration
				if install(t, dir, Auto).Mechanism == Files {
					want = c.files
				}
				c.spoil(t, dir)
				s := Reached(t.Context(), open(t, dir))
				if got := strings.Join(s.Lost, " "); got != want || s.Installed == (c.name == "undone") {
					t.Errorf("lost %q, want %q: %+v", got, want, s)
				}
				if (s.Hint() == "") != (want == "") {
					t.Errorf("hint %q", s.Hint())
				}
			})
		}
	}
}

func TestReachedStartsNoChild(t *testing.T) {
	for name, folder := range gits(t) {
		t.Run(name, func(t *testing.T) {
			useGit(t, folder)
			dir := newRepo(t)
			install(t, dir, Auto)
			repo := open(t, dir)
			trace := filepath.Join(t.TempDir(), "trace")
			t.Setenv("GIT_TRACE2_EVENT", trace)
			if s := Reached(t.Context(), repo); len(s.Lost) > 0 || !s.Installed {
				t.Errorf("%+v", s)
			}
			if text := read(t, trace); text != "" {
				t.Errorf("git was started: %s", text)
			}
		})
	}
}
