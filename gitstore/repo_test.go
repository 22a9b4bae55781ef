package gitstore

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMain cuts the tests off from the user's configuration and from a repository that they may run in (a hook).
func TestMain(m *testing.M) {
	for _, kv := range os.Environ() {
		if name, _, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "GIT_") && name != "GIT_HANDOFF_TEST_GITS" {
			os.Unsetenv(name)
		}
	}
	home, err := os.MkdirTemp("", "handoff-home")
	if err != nil {
		panic(err)
	}
	for name, value := range map[string]string{"HOME": home, "XDG_CONFIG_HOME": home, "GIT_CONFIG_NOSYSTEM": "1",
		"GIT_CONFIG_GLOBAL": os.DevNull, "EMAIL": ""} {
		os.Setenv(name, value)
	}
	code := m.Run()
	os.RemoveAll(home)
	os.Exit(code)
}

// git runs git in dir and gives its output without the last line feed.
func git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	return gitIn(t, dir, "", args...)
}

func gitIn(t testing.TB, dir, stdin string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Stdin = strings.NewReader(stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("git %s: %v\n%s%s", strings.Join(args, " "), err, out.String(), errs.String())
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// newRepo makes a repository on branch main with an identity and, unless empty is asked for, one commit.
func newRepo(t testing.TB, initArgs ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "repo")
	git(t, ".", append([]string{"init", "-q", "-b", "main", dir}, initArgs...)...)
	git(t, dir, "config", "user.name", "Ada")
	git(t, dir, "config", "user.email", "ada@example.org")
	return dir
}

// commit makes a commit that changes one file, and gives its id.
func commit(t testing.TB, dir, file, text string) string {
	t.Helper()
	write(t, filepath.Join(dir, file), text)
	git(t, dir, "add", file)
	git(t, dir, "commit", "-q", "-m", "change "+file)
	return git(t, dir, "rev-parse", "HEAD")
}

func write(t testing.TB, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// open opens a repository and closes it with the test.
func open(t testing.TB, dir string) *Repo {
	t.Helper()
	r, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// countChildren counts the git processes that f starts, all of them, by git's own trace.
func countChildren(t *testing.T, f func()) int {
	t.Helper()
	trace := filepath.Join(t.TempDir(), "trace")
	t.Setenv("GIT_TRACE2_EVENT", trace)
	f()
	os.Unsetenv("GIT_TRACE2_EVENT")
	data, _ := os.ReadFile(trace)
	return bytes.Count(data, []byte(`"event":"version"`))
}

func oidOf(n int) string { return fmt.Sprintf("%040x", n) }
