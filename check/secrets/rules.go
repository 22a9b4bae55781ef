package secrets

import (
	"slices"
	"sync"
)

// rules are all kinds of secrets, those of one issuer before the general ones.
var rules = sync.OnceValue(func() []*rule { return slices.Concat(platformRules, serviceRules, generalRules) })

// generalRules are secrets that have no issuer: they are known by what stands around them.
var generalRules = []*rule{
	{id: "private-key", keywords: []string{"-----BEGIN ", "---- BEGIN SSH2 ENCRYPTED "}, at: privateKey,
		source: "RFC 7468, RFC 4716, RFC 4880: textual encodings of keys"},
	{id: "private-key", keywords: []string{"-----END "}, at: privateKeyEnd,
		source: "RFC 7468: textual encodings of keys"},
	{id: "private-key", keywords: []string{"Private-Lines:"}, at: puttyKey,
		source: "PuTTY manual: PPK file format"},
	{id: "jwt", keywords: []string{"eyJ", "ewog"},
		pattern: `e(?:yJ|wog)[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+){0,2}`, source: "RFC 7519: JSON web tokens"},
	{id: "url-password", keywords: []string{"://"}, at: urlPassword,
		source: "RFC 3986: user information"},
	{id: "url-password", keywords: []string{`:\/\/`}, at: urlPassword,
		source: "RFC 3986: user information, as JSON may escape it"},
	{id: "authorization", keywords: []string{"authorization"}, fold: true, glued: true,
		pattern: `(?i)authorization\\?["']?\s*(?:[:=]|=>|,)\s*\\?["']?(?:(?:bearer|basic|token|bot|digest|negotiate|apikey|api-key|key|splunk|ssws|pat)(?:\s|%20|\+)+)?([^\s"'\\,<>]{6,})`,
		check:   strong, source: "RFC 9110: HTTP authentication"},
	{id: "authorization", keywords: []string{"bearer", "basic"}, fold: true, at: authScheme,
		source: "RFC 6750, RFC 7617: bearer tokens, basic authentication"},
	{id: "cookie", keywords: []string{"cookie:"}, fold: true, glued: true,
		pattern: `(?i)cookie:[ \t]*([A-Za-z0-9_.%-]+=[^\r\n"'\\]{6,})`, source: "RFC 6265: HTTP state management"},
	{id: "password", keywords: []string{"sshpass"}, glued: true,
		pattern: `sshpass\s+-p\s*["']?([^\s"']{2,})`, source: "sshpass(1)"},
	{id: "password", keywords: []string{"curl ", "curl.exe "},
		pattern: `curl(?:\.exe)?\b[^\n|;&]{0,600}?\s(?:-u|--user|--proxy-user|-U)[ =]?["']?[^\s:"'/]+:([^\s"']{2,})`, source: "curl(1)"},
	{id: "password", keywords: []string{"mysql", "mariadb"},
		pattern: `(?:mysql|mariadb)[a-z]*\b[^\n|;&]{0,400}?\s-p["']?([^\s"'-][^\s"']+)`, source: "mysql(1)"},
	{id: "password", keywords: []string{"docker login", "podman login", "az login", "htpasswd -"},
		pattern: `(?:(?:docker|podman|az) login|htpasswd)\b[^\n|;&]{0,400}?\s-p[ =]?["']?([^\s"'-][^\s"']+)`, source: "docker-login(1)"},
	{id: "secret", keywords: nameKeywords, fold: true, at: assignment,
		source: "names that programs and settings give to secrets"},
}
