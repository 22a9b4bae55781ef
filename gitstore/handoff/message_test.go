package handoff

import (
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestMessageString(t *testing.T) {
	t.Parallel()
	m := Message{
		Event: EventSave, Status: Active, Progress: Blocked, Actor: "codex", Session: "s-1", Head: strings.Repeat("a", 40),
		Saved: TimeOf(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)), Next: "run the\n\n tests\tagain",
		Trailers: []Trailer{{"Handoff-Outcome", "done"}, {"handoff-event", "archive"}, {"Bad key", "x"}, {"Handoff-Empty", " \n"}},
	}
	want := `save: run the tests again

Handoff-Event: save
Handoff-Status: active
Handoff-Progress: blocked
Handoff-Actor: codex
Handoff-Session: s-1
Handoff-Saved: 2026-01-02T03:04:05Z
Handoff-Head: ` + strings.Repeat("a", 40) + `
Handoff-Outcome: done
`
	if diff := cmp.Diff(want, m.String()); diff != "" {
		t.Error(diff)
	}
	m.Next, m.Trailers = "run the tests again", m.Trailers[:1]
	if diff := cmp.Diff(m, ParseMessage(want), cmp.AllowUnexported(Time{})); diff != "" {
		t.Error(diff)
	}
}

func TestMessageBy(t *testing.T) {
	t.Parallel()
	d := New(Name{"main", "default"})
	d.Provenance = Provenance{ProducedBy: "ann", Session: "s-1"}
	m := MessageOf(d, EventResume).By("bob", "s-2")
	back := ParseMessage(m.String())
	if back.Actor != "bob" || back.Session != "s-2" || back.BriefAuthor() != "ann" || back.Get("handoff-author") != "ann" {
		t.Errorf("%+v", back)
	}
	if own := MessageOf(d, EventResume).By("ann", "s-3"); own.Author != "" || own.BriefAuthor() != "ann" {
		t.Errorf("%+v", own)
	}
}

func TestParseMessage(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, raw   string
		event, next string
	}{
		{"ours", "save: go on\n\nHandoff-Event: save\n", "save", "go on"},
		{"no next action", "archive\n\nHandoff-Event: archive\n", "archive", ""},
		{"repeated", "save: go on\n\nHandoff-Event: save\nHandoff-Event: archive\n", "", "save: go on"},
		{"repeated in other case", "save: go on\n\nHandoff-Event: save\nhandoff-event: save\n", "", "save: go on"},
		{"only the last paragraph", "save: go on\n\nHandoff-Event: save\n\nHandoff-Status: active\n", "", "save: go on"},
		{"the subject is no trailer", "Handoff-Event: save", "", "Handoff-Event: save"},
		{"the first paragraph is none", "Handoff-Event: save\nHandoff-Status: active\n", "", "Handoff-Event: save"},
		{"prose in the last paragraph", "x\n\nHandoff-Event: save\nand prose\n", "", "x"},
		{"a folded line", "x\n\nHandoff-Event: save\n more\n", "", "x"},
		{"carriage returns", "save: go on\r\n\r\nHandoff-Event: save\r\n", "", "save: go on"},
		{"empty", "", "", ""},
		{"escapes in a foreign subject", "a\x1b[31m\u202eb", "", "a[31mb"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := ParseMessage(tt.raw)
			if string(m.Event) != tt.event || m.Next != tt.next {
				t.Errorf("event %q next %q", m.Event, m.Next)
			}
		})
	}
}

func TestCleanLine(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in    string
		limit int
		out   string
	}{
		{" a \t\r\n b ", 10, "a b"},
		{"a\x1b[0m\u202eb\ufeff", 10, "a[0mb"},
		{"a\u2028b\u0085c\u00a0d", 10, "a b c d"},
		{"\xff\xfe", 10, "\ufffd"},
		{"日本語日本語", 4, "日本語…"},
		{"exactly ten", 11, "exactly ten"},
		{"👩‍🚀", 10, "👩‍🚀"},
		{strings.Repeat(" ", 1000) + "x", 3, "x"},
	} {
		if got := CleanLine(tt.in, tt.limit); got != tt.out {
			t.Errorf("CleanLine(%q, %d) = %q, want %q", tt.in, tt.limit, got, tt.out)
		}
	}
}

func FuzzMessage(f *testing.F) {
	f.Add("go on", "codex", "Handoff-Outcome", "done")
	f.Add("a\n\nHandoff-Event: archive", "x\nHandoff-Status: archived", "Handoff-Status", "a")
	f.Add(strings.Repeat("é", 300), "\u202e\x1b", "k\n", "\xff\r\nHandoff-Event: x")
	f.Add(": x", "", "handoff-actor", "y")
	f.Fuzz(func(t *testing.T, next, actor, key, value string) {
		m := Message{Event: EventSave, Status: Active, Next: next, Actor: actor, Trailers: []Trailer{{key, value}}}
		s := m.String()
		subject, _, _ := strings.Cut(s, "\n")
		if utf8.RuneCountInString(subject) > MaxSubject || !utf8.ValidString(s) {
			t.Fatalf("subject %q", subject)
		}
		for _, r := range s {
			if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
				t.Fatalf("%U in %q", r, s)
			}
		}
		back := ParseMessage(s)
		if back.Event != EventSave || back.Status != Active || back.Actor != CleanLine(actor, maxTrailer) {
			t.Fatalf("%+v from %q", back, s)
		}
		if whole := CleanLine("save: "+CleanLine(next, MaxSubject), MaxSubject); back.Next != strings.TrimPrefix(strings.TrimPrefix(whole, "save:"), " ") {
			t.Fatalf("next %q from %q", back.Next, s)
		}
		if again := back.String(); again != s {
			t.Fatalf("again %q, first %q", again, s)
		}
	})
}

func FuzzParseMessage(f *testing.F) {
	f.Add("save: go on\n\nHandoff-Event: save\nHandoff-Event: archive\n")
	f.Add("\n\n\nHandoff-Event: save")
	f.Fuzz(func(t *testing.T, raw string) {
		m := ParseMessage(raw)
		if n := strings.Count(strings.ToLower(raw), "handoff-event:"); n == 0 && m.Event != "" {
			t.Fatalf("%+v from %q", m, raw)
		}
		for _, s := range []string{m.Next, m.Actor, m.Session, m.Head} {
			if strings.ContainsFunc(s, unicode.IsControl) {
				t.Fatalf("%q from %q", s, raw)
			}
		}
	})
}
