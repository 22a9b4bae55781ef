package secrets

import "strings"

// MaskArgs masks the arguments of one command: each by itself, those that a flag before them names (--password x), and
// what only the whole line tells (mysql -px). It tells how many values it masked; args stays as it is.
func MaskArgs(args []string, allow Allowed) (masked []string, n int) {
	masked = make([]string, len(args))
	for i, a := range args {
		var k int
		masked[i], k = Mask(a, allow)
		if at, whole := given(args, i); whole && !allow[Fingerprint(a[at:])] && !isMarker(masked[i][min(at, len(masked[i])):]) {
			masked[i], k = a[:at]+marker("secret"), 1
		}
		n += k
	}
	return maskLine(masked, n, allow)
}

// given tells from where on the argument i is a secret to its end: all of it behind a flag such as --password, and what
// follows the equals sign of PASSWORD=a b, unless it is a line for a shell.
func given(args []string, i int) (at int, ok bool) {
	if i > 0 {
		if k := flagKind(args[i-1]); k != noSecret && acceptArg(k, args[i]) {
			return 0, true
		}
	}
	name, value, assigned := strings.Cut(args[i], "=")
	if !assigned || i > 0 && strings.HasPrefix(args[i-1], "-") && strings.HasSuffix(args[i-1], "c") || !identifier(strings.ReplaceAll(strings.TrimLeft(name, "-"), "-", "_")) {
		return 0, false
	}
	return len(name) + 1, strings.Contains(value, " ") && kindOf(name) == password && acceptArg(password, value)
}

func isMarker(s string) bool {
	return strings.HasPrefix(s, markerPrefix) && strings.IndexByte(s, ']') == len(s)-1
}

// flagKind judges the name of a flag whose value is the next argument.
func flagKind(arg string) kind {
	if !strings.HasPrefix(arg, "-") || strings.ContainsAny(arg, "= ") || len(arg) < 4 {
		return noSecret
	}
	return kindOf(arg)
}

func acceptArg(k kind, v string) bool {
	if k == maybeSecret || len(v) < 2 || placeholder(v) || path(v) || strings.HasPrefix(v, "--") || strings.Contains(v, markerPrefix) {
		return false
	}
	return k == password || len(v) >= 6 && !number(v)
}

// inOneWord keeps what would end a word or a command in a line, where it stands in an argument, from doing so. No byte
// more or less.
var inOneWord = strings.NewReplacer(" ", "\x00", "\t", "\x00", "\n", "\x00", "|", "\x00", ";", "\x00", "&", "\x00", `"`, "\x00", "'", "\x00")

// maskLine masks what is found in the line that the arguments make together.
func maskLine(args []string, n int, allow Allowed) ([]string, int) {
	words := make([]string, len(args))
	for i, a := range args {
		words[i] = inOneWord.Replace(a)
	}
	line := strings.Join(words, " ")
	hits := find(line, allow)
	for i := len(hits) - 1; i >= 0; i-- {
		if line[hits[i].Start] == 0 {
			continue // a sentence, which has been looked at as it is
		}
		n++
		maskSpan(args, hits[i])
	}
	return args, n
}

// maskSpan replaces what a hit covers of each argument; the hits are taken from the last to the first.
func maskSpan(args []string, h Hit) {
	at := 0
	for i, a := range args {
		from, to := max(h.Start-at, 0), min(h.End-at, len(a))
		at += len(a) + 1
		if from < to {
			args[i] = a[:from] + marker(h.Rule) + a[to:]
		}
	}
}
