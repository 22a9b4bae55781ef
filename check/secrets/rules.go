package secrets

import (
	"slices"
	"sync"
)

// rules are all kinds of secrets, those of one issuer before the general ones.
var rules = sync.OnceValue(func() []*rule {
	return slices.Concat(platformRules, serviceRules, generalRules, commandRules, namedRules)
})

// generalRules are secrets that have no issuer: they are known by what stands around them.
var generalRules = []*rule{
	{id: "private-key-base64", keywords: []string{"LS0tLS1CRUdJTiB"},
		pattern: `LS0tLS1CRUdJTiB(?:QUklW|SU0Eg|FQyBQ|PUEVO|FTkNS|EU0Eg)[A-Za-z0-9+/=]{20,}`, source: "RFC 7468 in RFC 4648 base64, as in client-key-data of kubeconfig files"},
	{id: "private-key", keywords: []string{"-----BEGIN ", "---- BEGIN SSH2 ENCRYPTED "}, at: privateKey,
		source: "RFC 7468, RFC 4716, RFC 4880: textual encodings of keys"},
	{id: "private-key", keywords: []string{"-----END "}, at: privateKeyEnd,
		source: "RFC 7468: textual encodings of keys"},
	{id: "private-key", keywords: []string{"Private-Lines:"}, at: puttyKey,
		source: "PuTTY manual: PPK file format"},
	{id: "jwt", keywords: []string{"eyJ", "ewog"},
		pattern: `e(?:yJ|wog)[A-Za-z0-9_-]{6,}\.(?:eyJ[A-Za-z0-9_-]{6,}\b|[A-Za-z0-9_-]{6,}\.)[A-Za-z0-9_.-]*`, source: "RFC 7519: JSON web tokens"},
	{id: "url-password", keywords: []string{"://"}, at: urlPassword,
		source: "RFC 3986: user information"},
	{id: "url-password", keywords: []string{`:\/\/`}, at: urlPassword,
		source: "RFC 3986: user information, as JSON may escape it"},
	{id: "encoded", starts: encodedStarts, glued: true, at: encoded,
		source: "RFC 4648: base64 around one of the tokens above"},
	{id: "database-password", keywords: []string{"jdbc:oracle:thin:", "jdbc:oracle:oci:", "sqlplus "}, fold: true,
		pattern: `(?i)(?:jdbc:oracle:(?:thin|oci):|sqlplus\s+(?:-\w+\s+)*)["']?[\w$#]+/([^\s@"'/]{2,})@`, source: "Oracle docs: connection strings"},
	{id: "database-password", keywords: []string{":5432:"}, glued: true,
		pattern: `:5432:[^:\s]+:[^:\s]+:((?:[^:\s\\]|\\.){3,})`, source: "PostgreSQL docs: the password file"},
	{id: "database-password", keywords: []string{"@tcp(", "@unix("}, at: dsnPassword,
		source: "go-sql-driver/mysql: data source names"},
	{id: "netrc-password", keywords: []string{"machine "},
		pattern: `machine\s+\S+\s+login\s+\S+\s+password\s+(\S{3,})`, source: "curl docs: .netrc"},
	{id: "registry-auth", keywords: []string{`"auth"`, `\"auth\"`},
		pattern: `\\?"auth\\?"\s*:\s*\\?"([A-Za-z0-9+/=]{8,})`, check: userAndPassword, source: "docker-login(1): config.json"},
	{id: "authorization", keywords: []string{"authorization"}, fold: true, glued: true,
		pattern: `(?i)authorization\\?["']?\s*(?:[:=]|=>|,)\s*\\?["']?(?:(?:bearer|basic|token|bot|digest|negotiate|apikey|api-key|key|splunk|ssws|pat)(?:\s|%20|\+)+)?([^\s"'\\,<>]{6,})`,
		check:   strong, source: "RFC 9110: HTTP authentication"},
	{id: "authorization", keywords: []string{"bearer", "basic"}, fold: true, at: authScheme,
		source: "RFC 6750, RFC 7617: bearer tokens, basic authentication"},
	{id: "cookie", keywords: []string{"cookie:"}, fold: true, glued: true,
		pattern: `(?i)cookie:[ \t]*([A-Za-z0-9_.%-]+=[^\r\n"'\\]{6,})`, source: "RFC 6265: HTTP state management"},
	{id: "cookie", keywords: []string{"PHPSESSID=", "JSESSIONID=", "ASP.NET_SessionId=", "connect.sid=", "_gitlab_session="}, glued: true,
		pattern: `(?:PHPSESSID|JSESSIONID|ASP\.NET_SessionId|connect\.sid|_gitlab_session)=([A-Za-z0-9%._,-]{16,})`, source: "names of session cookies: PHP, Jakarta Servlet, ASP.NET, express-session, GitLab"},
}

// namedRules come last: what has a format of its own is called by it.
var namedRules = []*rule{
	{id: "secret", keywords: nameKeywords, fold: true, at: assignment,
		source: "names that programs and settings give to secrets"},
	{id: "secret", keywords: []string{"ENV ", "setx ", "set -x ", "set -gx ", "set -Ux ", "secret set "}, at: setting,
		source: "Dockerfile reference, setx, fish set, gh-secret-set(1)"},
}
