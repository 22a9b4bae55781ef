package handoff

import (
	"strings"
	"unicode"
)

// CleanLine makes a text one line of at most limit characters: controls and bidi marks are removed, white space is
// folded, what is too long ends in an ellipsis.
func CleanLine(s string, limit int) string {
	if plainLine(s) && len(s) <= limit {
		return s
	}
	var b strings.Builder
	blank, n := false, 0
	for _, r := range strings.ToValidUTF8(s, "\uFFFD") {
		switch {
		case unicode.IsSpace(r):
			blank = true
			continue
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == 0xFEFF:
			continue
		}
		if blank && n > 0 {
			b.WriteByte(' ')
			n++
		}
		blank = false
		b.WriteRune(r)
		if n++; n > limit {
			break
		}
	}
	return truncate(b.String(), limit)
}

// plainLine reports whether a text is one clean line of ASCII, as nearly all are in a list of thousands.
func plainLine(s string) bool {
	last := byte(' ')
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c > '~' || c == ' ' && last == ' ' {
			return false
		}
		last = c
	}
	return last != ' ' || s == ""
}

// truncate cuts a text to limit characters, the last of them an ellipsis.
func truncate(s string, limit int) string {
	runes := []rune(s)
	if len(runes) <= limit {
		return s
	}
	return strings.TrimRight(string(runes[:limit-1]), " ") + "…"
}
