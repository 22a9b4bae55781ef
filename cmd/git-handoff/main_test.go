package main

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite golden output in the scripts")

// TestMain makes the test binary the program under test: the scripts run it as git-handoff, and git finds it as
// `git handoff`, whatever is on PATH.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"git-handoff": main, "gh": fakeGH, "curl": fakeCurl})
}

// TestScripts runs every story in testdata/script with every git that is named (see gits).
func TestScripts(t *testing.T) {
	for _, g := range gits(t) {
		t.Run(g.name, func(t *testing.T) {
			testscript.Run(t, testscript.Params{
				Dir:                 filepath.Join("..", "..", "testdata", "script"),
				UpdateScripts:       *update,
				RequireExplicitExec: true,
				Setup:               func(env *testscript.Env) error { return setUp(env, g) },
				Cmds:                scriptCommands(),
				Condition:           g.condition,
			})
		})
	}
}

// setUp gives a story a home of its own, an identity, a fixed clock and nothing of the user's git configuration.
func setUp(env *testscript.Env, g testGit) error {
	home := filepath.Join(env.WorkDir, ".home")
	if err := os.MkdirAll(home, 0o755); err != nil {
		return err
	}
	config := "[user]\n\tname = Ada Example\n\temail = ada@example.invalid\n[init]\n\tdefaultBranch = main\n[protocol \"file\"]\n\tallow = always\n"
	if err := os.WriteFile(filepath.Join(home, "gitconfig"), []byte(config), 0o644); err != nil {
		return err
	}
	env.Setenv("HOME", home)
	env.Setenv("USERPROFILE", home)
	env.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(home, "gitconfig"))
	env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	env.Setenv("GIT_TERMINAL_PROMPT", "0")
	env.Setenv("GIT_AUTHOR_DATE", "2026-03-02T09:00:00Z")
	env.Setenv("GIT_COMMITTER_DATE", "2026-03-02T09:00:00Z")
	env.Setenv("GIT_HANDOFF_NOW", "2026-03-02T10:00:00Z")
	env.Setenv("NO_COLOR", "1")
	env.Setenv("COLUMNS", "80")
	env.Setenv("TZ", "UTC")
	env.Setenv("LC_ALL", "C.UTF-8")
	g.putFirst(env)
	return nil
}
