package render

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWidth(t *testing.T) {
	tests := []struct {
		in   string
		want int
	}{
		{"", 0}, {"abc", 3}, {"é", 1}, {"e\u0301", 1}, {"漢字", 4}, {"ｱ", 1}, {"한국", 4}, {"👩\u200d👩\u200d👧", 2}, {"🇳🇴", 2},
		{"❤\ufe0f", 2}, {"👍🏽", 2}, {"Z\u0351\u036b\u0343", 1},
	}
	for _, test := range tests {
		if got := Width(test.in); got != test.want {
			t.Errorf("Width(%q) = %d, want %d", test.in, got, test.want)
		}
	}
}

func TestWrap(t *testing.T) {
	tests := []struct {
		name, in string
		width    int
		want     []string
	}{
		{"empty", "", 10, []string{""}},
		{"fits", "one two", 7, []string{"one two"}},
		{"breaks at blanks", "one two three", 8, []string{"one two", "three"}},
		{"keeps line feeds", "one\n\ntwo", 8, []string{"one", "", "two"}},
		{"keeps indentation", "    code x", 20, []string{"    code x"}},
		{"cuts a long word", "ab abcdefghij k", 4, []string{"ab", "abcd", "efgh", "ij k"}},
		{"between ideographs", "漢字漢字漢字", 5, []string{"漢字", "漢字", "漢字"}},
		{"not before a full stop", "漢字漢字。", 8, []string{"漢字漢", "字。"}},
		{"never within a cluster", "👩\u200d👩\u200d👧👩\u200d👩\u200d👧", 3, []string{"👩\u200d👩\u200d👧", "👩\u200d👩\u200d👧"}},
		{"combining marks", strings.Repeat("e\u0301", 5), 3, []string{strings.Repeat("e\u0301", 3), strings.Repeat("e\u0301", 2)}},
		{"narrower than a character", "漢字", 1, []string{"漢", "字"}},
	}
	for _, test := range tests {
		if d := cmp.Diff(test.want, Wrap(test.in, test.width)); d != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, d)
		}
	}
}

func TestCut(t *testing.T) {
	tests := []struct {
		in    string
		width int
		want  string
	}{{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"漢字漢", 5, "漢字…"}, {"漢字漢", 4, "漢…"}, {"a bcd", 3, "a…"}, {"ab", 0, "…"}}
	for _, test := range tests {
		if got := Cut(test.in, test.width); got != test.want {
			t.Errorf("Cut(%q, %d) = %q, want %q", test.in, test.width, got, test.want)
		}
	}
}

func FuzzWrap(f *testing.F) {
	for _, s := range hostile {
		f.Add(s, 10)
	}
	f.Add("t;scrip;j&\t \u06e8", 60) // a mark on a blank
	f.Fuzz(func(t *testing.T, s string, width int) {
		s, width = Inert(s), width&63
		lines := Wrap(s, width)
		for _, line := range lines {
			if Width(line) > max(width, 2) {
				t.Errorf("%q is wider than %d", line, width)
			}
		}
		blanks := strings.NewReplacer(" ", "", "\n", "")
		if got, want := blanks.Replace(strings.Join(lines, "")), blanks.Replace(s); got != want {
			t.Errorf("wrapped %q became %q", want, got)
		}
	})
}
