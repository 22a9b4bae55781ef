package secrets

import (
	"slices"
	"strings"
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
	if k == noSecret || f == flagged && asks(name) || f == tight && closesBefore(text, from, start) || elsewhere(text[:from]) {
		return 0, 0, false
	}
	compared := strings.Contains(text[to:start], "==") || strings.Contains(text[to:start], "!=")
	whole := text
	text = text[:min(len(text), start+maxValue)]
	start, end, quote := valueAt(text, start)
	if phrase := phraseEnd(text, start, name); phrase > end && !quote && f != spoken {
		return start, phrase, true
	}
	v := text[start:end]
	if end-start < 3 || placeholder(v) || strings.Contains(v, "://") || path(v) || publicKey(name, v) || !quote && compared && identifier(v) || strings.EqualFold(name, "pass") && (f != tight || !strong(v)) {
		return 0, 0, false
	}
	if f == tight && (text[start-1] == '`' || text[start-1] == '>' && !strings.HasPrefix(text[end:], "</")) {
		return 0, 0, false
	}
	if quote && !acceptQuoted(k, f, name, v) || !quote && !acceptBare(k, f, name, v, restOfLine(text[end:])) {
		return 0, 0, false
	}
	return start, max(end, bareEnd(whole, start)), true
}

// elsewhere reports whether a name that stands behind before names no secret: it is a host, part of the name of an AWS
// resource, or what a parser did not expect.
func elsewhere(before string) bool {
	if strings.HasSuffix(before, "//") || strings.HasSuffix(before, "nexpected ") {
		return true
	}
	if !strings.HasSuffix(before, ":") {
		return false
	}
	word := before[max(0, len(before)-maxAuthority):]
	return strings.HasPrefix(word[strings.LastIndexAny(word, " \t\r\n\"'`=")+1:], "arn:")
}

// phraseEnd gives where a passphrase of four words or more, which are the rest of the line, ends; 0 if there is none.
func phraseEnd(text string, start int, name string) int {
	if !strings.HasSuffix(strings.ToLower(name), "phrase") {
		return 0
	}
	line := restOfLine(text[start:])
	parts := strings.Fields(line)
	for _, p := range parts {
		if strings.Trim(p, "abcdefghijklmnopqrstuvwxyz") != "" || notSecret.has(p) {
			return 0
		}
	}
	if len(parts) < 4 {
		return 0
	}
	return start + strings.Index(text[start:], line) + len(line)
}

// maxValue is how much of a text is looked at to judge a value, and the longest quoted one; a bare one ends where its
// word does.
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

func acceptQuoted(k kind, f form, name, v string) bool {
	parts := strings.Count(v, " ") + 1
	switch {
	case k == password && f == spoken:
		return parts == 1 && strong(v) || parts >= 3 && strings.HasSuffix(strings.ToLower(name), "phrase")
	case k == password:
		return parts <= 8
	case f == spoken:
		return spokenToken(name, v)
	case parts > 1, number(v), f == loose && variableName(v):
		return false
	case k == maybeSecret:
		return strong(v) && len(v) >= 12
	}
	return len(v) >= 6 && !(f == loose && reference(v))
}

// spokenToken reports whether a sentence gives v as a token: it has both letters and digits, and is no object id.
func spokenToken(name, v string) bool {
	low := strings.ToLower(v)
	return (strings.EqualFold(name, "token") || strings.EqualFold(name, "secret")) && len(v) >= 12 && strong(v) &&
		strings.ContainsAny(v, "0123456789") && strings.Trim(low, "0123456789abcdef-") != "" && !knownName(v)
}

func acceptBare(k kind, f form, name, v, rest string) bool {
	capitals := name == strings.ToUpper(name)
	switch {
	case (!capitals || f == loose) && (reference(v) || camelName(v)), (k != password || f == loose && strings.HasPrefix(v, "0x")) && number(v):
		return false
	case f == spoken && k == token:
		return spokenToken(name, v)
	case f == spoken:
		return slices.Contains(passwordTails, strings.ToLower(name)) && strong(v) && strings.ContainsAny(v, "0123456789!@#$%^&*") && !knownName(v)
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

// camelName reports whether v is what code calls a secret in a language with capitals inside: testPrivateKey.
func camelName(v string) bool {
	return identifier(v) && !upper(v[0]) && v != strings.ToLower(v) && kindOf(v) != noSecret
}

// asks reports whether a flag asks for a secret instead of giving it: --ask-pass.
func asks(flag string) bool { return askers.has(nameWords(flag)[0]) }

// knownName reports whether v is the name of an algorithm, which follows the word password in a sentence.
func knownName(v string) bool {
	low := strings.ToLower(v)
	for _, name := range []string{"sha", "md5", "argon2", "pbkdf2", "base64", "utf", "oauth", "aes", "rsa", "ed25519", "http"} {
		if strings.HasPrefix(low, name) {
			return true
		}
	}
	return strings.ContainsAny(v, "/([")
}
