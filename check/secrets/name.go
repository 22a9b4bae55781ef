package secrets

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// A kind says how surely a name stands for a secret: a password may be any word, a token looks like one.
type kind int

const (
	noSecret kind = iota
	// maybeSecret is a name that has such a word, but not at its end.
	maybeSecret
	token
	password
)

// nameKeywords are the parts of names that make assignment look closer.
var nameKeywords = []string{"pass", "pwd", "secret", "token", "credential", "key", "_pw", "pw=", "pw:", "_pat", "_auth", "kennwort", "adgangskode", "salasana",
	"wachtwoord", "contraseña", "contrasena", "senha", "hasło", "haslo", "parola", "lösenord", "пароль", "密码", "密碼", "パスワード", "비밀번호"}

var passwordTails = []string{"password", "passwd", "passphrase", "passcode", "passwort", "passord", "motdepasse", "pwd", "kennwort",
	"adgangskode", "salasana", "wachtwoord", "contraseña", "contrasena", "senha", "hasło", "haslo", "parola", "lösenord", "пароль", "密码", "密碼", "パスワード", "비밀번호"}

var tokenTails = []string{"token", "secret", "apikey", "secretkey", "accesskey", "privatekey", "authkey", "signingkey", "credential", "credentials", "authtoken"}

const (
	// secretKeys are what a key must be, by the word before it, to be a secret.
	secretKeys = words("api access secret private auth encryption signing master account shared service consumer app hmac jwt " +
		"session deploy license client application subscription admin storage crypto aes preshared")
	// plainTokens are tokens that are none, by the word before: of paging, of grammars, of models.
	plainTokens = words("next page continuation sync stop start end eos bos pad unk mask sep cls max min num per last first " +
		"special input output prompt completion total used cached")
	// qualifiers may follow the word that tells.
	qualifiers = words("prod production staging stage dev development test testing live sandbox old new prev previous current " +
		"default value val string raw plain plaintext text base b64 base64 primary secondary main root admin confirmation " +
		"confirm again repeat for my")
	// describers make a name one about a secret.
	describers = words("count limit file path name type url uri endpoint id ids length len size expiry expires expiration ttl " +
		"budget usage field policy reset hint min max regex pattern header version arn ref env status error required valid " +
		"rotation provider manager store mount dir hash digest algorithm prompt label title page index counter rate cost price " +
		"per window s is has needs check checker validator strength input form kind source scope scopes at age")
	// otherWords end in a tail by accident.
	otherWords = words("bypass compass encompass surpass trespass overpass underpass passes " +
		"onepass twopass multipass singlepass firstpass secondpass askpass lastpass keepass getpass sshpass fastpass")
	// askers begin the names of flags that take no secret.
	askers = words("ask no prompt remove delete show reset forget use print hide")
)

// kindOf judges a name such as DB_PASSWORD, clientSecret or --api-key.
func kindOf(name string) kind {
	parts := nameWords(name)
	last := len(parts)
	for last > 1 && (qualifiers.has(parts[last-1]) || strings.Trim(parts[last-1], "0123456789") == "") {
		last--
	}
	if last == 0 {
		return noSecret
	}
	if k := tailKind(parts[:last]); k != noSecret {
		return k
	}
	if describers.has(parts[last-1]) || !slices.ContainsFunc(parts, func(w string) bool { return tailKind([]string{w}) != noSecret }) {
		return noSecret
	}
	return maybeSecret
}

func tailKind(parts []string) kind {
	last, before := parts[len(parts)-1], ""
	if len(parts) > 1 {
		before = parts[len(parts)-2]
	}
	has := func(tail string) bool { return strings.HasSuffix(last, tail) }
	switch {
	case otherWords.has(last):
		return noSecret
	case slices.ContainsFunc(passwordTails, has), last == "passe" && before == "de":
		return password
	case last == "pass", last == "pw", has("pass") && len(last) > 5:
		return password
	case slices.ContainsFunc(tokenTails, has):
		if has("token") && plainTokens.has(before) {
			return noSecret
		}
		return token
	case last == "key" && secretKeys.has(before), last == "auth" && before == "", last == "pat" && before != "":
		return token
	}
	return noSecret
}

// nameWords splits a name at everything that is no letter and where a capital follows a small letter.
func nameWords(name string) []string {
	var parts []string
	var word strings.Builder
	flush := func() {
		if word.Len() > 0 {
			parts = append(parts, strings.ToLower(word.String()))
			word.Reset()
		}
	}
	for i := 0; i < len(name); i++ {
		c := name[i]
		switch {
		case c == '_' || c == '-' || c == '.' || c == ' ':
			flush()
			continue
		case upper(c) && i > 0 && lower(name[i-1]):
			flush()
		}
		word.WriteByte(c)
	}
	flush()
	return parts
}

// maxName is how far a name is followed to either side of its keyword.
const maxName = 48

// nameAround gives the bounds of the name that the keyword at at is part of. "api key" is one name.
func nameAround(text string, at int) (from, to int) {
	from, to = at, at
	for from > 0 && at-from < maxName && nameByte(text[from-1]) {
		from--
	}
	for to < len(text) && to-at < maxName && nameByte(text[to]) && !wideSeparator(text[to:]) {
		to++
	}
	for from < at && !utf8.RuneStart(text[from]) {
		from++
	}
	if to-from <= 4 && from > 1 && text[from-1] == ' ' && strings.HasPrefix(strings.ToLower(text[from:to]), "key") {
		before := from - 1
		for before > 0 && from-before < 14 && letter(text[before-1]) {
			before--
		}
		if secretKeys.has(strings.ToLower(text[before : from-1])) {
			from = before
		}
	}
	return from, to
}

func nameByte(c byte) bool {
	return alnum(c) || c == '_' || c == '-' || c == '.' || c >= utf8.RuneSelf
}

// wideSeparator reports whether s starts with the colon or equals sign of East Asian writing.
func wideSeparator(s string) bool {
	return strings.HasPrefix(s, "：") || strings.HasPrefix(s, "＝")
}
