package secrets

import "strings"

// homeRoots are the folders under which systems keep home folders, longest first. A backslash stands for either
// separator, once or, as JSON writes it, twice.
var homeRoots = []string{"/var/home/", "/export/home/", "/home/", "/Users/"}

// Home writes home folders, this user's (home, which may be empty) and other people's, as ~.
func Home(text, home string) string {
	if home = strings.TrimRight(home, `/\`); len(home) > 2 {
		text = ownHome(text, home)
		if doubled := strings.ReplaceAll(home, `\`, `\\`); doubled != home {
			text = ownHome(text, doubled)
		}
	}
	return otherHomes(text)
}

func ownHome(text, home string) string {
	var b strings.Builder
	at := 0
	for {
		i := strings.Index(text[at:], home)
		if i < 0 {
			break
		}
		i += at
		end := i + len(home)
		b.WriteString(text[at:i])
		if pathStart(text, i) && (end == len(text) || !homeName(text[end])) {
			b.WriteByte('~')
		} else {
			b.WriteString(home)
		}
		at = end
	}
	return b.String() + text[at:]
}

func otherHomes(text string) string {
	if !strings.Contains(text, "home/") && !strings.Contains(text, "Users") {
		return text
	}
	var b strings.Builder
	at := 0
	for i := 0; i < len(text); i++ {
		if text[i] != '/' && !letter(text[i]) {
			continue
		}
		if n := homeLength(text[i:]); n > 0 && pathStart(text, i) {
			b.WriteString(text[at:i])
			b.WriteByte('~')
			at = i + n
			i = at - 1
		}
	}
	return b.String() + text[at:]
}

// homeLength measures the home folder that s starts with; 0 if it starts with none.
func homeLength(s string) int {
	root := windowsRoot(s)
	windows := root > 0
	for _, r := range homeRoots {
		if root == 0 && strings.HasPrefix(s, r) {
			root = len(r)
		}
	}
	n := root
	for n < len(s) && homeName(s[n]) {
		n++
	}
	name := strings.TrimRight(s[root:n], ".")
	if root == 0 || name == "" || name == "Shared" || name == "Public" {
		return 0
	}
	if windows {
		return windowsName(s, root, root+len(name))
	}
	return root + len(name)
}

// windowsRoot measures C:\Users\, also with slashes, doubled, and as /c/Users/ and /mnt/c/Users/.
func windowsRoot(s string) int {
	i := 0
	switch {
	case len(s) > 2 && letter(s[0]) && s[1] == ':':
		i = 2
	case strings.HasPrefix(s, "/mnt/") && len(s) > 6 && letter(s[5]):
		i = 6
	case len(s) > 2 && s[0] == '/' && letter(s[1]) && s[2] == '/':
		i = 2
	default:
		return 0
	}
	j := separators(s, i)
	rest := s[j:]
	if j == i || len(rest) < 5 || !strings.EqualFold(rest[:5], "Users") {
		return 0
	}
	if end := separators(s, j+5); end > j+5 {
		return end
	}
	return 0
}

func separators(s string, i int) int {
	for n := 0; n < 4 && i < len(s) && (s[i] == '\\' || s[i] == '/'); n++ {
		i++
	}
	return i
}

// windowsName takes a user name with blanks in it as far as the separator behind it.
func windowsName(s string, root, end int) int {
	for i := end; i < len(s) && i-root < 40; i++ {
		switch {
		case s[i] == '\\':
			return i
		case s[i] != ' ' && !homeName(s[i]):
			return end
		}
	}
	return end
}

func homeName(c byte) bool {
	return alnum(c) || c == '_' || c == '-' || c == '.' || c >= 0x80
}

// pathStart reports whether a path can begin at i: nothing that is part of a path stands before it. The letter of a
// flag (-I/home/x) or of an escape does not count.
func pathStart(text string, i int) bool {
	if i == 0 {
		return true
	}
	c := text[i-1]
	if c == '/' {
		return i > 1 && text[i-2] == '/'
	}
	if !alnum(c) {
		return c != '_' && c != '.' && c != '~' && c != '\\' && c < 0x80
	}
	return escaped(text, i) || i > 1 && text[i-2] == '-' && (i == 2 || !alnum(text[i-3]))
}
