package secrets

import "strings"

// A form is how a name and a value are put together.
type form int

const (
	noForm form = iota
	// tight is NAME=value, as in an environment, a flag or a query: any value is meant literally.
	tight
	// flagged is --name value.
	flagged
	// loose is name: value or name = value, as in a settings file, in code or in a sentence.
	loose
	// spoken is "the password is x".
	spoken
)

// closesBefore reports whether the quote at i is not the value's but closes one before the name, as in "PWD="+dir.
func closesBefore(text string, from, i int) bool {
	return from > 0 && i < len(text) && text[i] == text[from-1] && strings.IndexByte("\"'`", text[i]) >= 0
}

// separator reads what stands between a name and its value and gives the form and where the value starts.
func separator(text string, from, to int) (form, int) {
	flag := strings.HasPrefix(text[from:], "-")
	i := closing(text, to)
	quotedName := i > to
	j := skipBlanks(text, i)
	rest := text[j:]
	switch {
	case strings.HasPrefix(rest, "="), strings.HasPrefix(rest, ":="), strings.HasPrefix(rest, "!="), wideSeparator(rest):
		return equals(text, to, j)
	case strings.HasPrefix(rest, ":") && !strings.HasPrefix(rest, "://"):
		return loose, annotated(text, skipBlanks(text, skipArrow(text, j+1)))
	case quotedName && valueKey(text, j) > 0:
		return loose, valueKey(text, j)
	case strings.HasPrefix(rest, ",") && quotedName && (flag || from > 1 && text[from-2] == '('):
		return loose, skipBlanks(text, j+1)
	case strings.HasPrefix(rest, "→"):
		return loose, skipBlanks(text, j+len("→"))
	case strings.HasPrefix(rest, ">") && from > 0 && text[from-1] == '<':
		return tight, j + 1
	case flag && j > to && !strings.HasPrefix(rest, "--") && text[to-1] != '.':
		return flagged, j
	case j > to:
		return spoken, afterVerb(text, j)
	}
	return noForm, 0
}

// valueKey gives where the value starts in {"name": "X", "value": "…"} and <add key="X" value="…">, behind the name; 0
// where no such key follows.
func valueKey(text string, i int) int {
	for n := 0; n < 80 && i < len(text) && strings.IndexByte(", \t\r\n\"'", text[i]) >= 0; n++ {
		i++
	}
	if i+5 > len(text) || !strings.EqualFold(text[i:i+5], "value") {
		return 0
	}
	i = skipBlanks(text, closing(text, i+5))
	if i == len(text) || text[i] != '=' && text[i] != ':' {
		return 0
	}
	return skipBlanks(text, i+1)
}

func equals(text string, to, j int) (form, int) {
	i := j
	for i < len(text) && strings.IndexByte("=:>!", text[i]) >= 0 && i-j < 3 {
		i++
	}
	if i == j {
		i += len("：")
	}
	next := skipBlanks(text, i)
	if j == to && next == i {
		return tight, i
	}
	return loose, next
}

// closing skips what may close a name: a quote, an escaped quote, a bracket, marks of emphasis.
func closing(text string, i int) int {
	for n := 0; n < 4 && i < len(text); n++ {
		switch {
		case strings.IndexByte("\"'`*", text[i]) >= 0:
			i++
		case text[i] == '\\' && i+1 < len(text) && text[i+1] == '"':
			i += 2
		case text[i] == ']' && n > 0:
			i++
		default:
			return i
		}
	}
	return i
}

func skipBlanks(text string, i int) int {
	for n := 0; n < 40 && i < len(text) && blank(text[i]); n++ {
		i++
	}
	return i
}

func skipArrow(text string, i int) int {
	for i < len(text) && strings.IndexByte("=>*", text[i]) >= 0 {
		i++
	}
	return i
}

// annotated skips the type of `name: type = value`.
func annotated(text string, i int) int {
	line := text[i:min(len(text), i+60)]
	eq := strings.Index(line, " = ")
	if eq < 0 || strings.ContainsAny(line[:eq], "\r\n\"'") || strings.Count(line[:eq], " ") > 2 {
		return i
	}
	return skipBlanks(text, i+eq+3)
}

// verbs stand between the word password and the password.
var verbs = []string{"is ", "was ", "are ", "be ", "ist ", "est ", "er "}

// afterVerb skips the verb of "password is x" and of "the password for the database is x"; without a verb it stays.
func afterVerb(text string, i int) int {
	clause := text[i:min(len(text), i+48)]
	if n := strings.IndexAny(clause, ".,;:\n\"'=("); n >= 0 {
		clause = clause[:n]
	}
	for _, verb := range verbs {
		if n := strings.Index(" "+clause, " "+verb); n >= 0 {
			return closing(text, skipBlanks(text, i+n+len(verb)))
		}
	}
	return i
}
