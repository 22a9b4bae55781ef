package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"git-handoff/gitstore"
)

// TestRunLogOfMany holds that of many who write and rotate at once no record is lost or torn.
func TestRunLogOfMany(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "handoff", "commands.jsonl")
	const writers, each = 8, 60
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for i := range each {
				r := record{Command: []string{"make", fmt.Sprint(w), fmt.Sprint(i)}, StdoutTail: strings.Repeat("line\n", 800)}
				if err := appendRecord(path, r); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	seen := map[string]bool{}
	for _, name := range []string{path + ".2", path + ".1", path} {
		data, err := os.ReadFile(name)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		for line := range bytes.Lines(data) {
			var r record
			if len(bytes.TrimSpace(line)) == 0 {
				continue // a writer that saw half of another's line begins a new one
			}
			if err := json.Unmarshal(line, &r); err != nil {
				t.Fatalf("%s: %v in %.80q", name, err, line)
			}
			seen[strings.Join(r.Command, " ")] = true
		}
	}
	if len(seen) != writers*each {
		t.Errorf("%d records of %d are there", len(seen), writers*each)
	}
	if info, err := os.Stat(path + ".1"); err != nil || info.Size() < maxRunLog {
		t.Errorf("nothing was rotated: %v", err)
	}
	if _, err := os.Stat(path + ".lock"); err == nil {
		t.Error("a lock was left behind")
	}
}

func TestRunLogAfterACrash(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "commands.jsonl")
	if err := os.WriteFile(path, []byte(`{"command":["make"],"exit_c`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := appendRecord(path, record{Command: []string{"a && b"}, ExitCode: 3}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"command":["make"],"exit_c` + "\n" + `{"command":["a && b"],"started_at":"","exit_code":3,"duration_ms":0}` + "\n"
	if string(data) != want {
		t.Errorf("got %q, want %q", data, want)
	}
}

// TestTail holds that what is recorded of an output is a bounded end of it, and that a secret that the cut goes through
// is not told by its second half.
func TestTail(t *testing.T) {
	t.Parallel()
	token := "gh" + "p_abcdEFGHijklMNOPqrstUVWXyz0123456789"
	m := newMasker(&gitstore.Config{Secrets: true})
	for name, test := range map[string]struct {
		writes []string
		want   string // how it ends
	}{
		"short":             {[]string{"one\n", "two"}, "one\ntwo"},
		"nothing":           {nil, ""},
		"many lines":        {[]string{strings.Repeat("a line\n", 10_000), "the end\n"}, "a line\nthe end\n"},
		"one line":          {[]string{strings.Repeat("x", 100_000)}, "xxx"},
		"letters":           {[]string{strings.Repeat("ø", 50_000)}, "øø"},
		"byte by byte":      {strings.Split(strings.Repeat("y", keptTail*2+5)+"z", ""), "yyz"},
		"a secret":          {[]string{strings.Repeat("x\n", 3000), "T=" + token + "\n"}, "T=[masked:github-token]\n"},
		"one that is cut":   {[]string{token, strings.Repeat("-", keptTail-20)}, "---"},
		"one beside others": {[]string{strings.Repeat("w ", 4000), token, strings.Repeat(" w", 1900)}, " w w"},
	} {
		t.Run(name, func(t *testing.T) {
			tl := &tail{}
			for _, w := range test.writes {
				if n, err := tl.Write([]byte(w)); n != len(w) || err != nil {
					t.Fatal(n, err)
				}
			}
			if len(tl.buf) > 2*keptTail {
				t.Errorf("%d bytes are kept", len(tl.buf))
			}
			got := ending(m.text(tl.text()))
			if !strings.HasSuffix(got, test.want) || len(got) > shownTail+16 || !utf8.ValidString(got) {
				t.Errorf("%d bytes, ends with %q", len(got), got[max(0, len(got)-60):])
			}
			if strings.Contains(got, token[10:]) {
				t.Errorf("half of the secret is told: %.80q", got)
			}
		})
	}
}
