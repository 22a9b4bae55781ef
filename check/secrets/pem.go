package secrets

import "strings"

// maxKey is how far the end of a private key is looked for.
const maxKey = 64 << 10

// privateKey finds the key that starts with the BEGIN line at at: up to its END line, or, if the text was cut, as far
// as lines look like one. A line that is only spoken of, with no key after it, is none.
func privateKey(text string, at int) (start, end int, ok bool) {
	label, body, found := pemLabel(text[at:])
	if !found {
		return 0, 0, false
	}
	body += at
	rest := text[body:min(len(text), body+maxKey)]
	if i := strings.Index(rest, "BEGIN "); i >= 0 {
		rest = rest[:i]
	}
	if i := strings.Index(rest, "END "+label); i >= 0 && keyBody(rest[:i]) {
		return at, body + i + len("END "+label) + dashes(rest[i+len("END "+label):]), true
	}
	n := keyLines(text[body:])
	return at, body + n, keyMaterial(text[body : body+n])
}

// pemLabel reads "-----BEGIN label-----" and gives the label, if it is one of private keys, and where the line ends.
func pemLabel(s string) (label string, end int, ok bool) {
	i := strings.Index(s, "BEGIN ") + len("BEGIN ")
	line := s[i:min(len(s), i+64)]
	n := strings.IndexByte(line, '-')
	if n < 0 {
		return "", 0, false
	}
	label = strings.TrimRight(line[:n], " ")
	return label, i + n + dashes(line[n:]), strings.Contains(label, "PRIVATE KEY")
}

// dashes counts the dashes that s starts with, blanks between them included.
func dashes(s string) int {
	n := 0
	for n < len(s) && n < 6 && (s[n] == '-' || s[n] == ' ') {
		n++
	}
	return len(strings.TrimRight(s[:n], " "))
}

// keyMaterial reports whether s has at least a few letters of a key.
func keyMaterial(s string) bool {
	n := 0
	for i := 0; i < len(s) && n < 8; i++ {
		if alnum(s[i]) {
			n++
		}
	}
	return n >= 8
}

// keyBody reports whether what stands between BEGIN and END is a key and not a word between two that are spoken of.
func keyBody(s string) bool {
	s = strings.TrimRight(s, "- \t\r\n")
	return keyMaterial(s) && (longestRun(s) >= 16 || !strings.Contains(strings.TrimSpace(s), " "))
}

func longestRun(s string) int {
	longest := 0
	for i := 0; i < len(s); i++ {
		n := base64Run(s[i:])
		longest = max(longest, n)
		i += n
	}
	return longest
}

// keyLines measures how much of s is lines of base64 or headers of a key (Proc-Type: …). Line breaks may be escaped
// as \n or \r\n, lines may be indented or quoted.
func keyLines(s string) int {
	end := 0
	for i := 0; i < len(s); {
		j := lineStart(s, i)
		n := base64Run(s[j:])
		whole := j+n == len(s) || strings.IndexByte("\r\n\"'\\", s[j+n]) >= 0
		switch {
		case j == i && i > 0:
			return end
		case n >= 16 && whole, end > 0 && n > 0 && whole && (s[j+n-1] == '=' || j+n == len(s)):
			end = j + n
		default:
			if n = keyHeader(s[j:]); n == 0 {
				return end
			}
		}
		i = j + n
	}
	return end
}

// lineStart skips line breaks, written out or escaped, indentation and the marks of a quotation.
func lineStart(s string, i int) int {
	for i < len(s) {
		switch {
		case strings.IndexByte(" \t\r\n>|\"'+,", s[i]) >= 0:
			i++
		case s[i] == '\\' && i+1 < len(s) && strings.IndexByte("nrt\\", s[i+1]) >= 0:
			i += 2
		default:
			return i
		}
	}
	return i
}

func base64Run(s string) int {
	n := 0
	for n < len(s) && (alnum(s[n]) || s[n] == '/' || s[n] == '+' || s[n] == '=') {
		n++
	}
	return n
}

// keyHeader measures a header line that a key may have before its base64.
func keyHeader(s string) int {
	for _, h := range []string{"Proc-Type:", "DEK-Info:", "Version:", "Comment:"} {
		if strings.HasPrefix(s, h) {
			if n := strings.IndexAny(s, "\r\n\\"); n > 0 && n < 200 {
				return n
			}
		}
	}
	return 0
}

// privateKeyEnd finds the rest of a key whose BEGIN line was cut off, by its END line at at.
func privateKeyEnd(text string, at int) (start, end int, ok bool) {
	line := text[at+len("-----END "):]
	n := strings.IndexByte(line[:min(len(line), 64)], '-')
	if n < 0 || !strings.Contains(line[:n], "PRIVATE KEY") {
		return 0, 0, false
	}
	end = at + len("-----END ") + n + dashes(line[n:])
	start = at
	for {
		lineEnd := breakBefore(text, start)
		begin := lineEnd
		for begin > 0 && base64Run(text[begin-1:begin]) == 1 {
			begin--
		}
		begin += escapeLetter(text, begin)
		if lineEnd == start || lineEnd-begin < 16 && (start != at || lineEnd-begin < 4) {
			break
		}
		start = begin
	}
	return start, end, start < at
}

// breakBefore gives where the line before i ends: i less the line break and indentation, which may be escaped.
func breakBefore(text string, i int) int {
	for i > 0 {
		switch {
		case strings.IndexByte(" \t\r\n>|\"'+,", text[i-1]) >= 0:
			i--
		case i > 1 && text[i-2] == '\\' && (text[i-1] == 'n' || text[i-1] == 'r'):
			i -= 2
		default:
			return i
		}
	}
	return i
}

// escapeLetter is 1 if the byte at i is the letter of an escaped line break, which is no part of the line after it.
func escapeLetter(text string, i int) int {
	if i > 0 && text[i-1] == '\\' && i < len(text) && (text[i] == 'n' || text[i] == 'r') {
		return 1
	}
	return 0
}

// puttyKey finds the private part of a PuTTY key file.
func puttyKey(text string, at int) (start, end int, ok bool) {
	line := text[at:]
	n := strings.IndexAny(line, "\r\n\\")
	if n < 0 || n > 40 {
		return 0, 0, false
	}
	k := keyLines(line[n:])
	first := lineStart(line, n)
	return at + first, at + n + k, n+k > first && keyMaterial(line[first:n+k])
}
