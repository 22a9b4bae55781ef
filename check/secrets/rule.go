package secrets

import (
	"regexp"
	"strings"
	"sync"
)

// A rule is one kind of secret.
type rule struct {
	// id is the name that a marker shows.
	id string
	// keywords are what every such secret contains, at least three bytes each; where none occurs the rule costs nothing.
	keywords []string
	// starts gives keywords that are too many to write out.
	starts func() []string
	// fold takes keywords in any case.
	fold bool
	// pattern is tried where a keyword occurs, back bytes before it, and only there. Its last group is the value; without
	// a group, all of it.
	pattern string
	// back is how many bytes of the secret stand before its keyword.
	back int
	// glued rules have keywords so telling that a letter may stand right before them.
	glued bool
	// also is what else stands close behind the keyword; where it does not, the pattern costs nothing.
	also string
	// source names what documents the format.
	source string

	// check is what else a value must be, where a pattern alone would take words for secrets.
	check func(value string) bool
	// at stands in for Pattern where a regular expression cannot say it.
	at   func(text string, at int) (start, end int, ok bool)
	once sync.Once
	re   *regexp.Regexp
}

// window is how much of a text a pattern is first tried on; a match that fills it is tried again on all that follows.
const window = 1024

// words are all keywords of the rule.
func (r *rule) words() []string {
	if r.starts != nil {
		return r.starts()
	}
	return r.keywords
}

func (r *rule) match(text string, at int) (start, end int, ok bool) {
	if r.at != nil {
		return r.at(text, at)
	}
	from := at - r.back
	if from < 0 || !r.glued && joined(text, from) {
		return 0, 0, false
	}
	rest := text[from:]
	near := rest[:min(window, len(rest))]
	if !strings.Contains(near, r.also) {
		return 0, 0, false
	}
	r.once.Do(func() { r.re = regexp.MustCompile(`^(?:` + r.pattern + `)`) })
	m := r.re.FindStringSubmatchIndex(near)
	if m != nil && m[1] == window {
		m = r.re.FindStringSubmatchIndex(rest)
	}
	if m == nil {
		return 0, 0, false
	}
	start, end = value(m)
	v := rest[start:end]
	if v == "" || placeholderToken(v) || end-start < m[1] && placeholder(v) {
		return 0, 0, false
	}
	return from + start, from + end, r.check == nil || r.check(v)
}

// value is the last group that took part in a match, else the whole match.
func value(m []int) (start, end int) {
	for i := len(m) - 2; i > 0; i -= 2 {
		if m[i] >= 0 {
			return m[i], m[i+1]
		}
	}
	return m[0], m[1]
}

// joined reports whether the byte before i belongs to the same word as the one at i. The letter of an escape (\n, %3D,
// the end of a colour sequence) does not.
func joined(text string, i int) bool {
	if i == 0 || !alnum(text[i-1]) {
		return false
	}
	return !escaped(text, i)
}

// escaped reports whether what ends before i is an escape sequence, in itself or as JSON and URLs write it.
func escaped(text string, i int) bool {
	if i >= 2 && text[i-2] == '\\' {
		return true
	}
	if i >= 3 && text[i-3] == '%' && hexDigit(text[i-2]) && hexDigit(text[i-1]) {
		return true
	}
	if i >= 6 && text[i-6] == '\\' && text[i-5] == 'u' {
		return true
	}
	return text[i-1] == 'm' && colour(text[:i-1])
}

// colour reports whether text ends in the numbers of a terminal colour sequence.
func colour(text string) bool {
	i := len(text)
	for i > 0 && len(text)-i < 16 && (digit(text[i-1]) || text[i-1] == ';') {
		i--
	}
	return i > 0 && text[i-1] == '['
}

func digit(c byte) bool    { return '0' <= c && c <= '9' }
func lower(c byte) bool    { return 'a' <= c && c <= 'z' }
func upper(c byte) bool    { return 'A' <= c && c <= 'Z' }
func letter(c byte) bool   { return lower(c) || upper(c) }
func alnum(c byte) bool    { return letter(c) || digit(c) }
func hexDigit(c byte) bool { return digit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F' }
func blank(c byte) bool    { return c == ' ' || c == '\t' }
