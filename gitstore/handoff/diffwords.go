package handoff

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Span is a piece of a text that changed: what both have, what only the old has, or what only the new has.
type Span struct {
	Op   SpanOp `json:"op"`
	Text string `json:"text"`
}

// SpanOp says which of two texts has a span.
type SpanOp string

const (
	SpanBoth SpanOp = "="
	SpanOld  SpanOp = "-"
	SpanNew  SpanOp = "+"
)

// maxWordCells bounds the table of a word difference: about 700 changed words against 700.
const maxWordCells = 1 << 19

// WordDiff tells two texts apart word by word. The spans in both or in the old joined are the old text, those in both
// or in the new the new. Where the part that changed is very long it is one old span and one new.
func WordDiff(before, after string) []Span {
	a, b := splitWords(before), splitWords(after)
	head := 0
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var s spans
	s.add(SpanBoth, a[:head]...)
	s.addChanged(a[head:len(a)-tail], b[head:len(b)-tail])
	s.add(SpanBoth, a[len(a)-tail:]...)
	return s.joined()
}

// splitWords cuts a text into words, runs of blanks, and single other characters. Scripts that write no blanks are
// cut character by character.
func splitWords(s string) []string {
	var out []string
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if class := wordClass(r); class != singleRune {
			n = len(s)
			if i := strings.IndexFunc(s, func(r rune) bool { return wordClass(r) != class }); i >= 0 {
				n = i
			}
		}
		out, s = append(out, s[:n]), s[n:]
	}
	return out
}

const (
	singleRune = iota
	wordRune
	blankRune
)

func wordClass(r rune) int {
	switch {
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
		return singleRune
	case unicode.IsLetter(r), unicode.IsNumber(r), unicode.IsMark(r), r == '_':
		return wordRune
	case unicode.IsSpace(r):
		return blankRune
	}
	return singleRune
}

// spans collects spans; old and new text between two common spans is gathered into one of each.
type spans struct {
	out      []Span
	old, new strings.Builder
}

func (s *spans) add(op SpanOp, words ...string) {
	text := strings.Join(words, "")
	switch {
	case text == "":
	case op == SpanOld:
		s.old.WriteString(text)
	case op == SpanNew:
		s.new.WriteString(text)
	default:
		s.flush()
		s.out = append(s.out, Span{SpanBoth, text})
	}
}

func (s *spans) flush() {
	if s.old.Len() > 0 {
		s.out = append(s.out, Span{SpanOld, s.old.String()})
	}
	if s.new.Len() > 0 {
		s.out = append(s.out, Span{SpanNew, s.new.String()})
	}
	s.old.Reset()
	s.new.Reset()
}

// addChanged adds what is between the common beginning and the common end, by a longest common subsequence.
func (s *spans) addChanged(a, b []string) {
	if len(a)*len(b) > maxWordCells {
		s.add(SpanOld, a...)
		s.add(SpanNew, b...)
		return
	}
	lengths := commonLengths(a, b)
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			s.add(SpanBoth, a[i])
			i, j = i+1, j+1
		case lengths[i+1][j] >= lengths[i][j+1]:
			s.add(SpanOld, a[i])
			i++
		default:
			s.add(SpanNew, b[j])
			j++
		}
	}
	s.add(SpanOld, a[i:]...)
	s.add(SpanNew, b[j:]...)
}

// wordWeight is what a common word counts against common blanks: they decide only between equals.
const wordWeight = 8

// commonLengths[i][j] is how much a[i:] and b[j:] have in common, in order.
func commonLengths(a, b []string) [][]uint16 {
	rows := make([][]uint16, len(a)+1)
	for i := range rows {
		rows[i] = make([]uint16, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] != b[j] {
				rows[i][j] = max(rows[i+1][j], rows[i][j+1])
				continue
			}
			rows[i][j] = rows[i+1][j+1] + 1
			if strings.TrimSpace(a[i]) != "" {
				rows[i][j] += wordWeight - 1
			}
		}
	}
	return rows
}

// joined is the result, in which a blank between two changes is part of both: whole phrases are easier to read.
func (s *spans) joined() []Span {
	s.flush()
	var out spans
	for i, x := range s.out {
		between := i > 0 && i < len(s.out)-1 && x.Op == SpanBoth && strings.TrimSpace(x.Text) == ""
		if between && changedAround(s.out, i) {
			out.add(SpanOld, x.Text)
			out.add(SpanNew, x.Text)
			continue
		}
		out.add(x.Op, x.Text)
	}
	out.flush()
	return slices.Clip(mergeCommon(out.out))
}

// changedAround reports whether both texts differ before and after the span, so that joining it loses nothing common.
func changedAround(all []Span, i int) bool {
	return all[i-1].Op != SpanBoth && all[i+1].Op != SpanBoth
}

func mergeCommon(in []Span) []Span {
	var out []Span
	for _, x := range in {
		if n := len(out); n > 0 && out[n-1].Op == x.Op {
			out[n-1].Text += x.Text
			continue
		}
		out = append(out, x)
	}
	return out
}
