package render

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestInert(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "a b\nc", "a b\nc"},
		{"letters", "blåbær é é 漢字 مرحبا", "blåbær é é 漢字 مرحبا"},
		{"colour", "\x1b[31mred\x1b[0m \x1b[1;38:5:3mx\x1b[K", "red x"},
		{"title", "\x1b]0;window title\x07", `\x1b]0;window title\a`},
		{"link", "\x1b]8;;https://x.example/\x1b\\link\x1b]8;;\x1b\\", `\x1b]8;;https://x.example/\x1b\link\x1b]8;;\x1b\`},
		{"clear", "\x1b[2J\x1b[H", `\x1b[2J\x1b[H`},
		{"sequence in a sequence", "\x1b[3\x1b[m1m", `\x1b[31m`},
		{"unfinished", "\x1b[31", `\x1b[31`},
		{"C1", "\u009b31m\u0085\u0090", `\x9b31m\x85\x90`},
		{"returns", "50%\r100%\r\ndone\b\b", "50%\\r100%\ndone\\b\\b"},
		{"tab", "a\tb", "a    b"},
		{"nul and del", "a\x00b\x7f", `a\x00b\x7f`},
		{"bidi", "a\u202eb\u2066c\u2069\u200f\u061c", `a\u202eb\u2066c\u2069\u200f\u061c`},
		{"separators", "a\u2028b\u2029c", `a\u2028b\u2029c`},
		{"zero width", "a\u200bb\u2060\ufeff\u00ad\u034f\u3164", `a\u200bb\u2060\ufeff\xad\u034f\u3164`},
		{"joiners without purpose", "a\u200db\u200d\u200d", `a\u200db\u200d\u200d`},
		{"joiner in Persian and Devanagari", "می\u200cخواهم क्\u200dष", "می\u200cخواهم क्\u200dष"},
		{"family", "👩\u200d👩\u200d👧 ❤\ufe0f\u200d🔥", "👩\u200d👩\u200d👧 ❤\ufe0f\u200d🔥"},
		{"flags", "🇳🇴 🏴󠁧󠁢󠁷󠁬󠁳󠁿", "🇳🇴 🏴󠁧󠁢󠁷󠁬󠁳󠁿"},
		{"tags that hide text", "🏴\U000e0068\U000e0069", `🏴\U000e0068\U000e0069`},
		{"selectors that hide text", "☺\ufe0f\ufe01\U000e0101", `☺` + "\ufe0f" + `\ufe01\U000e0101`},
		{"selector of an ideograph", "葛\U000e0100", "葛\U000e0100"},
		{"keycap", "1\ufe0f\u20e3", "1\ufe0f\u20e3"},
		{"not UTF-8", "a\xffb\xc3", `a\xffb\xc3`},
		{"surrogate bytes", "\xed\xa0\x80", `\xed\xa0\x80`},
	}
	for _, test := range tests {
		if got := Inert(test.in); got != test.want {
			t.Errorf("%s: Inert(%q) = %q, want %q", test.name, test.in, got, test.want)
		}
	}
}

func TestInertLine(t *testing.T) {
	if got, want := InertLine("a\tb\nc\r\x1b"), `a\tb\nc\r\x1b`; got != want {
		t.Errorf("InertLine = %q, want %q", got, want)
	}
	if got, want := Folded(" a\t b\n\n c\u00a0d"), "a b c d"; got != want {
		t.Errorf("Folded = %q, want %q", got, want)
	}
}

// checkInert fails the test if s has a rune that a terminal would not just show.
func checkInert(t *testing.T, s string) {
	t.Helper()
	if !utf8.ValidString(s) {
		t.Fatalf("not UTF-8: %q", s)
	}
	for _, flag := range regionFlags {
		s = strings.ReplaceAll(s, flag, "")
	}
	prev := rune(0)
	for i, r := range s {
		next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
		if !shows(prev, r, next) {
			t.Fatalf("%q has %U", s, r)
		}
		prev = r
	}
}

func FuzzInert(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out := Inert(s)
		checkInert(t, out)
		if again := Inert(out); again != out {
			t.Errorf("Inert(%q) = %q, and again %q", s, out, again)
		}
		if line := InertLine(s); strings.Contains(line, "\n") {
			t.Errorf("InertLine(%q) = %q", s, line)
		}
	})
}
