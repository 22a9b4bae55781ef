package handoff

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestPatchFromFlags(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		flags []string
		want  Patch
	}{
		{"texts", []string{"summary a :: why=b", "notes.interpretation x", "progress blocked"},
			Patch{Texts: map[string]string{"summary": "a :: why=b", "notes.interpretation": "x", "progress": "blocked"}}},
		{"sub-keys", []string{"uncertain refund :: check=ask a :: b=c :: replay=never"},
			Patch{Lists: map[string]ListPatch{"uncertain": {Replace: true, Entries: []Given{{"refund", map[string]string{"check": "ask a :: b=c", "replay": "never"}}}}}}},
		{"a key that the item has not stays text", []string{"constraints x :: why=y"},
			Patch{Lists: map[string]ListPatch{"constraints": {Replace: true, Entries: []Given{{"x :: why=y", map[string]string{}}}}}}},
		{"replace and add", []string{"next a", "next b", "add-next c", "add-open q :: for=human"},
			Patch{Lists: map[string]ListPatch{
				"next": {Replace: true, Entries: []Given{{"a", map[string]string{}}, {"b", map[string]string{}}}, Added: []Given{{"c", map[string]string{}}}},
				"open": {Added: []Given{{"q", map[string]string{"for": "human"}}}}}}},
		{"notes", []string{"note business-context=a=b", "note do_not_repeat=x"},
			Patch{Texts: map[string]string{"notes.business_context": "a=b"},
				Lists: map[string]ListPatch{"notes.do_not_repeat": {Replace: true, Entries: []Given{{"x", map[string]string{}}}}}}},
		{"finish and drop", []string{"finish a :: evidence=b :: kind=c", "drop open-risk=x=y", "drop assumptions_to_validate=z"},
			Patch{Finish: []Given{{"a", map[string]string{"evidence": "b :: kind=c"}}}, Drop: []Drop{{"open_risks", "x=y"}, {"assumptions_to_validate", "z"}}}},
		{"clear", []string{"clear summary", "clear open-risk", "clear reviewer_guidance", "clear run-id"},
			Patch{Texts: map[string]string{"summary": "", "notes.reviewer_guidance": "", "run_id": ""}, Lists: map[string]ListPatch{"open_risks": {Replace: true}}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(&tt.want, patchOf(t, "", tt.flags...)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPatchFlagErrors(t *testing.T) {
	t.Parallel()
	for flag, want := range map[string]string{
		"progress doing":                      `--progress: "doing" is not one of in_progress, blocked, done`,
		"nonsense x":                          "nonsense: there is no such key",
		"head x":                              "head: this is not an author's to write",
		"next  ":                              "--next: the entry is empty",
		"add-open x :: for=me":                `--add-open: for: "me" is not one of human, agent`,
		"pending x :: expires=soon":           `--pending: expires: "soon" is not a time`,
		"artifacts x :: required=yes":         `--artifact: required: "yes" is not one of true, false`,
		"done x :: by=a :: by=b":              `--done: "by" is given twice`,
		"finish x :: effect=big":              `--finish: effect: "big" is not one of none`,
		"drop next":                           `--drop: "next" is not KEY=TEXT`,
		"drop summary=x":                      "--drop: summary is not a list",
		"drop heads=x":                        "heads: there is no such key",
		"clear status":                        "status: this is not an author's to write",
		"clear xyz":                           "xyz: there is no such key",
		"note summary=x":                      `--note: "summary=x" is not KEY=TEXT`,
		"note interpretation":                 "is not KEY=TEXT",
		"summary \xff":                        "--summary: the text is not valid UTF-8",
		"next a\x00":                          "--next: the text contains NUL",
		"note interpretation=" + long281:      "281 characters",
		"note do_not_repeat=" + long281:       "281 characters",
		"next " + strings.Repeat("x", 2<<20):  "at most 1048576",
		"decisions \xff :: why=x":             "--decision: the text is not valid UTF-8",
		"open_risks x :: severity=high":       `severity: "high" is not one of info, warn, block`,
		"uncertain x :: replay=after-checks ": `replay: "after-checks " is not one of`,
	} {
		var in *InputError
		if err := applyFlag(&Patch{}, flag); !errors.As(err, &in) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: got %.200v, want %q", flag, err, want)
		}
	}
	p := &Patch{}
	if err := errors.Join(p.Replace("next", "a"), p.Add("next", "a")); err != nil {
		t.Errorf("a replaced and an added entry of one text: %v", err)
	}
	if err := p.Replace("next", "a"); err == nil {
		t.Error("the same entry twice is accepted")
	}
}

var long281 = strings.Repeat("é", 281)

func TestPatchThen(t *testing.T) {
	t.Parallel()
	p := patchOf(t, "summary: a\nobjective: b\nnext: [x]\nopen: [q]\n")
	p.Then(patchOf(t, "", "summary c", "add-next y", "open r", "finish z", "drop next=x"))
	want := &Patch{
		Texts: map[string]string{"summary": "c", "objective": "b"},
		Lists: map[string]ListPatch{
			"next": {Replace: true, Entries: []Given{{What: "x"}}, Added: []Given{{"y", map[string]string{}}}},
			"open": {Replace: true, Entries: []Given{{"r", map[string]string{}}}},
		},
		Finish: []Given{{"z", map[string]string{}}}, Drop: []Drop{{"next", "x"}},
	}
	if diff := cmp.Diff(want, p); diff != "" {
		t.Error(diff)
	}
}

func TestParseDuration(t *testing.T) {
	t.Parallel()
	day := 24 * time.Hour
	for s, want := range map[string]time.Duration{
		"20s": 20 * time.Second, "2h": 2 * time.Hour, "1h30m": 90 * time.Minute, "30d": 30 * day, "1w": 7 * day, "0d": 0, "36500d": maxDuration,
		"": -1, "d": -1, "-1d": -1, "+1d": -1, "1.5d": -1, "-2h": -1, "+2h": -1, "3": -1, "1 d": -1, "36501d": -1, "65535w": -1, "99999999999999d": -1, "9999999h": -1, "١d": -1,
	} {
		got, err := ParseDuration(s)
		if (err != nil) != (want < 0) || err == nil && got != want {
			t.Errorf("ParseDuration(%q) = %v, %v", s, got, err)
		}
	}
}

func FuzzGiven(f *testing.F) {
	f.Add("a :: why=b :: at=+4h")
	f.Add(" ::  :: =x :: evidence=")
	f.Fuzz(func(t *testing.T, s string) {
		p := &Patch{}
		if p.Add("done", s) != nil || p.FinishItem(s) != nil {
			return
		}
		given := p.Lists["done"].Added[0]
		text := given.What
		for _, key := range []string{"effect", "evidence", "by", "at"} {
			if value, ok := given.Sub[key]; ok {
				text += " :: " + key + "=" + value
			}
		}
		if again, err := parseEntry(text, mustList("done").Subkeys); err != nil || !cmp.Equal(again, given) {
			t.Fatalf("%q: %+v, again %+v, %v", s, given, again, err)
		}
	})
}

// mustList is ListOf for a key that is known to be a list.
func mustList(key string) List {
	l, _ := ListOf(key)
	return l
}
