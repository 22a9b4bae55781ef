package render

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Width is how many columns of a terminal s takes: 2 for what is wide, 0 for what combines with what stands before it.
func Width(s string) int {
	if isPlain(s) {
		return len(s) - strings.Count(s, "\n")
	}
	return uniseg.StringWidth(s)
}

// Wrap breaks text into lines of at most width columns: at blanks, between wide characters, and in the middle of a
// word only if the word alone is longer than a line. Line feeds in the text stay.
func Wrap(s string, width int) []string {
	var lines []string
	for _, r := range wrap(s, width, nil) {
		lines = append(lines, s[r.start:r.end])
	}
	return lines
}

// Cut shortens s to at most width columns; what was cut ends in an ellipsis.
func Cut(s string, width int) string {
	if Width(s) <= width {
		return s
	}
	n := prefix(s, max(width-1, 0))
	return strings.TrimRight(s[:n], " ") + "…"
}

// Pad fills s with blanks up to width columns.
func Pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-Width(s)))
}

// A stretch is a part of a string, in bytes, and its width in columns.
type stretch struct{ start, end, width int }

// wrap is Wrap on positions. whole says which words are never cut; nil cuts every word that is too long.
func wrap(s string, width int, whole func(stretch) bool) []stretch {
	width = max(width, 1)
	var lines []stretch
	start := 0
	for line := range strings.SplitSeq(s, "\n") {
		lines = append(lines, wrapLine(s, stretch{start: start, end: start + len(line)}, width, whole)...)
		start += len(line) + 1
	}
	return lines
}

func wrapLine(s string, line stretch, width int, whole func(stretch) bool) []stretch {
	var lines []stretch
	cur := stretch{start: line.start, end: line.start}
	for _, word := range words(s, line) {
		gap := Width(s[cur.end:word.start])
		if cur.width+gap+word.width <= width {
			cur.end, cur.width = word.end, cur.width+gap+word.width
			continue
		}
		if cur.end > cur.start {
			lines = append(lines, cur)
		}
		cur = word
		if whole == nil || !whole(word) {
			var full []stretch
			full, cur = cutWord(s, word, width)
			lines = append(lines, full...)
		}
	}
	return append(lines, cur)
}

// cutWord cuts a word into full lines and what is left of it.
func cutWord(s string, word stretch, width int) (full []stretch, rest stretch) {
	for word.width > width {
		n := max(prefix(s[word.start:word.end], width), firstCluster(s[word.start:word.end]))
		if word.start+n == word.end {
			break
		}
		head := stretch{word.start, word.start + n, Width(s[word.start : word.start+n])}
		full = append(full, head)
		word.start, word.width = head.end, word.width-head.width
	}
	return full, word
}

// words are the parts of a line that are kept together where that is possible, without the blanks between them.
func words(s string, line stretch) []stretch {
	var found []stretch
	last := rune(' ')
	state, rest := -1, s[line.start:line.end]
	for pos := line.start; rest != ""; {
		var cluster string
		var width int
		cluster, rest, width, state = uniseg.FirstGraphemeClusterInString(rest, state)
		r, _ := utf8.DecodeRuneInString(cluster)
		if r == ' ' && cluster != " " {
			r = 'x' // a mark that combines with a blank is no blank: it must not vanish at the end of a line
		}
		switch {
		case r == ' ':
		case last == ' ', breaksBetween(last, r):
			found = append(found, stretch{pos, pos + len(cluster), width})
		default:
			found[len(found)-1].end += len(cluster)
			found[len(found)-1].width += width
		}
		last, pos = r, pos+len(cluster)
	}
	return found
}

// breaksBetween reports whether a line may end between two characters that no blank parts: beside an ideograph or
// another wide character, but not before what closes nor behind what opens.
func breaksBetween(a, b rune) bool {
	if a < 0x1100 && b < 0x1100 {
		return false
	}
	if uniseg.StringWidth(string(a)) < 2 && uniseg.StringWidth(string(b)) < 2 {
		return false
	}
	return !unicode.In(b, unicode.Pe, unicode.Pf, unicode.Po) && !unicode.In(a, unicode.Ps, unicode.Pi)
}

// prefix is the length of the longest start of s that is at most width columns wide and ends between clusters.
func prefix(s string, width int) int {
	n, used, state, rest := 0, 0, -1, s
	for rest != "" {
		var cluster string
		var w int
		cluster, rest, w, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if used += w; used > width {
			break
		}
		n += len(cluster)
	}
	return n
}

func firstCluster(s string) int {
	cluster, _, _, _ := uniseg.FirstGraphemeClusterInString(s, -1)
	return len(cluster)
}
