package gitstore

import (
	"fmt"
	"strings"
	"testing"
)

func TestPeers(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, config, remote, want string }{
		{"one URL", "remote.o.url=/r", "o", "from o to o track o /r"},
		{"another push URL", "remote.o.url=/r remote.o.pushurl=/p", "o", "from o to  track o /r; from /p to o track /p /p"},
		{"two push URLs", "remote.o.url=/r remote.o.pushurl=/r remote.o.pushurl=/p", "o", "from o to /r track o /r; from /p to /p track /p /p"},
		{"two URLs", "remote.o.url=/r remote.o.url=/p", "o", "from o to /r track o /r; from /p to /p track /p /p"},
		{"insteadOf", "remote.o.url=in:r url./x/.insteadof=in:", "o", "from o to o track o /x/r"},
		{"pushInsteadOf", "remote.o.url=/r url./x/.pushinsteadof=/", "o", "from o to  track o /r; from /x/r to o track /x/r /x/r"},
		{"several that would be rewritten again", "remote.o.url=/r remote.o.pushurl=/p remote.o.pushurl=/q url./x.pushinsteadof=/", "o",
			"from o to  track o /r; from  to o track o /p"},
		{"a URL", "", "/r", "from /r to /r track /r /r"},
		{"a short URL", "url./x/.insteadof=in:", "in:r", "from in:r to in:r track in:r /x/r"},
		{"no such remote", "remote.o.url=/r", "p", "there is no such remote: p"},
	} {
		peers, err := configOf(test.config).Peers(test.remote)
		got := ""
		for i, p := range peers {
			if i > 0 {
				got += "; "
			}
			got += fmt.Sprintf("from %s to %s track %s %s", p.From, p.To, p.Track, p.URL)
		}
		if err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

func TestPublicURL(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]string{
		"https://user:secret@host/path": "https://…@host/path", "https://token@host/path": "https://…@host/path",
		"ssh://git@host:22/path": "ssh://git@host:22/path", "ssh://git:x@host/p": "ssh://…@host/p", "git@host:path": "git@host:path",
		"/a/b": "/a/b", "https://host": "https://host", "file:///a/b@c": "file:///a/b@c", "https://a:b@c@host/p": "https://…@host/p",
	} {
		if got := PublicURL(url); got != want {
			t.Errorf("%s: %s, want %s", url, got, want)
		}
	}
}

// configOf is a configuration of settings with blanks between them.
func configOf(text string) *Config {
	c := defaults()
	for _, s := range strings.Fields(text) {
		key, value, _ := strings.Cut(s, "=")
		c.settings = append(c.settings, setting{key: key, value: value})
	}
	return c
}
