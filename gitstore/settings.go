package gitstore

import (
	"bytes"
	"errors"
	"os"
	"strings"
)

// A setting is one line of git configuration. The key is as `git config --list` has it: section and variable in lower
// case, the subsection as written. File names where it stands, if that is known.
type setting struct {
	key, value string
	// bare is a key without "=": a boolean that is true.
	bare bool
	file string
}

// settings are in the order in which git reads them: the last of a key wins.
type settings []setting

// all gives every value of a key.
func (s settings) all(key string) []setting {
	var found []setting
	for _, e := range s {
		if e.key == key {
			found = append(found, e)
		}
	}
	return found
}

// last gives the value of a key that counts.
func (s settings) last(key string) (setting, bool) {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i].key == key {
			return s[i], true
		}
	}
	return setting{}, false
}

// errSyntax is a configuration that is not read here; git says what is wrong with it, if anything is.
var errSyntax = errors.New("not plain git configuration")

// readSettings reads one configuration file as git does (git-config(1), "Syntax"), without following includes.
func readSettings(file string) (settings, error) {
	data, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return parseSettings(data)
}

func parseSettings(data []byte) (settings, error) {
	if bytes.IndexByte(data, 0) >= 0 {
		return nil, errSyntax
	}
	p := &settingsParser{rest: strings.TrimPrefix(string(data), "\ufeff")}
	for p.rest != "" {
		if !p.next() {
			return nil, errSyntax
		}
	}
	return p.found, nil
}

type settingsParser struct {
	rest    string
	section string
	found   settings
}

// next reads one thing: blanks, a comment, a section header or a variable. It is false on what is none of them.
func (p *settingsParser) next() bool {
	c := p.rest[0]
	switch {
	case c == ' ', c == '\t', c == '\r', c == '\n':
		p.rest = p.rest[1:]
		return true
	case c == '#', c == ';':
		p.skipLine()
		return true
	case c == '[':
		return p.header()
	case letter(c) && p.section != "":
		return p.variable()
	}
	return false
}

func (p *settingsParser) skipLine() {
	_, p.rest, _ = strings.Cut(p.rest, "\n")
}

// header reads [section] or [section "subsection"], and the old [section.subsection].
func (p *settingsParser) header() bool {
	i := 1
	for i < len(p.rest) && (letter(p.rest[i]) || digit(p.rest[i]) || p.rest[i] == '-' || p.rest[i] == '.') {
		i++
	}
	p.section, p.rest = strings.ToLower(p.rest[1:i]), p.rest[i:]
	if p.section == "" || p.rest == "" {
		return false
	}
	if p.rest[0] == ']' {
		p.rest = p.rest[1:]
		return true
	}
	blanks := len(p.rest)
	p.rest = strings.TrimLeft(p.rest, " \t")
	return len(p.rest) < blanks && p.subsection()
}

func (p *settingsParser) subsection() bool {
	if !strings.HasPrefix(p.rest, `"`) {
		return false
	}
	var name strings.Builder
	for i := 1; i < len(p.rest) && p.rest[i] != '\n'; i++ {
		switch c := p.rest[i]; c {
		case '\\':
			if i++; i == len(p.rest) || p.rest[i] == '\n' {
				return false
			}
			name.WriteByte(p.rest[i])
		case '"':
			if !strings.HasPrefix(p.rest[i+1:], "]") {
				return false
			}
			p.section, p.rest = p.section+"."+name.String(), p.rest[i+2:]
			return true
		default:
			name.WriteByte(c)
		}
	}
	return false
}

// variable reads `name` or `name = value`.
func (p *settingsParser) variable() bool {
	i := 0
	for i < len(p.rest) && (letter(p.rest[i]) || digit(p.rest[i]) || p.rest[i] == '-') {
		i++
	}
	s := setting{key: p.section + "." + strings.ToLower(p.rest[:i])}
	p.rest = strings.TrimLeft(p.rest[i:], " \t")
	switch {
	case p.rest == "", p.rest[0] == '\n', strings.HasPrefix(p.rest, "\r\n"):
		s.bare = true
	case p.rest[0] == '=':
		p.rest = p.rest[1:]
		value, ok := p.value()
		if !ok {
			return false
		}
		s.value = value
	default:
		return false
	}
	p.found = append(p.found, s)
	return true
}

// value reads up to the end of the line: quotes, escapes, comments.
func (p *settingsParser) value() (string, bool) {
	var v valueText
	for i := 0; ; i++ {
		if i == len(p.rest) || p.rest[i] == '\n' {
			p.rest = p.rest[i:]
			return string(v.text[:v.keep]), !v.quoted && !v.odd
		}
		switch c := p.rest[i]; {
		case c == '"':
			v.quoted = !v.quoted
			v.solid()
		case c == '\\':
			if i++; !p.escape(&v, i) {
				return "", false
			}
		case !v.quoted && (c == '#' || c == ';'):
			p.rest = p.rest[i:]
			p.skipLine()
			return string(v.text[:v.keep]), !v.odd
		case !v.quoted && (c == ' ' || c == '\t' || c == '\r'):
			v.blank(c)
		default:
			v.add(c)
		}
	}
}

// A valueText is a value being read. Of text, keep counts: blanks at the end do not, unless quoted.
type valueText struct {
	text   []byte
	keep   int
	quoted bool
	// tabs are blanks at the end that git releases read differently, odd is a value with such inside.
	tabs, odd bool
}

func (v *valueText) add(c byte) {
	v.text = append(v.text, c)
	v.solid()
}

func (v *valueText) solid() {
	v.odd = v.odd || v.tabs
	v.keep, v.tabs = len(v.text), false
}

func (v *valueText) blank(c byte) {
	if len(v.text) > 0 {
		v.text = append(v.text, c)
		v.tabs = v.tabs || c != ' '
	}
}

// escape adds what stands after a backslash at i. A line that goes on in the next one is left to git, whose releases
// do not agree on the blanks before it.
func (p *settingsParser) escape(v *valueText, i int) bool {
	if i == len(p.rest) {
		return false
	}
	switch c := p.rest[i]; c {
	case 't':
		v.add('\t')
	case 'n':
		v.add('\n')
	case 'b':
		v.add('\b')
	case '\\', '"':
		v.add(c)
	default:
		return false
	}
	return true
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func digit(c byte) bool { return c >= '0' && c <= '9' }
