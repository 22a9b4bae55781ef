package gitstore

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// appendNote adds a line to a note, and leaves what stands there as it is. A line that stands there already is not
// added again.
func appendNote(note, line []byte) []byte {
	if slices.ContainsFunc(bytes.Split(note, []byte{'\n'}), func(l []byte) bool { return bytes.Equal(l, line) }) {
		return note
	}
	out := slices.Clone(note)
	if len(out) > 0 && !bytes.HasSuffix(out, []byte{'\n'}) {
		out = append(out, '\n')
	}
	return append(append(out, line...), '\n')
}

// mergeNotes joins two texts of one note, so that no line of either is lost. Both clones that merge come to the same
// text, whichever is first: lines that are no evidence keep their order and come first, those of the text that sorts
// first before the other's; then the evidence by time. A text that has every line of the other stays byte for byte.
func mergeNotes(a, b []byte) []byte {
	left, right := noteLinesOf(a), noteLinesOf(b)
	switch {
	case right.within(left) && left.within(right):
		return slices.MinFunc([][]byte{a, b}, bytes.Compare)
	case right.within(left):
		return a
	case left.within(right):
		return b
	}
	if bytes.Compare(a, b) > 0 {
		left, right = right, left
	}
	all := slices.Concat(left, right.without(left))
	slices.SortStableFunc(all, compareNoteLines)
	return []byte(strings.Join(all, "\n") + "\n")
}

// lines of a note; empty ones carry nothing.
type lines []string

func noteLinesOf(text []byte) lines {
	var l lines
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimRight(line, "\r\n"); line != "" {
			l = append(l, line)
		}
	}
	return l
}

func (l lines) within(o lines) bool { return len(l.without(o)) == 0 }

func (l lines) without(o lines) lines {
	return slices.DeleteFunc(slices.Clone(l), func(s string) bool { return slices.Contains(o, s) })
}

// compareNoteLines puts foreign lines, which it leaves in their order, before evidence, which it sorts by time.
func compareNoteLines(a, b string) int {
	x, isX := parseNoteLine([]byte(a))
	y, isY := parseNoteLine([]byte(b))
	switch {
	case !isX && !isY:
		return 0
	case !isX:
		return -1
	case !isY:
		return 1
	}
	return cmp.Or(x.At.Std().Compare(y.At.Std()), strings.Compare(a, b))
}
