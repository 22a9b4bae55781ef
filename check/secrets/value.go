package secrets

import "strings"

// words are a list of words, with a blank between two; a constant costs a program nothing when it starts.
type words string

func (w words) has(word string) bool {
	for at := 0; word != ""; {
		i := strings.Index(string(w[at:]), word)
		if i < 0 {
			break
		}
		i += at
		at = i + len(word)
		if (i == 0 || w[i-1] == ' ') && (at == len(w) || w[at] == ' ') {
			return !strings.Contains(word, " ")
		}
	}
	return false
}

// notSecret are words that stand where a secret would, in documentation, code and forms.
const notSecret = words("password passwd passphrase secret token apikey api_key api-key key value values string str text " +
	"none null nil undefined true false yes no on off required optional redacted masked hidden removed omitted filtered " +
	"changeme change-me change_me replaceme replace-me replace_me placeholder todo tbd fixme n/a na unset unknown missing invalid " +
	"example sample dummy fake foo bar prompt inherit stdin expired empty default file env pass user username " +
	"bearer basic wrong incorrect int bool object bytes any optional[str] secretstr not is was the a an for and or from in to " +
	"must should can cannot handling handler rotation leaked leaks works fails check checks auth authentication here " +
	"option options flag flags switch switches argument arguments parameter parameters command commands description when with " +
	"include same-origin if may might will would could but that which this these it are be been has have by as at so then than only also now " +
	"simultaneously respectively instead mode support input output prompted added removed fixed changed updated renamed new old word phrase")

// placeholder reports whether v stands for a value: a variable, a word in angle brackets, crosses, "changeme".
func placeholder(v string) bool {
	v = strings.Trim(v, "\"'`*_ \t")
	low := strings.ToLower(v)
	switch {
	case low == "", notSecret.has(strings.TrimRight(low, ".,;:!?")), variable(v), crossed(low):
		return true
	case strings.HasPrefix(low, "your"), strings.HasPrefix(low, "insert"), strings.HasPrefix(low, "enter-"), strings.HasPrefix(low, "enter_"):
		return true
	case strings.HasSuffix(low, "-here"), strings.HasSuffix(low, "_here"), strings.HasSuffix(low, "..."), strings.HasSuffix(low, "…"):
		return true
	}
	for _, part := range []string{"redacted", "changeme", "placeholder", "change-me", "change_me", "replace-with", "replace_with", "****", "xxxx", "••••"} {
		if strings.Contains(low, part) {
			return true
		}
	}
	return false
}

// variable reports whether v is a reference that a shell, a template or a form fills in.
func variable(v string) bool {
	for _, open := range []string{"${", "{{", "$(", "#{", "<%", "%("} {
		if strings.Contains(v, open) {
			return true
		}
	}
	first, last := v[0], v[len(v)-1]
	switch first {
	case '<':
		return last == '>' || !strings.ContainsAny(v, "0123456789")
	case '{':
		return last == '}'
	case '[':
		return last == ']' || strings.HasPrefix(v, "[REDACTED")
	case '%':
		return len(v) == 2 || len(v) > 2 && last == '%'
	case '$':
		return identifier(strings.TrimPrefix(v[1:], "env:"))
	}
	return false
}

// crossed reports whether v is only filling: xxxx, ****, ....; with one letter alone, or two that alternate.
func crossed(v string) bool {
	body := strings.Trim(v, "x*.•-_?#0")
	if body == "" {
		return true
	}
	return len(v) >= 8 && distinct(v) <= 2
}

// placeholderToken reports whether a token of a known format is one that documentation shows: its tail is filling.
func placeholderToken(v string) bool {
	if strings.ContainsAny(v, "$<>{}") && placeholder(v) {
		return true
	}
	low := strings.ToLower(v)
	return distinct(low[max(0, len(low)-16):]) <= 2 || strings.Contains(low, "xxxxxxxx") || strings.Contains(low, "your_") || strings.Contains(low, "your-")
}

// distinct counts the different letters and digits of s.
func distinct(s string) int {
	var seen [256]bool
	n := 0
	for i := 0; i < len(s); i++ {
		if alnum(s[i]) && !seen[s[i]] {
			seen[s[i]] = true
			n++
		}
	}
	return n
}

// strong reports whether v is no word: it mixes letters and digits, or capitals inside, or is very long.
func strong(v string) bool {
	var digits, lowers, inner int
	for i := 0; i < len(v); i++ {
		switch {
		case digit(v[i]):
			digits++
		case lower(v[i]):
			lowers++
		case upper(v[i]) && i > 0 && lower(v[i-1]):
			inner++
		}
	}
	letters := lowers + inner
	return len(v) >= 6 && (digits > 0 && (letters > 0 || strings.ToUpper(v) != strings.ToLower(v)) || inner > 1) || len(v) >= 24 && !strings.ContainsAny(v, " ./")
}

// varied reports whether v is no stretch of encoded zeros.
func varied(v string) bool { return distinct(v) >= 16 }

// path reports whether v names a file.
func path(v string) bool {
	if strings.HasSuffix(v, "=") || strings.ContainsAny(v, "+") {
		return false
	}
	switch {
	case strings.HasPrefix(v, "./"), strings.HasPrefix(v, "../"), strings.HasPrefix(v, "~/"), v == "~", v == "/", v == ".":
		return true
	case len(v) > 2 && letter(v[0]) && v[1] == ':' && (v[2] == '\\' || v[2] == '/'):
		return true
	case strings.HasPrefix(v, "/"):
		return len(v) < 200 && (strings.Count(v, "/") > 1 || !strings.ContainsAny(v, "0123456789!@#$%^&*"))
	}
	i, dot := strings.IndexByte(v, '/'), strings.LastIndexByte(v, '.')
	return i > 0 && dot > i && len(v)-dot <= 6
}

// publicKey reports whether v, which stands under a name that ends in key, is the half that may be known: a public key
// of SSH, or the id of the key that git signs with (user.signingKey).
func publicKey(name, v string) bool {
	for _, kind := range []string{"ssh-", "ecdsa-sha2-", "sk-ssh-", "sk-ecdsa-"} {
		if strings.HasPrefix(v, kind) {
			return true
		}
	}
	name = strings.ToLower(name)
	return (strings.HasSuffix(name, "signingkey") || strings.HasSuffix(name, "signing key")) && strings.Trim(v, "0123456789abcdefABCDEF") == "" && (len(v) == 16 || len(v) == 40)
}

// number reports whether v is a number, a size, a colour or a time.
func number(v string) bool {
	if rest, ok := strings.CutPrefix(v, "#"); ok && len(rest) <= 8 && strings.Trim(strings.ToLower(rest), "0123456789abcdef") == "" {
		return true
	}
	if rest, ok := strings.CutPrefix(strings.ToLower(strings.TrimPrefix(v, "-")), "0x"); ok {
		return strings.Trim(rest, "0123456789abcdef_") == ""
	}
	rest := strings.TrimLeft(v, "0123456789.,_:-+")
	return rest != v && len(rest) <= 2
}

// reference reports whether v is code that gets a value from elsewhere: a call, a field, a variable.
func reference(v string) bool {
	low := strings.ToLower(v)
	for _, prefix := range []string{"process.env", "os.environ", "os.getenv", "env.", "env[", "env:", "secrets.", "var.", "self.", "this.", "config.", "args.", "op://", "vault:", "ssm:", "arn:", "file:", "!vault", "!ref", "!secret", "enc[", "[]"} {
		if strings.HasPrefix(low, prefix) {
			return true
		}
	}
	if strings.IndexByte("*&", v[0]) >= 0 && dotted(v) || subscripted(v) {
		return true
	}
	if i := strings.IndexByte(v, '('); i > 0 && dotted(v[:i]) {
		return true
	}
	if dotted(v) && strings.Contains(v, ".") {
		return !strings.ContainsAny(v, "0123456789") || strings.HasPrefix(low, "req.") || strings.HasPrefix(low, "ctx.")
	}
	return false
}

// subscripted reports whether v is an element or a part of what a name stands for: args[3], line[1:], Optional[str. The
// closing bracket may be gone.
func subscripted(v string) bool {
	name, index, ok := strings.Cut(strings.TrimSuffix(v, "]"), "[")
	return ok && dotted(name) && (identifier(index) || strings.Trim(index, "0123456789:-") == "")
}

// dotted reports whether v is identifiers joined by dots or subscripts.
func dotted(v string) bool {
	for _, part := range strings.FieldsFunc(v, func(r rune) bool { return strings.ContainsRune(".[]'\"?!&*", r) }) {
		if !identifier(part) && strings.Trim(part, "0123456789") != "" {
			return false
		}
	}
	return v != "" && (letter(v[0]) || v[0] == '_' || v[0] == '&' || v[0] == '*')
}

func identifier(v string) bool {
	for i := 0; i < len(v); i++ {
		if !letter(v[i]) && v[i] != '_' && (i == 0 || !digit(v[i])) {
			return false
		}
	}
	return v != ""
}
