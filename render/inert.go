package render

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Inert makes text harmless to a terminal and honest to its reader. Line feeds stay (CR LF becomes one), a tab becomes
// four spaces, and colour sequences, which show nothing, are removed. Every other control, bidirectional control,
// invisible character, line or paragraph separator and byte that is not UTF-8 is shown as an escape such as \x1b or
// \u202e. Joiners and variation selectors stay where a script or an emoji needs them. Inert(Inert(s)) is Inert(s).
func Inert(s string) string {
	if isPlain(s) {
		return s
	}
	var b strings.Builder
	prev := rune(0)
	for i := 0; i < len(s); {
		out, n := inertAt(s[i:], prev)
		b.WriteString(out)
		if out != "" {
			prev, _ = utf8.DecodeLastRuneInString(out)
		}
		i += n
	}
	return b.String()
}

// InertLine is Inert for what must stay on one line and can be copied, such as a path: a line feed is shown as \n and
// a tab as \t.
func InertLine(s string) string {
	if strings.ContainsAny(s, "\n\t\r") {
		s = strings.NewReplacer("\n", `\n`, "\t", `\t`, "\r", `\r`).Replace(s)
	}
	return Inert(s)
}

// Folded is Inert for prose that has to stand on one line: white space is folded.
func Folded(s string) string {
	if isFolded(s) {
		return s
	}
	return strings.Join(strings.Fields(Inert(s)), " ")
}

// isFolded reports whether Folded has nothing to do, which is so for nearly every line of a long list.
func isFolded(s string) bool {
	return isPlain(s) && !strings.Contains(s, "\n") && !strings.Contains(s, "  ") && strings.TrimSpace(s) == s
}

// isPlain reports whether s has nothing but printable ASCII and line feeds.
func isPlain(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c != '\n' && (c < ' ' || c > '~') {
			return false
		}
	}
	return true
}

// inertAt is what is shown for the start of s, and how many bytes of s that is. prev is the last rune shown.
func inertAt(s string, prev rune) (out string, n int) {
	if n := colourSequence(s); n > 0 {
		return "", n
	}
	if flag := regionFlag(s); flag != "" {
		return flag, len(flag)
	}
	if strings.HasPrefix(s, "\r\n") {
		return "\n", 2
	}
	r, n := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && n == 1 {
		return fmt.Sprintf(`\x%02x`, s[0]), 1
	}
	if r == '\t' {
		return "    ", n
	}
	next, _ := utf8.DecodeRuneInString(s[n:])
	if shows(prev, r, next) {
		return s[:n], n
	}
	return escaped(r), n
}

// colourSequence is the length of the complete sequence at the start of s that sets colours or erases to the end of
// the line (ECMA-48 SGR and EL), or 0. Such a sequence has no text in it that removing could hide.
func colourSequence(s string) int {
	if !strings.HasPrefix(s, "\x1b[") {
		return 0
	}
	for i := 2; i < len(s); i++ {
		switch c := s[i]; {
		case c == 'm', c == 'K':
			return i + 1
		case c >= '0' && c <= '9', c == ';', c == ':':
		default:
			return 0
		}
	}
	return 0
}

// regionFlags are the emoji that are spelled with tag characters: a black flag, the region, a cancel tag (Unicode's
// emoji-sequences.txt has these three). Tags anywhere else are invisible text.
var regionFlags = []string{
	"\U0001F3F4\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F",
	"\U0001F3F4\U000E0067\U000E0062\U000E0073\U000E0063\U000E0074\U000E007F",
	"\U0001F3F4\U000E0067\U000E0062\U000E0077\U000E006C\U000E0073\U000E007F",
}

func regionFlag(s string) string {
	for _, flag := range regionFlags {
		if strings.HasPrefix(s, flag) {
			return flag
		}
	}
	return ""
}

// shows reports whether a terminal shows r, between prev and next, as what it is and does nothing else with it.
func shows(prev, r, next rune) bool {
	switch {
	case r == '\n':
		return true
	case r < ' ', r >= 0x7f && r < 0xa0:
		return false
	case r < 0x7f:
		return true
	case r == '\u200c', r == '\u200d':
		return joinable(prev) && joinable(next)
	case unicode.Is(unicode.Variation_Selector, r):
		return variable(prev, r)
	case unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return true
	}
	return !unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Cs, unicode.Other_Default_Ignorable_Code_Point) &&
		r != '\u034f'
}

// joinable reports whether a zero-width joiner or non-joiner beside r has a purpose: between letters and marks of
// scripts that join, and between the parts of an emoji.
func joinable(r rune) bool {
	return r > 0x7f && r != utf8.RuneError &&
		(unicode.In(r, unicode.L, unicode.M, unicode.So, unicode.Sk) && !unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r))
}

// variable reports whether the variation selector vs after r has a purpose. A run of them could carry hidden text.
func variable(r, vs rune) bool {
	switch {
	case unicode.Is(unicode.Variation_Selector, r):
		return false
	case vs >= 0xe0100:
		return unicode.Is(unicode.Han, r)
	case vs < 0xfe00:
		return unicode.Is(unicode.Mongolian, r)
	}
	return r > 0xa0 || r >= '0' && r <= '9' || r == '#' || r == '*'
}

// escaped is the visible form of a rune that is not shown.
func escaped(r rune) string {
	switch {
	case r == '\r':
		return `\r`
	case r == '\b':
		return `\b`
	case r == '\a':
		return `\a`
	case r < 0x100:
		return fmt.Sprintf(`\x%02x`, r)
	case r < 0x10000:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}
