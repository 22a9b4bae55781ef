//go:build linux

package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"git-handoff/gitstore/handoff"
)

// maxResident is how much memory a save may take, whatever the size of the log, in bytes.
const maxResident = 64 << 20

// writeLog writes a log of records of about that many bytes: of 1,000 one fails, each has two kilobytes of output, and
// one in the middle is a line of five megabytes.
func writeLog(t testing.TB, path string, size int) (records, failed int) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	output := strings.Repeat("ok   ledger/import 0.012s\\n", 80)
	written, huge := 0, false
	for written < size {
		exit := 0
		if records%1000 == 999 {
			exit, failed = 1, failed+1
		}
		text := output
		if !huge && written > size/2 {
			text, huge = strings.Repeat("x", 5<<20), true
		}
		n, _ := fmt.Fprintf(w, `{"command":["go","test","./part%d"],"started_at":%d.5,"stdout_tail":"%s","stderr_tail":"","exit_code":%d,"duration_ms":12}`+"\n", records, 1772442000+records, text, exit)
		written += n
		records++
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return records, failed
}

// TestLargeLog saves with a log of 48 MiB, or of 1 GiB with GIT_HANDOFF_TEST_SOAK set: memory does not grow with it, and
// the document stays under its budget.
func TestLargeLog(t *testing.T) {
	size := 48 << 20
	if os.Getenv("GIT_HANDOFF_TEST_SOAK") != "" {
		size = 1 << 30
	}
	s := newStory(t, "05-jsonl-truncated")
	path := filepath.Join(s.dir, "feedback_record.jsonl")
	records, failed := writeLog(t, path, size)
	start := time.Now()
	cmd := exec.Command("git-handoff", "save")
	cmd.Dir, cmd.Env = s.dir, s.env
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	took := time.Since(start)
	resident := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
	t.Logf("%d MiB in %s, %.0f MiB a second, %d MiB of memory", size>>20, took, float64(size>>20)/took.Seconds(), resident>>20)
	if resident > maxResident {
		t.Errorf("it took %d MiB of memory, at most %d are meant", resident>>20, maxResident>>20)
	}
	doc, err := handoff.Decode([]byte(s.git("show", "refs/handoff/main/default:handoff.yaml")))
	if err != nil {
		t.Fatal(err)
	}
	if c := doc.CommandsRun; c.Total != records || c.Failed != failed || len(c.Runs) > 30 {
		t.Errorf("%d records of %d, %d failed of %d, %d shown", c.Total, records, c.Failed, failed, len(c.Runs))
	}
	if n := doc.FactsSize(); n > handoff.MaxFacts {
		t.Errorf("the facts take %d bytes", n)
	}
}

// BenchmarkLargeLog reads 256 MiB, and tells how fast; beside it, how fast the disk gives the same file.
func BenchmarkLargeLog(b *testing.B) {
	const size = 256 << 20
	dir := b.TempDir()
	for _, args := range [][]string{{"init", "-q", dir}, {"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "--allow-empty", "-m", "Start"}} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
	}
	path := filepath.Join(dir, "feedback_record.jsonl")
	writeLog(b, path, size)
	for name, args := range map[string][]string{"save": {"git-handoff", "save", "--dry-run", "--next-action", "read the log of go test"}, "read": {"cat", path}} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(size)
			for b.Loop() {
				cmd := exec.Command(args[0], args[1:]...)
				cmd.Dir = dir
				if err := cmd.Run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
