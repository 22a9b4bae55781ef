package hooks

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// someShells are the shells here that hook files may be run with.
func someShells(t *testing.T) [][]string {
	var found [][]string
	for _, words := range [][]string{{"dash"}, {"busybox", "sh"}, {"bash"}, {"bash", "-euo", "pipefail"}, {"dash", "-eu"}, {"ksh"}} {
		if _, err := exec.LookPath(words[0]); err == nil {
			found = append(found, words)
		}
	}
	if len(found) == 0 {
		t.Skip("no dash, busybox or bash here")
	}
	return found
}

// runHook runs a hook file as git does, from the top of the worktree.
func runHook(t *testing.T, shell []string, dir, file, input string, args ...string) (out string, status int) {
	t.Helper()
	words := append(append(slices.Clone(shell), file), args...)
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(input)
	data, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(data), cmd.ProcessState.ExitCode()
}

// busy gives the repository a handoff, as far as a script can see.
func busy(t *testing.T, dir string) {
	git(t, dir, "update-ref", "refs/handoff/main/default", "HEAD")
}

func TestInputReachesEverybody(t *testing.T) {
	dir := newRepo(t)
	busy(t, dir)
	program, log := fakeProgram(t)
	theirs := "#!/bin/sh\ncat >>\"$1\"\necho \"$# $2\" >>\"$1\"\nexit 3\n"
	inputs := map[string]string{"none": "", "one": "refs/heads/a 1 refs/heads/a 0\n", "odd": "a \\b $HOME `x` 'y\n\n\ttab\\\n",
		"many": strings.Repeat("refs/heads/x 1111 refs/heads/x 2222\n", 20_000)}
	for _, event := range []string{"pre-push", "post-rewrite"} {
		content, err := put([]byte(theirs), script{event: event, program: program})
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), event)
		write(t, file, string(content), 0o755)
		for _, shell := range someShells(t) {
			for name, input := range inputs {
				os.Remove(log)
				seen := filepath.Join(t.TempDir(), "seen")
				out, status := runHook(t, shell, dir, file, input, seen, "two words")
				if status != 3 || out != "" {
					t.Errorf("%s, %v, %s: status %d, output %q", event, shell, name, status, out)
				}
				if got := read(t, seen); got != input+"2 two words\n" {
					t.Errorf("%s, %v, %s: theirs got %.200q", event, shell, name, got)
				}
				want := "" // a push without input has nothing to send
				if input != "" || event == "post-rewrite" {
					want = "ran: hook " + event + " " + seen + " two words\n" + input
				}
				if got := read(t, log); got != want {
					t.Errorf("%s, %v, %s: ours got %.200q", event, shell, name, got)
				}
			}
		}
	}
}

func TestLinesByHandLeaveTheInput(t *testing.T) {
	dir := newRepo(t)
	program, log := fakeProgram(t)
	t.Setenv("PATH", filepath.Dir(program)+string(filepath.ListSeparator)+os.Getenv("PATH"))
	for _, event := range []string{"pre-push", "post-rewrite"} {
		file := filepath.Join(t.TempDir(), event)
		write(t, file, script{event: event}.firstLines()+"\ncat >\"$1\"\nexit 3\n", 0o755)
		for _, shell := range someShells(t) {
			for _, input := range []string{"", "one\n", "a \\b $HOME `x` 'y\n\n\ttab\\\n"} {
				os.Remove(log)
				seen, want := filepath.Join(t.TempDir(), "seen"), ""
				if input != "" {
					want = "ran: hook " + event + " " + seen + " two\n" + input
				}
				if out, status := runHook(t, shell, dir, file, input, seen, "two"); status != 3 || out != "" {
					t.Errorf("%s, %v, %q: status %d, output %q", event, shell, input, status, out)
				}
				if ours, theirs := read(t, log), read(t, seen); ours != want || theirs != input {
					t.Errorf("%s, %v, %q: ours got %q, theirs %q", event, shell, input, ours, theirs)
				}
			}
		}
	}
}

func TestOnlyStatus75BlocksAPush(t *testing.T) {
	dir := newRepo(t)
	busy(t, dir)
	program, _ := fakeProgram(t)
	for _, event := range Events {
		s := script{event: event, program: program}
		file := filepath.Join(t.TempDir(), event)
		write(t, file, "#!/bin/sh\n"+s.block(wholeFile), 0o755)
		line := filepath.Join(t.TempDir(), event)
		write(t, line, s.oneLine()+` "$@"`, 0o755)
		for status, want := range map[string]int{"0": 0, "1": 0, "2": 0, "74": 0, "75": 1, "127": 0, "137": 0} {
			write(t, filepath.Join(filepath.Dir(program), "status"), status, 0o644)
			if event != "pre-push" {
				want = 0
			}
			for _, shell := range someShells(t) {
				for _, f := range []string{file, line} {
					if out, got := runHook(t, shell, dir, f, "refs/heads/a 1 refs/heads/a 0\n", "amend", "2", "1"); got != want || out != "" {
						t.Errorf("%s, %v: our status %s makes %d, want %d; output %q", event, shell, status, got, want, out)
					}
				}
			}
		}
	}
}

func TestProgramThatIsNotThere(t *testing.T) {
	dir := newRepo(t)
	busy(t, dir)
	program, log := fakeProgram(t)
	broken := filepath.Join(t.TempDir(), "git-handoff")
	write(t, broken, "#!/bin/sh\n", 0o644)
	onPath := filepath.Dir(program) + string(filepath.ListSeparator) + os.Getenv("PATH")
	for _, event := range Events {
		for _, missing := range []string{"/no/such/git-handoff", broken, filepath.Dir(broken), ""} {
			file := filepath.Join(t.TempDir(), event)
			write(t, file, "#!/bin/sh\n"+script{event: event, program: missing}.block(wholeFile), 0o755)
			for _, shell := range someShells(t) {
				if out, status := runHook(t, shell, dir, file, "in\n", "amend", "2", "1"); out != "" || status != 0 {
					t.Errorf("%s, %v, %q: status %d, output %q", event, shell, missing, status, out)
				}
				t.Setenv("PATH", onPath)
				os.Remove(log)
				runHook(t, shell, dir, file, "in\n", "amend", "2", "1")
				if got := read(t, log); !strings.HasPrefix(got, "ran: hook "+event+" amend 2 1\n") {
					t.Errorf("%s, %v, %q: the program on PATH got %q", event, shell, missing, got)
				}
				t.Setenv("PATH", strings.TrimPrefix(onPath, filepath.Dir(program)+string(filepath.ListSeparator)))
			}
		}
	}
}

// TestOnlyOurLineIsSeen: whatever a program leaves behind when it crashes, or is none at all, standard error has nothing
// of it, nor of what the shell says of its end; what it says where it was told to comes through.
func TestOnlyOurLineIsSeen(t *testing.T) {
	dir := newRepo(t)
	busy(t, dir)
	program := filepath.Join(t.TempDir(), "git-handoff")
	for name, content := range map[string]string{
		"segfault": "kill -SEGV $$", "killed": "kill -KILL $$", "terminated": "kill -TERM $$", "panic": "for i in 1 2 3; do echo $i; echo $i >&2; done; exit 2",
		"says": "echo said >&$" + SayVariable, "interpreter": "", "garbage": "",
	} {
		text := map[string]string{"interpreter": "#!/no/such\n", "garbage": "\x7fELF\x00(\n\""}[name]
		if text == "" {
			text = "#!/bin/sh\n" + content + "\n"
		}
		write(t, program, text, 0o755)
		want := map[string]string{"says": "said\n"}[name]
		for _, event := range []string{"post-commit", "pre-push"} {
			for _, anywhere := range []bool{false, true} {
				if anywhere && !strings.HasPrefix(content, "kill") {
					continue
				}
				s := script{event: event, program: program, anywhere: anywhere}
				file, line := filepath.Join(t.TempDir(), event), filepath.Join(t.TempDir(), event)
				write(t, file, "#!/bin/sh\n"+s.block(wholeFile), 0o755)
				write(t, line, s.oneLine()+` "$@"`, 0o755)
				for _, shell := range someShells(t) {
					for _, f := range []string{file, line} {
						if out, got := runHook(t, shell, dir, f, "in\n", "amend", "2", "1"); out != want || got != 0 {
							t.Errorf("%s, %s, %v, anywhere %v: status %d, output %q, want %q", name, event, shell, anywhere, got, out, want)
						}
					}
				}
			}
		}
	}
}

// TestInputWithoutPath: a program with a window starts git without a PATH, where there is no cat.
func TestInputWithoutPath(t *testing.T) {
	dir := newRepo(t)
	busy(t, dir)
	program := filepath.Join(t.TempDir(), "git-handoff")
	write(t, program, "#!/bin/sh\nexec >\"${0%/*}/log\"\nwhile read -r l; do echo \"$l\"; done\n", 0o755)
	theirs := "#!/bin/sh\nwhile read -r l; do echo \"$l\"; done >\"$1\"\n"
	content, err := put([]byte(theirs), script{event: "pre-push", program: program})
	if err != nil {
		t.Fatal(err)
	}
	file, seen, input := filepath.Join(t.TempDir(), "pre-push"), filepath.Join(t.TempDir(), "seen"), "refs/heads/a 1 refs/heads/a 0\nrefs/heads/b 1 refs/heads/b 0\n"
	write(t, file, string(content), 0o755)
	for _, shell := range someShells(t) {
		found, err := exec.LookPath(shell[0])
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(found, append(slices.Clone(shell[1:]), file, seen)...)
		cmd.Dir, cmd.Stdin, cmd.Env = dir, strings.NewReader(input), []string{"PATH=/nowhere"}
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%v: %v, output %q", shell, err, out)
		}
		if ours, them := read(t, filepath.Join(filepath.Dir(program), "log")), read(t, seen); ours != input || them != input {
			t.Errorf("%v: ours got %q, theirs %q", shell, ours, them)
		}
	}
}

// started tells which events start the program in dir, with these arguments.
func started(t *testing.T, dir string, shell []string, program, log string, args ...string) string {
	t.Helper()
	var events []string
	for _, event := range Events {
		os.Remove(log)
		file := filepath.Join(filepath.Dir(program), event)
		write(t, file, script{event: event, program: program}.oneLine()+` "$@"`, 0o755)
		if out, status := runHook(t, shell, dir, file, "in\n", args...); out != "" || status != 0 {
			t.Errorf("%s, %v: status %d, output %q", event, shell, status, out)
		}
		if read(t, log) != "" {
			events = append(events, event)
		}
	}
	return strings.Join(events, " ")
}

func TestScriptStartsTheProgramOnlyWhereThereIsSomethingToDo(t *testing.T) {
	const all = "post-commit post-rewrite post-merge post-checkout pre-push"
	handoffs := "refs/handoff/main/default"
	age := func(t *testing.T, dir string) {
		old := time.Now().Add(-time.Hour)
		if err := os.Chtimes(filepath.Join(dir, ".git/packed-refs"), old, old); err != nil {
			t.Fatal(err)
		}
	}
	rested := func(t *testing.T, dir string, branches ...string) {
		age(t, dir)
		for _, b := range branches {
			r, ok := prepareRest(open(t, dir), b)
			if !ok {
				t.Fatal("no mark can be made")
			}
			r.mark()
		}
	}
	cases := []struct {
		name    string
		prepare func(t *testing.T, dir string)
		want    string
	}{
		{"no handoff", func(t *testing.T, dir string) {}, ""},
		{"a loose one", func(t *testing.T, dir string) { git(t, dir, "update-ref", handoffs, "HEAD") }, all},
		{"one of another branch", func(t *testing.T, dir string) { git(t, dir, "update-ref", "refs/handoff/x/default", "HEAD") }, "pre-push"},
		{"one that was fetched", func(t *testing.T, dir string) {
			git(t, dir, "update-ref", "refs/handoff-remotes/origin/heads/main/default", "HEAD")
		}, "post-commit post-rewrite post-merge post-checkout"},
		{"packed", func(t *testing.T, dir string) {
			git(t, dir, "update-ref", handoffs, "HEAD")
			git(t, dir, "pack-refs", "--all")
		}, all},
		{"packed, none ours, not looked at", func(t *testing.T, dir string) { git(t, dir, "pack-refs", "--all") }, all},
		{"packed, none ours, looked at", func(t *testing.T, dir string) {
			git(t, dir, "pack-refs", "--all")
			rested(t, dir, "main", "")
		}, ""},
		{"looked at, then packed again", func(t *testing.T, dir string) {
			git(t, dir, "pack-refs", "--all")
			rested(t, dir, "main", "")
			git(t, dir, "update-ref", handoffs, "HEAD")
			git(t, dir, "pack-refs", "--all")
		}, all},
		{"looked at, then an older file put back", func(t *testing.T, dir string) {
			git(t, dir, "pack-refs", "--all")
			rested(t, dir, "main", "")
			past := time.Now().Add(-48 * time.Hour)
			os.Chtimes(filepath.Join(dir, ".git/packed-refs"), past, past)
		}, all},
		{"looked at, then a loose one", func(t *testing.T, dir string) {
			git(t, dir, "pack-refs", "--all")
			rested(t, dir, "main", "")
			git(t, dir, "update-ref", handoffs, "HEAD")
		}, all},
		{"a branch with a slash", func(t *testing.T, dir string) {
			git(t, dir, "switch", "-q", "-c", "feature/login")
			git(t, dir, "update-ref", "refs/handoff/feature/login/default", "HEAD")
		}, all},
		{"evidence alone", func(t *testing.T, dir string) { git(t, dir, "update-ref", "refs/notes/handoff", "HEAD") }, "pre-push"},
		{"detached", func(t *testing.T, dir string) {
			git(t, dir, "update-ref", handoffs, "HEAD")
			git(t, dir, "checkout", "-q", "--detach")
		}, "pre-push"},
		{"rebase", func(t *testing.T, dir string) {
			git(t, dir, "update-ref", handoffs, "HEAD")
			os.Mkdir(filepath.Join(dir, ".git/rebase-merge"), 0o755)
		}, "post-merge pre-push"},
	}
	program, log := fakeProgram(t)
	shells := someShells(t)
	for _, c := range cases {
		dir := newRepo(t)
		c.prepare(t, dir)
		want := c.want
		if c.name == "rebase" {
			want = "pre-push"
		}
		for _, shell := range shells {
			if got := started(t, dir, shell, program, log, "amend", "2", "1"); got != want {
				t.Errorf("%s, %v: started by %q, want %q", c.name, shell, got, want)
			}
		}
	}
}

func TestScriptInLinkedWorktreeAndSubmodule(t *testing.T) {
	dir := newRepo(t)
	program, log := fakeProgram(t)
	linked := filepath.Join(t.TempDir(), "linked tree")
	git(t, dir, "worktree", "add", "-q", "-b", "side", linked)
	gitDir := git(t, linked, "rev-parse", "--absolute-git-dir")
	t.Setenv("GIT_DIR", gitDir)
	for _, shell := range someShells(t) {
		if got := started(t, linked, shell, program, log, "amend", "2", "1"); got != "" {
			t.Errorf("%v: without a handoff, started by %q", shell, got)
		}
	}
	git(t, dir, "update-ref", "refs/handoff/side/default", "HEAD")
	for _, shell := range someShells(t) {
		if got := started(t, linked, shell, program, log, "amend", "2", "1"); strings.Count(got, " ") != 4 {
			t.Errorf("%v: started by %q, want all", shell, got)
		}
	}
}

func TestCheckoutOfFilesStartsNothing(t *testing.T) {
	dir := newRepo(t)
	busy(t, dir)
	program, log := fakeProgram(t)
	for _, shell := range someShells(t) {
		if got := started(t, dir, shell, program, log, "x", "y", "0"); strings.Contains(got, "post-checkout") {
			t.Errorf("%v: started by %q", shell, got)
		}
	}
}

// TestLargeFiles runs a git-lfs that only logs.
func TestLargeFiles(t *testing.T) {
	dir := newRepo(t)
	program, log := fakeProgram(t)
	lfs := filepath.Join(t.TempDir(), "lfs-log")
	bin := t.TempDir()
	write(t, filepath.Join(bin, "git-lfs"), fmt.Sprintf("#!/bin/sh\necho \"$*\" >>'%s'\n[ \"$1\" = pre-push ] && cat >>'%s'\nexit 0\n", lfs, lfs), 0o755)
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	write(t, filepath.Join(dir, ".git/lfs/x"), "", 0o644)
	const input = "refs/heads/a 1 refs/heads/a 0\n"
	for _, handoffs := range []bool{false, true} {
		if handoffs {
			busy(t, dir)
		}
		for _, theirs := range []string{"", "cat >/dev/null\n", "git lfs pre-push \"$@\"\n"} {
			content, _ := put([]byte("#!/bin/sh\n"+theirs), script{event: "pre-push", program: program})
			file := filepath.Join(t.TempDir(), "pre-push")
			write(t, file, string(content), 0o755)
			for _, shell := range someShells(t) {
				os.Remove(lfs)
				os.Remove(log)
				out, status := runHook(t, shell, dir, file, input, "origin", "url")
				if got := read(t, lfs); got != "pre-push origin url\n"+input || status != 0 || out != "" {
					t.Errorf("%v, %q: LFS got %q, status %d, output %q", shell, theirs, got, status, out)
				}
				if got := read(t, log); (got == "ran: hook pre-push origin url\n"+input) != handoffs {
					t.Errorf("%v, %q: ours got %q", shell, theirs, got)
				}
			}
		}
	}
	write(t, filepath.Join(bin, "git-lfs"), "#!/bin/sh\nexit 4\n", 0o755)
	file := filepath.Join(t.TempDir(), "pre-push")
	write(t, file, "#!/bin/sh\n"+script{event: "pre-push", program: program}.block(wholeFile), 0o755)
	for _, shell := range someShells(t) {
		if _, status := runHook(t, shell, dir, file, input, "origin", "url"); status != 4 {
			t.Errorf("%v: a push goes on although LFS failed: status %d", shell, status)
		}
	}
}

func TestScriptsAreShort(t *testing.T) {
	for _, event := range Events {
		s := script{event: event, program: "/usr/local/bin/git-handoff"}
		if line := s.oneLine(); strings.Contains(line, "\n") || len(line) > 1800 {
			t.Errorf("%s: %d bytes: %s", event, len(line), line)
		}
		if lines := bytes.Count([]byte(s.block("")), []byte("\n")); lines > 90 {
			t.Errorf("%s: %d lines", event, lines)
		}
	}
}
