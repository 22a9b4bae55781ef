package hooks

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"git-handoff/gitstore"
)

// TestMain cuts the tests off from the user's configuration and from a repository that they may run in.
// Run as a hook, the test's own program stands for git-handoff and logs what it gets.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "hook" {
		logCall(os.Getenv("HANDOFF_TEST_LOG"), os.Args[1:])
		return
	}
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
		"GIT_CONFIG_GLOBAL": filepath.Join(home, "gitconfig"), "EMAIL": ""} {
		os.Setenv(name, value)
	}
	code := m.Run()
	os.RemoveAll(home)
	os.Exit(code)
}

// logCall adds a line with the arguments, and the standard input, to a file.
func logCall(file string, args []string) {
	log, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		panic(err)
	}
	defer log.Close()
	fmt.Fprintln(log, "ran:", strings.Join(args, " "))
	io.Copy(log, os.Stdin)
}

// git runs git in dir and gives what it writes, without the last line feed.
func git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	out, err := tryGit(dir, args...)
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

func tryGit(dir string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return strings.TrimSuffix(string(out), "\n"), err
}

// newRepo makes a repository on branch main with an identity, in a folder whose name is hard on shell code.
func newRepo(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "it's a \"repo\" $x")
	git(t, ".", "init", "-q", "-b", "main", dir)
	git(t, dir, "config", "user.name", "Ada")
	git(t, dir, "config", "user.email", "ada@example.org")
	git(t, dir, "commit", "-q", "--allow-empty", "-m", "first")
	return dir
}

func open(t testing.TB, dir string) *gitstore.Repo {
	t.Helper()
	repo, err := gitstore.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { repo.Close() })
	return repo
}

func write(t testing.TB, file, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// read gives a file's content; "" where there is none.
func read(t testing.TB, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(data)
}

// fakeProgram makes a git-handoff that logs its arguments and its input, and ends with the status in the file status
// beside it. It gives its path and that of the log.
func fakeProgram(t testing.TB) (program, log string) {
	t.Helper()
	dir := t.TempDir()
	program, log = filepath.Join(dir, "git-handoff"), filepath.Join(dir, "log")
	write(t, program, "#!/bin/sh\nd=${0%/*}\necho \"ran: $*\" >>\"$d/log\"\ncat >>\"$d/log\"\n[ -f \"$d/status\" ] && exit $(cat \"$d/status\")\nexit 0\n", 0o755)
	return program, log
}

// gits are the folders of the gits to test with, by name: the installed one, and those of GIT_HANDOFF_TEST_GITS.
func gits(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{"installed": ""}
	for _, dir := range filepath.SplitList(os.Getenv("GIT_HANDOFF_TEST_GITS")) {
		out, err := exec.Command(filepath.Join(dir, "git"), "version").Output()
		if err != nil {
			t.Fatal(err)
		}
		found[string(bytes.TrimSpace(out))] = dir
	}
	return found
}

// useGit puts a git first on PATH for the test.
func useGit(t *testing.T, dir string) {
	t.Helper()
	if dir != "" {
		t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	}
}
