package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"
)

// A record is one command in the log that `run` keeps, in the shape of feedback logs in the wild.
type record struct {
	Command    []string `json:"command"`
	StartedAt  string   `json:"started_at"`
	ExitCode   int      `json:"exit_code"`
	DurationMS int64    `json:"duration_ms"`
	Signal     string   `json:"signal,omitempty"`
	Error      string   `json:"error,omitempty"`
	StdoutTail string   `json:"stdout_tail,omitempty"`
	StderrTail string   `json:"stderr_tail,omitempty"`
}

// runLog is where `run` records commands: in the private git directory of the worktree.
func (d *desk) runLog() string {
	return filepath.Join(d.repo.Place().GitDir, "handoff", "commands.jsonl")
}

// ownLogs are that log and what was rotated from it, the oldest first.
func (d *desk) ownLogs() []string {
	return []string{d.runLog() + ".2", d.runLog() + ".1", d.runLog()}
}

// maxRunLog is how large the log grows before it is rotated. Two older ones are kept.
const maxRunLog = 1 << 20

// appendRecord adds a record in one write, which the system puts at the end whatever others write at that moment.
func appendRecord(path string, r record) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(r); err != nil {
		return err
	}
	line := b.Bytes()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	rotate(path)
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	if cutOff(f) {
		line = append([]byte{'\n'}, line...)
	}
	_, err = f.Write(line)
	return errors.Join(err, f.Close())
}

// cutOff reports whether a crash left a line without an end.
func cutOff(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return false
	}
	last := make([]byte, 1)
	_, err = f.ReadAt(last, info.Size()-1)
	return err == nil && last[0] != '\n'
}

// rotate makes room. One process at a time does it, and looks again before it does; the others write on. A lock that a
// crash left behind is taken away when it is old.
func rotate(path string) {
	if !isFull(path) {
		return
	}
	lock := path + ".lock"
	if info, err := os.Stat(lock); err == nil && time.Since(info.ModTime()) > time.Minute {
		os.Remove(lock)
	}
	f, err := os.OpenFile(lock, os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return
	}
	defer os.Remove(lock)
	f.Close()
	if !isFull(path) {
		return
	}
	if err := os.Rename(path+".1", path+".2"); err == nil || errors.Is(err, fs.ErrNotExist) {
		os.Rename(path, path+".1")
	}
}

func isFull(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Size() >= maxRunLog
}

// How much of an output is kept: the end of it that is looked through for secrets, the beginning of that which may hold
// the end of one and is thrown away, and what is recorded.
const (
	keptTail   = 16 << 10
	unsafeTail = 1 << 10
	shownTail  = 4 << 10
)

// A tail keeps the end of what is written to it.
type tail struct {
	buf []byte
	cut bool
}

func (t *tail) Write(p []byte) (int, error) {
	n := len(p)
	if len(p) > keptTail {
		p, t.cut = p[len(p)-keptTail:], true
	}
	t.buf = append(t.buf, p...)
	if over := len(t.buf) - keptTail; over > keptTail {
		t.buf, t.cut = append([]byte(nil), t.buf[over:]...), true
	}
	return n, nil
}

// text is the end of the output as text. What was cut in the middle of a line, or of a secret, is left out.
func (t *tail) text() string {
	b := t.buf
	if over := len(b) - keptTail; over > 0 {
		b, t.cut = b[over:], true
	}
	if t.cut {
		if i := bytes.IndexByte(b, '\n'); i >= 0 && i < keptTail/2 {
			b = b[i+1:]
		} else {
			b = b[min(unsafeTail, len(b)):]
		}
	}
	return strings.ToValidUTF8(string(b), "\uFFFD")
}

// ending is the part of a text that is recorded: its last lines.
func ending(s string) string {
	if len(s) <= shownTail {
		return s
	}
	s = s[len(s)-shownTail:]
	for len(s) > 0 && !utf8.RuneStart(s[0]) {
		s = s[1:]
	}
	if i := strings.IndexByte(s, '\n'); i >= 0 && i < len(s)/2 {
		s = s[i+1:]
	}
	return "[…]\n" + s
}
