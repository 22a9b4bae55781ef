package secrets

import "strings"

// unstyled is text without the escapes by which a terminal is told of colours and places (ECMA-48, control sequences).
func unstyled(text string) string {
	const csi = "\x1b["
	if !strings.Contains(text, csi) {
		return text
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, csi)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		end := strings.IndexFunc(rest, func(c rune) bool { return c < 0x20 || c > 0x3f })
		if end < 0 {
			return b.String()
		}
		if c := rest[end]; 0x40 <= c && c <= 0x7e {
			end++
		}
		text = rest[end:]
	}
}
