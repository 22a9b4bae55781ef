package gitstore

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// readablePath is a path as documents hold it: valid UTF-8, each byte that is none written as \xNN. Control
// characters stay, since making text inert is the renderer's work.
func readablePath(path string) string {
	if utf8.ValidString(path) {
		return path
	}
	var b strings.Builder
	for i := 0; i < len(path); {
		r, size := utf8.DecodeRuneInString(path[i:])
		if r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&b, `\x%02x`, path[i])
		} else {
			b.WriteString(path[i : i+size])
		}
		i += size
	}
	return b.String()
}
