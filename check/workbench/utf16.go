package workbench

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// byteOrder tells UTF-16 from UTF-8 by its mark or, without one, by the zero byte beside the first ASCII letter; nil
// is UTF-8.
func byteOrder(head []byte) binary.ByteOrder {
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe")):
		return binary.LittleEndian
	case bytes.HasPrefix(head, []byte("\xfe\xff")):
		return binary.BigEndian
	case len(head) < 4:
		return nil
	case head[0] != 0 && head[1] == 0 && head[2] != 0 && head[3] == 0:
		return binary.LittleEndian
	case head[0] == 0 && head[1] != 0 && head[2] == 0 && head[3] != 0:
		return binary.BigEndian
	}
	return nil
}

// utf16Reader turns UTF-16 into UTF-8 as it is read.
type utf16Reader struct {
	src   *bufio.Reader
	order binary.ByteOrder
	out   []byte
	held  rune
	start bool
}

func newUTF16(src io.Reader, order binary.ByteOrder) *utf16Reader {
	return &utf16Reader{src: bufio.NewReaderSize(src, 64<<10), order: order, start: true}
}

func (u *utf16Reader) Read(p []byte) (int, error) {
	for len(u.out) == 0 {
		if err := u.fill(); err != nil {
			return 0, err
		}
	}
	n := copy(p, u.out)
	u.out = u.out[n:]
	return n, nil
}

// fill decodes the next few code units. An odd byte at the end, and half of a pair, become U+FFFD.
func (u *utf16Reader) fill() error {
	u.out = u.out[:0]
	for len(u.out) < 4096 {
		var unit [2]byte
		n, err := io.ReadFull(u.src, unit[:])
		if n < 2 {
			u.flush()
			if n == 1 {
				u.out = utf8.AppendRune(u.out, utf8.RuneError)
			}
			if len(u.out) > 0 {
				return nil
			}
			return endOf(err)
		}
		u.add(rune(u.order.Uint16(unit[:])))
	}
	return nil
}

func endOf(err error) error {
	if err == io.ErrUnexpectedEOF {
		return io.EOF
	}
	return err
}

func (u *utf16Reader) add(c rune) {
	if u.start && c == 0xfeff {
		u.start = false
		return
	}
	u.start = false
	if u.held != 0 {
		if pair := utf16.DecodeRune(u.held, c); pair != utf8.RuneError {
			u.held = 0
			u.out = utf8.AppendRune(u.out, pair)
			return
		}
		u.flush()
	}
	if 0xd800 <= c && c < 0xdc00 {
		u.held = c
		return
	}
	u.out = utf8.AppendRune(u.out, c)
}

// flush gives up on a high surrogate that has no partner.
func (u *utf16Reader) flush() {
	if u.held != 0 {
		u.out = utf8.AppendRune(u.out, utf8.RuneError)
		u.held = 0
	}
}
