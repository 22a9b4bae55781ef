package secrets

// What the patterns of commandRules are made of.
const (
	// upTo is what stands between a program and its flag, in one command of a line; what is quoted may hold anything.
	upTo = `(?:"[^"\n]*"|'[^'\n]*'|[^\n|;&])*?`
	// word is the value of a flag, all of it where it is quoted.
	word = `(?:"([^"\n]{2,})"|'([^'\n]{2,})'|["']?([^\s"'-][^\s"']+))`
	// ofUser is a word in which the secret follows a user and a colon.
	ofUser = `(?:"[^:"/\n]+:([^"\n]{2,})"|'[^:'/\n]+:([^'\n]{2,})'|["']?[^\s:"'/]+:([^\s"']{2,}))`
	// curlFlags are the letters of curl that take no value, so that another may follow them: -sSfu.
	curlFlags = `[0-9#aBfgGiIjJkKlLnNOpqRsSvZ]*`
)

// commandRules are the flags with which programs take a password: they say nothing by themselves. Each pattern stays
// within one command of a line.
var commandRules = []*rule{
	{id: "password", keywords: []string{"sshpass"}, glued: true,
		pattern: `sshpass\s+-p\s*` + word, source: "sshpass(1)"},
	{id: "password", keywords: []string{"curl ", "curl.exe "},
		also: " -", pattern: `curl(?:\.exe)?\b` + upTo + `\s(?:-` + curlFlags + `[uU]|--user|--proxy-user)[ =]?` + ofUser, source: "curl(1)"},
	{id: "cookie", keywords: []string{"curl ", "curl.exe "},
		also: " -", pattern: `curl(?:\.exe)?\b` + upTo + `\s(?:-` + curlFlags + `b|--cookie)[ =]?(?:"[\w.-]+=([^"\n]{6,})"|'[\w.-]+=([^'\n]{6,})'|["']?[\w.-]+=([^\s"']{6,}))`, source: "curl(1)"},
	{id: "password", keywords: []string{"http ", "https ", "httpie "},
		also: " -", pattern: `http(?:s|ie)?\b` + upTo + `\s(?:-a|--auth)[ =]?` + ofUser, source: "HTTPie docs: authentication"},
	{id: "password", keywords: []string{"mysql", "mariadb"},
		also: " -", pattern: `(?:mysql|mariadb)[a-z]*\b` + upTo + `\s-p` + word, source: "mysql(1)"},
	{id: "password", keywords: []string{"docker login", "podman login", "az login", "mongo ", "mongosh ", "mongodump ", "mongorestore ", "twine "},
		also: " -", pattern: `(?:(?:docker|podman|az) login|twine|mongo[a-z]*)\b` + upTo + `\s-p[ =]?` + word, source: "docker-login(1), mongosh, twine: --help"},
	{id: "password", keywords: []string{"htpasswd -"},
		pattern: `htpasswd\s+(?:-\w*(?:nb|bn)\w*|-\w*b\w*\s+\S+)\s+[^\s-]\S*\s+` + word, source: "htpasswd(1)"},
	{id: "password", keywords: []string{"sqlcmd ", "bcp ", "mosquitto_pub ", "mosquitto_sub ", "zip "},
		also: " -", pattern: `(?:sqlcmd|bcp|mosquitto_[ps]ub|zip)\b` + upTo + `\s-P[ =]?` + word, source: "sqlcmd, mosquitto_pub(1), zip(1)"},
	{id: "password", keywords: []string{"redis-cli "},
		also: " -", pattern: `redis-cli\b` + upTo + `\s(?:-a|--pass)[ =]` + word, source: "redis-cli --help"},
	{id: "password", keywords: []string{"ldap"},
		also: " -", pattern: `ldap(?:search|modify|add|delete|whoami|passwd|compare)\b` + upTo + `\s-w[ =]?` + word, source: "ldapsearch(1)"},
	{id: "password", keywords: []string{"7z ", "7za ", "7zz "},
		also: " -", pattern: `7z[az]?\b` + upTo + `\s-p` + word, source: "7-Zip: command line"},
	{id: "password", keywords: []string{"-passin ", "-passout ", "-pass "}, glued: true,
		pattern: `-pass(?:in|out)?\s+["']?pass:([^\s"']{2,})`, source: "openssl-passphrase-options(1)"},
	{id: "password", keywords: []string{"openssl enc "},
		also: " -", pattern: `openssl enc\b` + upTo + `\s-[kK]\s+` + word, source: "openssl-enc(1)"},
	{id: "password", keywords: []string{"ssh-keygen "},
		also: " -", pattern: `ssh-keygen\b` + upTo + `\s-[NP] ?` + word, source: "ssh-keygen(1)"},
	{id: "password", keywords: []string{"smbclient "},
		also: " -", pattern: `smbclient\b` + upTo + `\s-U ?["']?[^\s%"']+%([^\s"']{2,})`, source: "smbclient(1)"},
	{id: "password", keywords: []string{"ConvertTo-SecureString "}, fold: true,
		pattern: `(?i)ConvertTo-SecureString\s+(?:-String\s+)?(?:"([^"\n]{2,})"|'([^'\n]{2,})')`, source: "Microsoft Learn: ConvertTo-SecureString"},
	{id: "password", keywords: []string{"echo ", "printf "},
		also: "|", pattern: `(?:echo|printf)\s+(?:-n\s+|["']?%s(?:\\n)?["']?\s+)?(?:"(?:[^":\n]+:)?([^"\n]{2,})"|'(?:[^':\n]+:)?([^'\n]{2,})'|(?:[^\s"':|]+:)?([^\s"'|-][^\s"'|]+))\s*\|[^\n|;&]*(?:-stdin\b|--with-token\b|sudo\s+-\w*S|chpasswd\b|--passphrase-fd\b|\bpass\s+insert\b)`,
		source: "docker-login(1), gh-auth-login(1), sudo(8), chpasswd(8), gpg(1)"},
	{id: "token", keywords: []string{"cargo login ", "vault login ", "snyk auth ", "authtoken ", "_authToken "},
		pattern: `(?:cargo login|vault login|snyk auth|authtoken|_authToken)\s+` + word,
		check:   longWord, source: "cargo-login(1), Vault docs: login, ngrok docs, npm-config(1)"},
}

// longWord reports whether v is no word of a sentence and long enough for a token.
func longWord(v string) bool { return len(v) >= 16 && strong(v) }
