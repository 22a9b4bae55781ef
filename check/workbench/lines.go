package workbench

import (
	"bytes"
	"io"
)

// bufferSize is how long a line may be to be looked at where it was read. A longer one is compacted.
const bufferSize = 256 << 10

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
