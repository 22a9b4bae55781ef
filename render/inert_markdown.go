package render

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// nothing is a zero-width space. It parts what hosts recognise after they have rendered Markdown, where a backslash no
// longer helps: names after @, numbers of issues and merge requests, addresses. Written as an entity it is visible in
// the source, and in hexadecimal it is not itself the number of an issue.
const nothing = "&#x200B;"

// inline makes one line of text inert in Markdown (GitHub's flavour, and what GitLab adds to it): it shows as written, and
// nothing in it is a heading, a list, a table, a link, HTML, emphasis, a mention, a reference to an issue or a command
// to a bot. White space at its ends goes; line breaks are folded.
func inline(s string) string {
	line := Folded(s)
	var b strings.Builder
	marker := blockMarker(line)
	for i, r := range line {
		if i == marker {
			b.WriteByte('\\')
		}
		b.WriteString(inlineAt(line, i, r))
	}
	return b.String()
}

// paragraphs is inline for text of several lines: a line break stays one (a backslash at the end of the line, which all
// flavours read the same way behind anything but a backslash), an empty line parts paragraphs.
func paragraphs(s string) string {
	var b strings.Builder
	gap := ""
	for line := range strings.Lines(Inert(s)) {
		text := inline(line)
		if text == "" {
			if b.Len() > 0 {
				gap = "\n\n"
			}
			continue
		}
		if before, found := strings.CutSuffix(text, `\\`); found {
			text = before + "&#x5C;"
		}
		b.WriteString(gap + text)
		gap = "\\\n"
	}
	return b.String()
}

// blockMarker is where the character stands that gives the start of a line a meaning, or -1: that of a block, or the slash
// of a command that hosts and bots obey.
func blockMarker(line string) int {
	if line == "" {
		return -1
	}
	if strings.IndexByte("#>+-=:/", line[0]) >= 0 {
		return 0
	}
	digits := 0
	for digits < len(line) && isDigit(rune(line[digits])) {
		digits++
	}
	if digits > 0 && digits < len(line) && (line[digits] == '.' || line[digits] == ')') {
		return digits
	}
	return -1
}

// inlineAt is the inert form of the rune r at line[i:].
func inlineAt(line string, i int, r rune) string {
	before, _ := utf8.DecodeLastRuneInString(line[:i])
	rest := line[i+utf8.RuneLen(r):]
	after, _ := utf8.DecodeRuneInString(rest)
	switch r {
	case '\\', '`', '*', '[', ']', '<', '|', '~', '$':
		return `\` + string(r)
	case '_':
		if isWord(before) && isWord(after) {
			return "_"
		}
		return `\_`
	case '&':
		return ampersand(after)
	case '%':
		// GitLab makes a link to a milestone of %5, %name and %"a name".
		if !isWord(before) && (isWord(after) || after == '"' || after == '_') {
			return `\%`
		}
	}
	return string(r) + parted(line[:i], r, rest, after)
}

func ampersand(after rune) string {
	switch {
	case isDigit(after):
		return "&" + nothing
	case after == '#', after < utf8.RuneSelf && isWord(after):
		return `\&`
	}
	return "&"
}

// parted is what stands behind r so that no host makes a link, a mention or a picture of it and what follows.
func parted(before string, r rune, rest string, after rune) string {
	switch {
	case r == '@' && rest != "" && after != ' ',
		(r == '#' || r == '!') && isDigit(after),
		r == ':' && (strings.HasPrefix(rest, "//") || isShortcode(rest)),
		r == '-' && isDigit(after) && endsFold(before, "gh"),
		(r == 'w' || r == 'W') && after == '.' && endsFold(before, "ww"):
		return nothing
	}
	return ""
}

// isShortcode reports whether s continues an emoji's :name:, whose second colon may also be the template's.
func isShortcode(s string) bool {
	name, _, _ := strings.Cut(s, ":")
	if name == "" || isDigit(rune(name[0])) {
		return false
	}
	return strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-") == ""
}

func endsFold(s, end string) bool {
	return len(s) >= len(end) && strings.EqualFold(s[len(s)-len(end):], end)
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

func isWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// codeSpan shows text exactly, on one line, as code: between more backticks than it has in a row.
func codeSpan(s string) string {
	s = InertLine(s)
	if strings.TrimSpace(s) == "" {
		return "(empty)"
	}
	ticks := strings.Repeat("`", longestRun(s, '`')+1)
	first, last := s[0], s[len(s)-1]
	if first == '`' || last == '`' || first == ' ' || last == ' ' {
		s = " " + s + " "
	}
	return ticks + s + ticks
}

// codeCell is codeSpan in a cell of a table, where a bar ends the cell even in code. A backslash before a bar cannot be
// written in code there, so such a text is shown without.
func codeCell(s string) string {
	if strings.Contains(s, `\|`) {
		return cell(InertLine(s))
	}
	return strings.ReplaceAll(codeSpan(s), "|", `\|`)
}

// cell is inline for a cell of a table. Bars are escaped by inline; an empty cell stays one.
func cell(s string) string { return inline(s) }

// fence shows lines exactly, as a block of code: between more backticks than they have in a row, so that nothing in
// them closes it. Every line starts with indent.
func fence(s, info, indent string) string {
	s = strings.TrimRight(Inert(s), "\n")
	ticks := strings.Repeat("`", max(3, longestRun(s, '`')+1))
	var b strings.Builder
	for _, line := range append(append([]string{ticks + info}, strings.Split(s, "\n")...), ticks) {
		b.WriteString(strings.TrimRight(indent+line, " ") + "\n")
	}
	return b.String()
}

// longestRun is how often c stands in a row in s, at most.
func longestRun(s string, c byte) int {
	longest, run := 0, 0
	for i := 0; i < len(s); i++ {
		if s[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
