package workbench

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

const (
	// maxLines and maxOutput are how much a failing run keeps of its output's end, in lines and bytes; headOutput is how
	// many of these bytes its start gets where a single line is too long.
	maxLines   = 10
	maxOutput  = 2 << 10
	headOutput = 256
)

// output gives the end of what the command printed: of both streams together if the record has them so, else standard
// output and then standard error. Lists of lines are the same as the joined text.
func (r *reader) output(rec *record) string {
	whole := streamText(rec.tree(fieldOutput))
	if whole == "" {
		out, errs := streamText(rec.tree(fieldStdout)), streamText(rec.tree(fieldStderr))
		if out != "" && errs != "" && !strings.HasSuffix(out, "\n") {
			out += "\n"
		}
		whole = out + errs
	}
	return tailOf(r.mask(whole))
}

func streamText(n *node) string {
	switch {
	case n == nil:
		return ""
	case n.kind == list:
		lines := make([]string, len(n.items))
		for i, el := range n.items {
			lines[i] = strings.TrimSuffix(el.text, "\n")
		}
		return strings.Join(lines, "\n")
	case n.kind == object:
		return streamText(n.first("tail", "text", "content", "value"))
	}
	return n.text
}

// tailOf gives the last lines of a text; what is still too long is cut in its middle, with a mark that counts.
func tailOf(s string) string {
	s = strings.TrimRight(s, " \t\r\n")
	at := len(s)
	for n := 0; n < maxLines && at >= 0; n++ {
		at = strings.LastIndexByte(s[:at], '\n')
	}
	s = s[at+1:]
	if len(s) <= maxOutput {
		return s
	}
	head, tail := headOutput, len(s)-(maxOutput-headOutput-len("\n[… 1234567890 bytes cut …]\n"))
	for head > 0 && !utf8.RuneStart(s[head]) {
		head--
	}
	for tail < len(s) && !utf8.RuneStart(s[tail]) {
		tail++
	}
	return s[:head] + "\n" + cutMark(tail-head+cutBefore(s[head:tail])) + "\n" + s[tail:]
}

// cutBefore is how much more than the mark itself was cut where a mark is cut away.
func cutBefore(s string) int {
	_, rest, found := strings.Cut(s, "\n[… ")
	n := 0
	if found {
		if _, err := fmt.Sscanf(rest, "%d bytes cut", &n); err != nil {
			return 0
		}
		n = max(0, n-len("\n"+cutMark(n)+"\n"))
	}
	return n
}
