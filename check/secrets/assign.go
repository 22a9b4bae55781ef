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

// assignment finds the value that is given to the name around the keyword at at.
func assignment(text string, at int) (start, end int, ok bool) {
	from, to := nameAround(text, at)
	name := text[from:to]
	f, start := separator(text, from, to)
	if f == noForm {
		return 0, 0, false
	}
	k := kindOf(name)
	if k == noSecret || f == spoken && k != password {
		return 0, 0, false
	}
	start, end, quote := valueAt(text, start)
	v := text[start:end]
	if end-start < 3 || placeholder(v) || strings.Contains(v, "://") || path(v) {
		return 0, 0, false
	}
	if quote {
		return start, end, acceptQuoted(k, f, v)
	}
	return start, end, acceptBare(k, f, name, v, restOfLine(text[end:]))
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
	case strings.HasPrefix(rest, ",") && quotedName:
		return loose, skipBlanks(text, j+1)
	case strings.HasPrefix(rest, ">") && from > 0 && text[from-1] == '<':
		return tight, j + 1
	case flag && j > to && !strings.HasPrefix(rest, "--"):
		return flagged, j
	case j > to:
		return spoken, afterVerb(text, j)
	}
	return noForm, 0
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

// afterVerb skips the verb of "password is x".
func afterVerb(text string, i int) int {
	for _, verb := range []string{"is ", "was ", "are ", "be ", "ist ", "est ", "er "} {
		if strings.HasPrefix(text[i:], verb) {
			return closing(text, skipBlanks(text, i+len(verb)))
		}
	}
	return i
}

// maxValue is the longest quoted value that is looked for; a bare one ends where its word does.
const maxValue = 4096

// valueAt gives the bounds of the value at i, without its quotes.
func valueAt(text string, i int) (start, end int, quoted bool) {
	i = stringPrefix(text, i)
	open := ""
	switch {
	case i >= len(text):
		return i, i, false
	case strings.HasPrefix(text[i:], `\"`), strings.HasPrefix(text[i:], `\'`):
		open = text[i : i+2]
	case strings.IndexByte("\"'`", text[i]) >= 0:
		open = text[i : i+1]
	default:
		return i, bareEnd(text, i), false
	}
	start = i + len(open)
	if n := closeQuote(text[start:min(len(text), start+maxValue)], open); n >= 0 {
		return start, start + n, true
	}
	return start, bareEnd(text, start), true
}

// stringPrefix skips the letters that may stand before a quote, as in b"…" and @"…".
func stringPrefix(text string, i int) int {
	if i+1 < len(text) && strings.IndexByte("bfru@$", text[i]) >= 0 && (text[i+1] == '"' || text[i+1] == '\'') {
		return i + 1
	}
	return i
}

// closeQuote finds the closing quote on the same line; a quote behind a backslash is part of the value.
func closeQuote(s, open string) int {
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\n' || s[i] == '\r':
			return -1
		case strings.HasPrefix(s[i:], open):
			return i
		case s[i] == '\\' && len(open) == 1:
			i++
		}
	}
	return -1
}

// bareEnd finds the end of a value without quotes: a blank, a quote or what ends a shell word, less punctuation that
// belongs to the sentence or list around it.
func bareEnd(text string, i int) int {
	end := i
	for end < len(text) && strings.IndexByte(" \t\r\n\"'`;&|<>", text[end]) < 0 && !escapedBreak(text[end:]) {
		if (text[end] == ',' || text[end] == '\\') && nextName(text[end+1:]) {
			break
		}
		end++
	}
	for end > i && strings.IndexByte(`,.:;)]}\`, text[end-1]) >= 0 {
		end--
	}
	return end
}

// escapedBreak reports whether s starts with a line break, tab or quote as JSON writes it.
func escapedBreak(s string) bool {
	return len(s) > 1 && s[0] == '\\' && strings.IndexByte(`nrt"`, s[1]) >= 0
}

// nextName reports whether s starts with another name and its equals sign or colon, or a quoted one.
func nextName(s string) bool {
	i := 0
	for i < len(s) && i < maxName && (nameByte(s[i]) || s[i] == '"' || s[i] == '\'' || s[i] == ' ') {
		i++
	}
	return i > 0 && i < len(s) && (s[i] == '=' || s[i] == ':')
}

func restOfLine(s string) string {
	if n := strings.IndexAny(s, "\r\n"); n >= 0 {
		s = s[:n]
	}
	return strings.TrimSpace(s)
}

func acceptQuoted(k kind, f form, v string) bool {
	words := strings.Count(v, " ") + 1
	switch {
	case k == password && f == spoken:
		return words == 1 && strong(v)
	case k == password:
		return words <= 8
	case f == spoken, words > 1, number(v):
		return false
	case k == maybeSecret:
		return strong(v) && len(v) >= 12
	}
	return len(v) >= 6 && !(f == loose && reference(v))
}

func acceptBare(k kind, f form, name, v, rest string) bool {
	capitals := name == strings.ToUpper(name)
	switch {
	case !capitals && reference(v), k != password && number(v):
		return false
	case f == spoken:
		return k == password && strong(v) && !knownName(v)
	case k == maybeSecret:
		return f == tight && capitals && strong(v) && len(v) >= 8
	case f == tight && capitals, f == flagged:
		return k == password || len(v) >= 6
	case f == tight:
		return !variableName(v) && (k == password || len(v) >= 6)
	case k == password:
		return strong(v) || rest == "" && !variableName(v) || strings.ContainsAny(v, "!@#$%^&*")
	}
	return strong(v) && len(v) >= 8 || len(v) >= 24 && !strings.Contains(v, " ")
}

// variableName reports whether v is what code calls a secret: password, new_token, api_key.
func variableName(v string) bool {
	return identifier(v) && v == strings.ToLower(v) && !strings.ContainsAny(v, "0123456789") && (strings.Contains(v, "_") || kindOf(v) != noSecret)
}

// knownName reports whether v is the name of an algorithm, which follows the word password in a sentence.
func knownName(v string) bool {
	low := strings.ToLower(v)
	for _, name := range []string{"sha", "md5", "argon2", "pbkdf2", "base64", "utf", "oauth", "aes", "rsa", "ed25519", "http"} {
		if strings.HasPrefix(low, name) {
			return true
		}
	}
	return strings.ContainsAny(v, "/(")
}
