package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// A testGit is one git that the stories run with: the installed one, or one from GIT_HANDOFF_TEST_GITS, a list of
// folders like PATH.
type testGit struct {
	name    string
	dir     string // "" for the installed one
	version [2]int
}

func gits(t *testing.T) []testGit {
	t.Helper()
	found := []testGit{describeGit(t, "")}
	for _, dir := range filepath.SplitList(os.Getenv("GIT_HANDOFF_TEST_GITS")) {
		if dir != "" {
			found = append(found, describeGit(t, dir))
		}
	}
	if len(found) == 1 {
		t.Logf("only the installed %s: name more in GIT_HANDOFF_TEST_GITS", found[0].name)
	}
	return found
}

func describeGit(t *testing.T, dir string) testGit {
	t.Helper()
	program := "git"
	if dir != "" {
		program = filepath.Join(dir, "git")
	}
	out, err := exec.Command(program, "version").Output()
	if err != nil {
		t.Fatalf("%s version: %v", program, err)
	}
	g := testGit{name: strings.ReplaceAll(strings.TrimSpace(string(out)), " ", "-"), dir: dir}
	if _, err := fmt.Sscanf(string(out), "git version %d.%d", &g.version[0], &g.version[1]); err != nil {
		t.Fatalf("%s says %q: %v", program, out, err)
	}
	return g
}

func (g testGit) putFirst(env *testscript.Env) {
	if g.dir != "" {
		env.Setenv("PATH", g.dir+string(filepath.ListSeparator)+env.Getenv("PATH"))
	}
}

// condition answers [git:2.45] (this git is at least that new), and [mounts]: folders can be mounted in a namespace.
func (g testGit) condition(cond string) (bool, error) {
	if cond == "mounts" {
		return exec.Command("unshare", "-rm", "mount", "-t", "tmpfs", "none", os.TempDir()).Run() == nil, nil
	}
	var major, minor int
	if _, err := fmt.Sscanf(cond, "git:%d.%d", &major, &minor); err == nil {
		return g.version[0] > major || g.version[0] == major && g.version[1] >= minor, nil
	}
	return false, fmt.Errorf("unknown condition %q", cond)
}
