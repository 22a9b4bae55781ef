package secrets

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

// maxAuthority is the longest user, password and host of a URL together that is looked at.
const maxAuthority = 600

// urlPassword finds the password of user:password@host behind the scheme that ends at at, or, where the user stands
// alone and looks like a token, the user.
func urlPassword(text string, at int) (start, end int, ok bool) {
	from := at + len("://")
	if text[at+1] == '\\' {
		from = at + len(`:\/\/`)
	}
	authority := text[from:min(len(text), from+maxAuthority)]
	if n := strings.IndexAny(authority, " \t\r\n\"'`<>/?#\\,;)}]|"); n >= 0 {
		authority = passwordWithSlash(text[from:], authority[:n])
	}
	host := strings.LastIndexByte(authority, '@')
	if host <= 0 {
		return 0, 0, false
	}
	user, password, both := strings.Cut(authority[:host], ":")
	if token := tokenUser(user); token || !both {
		return from, from + host, token
	}
	return from + len(user) + 1, from + host, password != "" && !placeholder(password)
}

// tokenUser reports whether a token stands where a user would, as in https://TOKEN:x-oauth-basic@host.
func tokenUser(user string) bool { return len(user) >= 20 && strong(user) && !placeholder(user) }

// dsnPassword finds the password of user:password@tcp(host:port)/name, of which the @ is at at.
func dsnPassword(text string, at int) (start, end int, ok bool) {
	start = at
	for start > 0 && at-start < maxAuthority && strings.IndexByte(" \t\r\n\"'`=", text[start-1]) < 0 {
		start--
	}
	_, password, both := strings.Cut(text[start:at], ":")
	return at - len(password), at, both && password != "" && !placeholder(password)
}

// passwordWithSlash takes a password further than its first odd character where an @ follows before the next blank
// or quote: programs accept such URLs although they should be escaped.
func passwordWithSlash(rest, authority string) string {
	if strings.Contains(authority, "@") || !strings.Contains(authority, ":") || port(authority) {
		return authority
	}
	word := rest[:min(len(rest), maxAuthority)]
	if n := strings.IndexAny(word, " \t\r\n\"'`<>"); n >= 0 {
		word = word[:n]
	}
	if i := strings.LastIndexByte(word, '@'); i > len(authority) && i < len(word)-1 && alnum(word[i+1]) {
		return word[:i+1]
	}
	return authority
}

// port reports whether what follows the colon of host:port is a port.
func port(authority string) bool {
	_, p, _ := strings.Cut(authority, ":")
	return p == "" || strings.Trim(p, "0123456789") == ""
}

// authScheme finds the credentials after the word Bearer or Basic at at.
func authScheme(text string, at int) (start, end int, ok bool) {
	basic := fold(text[at+1]) == 'a'
	start = at + len("bearer")
	if basic {
		start = at + len("basic")
	}
	n := len(text[start:]) - len(strings.TrimLeft(text[start:], " \t+:="))
	if n == 0 || joined(text, at) {
		return 0, 0, false
	}
	start += n
	end = start
	for end < len(text) && (alnum(text[end]) || strings.IndexByte("-._~+/=%", text[end]) >= 0) {
		end++
	}
	v := text[start:end]
	if placeholder(v) {
		return 0, 0, false
	}
	if basic {
		return start, end, userAndPassword(v)
	}
	return start, end, len(v) >= 12 && strong(v) && !path(v)
}

// userAndPassword reports whether s is user:password in base64.
func userAndPassword(s string) bool {
	plain, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(s, "="))
	if err != nil || len(plain) < 4 || !utf8.Valid(plain) {
		return false
	}
	for _, c := range plain {
		if c < ' ' {
			return false
		}
	}
	return strings.IndexByte(string(plain), ':') >= 0
}
