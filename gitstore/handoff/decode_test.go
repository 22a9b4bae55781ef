package handoff

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// stored is a small document as it is stored; each test changes a line of it.
const stored = `version: 1
branch: main
topic: default
status: active
next_action: go on
decisions:
  - what: a
    at: 2026-01-02T03:04:05Z
commits: 3
`

func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, old, new string
		// newer is the key or version that a newer release may know; else the document is damaged, and says is why.
		newer, says string
	}{
		{"a higher version", "version: 1", "version: 2", "format version 2", ""},
		{"a higher version with keys unknown", "version: 1", "version: 2\nfuture: [1, {a: ~}]", "format version 2", ""},
		{"an unknown key", "commits: 3", "future: 3", `"future"`, ""},
		{"an unknown sub-key", "    at:", "    on: x\n    at:", `"decisions.on"`, ""},
		{"an unknown key of the facts", "commits: 3", "provenance: {future: x}", `"provenance.future"`, ""},
		{"an unknown note", "commits: 3", "notes: {future: x}", `"notes.future"`, ""},
		{"no version", "version: 1\n", "", "", "no version"},
		{"version 0", "version: 1", "version: 0", "", "not a format version"},
		{"a text as version", "version: 1", "version: one", "", "not a format version"},
		{"an octal number", "commits: 3", "commits: 010", "", "whole number"},
		{"a fraction", "commits: 3", "commits: 1.5", "", "whole number"},
		{"a huge number", "commits: 3", "commits: 99999999999999999999", "", "whole number"},
		{"null", "go on", "null", "", "no value"},
		{"a number for text", "go on", "12", "", "a number where text"},
		{"an alias", "go on", "&a go\nsummary: *a", "", "anchor"},
		{"a tag", "go on", "!!binary aGk=", "", "tag"},
		{"a duplicate", "commits: 3", "commits: 3\ncommits: 3", "", "twice"},
		{"a second document", "commits: 3", "commits: 3\n---\na: b", "", "second"},
		{"text after the end", "commits: 3", "commits: 3\n...\n]", "", "after the end"},
		{"an unknown status", "active", "asleep", "", "not one of"},
		{"no status", "status: active\n", "", "", "no status"},
		{"no branch", "branch: main\n", "", "", "branch name is empty"},
		{"a branch that forges", "branch: main", `branch: "a\e[2Jb"`, "", "cannot stand in a name"},
		{"a bad topic", "topic: default", "topic: ../x", "", "topic"},
		{"a bad time", "2026-01-02T03:04:05Z", "yesterday", "", "not a time"},
		{"an offset", "2026-01-02T03:04:05Z", "+4h", "", "not a time"},
		{"no mapping", stored, "- a", "", "a list where a mapping"},
		{"nothing", stored, "", "", "empty"},
		{"half of it", "  - what: a\n    at: 2026-01-02T03:04:05Z\ncommits: 3\n", "  - what: 'a", "", "not YAML"},
		{"a list for a mapping", "commits: 3", "claim: []", "", "where a mapping"},
		{"a mapping for a list", "commits: 3", "findings: {a: b}", "", "where a list"},
		{"a text for a truth value", "commits: 3", `clean: {ok: "true"}`, "", "true or false"},
		{"a list for a map", "commits: 3", "artifact_digests: [a]", "", "where a mapping"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d, err := Decode([]byte(strings.Replace(stored, tt.old, tt.new, 1)))
			var newer *NewerError
			var corrupt *CorruptError
			switch {
			case d != nil || err == nil:
				t.Errorf("accepted: %+v", d)
			case tt.newer != "" && (!errors.As(err, &newer) || !strings.Contains(err.Error(), tt.newer)):
				t.Errorf("got %v, want a newer document: %s", err, tt.newer)
			case tt.newer == "" && (!errors.As(err, &corrupt) || !strings.Contains(err.Error(), tt.says)):
				t.Errorf("got %v, want a damaged document: %s", err, tt.says)
			}
		})
	}
}

// TestDecodeOtherStyles reads what a person may have written with another tool: style is free, substance is not.
func TestDecodeOtherStyles(t *testing.T) {
	t.Parallel()
	want, err := Decode([]byte(stored))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		strings.ReplaceAll(stored, "\n", "\r\n"),
		"# a comment\n" + strings.ReplaceAll(stored, "2026-01-02T03:04:05Z", "'2026-01-02T04:04:05+01:00' # then"),
		`{"version": 1, "branch": "main", "topic": "default", "status": "active", "next_action": "go on",
		  "decisions": [{"what": "a", "at": "2026-01-02T03:04:05Z"}], "commits": 3}`,
	} {
		got, err := Decode([]byte(text))
		if err != nil || !Equal(want, got) {
			t.Errorf("%v\n%s", err, text)
		}
	}
}

func TestEncodeRefuses(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*Document){
		"summary: the text is not valid UTF-8":     func(d *Document) { d.Summary = "a\xff" },
		"decisions.why: the text is not valid":     func(d *Document) { d.Decisions[0].Why = "\xc3" },
		"artifact_digests: the text is not valid":  func(d *Document) { d.ArtifactDigests["\xff"] = "x" },
		"next did not survive":                     func(d *Document) { d.Next[0].Why = "next has no why" },
		"format version 2":                         func(d *Document) { d.Version = 2 },
		`"0" is not a format version`:              func(d *Document) { d.Version = 0 },
		`"asleep" is not one of`:                   func(d *Document) { d.Status = "asleep" },
		"topic":                                    func(d *Document) { d.Topic = "A/B" },
		"branch":                                   func(d *Document) { d.Branch = "" },
		`changed_files.files.change: "new" is not`: func(d *Document) { d.ChangedFiles.Files[0].Change = "new" },
	} {
		d := richDocument()
		change(d)
		if _, err := Encode(d); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("got %v, want %q", err, name)
		}
	}
}

// TestOneItemOneHunk changes one item and expects the rest of the file to stay, line by line.
func TestOneItemOneHunk(t *testing.T) {
	t.Parallel()
	before, after := richDocument(), richDocument()
	after.Uncertain[0].Check = "ask\nthe other ledger"
	a, _ := Encode(before)
	b, _ := Encode(after)
	from, to := strings.Split(string(a), "\n"), strings.Split(string(b), "\n")
	for len(from) > 0 && len(to) > 0 && from[0] == to[0] {
		from, to = from[1:], to[1:]
	}
	for len(from) > 0 && len(to) > 0 && from[len(from)-1] == to[len(to)-1] {
		from, to = from[:len(from)-1], to[:len(to)-1]
	}
	if diff := cmp.Diff([]string{"    check: ask the ledger"}, from); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"    check: |-", "      ask", "      the other ledger"}, to); diff != "" {
		t.Error(diff)
	}
}

func TestItemJSON(t *testing.T) {
	t.Parallel()
	b := richDocument().Brief
	b.Next[0].What = "a <b> & \u2028 c"
	data, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"next":[{"what":"a \u003cb\u003e \u0026 \u2028 c"},{"what":"no"}]`,
		`"artifacts":[{"name":"plan","kind":"file","ref":"docs/plan.md","required":true}]`,
		`"do_not_repeat":[{"what":"do not mail customers"}]`,
		`"pending":[{"what":"approval of the text","kind":"approval","owner":"legal","since":"2026-03-04T05:06:07Z","expires":"2026-03-04T05:06:07Z","on":"write the test"}]`,
	} {
		if !strings.Contains(string(data), want) {
			t.Errorf("%s\nis not in\n%s", want, data)
		}
	}
	var back Brief
	if err := json.Unmarshal(data, &back); err != nil || !b.Equal(&back) {
		t.Errorf("%v\n%s", err, cmp.Diff(b, back, cmp.AllowUnexported(Time{})))
	}
	if err := json.Unmarshal([]byte(`{"next":[{"wat":"x"}]}`), &back); err == nil {
		t.Error("an unknown key is accepted")
	}
	// an author may give the JSON of a brief back
	if p, err := DecodeBrief("", data); err != nil || p.Empty() {
		t.Error(err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(stored))
	rich, err := Encode(richDocument())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(rich)
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := Decode(data)
		if err != nil {
			return
		}
		again, err := Encode(d)
		if err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		if back, err := Decode(again); err != nil || !Equal(d, back) {
			t.Fatal(err)
		}
	})
}
