package handoff

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite golden files")

// golden compares with a file under testdata, or writes it.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want = bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n"))
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-update rewrites it):\n%s", path, diff)
	}
}

// TestBriefErrors has one input per line of what the format refuses, each with what the author is told.
func TestBriefErrors(t *testing.T) {
	t.Parallel()
	inputs := []struct{ name, text string }{
		{"unknown key", "next_action: a\nnext_acton: b\n"},
		{"unknown key far from all", "zzzzzz: 1\n"},
		{"unknown sub-key", "decisions:\n  - what: a\n    wy: b\n"},
		{"sub-key of another list", "constraints:\n  - what: a\n    why: b\n"},
		{"unknown note", "notes:\n  interpretaton: a\n"},
		{"duplicate key", "summary: a\nnext_action: b\nsummary: c\n"},
		{"duplicate sub-key", "decisions:\n- what: a\n  what: b\n"},
		{"number for text", "summary: 010\n"},
		{"truth value for text", "objective: true\n"},
		{"date for text", "task_id: 2026-01-02\n"},
		{"list for text", "summary: [a]\n"},
		{"text for list", "next: a\n"},
		{"mapping for list", "next: {a: b}\n"},
		{"list in list", "next: [[a]]\n"},
		{"number in list", "next: [1.5]\n"},
		{"list for note", "notes: [a]\n"},
		{"not a mapping", "- a\n"},
		{"a text", "hello\n"},
		{"null text", "summary:\nnext_action: a\n"},
		{"null list", "next: null\n"},
		{"null entry", "next: [~]\n"},
		{"null sub-key", "decisions: [{what: a, why: }]\n"},
		{"alias and anchor", "summary: &a x\nobjective: *a\n"},
		{"merge key", "notes:\n  <<: {interpretation: a}\n"},
		{"tag", "summary: !!str 1\nobjective: !x y\nnext_action: !!binary aGk=\n"},
		{"second document", "summary: a\n---\nsummary: b\n"},
		{"empty second document", "summary: a\n---\n"},
		{"text after the end", "summary: a\n...\nrubbish\n"},
		{"text after JSON", "{\"summary\": \"a\"} x\n"},
		{"not UTF-8", "summary: a\nobjective: \xff\n"},
		{"NUL", "summary: a\nobjective: \x00\n"},
		{"escaped NUL", "summary: \"a\\0\"\n"},
		{"not YAML", "summary: a: b\n"},
		{"bad indentation", "next:\n  - a\n - b\n"},
		{"empty", ""},
		{"only a comment", "# nothing\n"},
		{"facts", "status: done\nhead: abc\ncommands_run: []\nprovenance: {}\nclaim: {}\n"},
		{"entry without what", "decisions:\n  - why: b\n"},
		{"artifact with what", "artifacts:\n  - what: b\n"},
		{"empty entry", "next: ['', ' ']\nopen: [{what: ''}, {}]\n"},
		{"same what twice", "next:\n  - a\n  - b\n  - what: a\n"},
		{"bad enumerations", "progress: doing\ndone:\n  - what: a\n    effect: world\nuncertain:\n  - what: b\n    kind: maybe\n    replay: always\nopen_risks: [{what: c, severity: high}]\nopen: [{what: d, for: me}]\n"},
		{"kind of another list", "pending: [{what: a, kind: file}]\n"},
		{"long note", "notes:\n  interpretation: " + strings.Repeat("é", 281) + "\n  do_not_repeat:\n    - " + strings.Repeat("x", 281) + "\n"},
		{"bad times", "pending:\n  - what: a\n    expires: tomorrow\n  - what: b\n    since: +4x\n  - what: c\n    expires: 5\n  - what: d\n    expires: 2026-13-40\n"},
		{"bad truth value", "artifacts: [{name: a, required: maybe}, {name: b, required: 1}]\n"},
		{"strange keys", "1: a\n? [b]\n: c\n? {d: e}\n: f\n"},
		{"many at once", "sumary: a\nnext: b\nhead: c\nopen:\n  - for: robot\n"},
	}
	var b bytes.Buffer
	for _, in := range inputs {
		fmt.Fprintf(&b, "== %s\n", in.name)
		patch, err := DecodeBrief("brief.yaml", []byte(in.text))
		var all InputErrors
		if !errors.As(err, &all) {
			t.Errorf("%s: accepted: %+v, %v", in.name, patch, err)
		}
		for _, e := range all {
			fmt.Fprintf(&b, "%s\n", e)
			if e.Hint != "" {
				fmt.Fprintf(&b, "    %s\n", e.Hint)
			}
		}
	}
	golden(t, "brief-errors.txt", b.Bytes())
}

// TestBriefBounds gives inputs that are cheap to write and dear to read; the limit of the test binary is their clock.
func TestBriefBounds(t *testing.T) {
	t.Parallel()
	var keys, jsonKeys, items, entries strings.Builder
	jsonKeys.WriteByte('{')
	for i := range 60_000 {
		fmt.Fprintf(&jsonKeys, "\"key%d\": 1,\n", i)
		fmt.Fprintf(&keys, "key%d: 1\n", i)
	}
	items.WriteString("next:\n")
	for i := range MaxItems + 1 {
		fmt.Fprintf(&items, "- item %d\n", i)
	}
	entries.WriteString("decisions:\n- what: a\n")
	for i := range 3900 {
		fmt.Fprintf(&entries, "  key%d: 1\n", i)
	}
	for _, tt := range []struct{ name, text, want string }{
		{"keys", keys.String(), "60000 keys"},
		{"JSON keys", jsonKeys.String() + `"z": 1}`, "60001 keys"},
		{"unknown sub-keys", entries.String(), "and 3850 more"},
		{"items", items.String(), "2001 list entries"},
		{"size", "summary: " + strings.Repeat("x", MaxInput), "at most 1048576"},
		{"flow nesting", strings.Repeat("[", 9000) + strings.Repeat("]", 9000), "a list where a mapping"},
		{"deep flow nesting", "next: " + strings.Repeat("[", 9000) + strings.Repeat("]", 9000), "nested more than"},
		{"block nesting", "next: \n " + strings.Repeat("- ", 9000) + "x\n", "nested more than"},
		{"nesting without end", "next: " + strings.Repeat("[", 1<<19), "depth"},
		{"JSON nesting", "{\"next\": " + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + "}", "nested more than"},
		{"values", "next: [" + strings.Repeat("[],", 300_000) + "]\n", "more than 100000 values"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := DecodeBrief("", []byte(tt.text))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %.200v, want %q", err, tt.want)
			}
		})
	}
}

func TestBriefAccepted(t *testing.T) {
	t.Parallel()
	want := &Patch{
		Texts: map[string]string{"summary": "a 🚢 / b", "next_action": "go"},
		Lists: map[string]ListPatch{
			"next":      {Replace: true, Entries: []Given{{What: "x"}, {What: "y", Sub: map[string]string{}}}},
			"open":      {Replace: true},
			"artifacts": {Replace: true, Entries: []Given{{What: "f", Sub: map[string]string{"required": "true", "kind": "file"}}}},
			"pending":   {Replace: true, Entries: []Given{{What: "p", Sub: map[string]string{"expires": "+4h", "since": "2026-01-02"}}}},
		},
	}
	yamlText := "summary: a 🚢 / b\nnext_action: go\nnext:\n- x\n- what: y\nopen: []\n" +
		"artifacts:\n  - {name: f, kind: file, required: true}\npending: [{what: p, expires: +4h, since: 2026-01-02}]\n"
	for _, tt := range []struct{ name, text string }{
		{"YAML", yamlText},
		{"byte order mark and CRLF", "\ufeff" + strings.ReplaceAll(yamlText, "\n", "\r\n")},
		{"marked document", "---\n" + yamlText + "...\n# end\n"},
		{"JSON", `{"summary": "a \ud83d\udea2 \/ b",` + "\n\t" + `"next_action": "go", "next": ["x", {"what": "y"}], "open": [],
			"artifacts": [{"name": "f", "kind": "file", "required": true}],
			"pending": [{"what": "p", "expires": "+4h", "since": "2026-01-02"}]}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := DecodeBrief("f", []byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestBriefOfWholeDocument(t *testing.T) {
	t.Parallel()
	d := richDocument()
	data, err := Encode(d)
	if err != nil {
		t.Fatal(err)
	}
	p, err := DecodeBrief("handoff.yaml", data)
	if err != nil || !p.IgnoredFacts {
		t.Fatal(p, err)
	}
	b, _, err := CarryForward(nil, p, CarryOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&d.Brief, b, cmp.AllowUnexported(Time{})); diff != "" {
		t.Error(diff)
	}
	var newer *NewerError
	if _, err := DecodeBrief("", bytes.Replace(data, []byte("version: 1"), []byte("version: 2"), 1)); !errors.As(err, &newer) {
		t.Errorf("a newer document: %v", err)
	}
	if _, err := DecodeBrief("", bytes.Replace(data, []byte("version: 1"), []byte("version: x"), 1)); err == nil || !strings.Contains(err.Error(), "format version") {
		t.Errorf("a document of version x: %v", err)
	}
	if _, err := DecodeBrief("", append(data, "unheard_of: 1\n"...)); err == nil || !strings.Contains(err.Error(), "no such key") {
		t.Errorf("an unknown key: %v", err)
	}
}

func TestEncodeBriefReadsBack(t *testing.T) {
	t.Parallel()
	b := richDocument().Brief
	data, err := EncodeBrief(&b)
	if err != nil {
		t.Fatal(err)
	}
	p, err := DecodeBrief("", data)
	if err != nil {
		t.Fatal(err)
	}
	back, _, err := CarryForward(nil, p, CarryOptions{ReplaceAll: true})
	if err != nil || !b.Equal(back) {
		t.Errorf("%v\n%s", err, cmp.Diff(&b, back, cmp.AllowUnexported(Time{})))
	}
}

func FuzzDecodeBrief(f *testing.F) {
	f.Add([]byte("summary: a\nnext: [x, {what: y}]\n"))
	f.Add([]byte(`{"next_action": "\ud83d\ude00", "done": [{"what": "a", "effect": "none"}]}`))
	f.Add([]byte("a: &x [*x]\n? b\n: !!binary c\n---\n"))
	f.Add([]byte("notes:\n  do_not_repeat:\n    - |+\n      a\n\n\nopen:\n- what: 'x'\n  for: human\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := DecodeBrief("f", data)
		if err != nil {
			return
		}
		b, _, err := CarryForward(nil, p, CarryOptions{StateNextAction: "x"})
		if err != nil {
			return
		}
		d := New(Name{"main", "default"})
		d.Brief = *b
		if _, err := Encode(d); err != nil {
			t.Fatalf("%v\n%+v", err, b)
		}
	})
}
