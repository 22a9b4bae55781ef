package handoff

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// scalarOf writes a text as YAML: as a literal block where it has lines and YAML can hold them so, plain where no
// reader can take it for anything else, else in double quotes. indent is where the lines of a block start.
//
// The rules are our own since yaml.v3 writes some texts so that it cannot read them (a first newline or tab, U+2028) and
// turns emoji into escapes.
func scalarOf(s string, indent int) string {
	switch {
	case literalHolds(s):
		return literal(s, indent)
	case plainHolds(s):
		return s
	}
	return quoted(s)
}

// literalHolds reports whether a literal block gives s back. The first line sets the indentation, so it must not be
// blank or start with one; a last line of blanks alone would be taken for the end.
func literalHolds(s string) bool {
	if !strings.Contains(s, "\n") || strings.IndexByte(" \t\n", s[0]) >= 0 || strings.ContainsFunc(s, escapes) {
		return false
	}
	body := strings.TrimRight(s, "\n")
	last := body[strings.LastIndexByte(body, '\n')+1:]
	return strings.Trim(last, " \t") != ""
}

func literal(s string, indent int) string {
	var b strings.Builder
	body := strings.TrimRight(s, "\n")
	switch len(s) - len(body) {
	case 0:
		b.WriteString("|-")
	case 1:
		b.WriteString("|")
	default:
		b.WriteString("|+")
	}
	for line := range strings.SplitSeq(body, "\n") {
		b.WriteByte('\n')
		if line != "" {
			b.WriteString(strings.Repeat(" ", indent) + line)
		}
	}
	if n := len(s) - len(body); n > 1 {
		b.WriteString(strings.Repeat("\n", n-1))
	}
	return b.String()
}

// typedPattern matches what YAML 1.1 or 1.2 takes for a number or a date, once its underscores are gone: readers drop
// them wherever they stand. yaml.v3 reads a sign behind 0b and 0o too.
var typedPattern = lazily(`(?i)^([-+]?(\.[0-9]+|[0-9][0-9,]*(\.[0-9]*)?)(e[-+]?[0-9]*)?` +
	`|[-+]?0[xob][-+]?[0-9a-f]*|[-+]?[0-9]+(:[0-5]?[0-9])+(\.[0-9]*)?|[-+]?\.(inf|nan)|[0-9]{4}-[0-9].*)$`)

func matchesTyped(s string) bool {
	return typedPattern().MatchString(strings.ReplaceAll(s, "_", ""))
}

// looksTyped reports what matchesTyped does. Sentences, dates and object ids are told without the pattern, since
// compiling it costs more than writing a document.
func looksTyped(s string) bool {
	switch {
	case s == "" || strings.IndexByte("+-.0123456789", s[0]) < 0:
		return false
	case startsLikeDate(s) && !strings.Contains(s, "\n"):
		return true
	case strings.Contains(s, " "), looksLikeID(s):
		return false
	}
	return matchesTyped(s)
}

func startsLikeDate(s string) bool {
	return len(s) > 5 && strings.Trim(s[:4], "0123456789") == "" && s[4] == '-' && s[5] >= '0' && s[5] <= '9'
}

// looksLikeID reports whether s is of hexadecimal digits, and has letters that no decimal number has. 0b1 is a number.
func looksLikeID(s string) bool {
	return strings.Trim(s, "0123456789abcdef") == "" && strings.Trim(s, "0123456789e") != "" && s[1] != 'b'
}

// typedWords are the words that YAML 1.1 or 1.2 takes for something other than text.
var typedWords = []string{"", "~", "null", "true", "false", "yes", "no", "on", "off", "y", "n", "<<", "="}

func plainHolds(s string) bool {
	switch {
	case slices.Contains(typedWords, strings.ToLower(s)), looksTyped(s):
		return false
	case strings.IndexByte("-?:,[]{}#&*!|>'\"%@` ", s[0]) >= 0, strings.HasSuffix(s, " "), strings.HasPrefix(s, "..."):
		return false
	case strings.Contains(s, ": "), strings.HasSuffix(s, ":"), strings.Contains(s, " #"):
		return false
	case strings.ContainsAny(s, "\n\t"), strings.ContainsFunc(s, escapes):
		return false
	}
	return true
}

// escapes reports whether a character must not stand in the file as it is: what YAML does not allow, what it reads as
// the end of a line, and the marks that make text read in another order than it is stored.
func escapes(r rune) bool {
	switch {
	case r == '\n', r == '\t':
		return false
	case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r):
		return true
	case r == 0x2028, r == 0x2029, r == 0xFEFF, r == 0xFFFE, r == 0xFFFF:
		return true
	}
	return false
}

func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"', r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case !escapes(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02X`, r)
		default:
			fmt.Fprintf(&b, `\u%04X`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
