package workbench

import (
	"bufio"
	"bytes"
	"io"
)

// spreadLog gives a log that is one list, or whose records are spread over several lines, with a record on a line; any
// other log as it is.
func spreadLog(file io.Reader) io.Reader {
	b := bufio.NewReaderSize(file, 4096)
	head, _ := b.Peek(1024)
	head = bytes.TrimLeft(head, " \t\r\n")
	first, isList := bytes.CutPrefix(head, []byte("["))
	spread := bytes.HasPrefix(head, []byte("{")) && bytes.HasPrefix(bytes.TrimLeft(head[1:], " \t\r"), []byte("\n"))
	switch {
	case isList && bytes.HasPrefix(bytes.TrimLeft(first, " \t\r\n"), []byte("{")):
		return &recordReader{src: b, base: 1}
	case spread:
		return &recordReader{src: b}
	}
	return b
}

// maxJoined is how long a line of several records may grow before the next record gets one of its own.
const maxJoined = 32 << 10

// A recordReader takes the line breaks out of records as they stream by, and puts them behind, so that the numbers of
// lines stay. base is how deep a record lies.
type recordReader struct {
	src           *bufio.Reader
	base, depth   int
	inString, odd bool
	// start is whether a line starts here.
	start bool
	// owed are the line breaks that were taken out, length what the line has so far.
	owed, length int
	out          []byte
}

func (r *recordReader) Read(p []byte) (int, error) {
	for len(r.out) == 0 {
		line, err := r.src.ReadSlice('\n')
		for _, c := range line {
			r.add(c)
		}
		if err != nil && err != bufio.ErrBufferFull && len(r.out) == 0 {
			return 0, err
		}
	}
	n := copy(p, r.out)
	if r.out = r.out[n:]; len(r.out) == 0 {
		r.out = nil
	}
	return n, nil
}

func (r *recordReader) add(c byte) {
	if r.base == 0 && r.depth > 0 && c == '{' && r.start && !r.inString {
		r.restart()
	}
	r.start = c == '\n'
	r.length++
	switch {
	case c == '\n' && (r.inString || r.depth > r.base):
		r.owed++
		c = ' '
	case c == '\n':
		r.out = append(r.out, bytes.Repeat([]byte{'\n'}, r.owed)...)
		r.owed, r.length = 0, 0
	case r.inString:
		r.inString = c != '"' || r.odd
		r.odd = c == '\\' && !r.odd
	case c == '"':
		r.inString, r.odd = true, false
	case c == '{' || c == '[':
		r.depth++
	case c == '}' || c == ']':
		r.depth--
	case c == ',' && r.depth == r.base && r.length > maxJoined:
		c, r.length = '\n', 0
	}
	r.out = append(r.out, c)
}

// restart begins a record where one stands at the start of a line, so that one that was cut off takes no other with it.
func (r *recordReader) restart() {
	r.out = append(r.out, bytes.Repeat([]byte{'\n'}, r.owed)...)
	r.depth, r.owed, r.length = 0, 0, 0
}
