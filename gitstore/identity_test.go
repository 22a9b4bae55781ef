package gitstore

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// The identity is the one that git would use, for each source that it looks at.
func TestIdentityAsGitHasIt(t *testing.T) {
	for name, test := range map[string]struct{ config, env []string }{
		"user":             {config: []string{"user.name=Ada", "user.email=ada@x"}},
		"role over user":   {config: []string{"user.name=Ada", "user.email=ada@x", "author.name=Au", "committer.email=c@x"}},
		"environment":      {config: []string{"user.name=Ada", "user.email=ada@x"}, env: []string{"GIT_AUTHOR_NAME=Env", "GIT_COMMITTER_EMAIL=env@x"}},
		"EMAIL":            {config: []string{"user.name=Ada"}, env: []string{"EMAIL=mail@x"}},
		"user over EMAIL":  {config: []string{"user.name=Ada", "user.email=ada@x"}, env: []string{"EMAIL=mail@x"}},
		"to be cleaned":    {config: []string{"user.name= Ada <L>, ", "user.email=<ada@x>"}},
		"guessed from git": {config: []string{"user.name=Ada"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			git(t, dir, "init", "-q")
			for _, c := range test.config {
				key, value, _ := strings.Cut(c, "=")
				git(t, dir, "config", key, value)
			}
			for _, e := range test.env {
				key, value, _ := strings.Cut(e, "=")
				t.Setenv(key, value)
			}
			author, committer, err := open(t, dir).who(t.Context(), AsUser, time.Unix(1, 0))
			for role, got := range map[string]Ident{"AUTHOR": author, "COMMITTER": committer} {
				want, wantErr := parseIdent(try(dir, "var", "GIT_"+role+"_IDENT"))
				if (err == nil) != (wantErr == nil) || err == nil && (got.Name != want.Name || got.Email != want.Email) {
					t.Errorf("%s %+v, %v; git has %+v", role, got, err, want)
				}
			}
		})
	}
}

func TestNoIdentity(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	git(t, dir, "config", "user.useConfigOnly", "true")
	r := open(t, dir)
	if _, _, err := r.who(t.Context(), AsUser, Now()); !errors.Is(err, ErrNoIdentity) {
		t.Errorf("for the user: %v", err)
	}
	for _, as := range []Identity{AsUserOrProgram, AsProgram} {
		author, committer, err := r.who(t.Context(), as, time.Unix(5, 0))
		if want := (Ident{Program.Name, Program.Email, time.Unix(5, 0)}); author != want || committer != want || err != nil {
			t.Errorf("for the program: %+v, %+v, %v", author, committer, err)
		}
	}
}

// In the hook of `git commit --author=X`, the environment names X as author; a refresh is not X's.
func TestEventInAHookIsTheCommitters(t *testing.T) {
	dir := newRepo(t)
	t.Setenv("GIT_AUTHOR_NAME", "Somebody")
	t.Setenv("GIT_AUTHOR_EMAIL", "else@x")
	author, _, err := open(t, dir).who(t.Context(), AsUserOrProgram, Now())
	if err != nil || author.Name != "Ada" {
		t.Errorf("%+v, %v", author, err)
	}
}
