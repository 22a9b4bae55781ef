package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const readme = "../../README.md"

// TestReadme runs every command of README.md's console blocks, in their order and in one folder, and holds the output
// that is printed there against what comes. With -update it writes what comes into the file. Object ids are compared
// by their form alone, since a release's name is part of what is stored.
func TestReadme(t *testing.T) {
	page, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	r := newReader(t)
	fresh := consoleBlock.ReplaceAllFunc(page, func(block []byte) []byte {
		return []byte("```console\n" + r.play(string(consoleBlock.FindSubmatch(block)[1])) + "```\n")
	})
	if r.ran < 10 {
		t.Fatalf("README.md has %d commands in its console blocks; the tour is gone", r.ran)
	}
	if *update {
		if err := os.WriteFile(readme, fresh, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got, want := withoutIDs(string(fresh)), withoutIDs(string(page)); got != want {
		t.Errorf("README.md is not what happens; see the difference, or run with -update\n%s", difference(want, got))
	}
}

var (
	consoleBlock = regexp.MustCompile("(?s)```console\n(.*?)```\n")
	objectID     = regexp.MustCompile(`\b[0-9a-f]{7,64}\b`)
)

func withoutIDs(s string) string { return objectID.ReplaceAllString(s, "#") }

// A reader types what the page says.
type reader struct {
	t   *testing.T
	dir string
	env []string
	ran int
}

func newReader(t *testing.T) *reader {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	bin, home := filepath.Join(top, "bin"), filepath.Join(top, "home")
	for _, dir := range []string{bin, home} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "build", "-o", filepath.Join(bin, "git-handoff"), ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	config := "[user]\n\tname = Ada Example\n\temail = ada@example.invalid\n[init]\n\tdefaultBranch = main\n[protocol \"file\"]\n\tallow = always\n" +
		"[handoff]\n\tfetchTimeout = 2m\n\tpushTimeout = 2m\n" // a busy machine is no reason for another page

	if err := os.WriteFile(filepath.Join(home, "gitconfig"), []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	const now = "2026-03-02T10:00:00Z"
	return &reader{t: t, dir: home, env: []string{
		"HOME=" + home, "GIT_CONFIG_GLOBAL=" + filepath.Join(home, "gitconfig"), "GIT_CONFIG_NOSYSTEM=1",
		"PATH=" + bin + string(filepath.ListSeparator) + os.Getenv("PATH"), "GIT_HANDOFF_NOW=" + now, "GIT_PAGER=cat",
		"GIT_AUTHOR_DATE=" + now, "GIT_COMMITTER_DATE=" + now, "TZ=UTC", "LC_ALL=C.UTF-8", "COLUMNS=80", "NO_COLOR=1",
	}}
}

// play runs a block's commands and gives the block with their real output.
func (r *reader) play(block string) string {
	var b strings.Builder
	for line := range strings.Lines(block) {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			b.WriteString(line + r.run(strings.TrimSuffix(command, "\n")))
		}
	}
	return b.String()
}

// run runs one command in the folder that the one before it ended in, errors and output together, as a terminal shows
// them.
func (r *reader) run(command string) string {
	r.ran++
	const mark = "\n-- the folder is now "
	cmd := exec.Command("sh", "-c", command+"\nstatus=$?\nprintf '"+strings.ReplaceAll(mark, "\n", `\n`)+"%s' \"$PWD\"\nexit $status")
	cmd.Dir, cmd.Env = r.dir, r.env
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errorsAs(err, &exit) {
		r.t.Fatalf("%s: %v", command, err)
	}
	i := bytes.LastIndex(out, []byte(mark))
	if i < 0 {
		r.t.Fatalf("%s: no end in %q", command, out)
	}
	text, folder := string(out[:i]), string(out[i+len(mark):])
	text = strings.ReplaceAll(text, filepath.Dir(r.dir), "")
	r.dir = folder
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text
}

func errorsAs(err error, target **exec.ExitError) bool {
	e, ok := err.(*exec.ExitError)
	*target = e
	return ok
}

// difference is the first lines in which two texts differ.
func difference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			end := func(s []string) []string { return s[i:min(i+8, len(s))] }
			return "-" + strings.Join(end(a), "\n-") + "\n+" + strings.Join(end(b), "\n+")
		}
	}
	return "+" + strings.Join(b[len(a):], "\n+")
}
