package secrets

import "strings"

// maxSetting is how far behind its command the name of a setting is looked for.
const maxSetting = 120

// setting finds the value in NAME VALUE behind the command at at that sets a variable or a secret to it.
func setting(text string, at int) (start, end int, ok bool) {
	if joined(text, at) {
		return 0, 0, false
	}
	line := restOfLine(text[at:min(len(text), at+maxSetting)])
	for i, w := range strings.Fields(line) {
		switch k := kindOf(w); {
		case i == 0 || w == "set" || strings.HasPrefix(w, "-"):
		case k < token || !identifier(w) || w != strings.ToUpper(w):
			return 0, 0, false
		default:
			return settingValue(text, at+strings.Index(line, w)+len(w), k)
		}
	}
	return 0, 0, false
}

// settingValue takes the word behind a name, or the one behind the flag that gives it (--body X).
func settingValue(text string, i int, k kind) (start, end int, ok bool) {
	i = skipBlanks(text, i)
	for _, flag := range []string{"--body", "-b"} {
		if rest, found := strings.CutPrefix(text[i:], flag); found && rest != "" && (blank(rest[0]) || rest[0] == '=') {
			i = skipBlanks(text, i+len(flag)+1)
		}
	}
	start, end, quoted := valueAt(text, i)
	v := text[start:end]
	if end-start < 3 || v[0] == '-' || placeholder(v) || path(v) {
		return 0, 0, false
	}
	return start, end, strong(v) && len(v) >= 8 || k == password && (quoted || restOfLine(text[end:]) == "")
}
