package secrets

import (
	"encoding/base64"
	"slices"
	"strings"
)

// encodable are beginnings of secrets that are looked for inside base64 too. They are so long that their code does not
// turn up by chance, wherever in the encoded text they stand.
var encodable = []string{"ghp_", "gho_", "ghs_", "ghu_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "xapp-", "sk-ant-", "sk-proj-", "sk_live_", "rk_live_",
	"npm_", "pypi-Ag", "hvs.", "AKIA", "dop_v1_", "dckr_pat_"}

// encodedStarts is how those begin in base64, for each of the three places where they can stand in a group.
func encodedStarts() []string {
	var all []string
	for _, s := range encodable {
		for before := range 3 {
			code := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat("x", before) + s))
			// What its neighbours share in is not sure.
			all = append(all, code[(before*8+5)/6:(before+len(s))*8/6])
		}
	}
	return all
}

// encoded finds the base64 around at, if what it stands for has one of those tokens there.
func encoded(text string, at int) (start, end int, ok bool) {
	if !slices.ContainsFunc([]int{0, 2, 3}, func(back int) bool { return encodes(text, at-back) }) {
		return 0, 0, false
	}
	start = at
	for start > 0 && at-start < maxValue && text[start-1] != '=' && base64Run(text[start-1:start]) == 1 {
		start--
	}
	return start, at + base64Run(text[at:min(len(text), at+maxValue)]), true
}

// encodes reports whether the groups of base64 from at on stand for the beginning of a token.
func encodes(text string, at int) bool {
	if at < 0 {
		return false
	}
	code := text[at:min(len(text), at+48)]
	code = strings.TrimRight(code[:base64Run(code)], "=")
	// What is left of the last group is only a few letters of the token.
	plain, err := base64.RawStdEncoding.DecodeString(code[:len(code)/4*4])
	return err == nil && slices.ContainsFunc(encodable, func(s string) bool { return holdsToken(string(plain), s) })
}

// holdsToken reports whether text has a token that begins with start.
func holdsToken(text, start string) bool {
	i := strings.Index(text, start)
	if i < 0 {
		return false
	}
	rest := text[i+len(start):]
	n := strings.IndexFunc(rest, func(r rune) bool { return r >= 0x80 || !alnum(byte(r)) && r != '_' && r != '-' })
	if n >= 0 {
		rest = rest[:n]
	}
	return len(rest) >= 14 && !placeholderToken(rest)
}
