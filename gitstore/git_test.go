//go:build unix

package gitstore

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestGitError(t *testing.T) {
	r := open(t, newRepo(t))
	_, err := r.git(t.Context(), "-c", "a.b=c", "rev-parse", "--verify", "nothing")
	var git *GitError
	if !errors.As(err, &git) || git.Status != 128 || err.Error() != "git rev-parse: Needed a single revision" {
		t.Errorf("%v", err)
	}
	_, err = r.git(t.Context(), "config", "--get", "no.key")
	if !errors.As(err, &git) || git.Status != 1 || err.Error() != "git config: ended with status 1" {
		t.Errorf("%v", err)
	}
}

// A child that takes too long ends, with all that it started.
func TestTimeLimit(t *testing.T) {
	t.Parallel()
	mark := newMark(t)
	alias := "alias.wait=!exec 9>'" + mark.path + "'; sleep 1000 & wait"
	_, err := call{dir: newRepo(t), args: []string{"-c", alias, "wait"}, limit: 200 * time.Millisecond}.output(t.Context())
	if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "git wait: took too long") {
		t.Errorf("%v", err)
	}
	mark.left(t)
}

// A child ends with us, even if we are killed.
func TestChildEndsWithParent(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux ties a child to its parent")
	}
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skipf("no named pipes here: %v", err)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestParentProcess$", "-test.v")
	cmd.Env = append(os.Environ(), writerEnv+"="+newRepo(t), "PIPE="+pipe)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// This waits for the child to open the other end.
	out, err := os.OpenFile(pipe, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if err := out.SetWriteDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = out.Write([]byte("x"))
	}
	if !errors.Is(err, syscall.EPIPE) {
		t.Errorf("the child still reads: %v", err)
	}
}

// TestParentProcess is no test: TestChildEndsWithParent runs it in a copy of the test binary.
func TestParentProcess(t *testing.T) {
	if os.Getenv("PIPE") == "" {
		t.Skip("only for a copy that another test starts")
	}
	r := open(t, os.Getenv(writerEnv))
	_, _ = r.git(t.Context(), "hash-object", os.Getenv("PIPE"))
}

// A lifeline is a named pipe that a process holds open for writing as long as it lives.
type lifeline struct {
	path string
	file *os.File
	in   *bufio.Reader
	held *os.File
}

func newMark(t *testing.T) *lifeline {
	t.Helper()
	m := &lifeline{path: filepath.Join(t.TempDir(), "mark")}
	if err := syscall.Mkfifo(m.path, 0o600); err != nil {
		t.Skipf("no named pipes here: %v", err)
	}
	var err error
	// Opened both ways, it can be opened for reading before anybody writes.
	if m.held, err = os.OpenFile(m.path, os.O_RDWR, 0); err == nil {
		m.file, err = os.Open(m.path)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.file.Close(); m.held.Close() })
	m.in = bufio.NewReader(m.file)
	return m
}

// left returns when no process holds the mark any more.
func (m *lifeline) left(t *testing.T) {
	t.Helper()
	m.held.Close()
	if err := m.file.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := m.in.ReadByte(); err != io.EOF {
		t.Errorf("a process still lives: %v", err)
	}
}

// What a child says is kept up to a limit, and in the C locale.
func TestChildSurroundings(t *testing.T) {
	t.Setenv("LC_ALL", "de_DE.UTF-8")
	r := open(t, newRepo(t))
	out, err := r.git(t.Context(), "-c", "alias.env=!env", "env")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"LC_ALL=C\n", "GIT_OPTIONAL_LOCKS=0\n", "GIT_TERMINAL_PROMPT=0\n"} {
		if !bytes.Contains(out, []byte(want)) {
			t.Errorf("no %q in the environment", want)
		}
	}
	_, err = r.git(t.Context(), "-c", "alias.noise=!head -c 1000000 /dev/zero >&2; exit 1", "noise")
	var git *GitError
	if !errors.As(err, &git) || len(git.Stderr) != maxStderr {
		t.Errorf("kept %d bytes of errors", len(git.Stderr))
	}
}

func TestNetworkSurroundings(t *testing.T) {
	dir := newRepo(t)
	has := func(want string) bool {
		t.Helper()
		out, err := open(t, dir).gitNetwork(t.Context(), time.Minute, nil, "-c", "alias.env=!env", "env")
		if err != nil {
			t.Fatal(err)
		}
		return bytes.Contains(out, []byte("\n"+want+"\n"))
	}
	if !has("GIT_SSH_COMMAND=ssh -o BatchMode=yes") || !has("GCM_INTERACTIVE=never") {
		t.Error("a network child could ask")
	}
	t.Setenv("GIT_SSH_COMMAND", "my-ssh")
	if !has("GIT_SSH_COMMAND=my-ssh") {
		t.Error("the user's ssh command was replaced")
	}
	os.Unsetenv("GIT_SSH_COMMAND")
	git(t, dir, "config", "core.sshCommand", "my-ssh")
	if has("GIT_SSH_COMMAND=ssh -o BatchMode=yes") {
		t.Error("the configured ssh command was replaced")
	}
}

func TestCommand(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	dir := t.TempDir()
	c := Command{Argv: Shell(`echo "$1 $X $(pwd)"; cat; exit 7`, "one"), Dir: dir, Env: []string{"X=two"}, Stdin: strings.NewReader("in"), Stdout: &out}
	if got, err := c.Run(); got.Exit != 7 || got.Signal != "" || err != nil || out.String() != "one two "+dir+"\nin" {
		t.Errorf("%+v, %v, %q", got, err, out.String())
	}
	if got, err := (Command{Argv: Shell("kill -9 $$")}).Run(); got.Exit != 137 || got.Signal != "killed" || err != nil {
		t.Errorf("killed: %+v, %v", got, err)
	}
	if _, err := (Command{Argv: []string{"no-such-program-here"}}).Run(); !errors.Is(err, exec.ErrNotFound) {
		t.Errorf("no program: %v", err)
	}
}

func TestEditor(t *testing.T) {
	dir := newRepo(t)
	file := filepath.Join(dir, "a 'b'")
	write(t, file, "text")
	git(t, dir, "config", "core.editor", "f() { printf more >>\"$1\"; }; f")
	argv, err := open(t, dir).Editor(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Command{Argv: argv}.Run()
	if data, _ := os.ReadFile(file); got.Exit != 0 || err != nil || string(data) != "textmore" {
		t.Errorf("%+v, %v, %q", got, err, data)
	}
}

func TestGitErrorSaysEachLineOnce(t *testing.T) {
	err := &GitError{Args: []string{"-C", "/some/where", "status"}, Status: 128, Stderr: "error: bad pack\nerror: bad pack\nfatal: bad object HEAD\n"}
	if got, want := err.Error(), "git status: error: bad pack\nfatal: bad object HEAD"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
