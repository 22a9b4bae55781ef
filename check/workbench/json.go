package workbench

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// A cursor walks over JSON text without building anything. It takes what programs write although the standard does
// not have it: NaN and Infinity, control characters in strings, bytes that are no UTF-8.
type cursor struct {
	b []byte
	i int
}

// maxDepth is how deep lists and objects may lie in one another.
const maxDepth = 200

// A syntaxError is where text stops being JSON.
type syntaxError struct {
	off  int
	what string
}

func (e *syntaxError) Error() string { return e.what }

func errorOffset(err error) int {
	var s *syntaxError
	if errors.As(err, &s) {
		return s.off
	}
	return 0
}

func (c *cursor) fail(format string, args ...any) error {
	return &syntaxError{c.i, fmt.Sprintf(format, args...)}
}

// recordMark stands before each value of a text sequence (RFC 7464).
const recordMark = 0x1e

func (c *cursor) space() {
	for c.i < len(c.b) {
		switch c.b[c.i] {
		case ' ', '\t', '\r', '\n', recordMark:
			c.i++
		default:
			return
		}
	}
}

// peek gives the next byte that is no blank, 0 at the end.
func (c *cursor) peek() byte {
	c.space()
	if c.i == len(c.b) {
		return 0
	}
	return c.b[c.i]
}

func (c *cursor) expect(want byte) error {
	switch got := c.peek(); got {
	case want:
		c.i++
		return nil
	case 0:
		return c.fail("it ends where %q should follow", want)
	default:
		return c.fail("%q stands where %q should", got, want)
	}
}

// rawString passes over a string and gives what is between its quotes, escapes and all.
func (c *cursor) rawString() ([]byte, error) {
	if err := c.expect('"'); err != nil {
		return nil, err
	}
	start := c.i
	for {
		n := bytes.IndexByte(c.b[c.i:], '"')
		if n < 0 {
			c.i = len(c.b)
			return nil, c.fail("a string has no end")
		}
		c.i += n + 1
		if !oddBackslashes(c.b[start : c.i-1]) {
			return c.b[start : c.i-1], nil
		}
	}
}

func oddBackslashes(b []byte) bool {
	n := 0
	for n < len(b) && b[len(b)-1-n] == '\\' {
		n++
	}
	return n%2 == 1
}

// word passes over a number or a literal and gives it.
func (c *cursor) word() ([]byte, error) {
	c.space()
	start := c.i
	for c.i < len(c.b) && wordByte(c.b[c.i]) {
		c.i++
	}
	w := c.b[start:c.i]
	if kindOfWord(w) == broken {
		c.i = start
		if start == len(c.b) {
			return nil, c.fail("it ends where a value should follow")
		}
		return nil, c.fail("what stands here is no value; a text needs quotes")
	}
	return w, nil
}

func wordByte(b byte) bool {
	return '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || b == '-' || b == '+' || b == '.'
}

// skip passes over one value and gives its text.
func (c *cursor) skip() ([]byte, error) {
	c.space()
	start, depth := c.i, 0
	for {
		if err := c.skipStep(&depth); err != nil {
			return nil, err
		}
		if depth == 0 {
			return c.b[start:c.i], nil
		}
		if depth > maxDepth {
			return nil, c.fail("it is nested more than %d deep", maxDepth)
		}
	}
}

// skipStep passes over one token. Within lists and objects it takes separators as they come: what is skipped is not
// judged, only its end must be found.
func (c *cursor) skipStep(depth *int) error {
	switch b := c.peek(); {
	case b == '"':
		_, err := c.rawString()
		return err
	case b == '{' || b == '[':
		*depth++
	case b == '}' || b == ']':
		if *depth == 0 {
			return c.fail("%q stands where a value should", b)
		}
		*depth--
	case (b == ',' || b == ':') && *depth > 0:
	default:
		_, err := c.word()
		return err
	}
	c.i++
	return nil
}

// members calls visit for each member of the object at the cursor; visit must pass over the value.
func (c *cursor) members(visit func(key []byte) error) error {
	if err := c.expect('{'); err != nil {
		return err
	}
	if c.peek() == '}' {
		c.i++
		return nil
	}
	for {
		key, err := c.rawString()
		if err != nil {
			return err
		}
		if err := c.expect(':'); err != nil {
			return err
		}
		if err := visit(key); err != nil {
			return err
		}
		if c.peek() == '}' {
			c.i++
			return nil
		}
		if err := c.expect(','); err != nil {
			return err
		}
	}
}

// elements calls visit for each element of the list at the cursor; visit must pass over it.
func (c *cursor) elements(visit func() error) error {
	if err := c.expect('['); err != nil {
		return err
	}
	if c.peek() == ']' {
		c.i++
		return nil
	}
	for {
		if err := visit(); err != nil {
			return err
		}
		if c.peek() == ']' {
			c.i++
			return nil
		}
		if err := c.expect(','); err != nil {
			return err
		}
	}
}

// unquote gives the text of a raw string as valid UTF-8. A broken escape stands for itself, half of a surrogate pair
// and bytes that are no UTF-8 become U+FFFD.
func unquote(raw []byte) string {
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(bytes.ToValidUTF8(raw, []byte("\uFFFD")))
	}
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); {
		if raw[i] != '\\' || i+1 == len(raw) {
			n := max(1, bytes.IndexByte(raw[i+1:], '\\')+1)
			if bytes.IndexByte(raw[i+1:], '\\') < 0 {
				n = len(raw) - i
			}
			out = append(out, raw[i:i+n]...)
			i += n
			continue
		}
		var n int
		out, n = appendEscape(out, raw[i:])
		i += n
	}
	return string(bytes.ToValidUTF8(out, []byte("\uFFFD")))
}

// appendEscape appends what the escape that raw starts with means, and tells how long it is.
func appendEscape(out, raw []byte) ([]byte, int) {
	const plain, meant = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	if i := bytes.IndexByte([]byte(plain), raw[1]); i >= 0 {
		return append(out, meant[i]), 2
	}
	c, ok := hex4(raw)
	if !ok {
		return append(out, '\\'), 1
	}
	if utf16.IsSurrogate(c) {
		if low, ok := hex4(raw[6:]); ok {
			if pair := utf16.DecodeRune(c, low); pair != utf8.RuneError {
				return utf8.AppendRune(out, pair), 12
			}
		}
		c = utf8.RuneError
	}
	return utf8.AppendRune(out, c), 6
}

func hex4(raw []byte) (rune, bool) {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(raw[2:6]), 16, 32)
	return rune(n), err == nil
}
