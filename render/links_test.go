package render

import (
	"net/url"
	"strings"
	"testing"
)

func TestHostOf(t *testing.T) {
	t.Parallel()
	const hub, lab, forge, bucket = "https://github.com/o/r", "https://gitlab.com/g/sub/r", "https://codeberg.org/o/r", "https://bitbucket.org/w/r"
	tests := []struct{ remote, commit string }{
		{"https://github.com/o/r.git", hub + "/commit/" + oidA},
		{"https://github.com/o/r", hub + "/commit/" + oidA},
		{"https://github.com/o/r/", hub + "/commit/" + oidA},
		{"https://user:token@github.com/o/r.git", hub + "/commit/" + oidA},
		{"http://GitHub.com/o/r.git", "http://github.com/o/r/commit/" + oidA},
		{"git@github.com:o/r.git", hub + "/commit/" + oidA},
		{"github.com:/o/r.git", hub + "/commit/" + oidA},
		{"ssh://git@github.com/o/r.git", hub + "/commit/" + oidA},
		{"ssh://git@ssh.github.com:443/o/r.git", hub + "/commit/" + oidA},
		{"git://github.com/o/r.git", hub + "/commit/" + oidA},
		{"git@github.example.com:o/r.git", "https://github.example.com/o/r/commit/" + oidA},
		{"https://gitlab.com/g/sub/r.git", lab + "/-/commit/" + oidA},
		{"git@gitlab.com:g/sub/r.git", lab + "/-/commit/" + oidA},
		{"ssh://git@altssh.gitlab.com:443/g/sub/r.git", lab + "/-/commit/" + oidA},
		{"https://gitlab.example.com:8443/g/r.git", "https://gitlab.example.com:8443/g/r/-/commit/" + oidA},
		{"ssh://git@gitlab.example.com:2222/g/r.git", "https://gitlab.example.com/g/r/-/commit/" + oidA},
		{"https://codeberg.org/o/r.git", forge + "/commit/" + oidA},
		{"ssh://git@codeberg.org/o/r.git", forge + "/commit/" + oidA},
		{"forgejo@forgejo.example.com:o/r.git", "https://forgejo.example.com/o/r/commit/" + oidA},
		{"https://my-gitea.example.com/o/r", "https://my-gitea.example.com/o/r/commit/" + oidA},
		{"https://user@bitbucket.org/w/r.git", bucket + "/commits/" + oidA},
		{"git@bitbucket.org:w/r.git", bucket + "/commits/" + oidA},
		{"ssh://git@altssh.bitbucket.org:443/w/r.git", bucket + "/commits/" + oidA},
		{"https://bitbucket.example.com/scm/pr/r.git", "https://bitbucket.example.com/projects/PR/repos/r/commits/" + oidA},
		{"ssh://git@bitbucket.example.com:7999/pr/r.git", "https://bitbucket.example.com/projects/PR/repos/r/commits/" + oidA},
		{"ssh://git@bitbucket.example.com:7999/~ada/r.git", "https://bitbucket.example.com/users/ada/repos/r/commits/" + oidA},
		{"https://code.example.com/o/r.git", "https://code.example.com/o/r/commit/" + oidA},
		{"https://[::1]/o/r", ""}, {"https://git.example.com/o/r", ""}, {"/srv/git/r.git", ""}, {"../r.git", ""}, {`C:\git\r`, ""}, {"C:/git/o/r", ""},
		{"file:///srv/github.com/r", ""}, {"https://github.com/r", ""}, {"https://github.com/o/../../x", ""}, {"https://github.com)](x)/o/r", ""}, {"", ""}, {"github.com:", ""},
		{"git@github.com:o/r) [x](y.git", "https://github.com/o/r%29%20%5Bx%5D%28y/commit/" + oidA},
	}
	known := map[string]HostKind{"code.example.com": Gitea}
	for _, test := range tests {
		if got := HostOf(test.remote, known).Commit(oidA); got != test.commit {
			t.Errorf("a commit of %s is at %q, want %q", test.remote, got, test.commit)
		}
	}
}

func TestLinksArePinned(t *testing.T) {
	t.Parallel()
	const path = "docs/a b(1)#x?.md"
	const escaped = "docs/a%20b%281%29%23x%3F.md"
	tests := map[string][2]string{
		"https://github.com/o/r":    {"https://github.com/o/r/blob/" + oidA + "/" + escaped, "https://github.com/o/r/compare/" + oidB + "..." + oidA},
		"https://gitlab.com/o/r":    {"https://gitlab.com/o/r/-/blob/" + oidA + "/" + escaped, "https://gitlab.com/o/r/-/compare/" + oidB + "..." + oidA},
		"https://codeberg.org/o/r":  {"https://codeberg.org/o/r/src/commit/" + oidA + "/" + escaped, "https://codeberg.org/o/r/compare/" + oidB + "..." + oidA},
		"https://bitbucket.org/o/r": {"https://bitbucket.org/o/r/src/" + oidA + "/" + escaped, "https://bitbucket.org/o/r/branches/compare/" + oidA + "%0D" + oidB},
		"https://bitbucket.example.com/scm/o/r": {"https://bitbucket.example.com/projects/O/repos/r/browse/" + escaped + "?at=" + oidA,
			"https://bitbucket.example.com/projects/O/repos/r/compare/commits?sourceBranch=" + oidA + "&targetBranch=" + oidB},
		"https://git.example.com/o/r": {"", ""},
	}
	for remote, want := range tests {
		h := HostOf(remote, nil)
		if got := [2]string{h.File(oidA, path), h.Compare(oidB, oidA)}; got != want {
			t.Errorf("%s: got %q, want %q", remote, got, want)
		}
		if h.Commit("main") != "" || h.File("main", "x") != "" || h.Compare(oidA, "main") != "" || h.File(oidA, "/") != "" {
			t.Errorf("%s: a link is not pinned", remote)
		}
	}
}

func FuzzHostOf(f *testing.F) {
	f.Add("git@github.com:o/r.git", "a/b")
	f.Add("https://u:p@gitlab.example.com:8443/o/r.git", "x)y")
	f.Fuzz(func(t *testing.T, remote, path string) {
		h := HostOf(remote, map[string]HostKind{"h": GitHub})
		for _, link := range []string{h.Commit(oidA), h.File(oidA, path), h.Compare(oidA, oidB)} {
			if link == "" {
				continue
			}
			u, err := url.Parse(link)
			if err != nil || u.User != nil || u.Scheme != "https" && u.Scheme != "http" || !strings.Contains(link, oidA) {
				t.Errorf("%q gives the link %q (%v)", remote, link, err)
			}
			if strings.ContainsAny(link, " ()<>\"'`\\|\n") {
				t.Errorf("%q gives a link that Markdown would end early: %q", remote, link)
			}
		}
	})
}
