package secrets

// commandRules are the flags with which programs take a password: they say nothing by themselves. Each pattern stays
// within one command of a line.
var commandRules = []*rule{
	{id: "password", keywords: []string{"sshpass"}, glued: true,
		pattern: `sshpass\s+-p\s*["']?([^\s"']{2,})`, source: "sshpass(1)"},
	{id: "password", keywords: []string{"curl ", "curl.exe "},
		pattern: `curl(?:\.exe)?\b[^\n|;&]{0,600}?\s(?:-u|--user|--proxy-user|-U)[ =]?["']?[^\s:"'/]+:([^\s"']{2,})`, source: "curl(1)"},
	{id: "password", keywords: []string{"http ", "https ", "httpie "},
		pattern: `http(?:s|ie)?\b[^\n|;&]{0,400}?\s(?:-a|--auth)[ =]?["']?[^\s:"'/]+:([^\s"']{2,})`, source: "HTTPie docs: authentication"},
	{id: "password", keywords: []string{"mysql", "mariadb"},
		pattern: `(?:mysql|mariadb)[a-z]*\b[^\n|;&]{0,400}?\s-p["']?([^\s"'-][^\s"']+)`, source: "mysql(1)"},
	{id: "password", keywords: []string{"docker login", "podman login", "az login", "htpasswd -", "mongo ", "mongosh ", "mongodump ", "mongorestore ", "twine "},
		pattern: `(?:(?:docker|podman|az) login|htpasswd|twine|mongo[a-z]*)\b[^\n|;&]{0,400}?\s-p[ =]?["']?([^\s"'-][^\s"']+)`, source: "docker-login(1), mongosh, twine: --help"},
	{id: "password", keywords: []string{"sqlcmd ", "bcp ", "mosquitto_pub ", "mosquitto_sub ", "zip "},
		pattern: `(?:sqlcmd|bcp|mosquitto_[ps]ub|zip)\b[^\n|;&]{0,400}?\s-P[ =]?["']?([^\s"'-][^\s"']+)`, source: "sqlcmd, mosquitto_pub(1), zip(1)"},
	{id: "password", keywords: []string{"redis-cli "},
		pattern: `redis-cli\b[^\n|;&]{0,200}?\s(?:-a|--pass)[ =]["']?([^\s"'-][^\s"']+)`, source: "redis-cli --help"},
	{id: "password", keywords: []string{"ldap"},
		pattern: `ldap(?:search|modify|add|delete|whoami|passwd|compare)\b[^\n|;&]{0,400}?\s-w[ =]?["']?([^\s"'-][^\s"']+)`, source: "ldapsearch(1)"},
	{id: "password", keywords: []string{"7z ", "7za ", "7zz "},
		pattern: `7z[az]?\b[^\n|;&]{0,200}?\s-p["']?([^\s"'-][^\s"']+)`, source: "7-Zip: command line"},
	{id: "password", keywords: []string{"-passin ", "-passout ", "-pass "}, glued: true,
		pattern: `-pass(?:in|out)?\s+["']?pass:([^\s"']{2,})`, source: "openssl-passphrase-options(1)"},
	{id: "password", keywords: []string{"ssh-keygen "},
		pattern: `ssh-keygen\b[^\n|;&]{0,200}?\s-[NP] ?["']?([^\s"'-][^\s"']+)`, source: "ssh-keygen(1)"},
	{id: "password", keywords: []string{"smbclient "},
		pattern: `smbclient\b[^\n|;&]{0,200}?\s-U ?["']?[^\s%"']+%([^\s"']{2,})`, source: "smbclient(1)"},
}
