package gitstore

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"git-handoff/gitstore/handoff"
)

// TestMain cuts the tests off from the user's configuration and from a repository that they may run in (a hook).
func TestMain(m *testing.M) {
	for _, kv := range os.Environ() {
		if name, _, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "GIT_") && !strings.HasPrefix(name, "GIT_HANDOFF_TEST_") {
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
	code := runWithEveryGit(m)
	os.RemoveAll(home)
	os.Exit(code)
}

// runWithEveryGit runs the tests with the installed git, and with each in GIT_HANDOFF_TEST_GITS (folders, as in PATH).
func runWithEveryGit(m *testing.M) int {
	if os.Getenv(writerEnv) != "" {
		return m.Run()
	}
	path := os.Getenv("PATH")
	code := 0
	for _, dir := range append([]string{""}, filepath.SplitList(os.Getenv("GIT_HANDOFF_TEST_GITS"))...) {
		if dir != "" {
			os.Setenv("PATH", dir+string(filepath.ListSeparator)+path)
		}
		version, err := exec.Command("git", "version").Output()
		if err != nil {
			panic(err)
		}
		fmt.Printf("# tests with %s", version)
		code = max(code, m.Run())
	}
	return code
}

// testName is a handoff to try things on.
var testName = handoff.Name{Branch: "main", Topic: "default"}

// writerEnv marks a copy of the test binary that was started to write; see edit_test.go.
const writerEnv = "GIT_HANDOFF_TEST_WRITER"

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

// newRepo makes a repository with an unborn branch main and an identity.
func newRepo(t testing.TB, initArgs ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "repo")
	git(t, ".", append([]string{"init", "-q", "-b", "main", dir}, initArgs...)...)
	identify(t, dir)
	return dir
}

func identify(t testing.TB, dir string) {
	t.Helper()
	git(t, dir, "config", "user.name", "Ada")
	git(t, dir, "config", "user.email", "ada@example.org")
}

// try is git's answer, or "" where it fails.
func try(dir string, args ...string) string {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(string(out), "\n")
}

// commitFile makes a commit that changes one file, and gives its id.
func commitFile(t testing.TB, dir, file, text string) string {
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

// supports skips a test where the git at hand cannot do something, tried in a folder of its own.
func supports(t *testing.T, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = t.TempDir()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("this git has no %s: %s", strings.Join(args, " "), out)
	}
}

// configChildren is how many children it takes to read the configuration of a test.
var configChildren = map[bool]int{true: 0, false: 1}[runtime.GOOS == "linux"]
