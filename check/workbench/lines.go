package workbench

import (
	"bytes"
	"fmt"
	"io"
	"unicode/utf8"
)

const (
	// bufferSize is how long a line may be to be looked at where it was read. A longer one is compacted.
	bufferSize = 256 << 10
	// keptHead and keptTail are what a long text of a long line keeps of its start and end.
	keptHead = 4 << 10
	keptTail = 64 << 10
	// maxCompacted is how long a line may be once its long texts are cut.
	maxCompacted = 4 << 20
)

// lines reads a log line by line in bounded memory. A line is good until the next one is asked for.
type lines struct {
	src        io.Reader
	buf        []byte
	start, end int
	eof        bool
	err        error
	long       compactor
	// number is the number, from 1, of the line that next gave last; whole tells whether it had a line break.
	number int
	whole  bool
}

func newLines(src io.Reader) *lines { return &lines{src: src, buf: make([]byte, bufferSize)} }

// next gives the next line without its line break. ok is false at the end. A line that is too long even when compacted
// is given empty of all but one byte that is no JSON.
func (l *lines) next() (line []byte, ok bool) {
	scanned := l.start
	for {
		if i := bytes.IndexByte(l.buf[scanned:l.end], '\n'); i >= 0 {
			line = l.buf[l.start : scanned+i]
			l.start = scanned + i + 1
			l.number, l.whole = l.number+1, true
			return line, true
		}
		scanned = l.end
		switch {
		case l.eof:
			return l.last()
		case l.start > 0:
			scanned -= l.start
			l.end = copy(l.buf, l.buf[l.start:l.end])
			l.start = 0
		case l.end == len(l.buf):
			return l.longLine(), true
		}
		l.fill()
	}
}

func (l *lines) last() ([]byte, bool) {
	if l.start == l.end {
		return nil, false
	}
	line := l.buf[l.start:l.end]
	l.start = l.end
	l.number, l.whole = l.number+1, false
	return line, true
}

func (l *lines) fill() {
	n, err := l.src.Read(l.buf[l.end:])
	l.end += n
	if err != nil {
		l.eof = true
		if err != io.EOF {
			l.err = err
		}
	}
}

// longLine compacts the line that fills the buffer and goes on behind it.
func (l *lines) longLine() []byte {
	l.number++
	l.long.reset()
	for {
		i := bytes.IndexByte(l.buf[l.start:l.end], '\n')
		if i >= 0 {
			l.long.add(l.buf[l.start : l.start+i])
			l.start += i + 1
			l.whole = true
			return l.long.out
		}
		l.long.add(l.buf[l.start:l.end])
		l.start, l.end = 0, 0
		if l.eof {
			l.whole = false
			return l.long.out
		}
		l.fill()
	}
}

// A compactor copies JSON and cuts the middle out of long strings as it goes, so that what comes out is JSON of a
// bounded size however long a text in it was.
type compactor struct {
	out      []byte
	inString bool
	// odd is whether the text so far ends in an odd number of backslashes.
	odd bool
	// head is how much of the current string is in out, tail its end, skipped what was between them.
	head    int
	tail    []byte
	skipped int
}

func (c *compactor) reset() { *c = compactor{out: c.out[:0], tail: c.tail[:0]} }

func (c *compactor) add(b []byte) {
	for len(b) > 0 {
		n := bytes.IndexByte(b, '"')
		switch {
		case !c.inString && n < 0:
			c.keep(b)
			return
		case !c.inString:
			c.keep(b[:n+1])
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

// keep appends what is outside of strings. A line that has too much of that is given up.
func (c *compactor) keep(b []byte) {
	if len(c.out)+len(b) > maxCompacted {
		c.out = append(c.out[:0], '?')
		return
	}
	c.out = append(c.out, b...)
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
		n := headEnd(c.out)
		c.skipped += len(c.out) - n
		c.out = c.out[:n]
		from := tailStart(c.tail)
		c.keep([]byte(`\n` + cutMark(c.skipped+from) + `\n`))
		c.tail = c.tail[from:]
	}
	c.keep(c.tail)
	c.keep([]byte{'"'})
	c.inString = false
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
