package workbench

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

const (
	// keptHead and keptTail are what a long text, or a long list, of a long line keeps of its start and end.
	keptHead = 4 << 10
	keptTail = 64 << 10
	// maxCompacted is how long a line may be once its long texts and lists are cut.
	maxCompacted = 4 << 20
)

// A compactor copies JSON and cuts the middle out of long strings and lists as it goes, so that what comes out is JSON
// of a bounded size however long a text in it was. A line that is too long even so becomes one byte that is no JSON.
type compactor struct {
	out []byte
	// depth is how deep the text is in lists and objects, listDepth the depth of the list that is cut; 0 is none. Lists
	// within it are parts of its elements.
	depth, listDepth int
	elements         elements
	inString         bool
	// odd is whether the string so far ends in an odd number of backslashes.
	odd bool
	// head is how much of the current string was kept, tail its end, skipped what was between them.
	head    int
	tail    []byte
	skipped int
}

func (c *compactor) reset() {
	*c = compactor{out: c.out[:0], tail: c.tail[:0], elements: elements{element: c.elements.element[:0], tail: c.elements.tail[:0], lengths: c.elements.lengths[:0]}}
}

func (c *compactor) add(b []byte) {
	for len(b) > 0 {
		n := bytes.IndexByte(b, '"')
		switch {
		case !c.inString && n < 0:
			c.structure(b)
			return
		case !c.inString:
			c.structure(b[:n])
			c.keep(b[n : n+1])
			c.inString, c.odd, c.head, c.skipped, c.tail = true, false, 0, 0, c.tail[:0]
		case n < 0:
			c.text(b)
			return
		default:
			c.text(b[:n])
			if c.odd {
				c.text(b[n : n+1])
			} else {
				c.endString()
			}
		}
		b = b[n+1:]
	}
}

// structure copies what is outside of strings.
func (c *compactor) structure(b []byte) {
	for i := range b {
		switch b[i] {
		case '[', '{':
			c.depth++
			c.keep(b[i : i+1])
			if b[i] == '[' && c.listDepth == 0 {
				c.listDepth = c.depth
				c.elements.reset()
			}
			continue
		case ']', '}':
			if c.listDepth == c.depth && c.depth > 0 {
				c.endList()
			}
			c.depth = max(0, c.depth-1)
		case ',':
			if c.listDepth == c.depth && c.depth > 0 {
				c.keep(b[i : i+1])
				c.elements.end(&c.out)
				continue
			}
		}
		c.keep(b[i : i+1])
	}
}

func (c *compactor) endList() {
	c.elements.end(&c.out)
	c.elements.flush(&c.out)
	c.listDepth = 0
}

// sink is where text goes: into the element of the list that is cut, else out.
func (c *compactor) sink() *[]byte {
	if c.listDepth > 0 {
		return &c.elements.element
	}
	return &c.out
}

func (c *compactor) keep(b []byte) {
	sink := c.sink()
	if len(*sink)+len(c.out)+len(b) > maxCompacted {
		*sink = (*sink)[:0]
		c.out = append(c.out[:0], '?')
		return
	}
	*sink = append(*sink, b...)
}

func (c *compactor) text(b []byte) {
	c.turn(b)
	if n := min(keptHead-c.head, len(b)); n > 0 {
		c.keep(b[:n])
		c.head += n
		b = b[n:]
	}
	if len(b) > keptTail {
		c.skipped += len(c.tail) + len(b) - keptTail
		c.tail = append(c.tail[:0], b[len(b)-keptTail:]...)
		return
	}
	c.tail = append(c.tail, b...)
	if over := len(c.tail) - 2*keptTail; over > 0 {
		c.skipped += over + keptTail
		c.tail = c.tail[:copy(c.tail, c.tail[over+keptTail:])]
	}
}

// turn keeps count of backslashes at the end of the text.
func (c *compactor) turn(b []byte) {
	n := 0
	for n < len(b) && b[len(b)-1-n] == '\\' {
		n++
	}
	if len(b) > 0 {
		c.odd = n%2 == 1 != (n == len(b) && c.odd)
	}
}

func (c *compactor) endString() {
	if over := len(c.tail) - keptTail; over > 0 && (c.skipped > 0 || over > keptHead) {
		c.skipped += over
		c.tail = c.tail[over:]
	}
	if c.skipped > 0 {
		sink := c.sink()
		n := headEnd(*sink)
		c.skipped += len(*sink) - n
		*sink = (*sink)[:n]
		from := tailStart(c.tail)
		c.keep([]byte(`\n` + cutMark(c.skipped+from) + `\n`))
		c.tail = c.tail[from:]
	}
	c.keep(c.tail)
	c.keep([]byte{'"'})
	c.inString = false
}

// elements are those of a list that is cut: the first go straight out, the last wait in tail, with the comma behind
// each, until the list ends.
type elements struct {
	element []byte
	head    int
	tail    []byte
	lengths []int
	skipped int
}

func (e *elements) reset() {
	*e = elements{element: e.element[:0], tail: e.tail[:0], lengths: e.lengths[:0]}
}

// end takes the element that is complete.
func (e *elements) end(out *[]byte) {
	n := len(e.element)
	if e.head+n <= keptHead && len(e.lengths) == 0 {
		*out = append(*out, e.element...)
		e.head += n
	} else {
		e.tail = append(e.tail, e.element...)
		e.lengths = append(e.lengths, n)
	}
	e.element = e.element[:0]
	if len(e.tail) > 2*keptTail {
		e.drop()
	}
}

// drop forgets the oldest elements that wait, but never the last one.
func (e *elements) drop() {
	over, n := 0, 0
	for len(e.tail)-over > keptTail && n < len(e.lengths)-1 {
		over += e.lengths[n]
		n++
	}
	e.skipped += over
	e.tail = e.tail[:copy(e.tail, e.tail[over:])]
	e.lengths = e.lengths[:copy(e.lengths, e.lengths[n:])]
}

// flush writes out what waits, behind a mark of what was cut.
func (e *elements) flush(out *[]byte) {
	if e.skipped > 0 {
		e.drop()
		*out = append(*out, `"`+cutMark(e.skipped)+`",`...)
	}
	*out = append(*out, e.tail...)
}

// cutMark stands where text was cut out.
func cutMark(n int) string { return fmt.Sprintf("[… %d bytes cut …]", n) }

// headEnd gives where raw can be cut near its end without parting an escape or a letter.
func headEnd(raw []byte) int {
	n := len(raw)
	if i := bytes.LastIndexByte(raw[max(0, n-12):], '\\'); i >= 0 {
		n = max(0, n-12) + i
		for n > 0 && raw[n-1] == '\\' {
			n--
		}
	}
	for i := 1; i <= 3 && i <= n; i++ {
		if utf8.RuneStart(raw[n-i]) {
			if !utf8.FullRune(raw[n-i : n]) {
				n -= i
			}
			break
		}
	}
	return n
}

// tailStart gives where raw can begin without parting an escape or a letter.
func tailStart(raw []byte) int {
	clean := 0
	for i := 0; i < len(raw) && i < 4096; i++ {
		if clean >= 12 && raw[i] != '\\' && utf8.RuneStart(raw[i]) {
			return i
		}
		clean++
		if raw[i] == '\\' {
			clean = 0
		}
	}
	return len(raw)
}
