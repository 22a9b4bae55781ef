package secrets

import "strings"

// MaskArgs masks the arguments of one command: each by itself, those that a flag before them names (--password x), and
// what only the whole line tells (mysql -px). It tells how many values it masked; args stays as it is.
func MaskArgs(args []string, allow Allowed) (masked []string, n int) {
	masked = make([]string, len(args))
	for i, a := range args {
		var k int
		masked[i], k = Mask(a, allow)
		n += k
	}
	for i := 1; i < len(args); i++ {
		if k := flagKind(args[i-1]); k != noSecret && masked[i] == args[i] && acceptArg(k, args[i]) && !allow[Fingerprint(args[i])] {
			masked[i] = marker("secret")
			n++
		}
	}
	return maskLine(masked, n, allow)
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

// maskLine masks what is found in the line that the arguments make together.
func maskLine(args []string, n int, allow Allowed) ([]string, int) {
	hits := find(strings.Join(args, " "), allow)
	for i := len(hits) - 1; i >= 0; i-- {
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
