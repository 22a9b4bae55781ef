//go:build unix

package main

import (
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// nobody is a user who owns nothing here.
const nobody = 65534

// In a repository that cannot be written, resume prints what it prints elsewhere, says what it could not do, and leaves
// every byte as it was. To root nothing is read-only, so root becomes another user.
func TestResumeInReadOnlyRepository(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	y.shared()
	for dir := y.dir; dir != filepath.Dir(os.TempDir()) && dir != "/"; dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			break
		}
	}
	program := filepath.Join(y.publicProgram(), "git-handoff")
	stranger := y.readOnly("author")
	before := y.listing("author")
	for _, format := range []string{"prompt", "text", "md", "json"} {
		r := y.start("author", stranger, program, "resume", "--format", format)
		if r.code != 0 || !strings.Contains(r.out, "mend the parser") {
			t.Errorf("%s: %+v", format, r)
		}
		if !strings.Contains(r.err, "git-handoff: not recorded: this repository cannot be written to\n") {
			t.Errorf("%s: %q", format, r.err)
		}
	}
	if r := y.start("author", stranger, program, "resume", "--claim", "--local"); r.code != exitFailure || r.out != "" {
		t.Errorf("a claim that cannot be written: %+v", r)
	}
	if r := y.start("author", stranger, program, "stats"); r.code != 0 {
		t.Errorf("stats: %+v", r)
	}
	if after := y.listing("author"); after != before {
		t.Errorf("something was written:\n%s", after)
	}
}

// publicProgram is a folder with the program in it that every user can reach.
func (y *yard) publicProgram() string {
	self, err := os.Executable()
	if err != nil {
		y.t.Fatal(err)
	}
	dir := filepath.Join(y.dir, "bin")
	if err := os.Mkdir(dir, 0o755); err != nil {
		y.t.Fatal(err)
	}
	from, err := os.Open(self)
	if err != nil {
		y.t.Fatal(err)
	}
	defer from.Close()
	to, err := os.OpenFile(filepath.Join(dir, "git-handoff"), os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		y.t.Fatal(err)
	}
	if _, err := io.Copy(to, from); err != nil {
		y.t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		y.t.Fatal(err)
	}
	return dir
}

// readOnly takes the right to write from everybody in a folder, and gives how a command is started that keeps to it.
func (y *yard) readOnly(dir string) func(*exec.Cmd) {
	y.chmod(dir, func(m fs.FileMode) fs.FileMode { return m&^0o222 | 0o444 | m&0o100>>3 | m&0o100>>6 })
	y.t.Cleanup(func() { y.chmod(dir, func(m fs.FileMode) fs.FileMode { return m | 0o200 }) })
	if os.Getuid() != 0 {
		return nil
	}
	return func(cmd *exec.Cmd) {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
}

func (y *yard) chmod(dir string, mode func(fs.FileMode) fs.FileMode) {
	y.walk(dir, func(path string, info fs.FileInfo) {
		if err := os.Chmod(path, mode(info.Mode().Perm())); err != nil {
			y.t.Error(err)
		}
	})
}

// listing is every file with its size and time.
func (y *yard) listing(dir string) string {
	var b strings.Builder
	y.walk(dir, func(path string, info fs.FileInfo) {
		b.WriteString(path + " " + info.Mode().String() + " " + info.ModTime().String() + "\n")
	})
	return b.String()
}

func (y *yard) walk(dir string, visit func(string, fs.FileInfo)) {
	var paths []string
	err := filepath.WalkDir(filepath.Join(y.dir, dir), func(path string, _ fs.DirEntry, err error) error {
		paths = append(paths, path)
		return err
	})
	if err != nil {
		y.t.Error(err)
	}
	for _, path := range paths {
		if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink == 0 {
			visit(path, info)
		}
	}
}
