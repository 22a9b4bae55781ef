package handoff

import "strings"

// ShellLine writes a command, given as its words, as a line that a person can paste into a POSIX shell.
func ShellLine(words []string) string {
	quotedWords := make([]string, len(words))
	for i, w := range words {
		quotedWords[i] = shellWord(w, i == 0)
	}
	return strings.Join(quotedWords, " ")
}

// shellWord quotes a word where the shell would read it as something else. The first word must not look like an
// assignment.
func shellWord(w string, first bool) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-+./:,@%=", r)
	}
	special := strings.IndexFunc(w, func(r rune) bool { return !plain(r) }) >= 0
	if w != "" && !special && !(first && strings.Contains(w, "=")) {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}
