package render

import (
	"net/netip"
	"net/url"
	"strings"
)

// A Host makes links to what a repository has on the host of its remote. All of them are pinned to commit ids, so that
// they still show the same when a branch has moved. The zero Host makes none.
type Host struct {
	kind HostKind
	// repository is the web address of the repository, without a slash at its end.
	repository string
}

// HostKind is the software that a host runs, as far as the forms of its addresses go.
type HostKind string

const (
	GitHub HostKind = "github"
	GitLab HostKind = "gitlab"
	// Gitea stands for Forgejo too.
	Gitea HostKind = "gitea"
	// Bitbucket is bitbucket.org, BitbucketServer what people run themselves.
	Bitbucket       HostKind = "bitbucket"
	BitbucketServer HostKind = "bitbucket-server"
)

// HostOf reads a remote's URL, in any form that git takes. Known tells the kind of hosts whose name does not: a
// runner's own, for one. Whatever names or secrets the URL has are left out. A folder, and a host of no known kind, is
// the zero Host.
func HostOf(remote string, known map[string]HostKind) Host {
	a, ok := parseAddress(remote)
	if !ok {
		return Host{}
	}
	kind := known[a.host]
	if kind == "" {
		kind = kindOf(a.host)
	}
	if kind == "" {
		return Host{}
	}
	if kind == Bitbucket && a.host != "bitbucket.org" {
		return bitbucketServer(a)
	}
	return Host{kind, a.web() + "/" + escapePath(a.path)}
}

// An address is what a remote's URL says of where a repository is. The port is that of the web, "" for the usual one.
type address struct{ scheme, host, port, path string }

func (a address) web() string {
	host := a.host
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if a.port != "" {
		host += ":" + a.port
	}
	return a.scheme + "://" + host
}

// parseAddress reads https://, ssh:// and git:// URLs, and the form of scp, user@host:path (git-fetch(1), "GIT URLS").
func parseAddress(remote string) (address, bool) {
	if !strings.Contains(remote, "://") {
		return parseSCP(remote)
	}
	u, err := url.Parse(remote)
	if err != nil || u.Hostname() == "" {
		return address{}, false
	}
	a := address{scheme: "https", host: strings.ToLower(u.Hostname()), path: cleanPath(u.Path)}
	switch u.Scheme {
	case "http", "https":
		a.scheme, a.port = u.Scheme, u.Port()
	case "ssh", "git+ssh", "ssh+git", "git":
	default:
		return address{}, false
	}
	a.host = webHost(a.host)
	return a, plausible(a)
}

func parseSCP(remote string) (address, bool) {
	host, path, ok := strings.Cut(remote, ":")
	if !ok || strings.ContainsAny(host, `/\`) || strings.HasPrefix(path, `\`) {
		return address{}, false
	}
	host = host[strings.LastIndexByte(host, '@')+1:]
	if len(host) < 2 {
		// A drive of Windows.
		return address{}, false
	}
	a := address{scheme: "https", host: webHost(strings.ToLower(host)), path: cleanPath(path)}
	return a, plausible(a)
}

func cleanPath(path string) string {
	return strings.TrimSuffix(strings.Trim(path, "/"), ".git")
}

// webHost is the name of a host's web server, where git uses another for ssh behind a firewall.
func webHost(host string) string {
	switch host {
	case "ssh.github.com", "ssh.gitlab.com":
		return strings.TrimPrefix(host, "ssh.")
	case "altssh.bitbucket.org", "altssh.gitlab.com":
		return strings.TrimPrefix(host, "altssh.")
	}
	return host
}

// plausible reports whether an address is one that a web address can be made of.
func plausible(a address) bool {
	if _, err := netip.ParseAddr(a.host); err != nil && strings.Trim(a.host, "abcdefghijklmnopqrstuvwxyz0123456789.-") != "" {
		return false
	}
	return strings.Contains(a.path, "/") && !strings.Contains("/"+a.path+"/", "/../")
}

// kindOf tells the kind of host by its name, or by what it is called at most companies: github.example.com.
func kindOf(host string) HostKind {
	if host == "codeberg.org" {
		return Gitea
	}
	for _, label := range strings.FieldsFunc(host, func(r rune) bool { return r == '.' || r == '-' }) {
		switch label {
		case "github", "gitlab", "bitbucket", "gitea":
			return HostKind(label)
		case "forgejo":
			return Gitea
		}
	}
	return ""
}

// bitbucketServer reads /scm/PROJECT/REPO of https and /PROJECT/REPO of ssh, where ~user stands for a user's project.
func bitbucketServer(a address) Host {
	parts := strings.Split(strings.TrimPrefix(a.path, "scm/"), "/")
	if len(parts) != 2 {
		return Host{}
	}
	folder, project := "/projects/", strings.ToUpper(parts[0])
	if user, ok := strings.CutPrefix(parts[0], "~"); ok {
		folder, project = "/users/", user
	}
	return Host{BitbucketServer, a.web() + folder + escapePath(project) + "/repos/" + escapePath(parts[1])}
}

// Commit is the address of a commit, be it of code or a version of a handoff; "" where there is none.
func (h Host) Commit(oid string) string {
	switch {
	case !isID(oid):
		return ""
	case h.kind == GitHub, h.kind == Gitea:
		return h.repository + "/commit/" + oid
	case h.kind == GitLab:
		return h.repository + "/-/commit/" + oid
	case h.kind == Bitbucket, h.kind == BitbucketServer:
		return h.repository + "/commits/" + oid
	}
	return ""
}

// File is the address of a file as a commit has it; "" where there is none.
func (h Host) File(oid, path string) string {
	path = escapePath(strings.Trim(path, "/"))
	switch {
	case !isID(oid) || path == "":
		return ""
	case h.kind == GitHub:
		return h.repository + "/blob/" + oid + "/" + path
	case h.kind == GitLab:
		return h.repository + "/-/blob/" + oid + "/" + path
	case h.kind == Gitea:
		return h.repository + "/src/commit/" + oid + "/" + path
	case h.kind == Bitbucket:
		return h.repository + "/src/" + oid + "/" + path
	case h.kind == BitbucketServer:
		return h.repository + "/browse/" + path + "?at=" + oid
	}
	return ""
}

// Compare is the address of what changed from one commit to another; "" where there is none.
func (h Host) Compare(from, to string) string {
	switch {
	case !isID(from) || !isID(to):
		return ""
	case h.kind == GitHub, h.kind == Gitea:
		return h.repository + "/compare/" + from + "..." + to
	case h.kind == GitLab:
		return h.repository + "/-/compare/" + from + "..." + to
	case h.kind == Bitbucket:
		return h.repository + "/branches/compare/" + to + "%0D" + from
	case h.kind == BitbucketServer:
		return h.repository + "/compare/commits?sourceBranch=" + to + "&targetBranch=" + from
	}
	return ""
}

// commentLimit is how many characters a comment may have. GitHub says 65,536 for the bodies of pull requests and
// comments, Bitbucket less than 32,768; GitLab and Gitea take far more than anybody reads.
func (h Host) commentLimit() int {
	switch h.kind {
	case Bitbucket, BitbucketServer:
		return 32767
	}
	return 65536
}

// isID reports whether s is a full object id.
func isID(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}

const hexDigits = "0123456789ABCDEF"

// escapePath escapes all but what is plain in a path of a URL, so that the address ends nowhere early in Markdown.
func escapePath(path string) string {
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		c := path[i]
		if c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || strings.IndexByte("-._~/", c) >= 0 {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', hexDigits[c>>4], hexDigits[c&15]})
		}
	}
	return b.String()
}
