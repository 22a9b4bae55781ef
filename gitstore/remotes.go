package gitstore

import (
	"slices"
	"strings"
)

// A Remote is a remote as it is configured, its URLs not yet rewritten.
type Remote struct {
	Name string
	// URLs are fetched from (the first) and pushed to (all) where there are no PushURLs.
	URLs, PushURLs []string
}

// Remotes are all remotes that have a URL, in the order of configuration.
func (c *Config) Remotes() []Remote {
	var all []Remote
	for _, s := range c.settings {
		name, variable, ok := remoteKey(s.key)
		if !ok || variable != "url" && variable != "pushurl" || s.value == "" {
			continue
		}
		i := slices.IndexFunc(all, func(r Remote) bool { return r.Name == name })
		if i < 0 {
			i = len(all)
			all = append(all, Remote{Name: name})
		}
		if variable == "url" {
			all[i].URLs = append(all[i].URLs, s.value)
		} else {
			all[i].PushURLs = append(all[i].PushURLs, s.value)
		}
	}
	return all
}

// remoteKey splits remote.NAME.variable; a name may have dots.
func remoteKey(key string) (name, variable string, ok bool) {
	rest, ok := strings.CutPrefix(key, "remote.")
	if !ok {
		return "", "", false
	}
	return cutLast(rest, ".")
}

// PushRemote is the remote that a push of the branch goes to, by name or URL; "" where there is none. It is git's own
// order (remote.c), but a branch that tracks a local one has the default remote.
func (c *Config) PushRemote(branch string) string {
	for _, key := range []string{"branch." + branch + ".pushremote", "remote.pushdefault", "branch." + branch + ".remote"} {
		if v := c.Get(key); v != "" && v != "." {
			return v
		}
	}
	remotes := c.Remotes()
	if len(remotes) == 1 {
		return remotes[0].Name
	}
	if slices.ContainsFunc(remotes, func(r Remote) bool { return r.Name == "origin" }) {
		return "origin"
	}
	return ""
}

// FetchURL is what a fetch from the remote uses, after insteadOf.
func (c *Config) FetchURL(r Remote) string {
	if len(r.URLs) == 0 {
		return ""
	}
	return c.rewrite(r.URLs[0], "insteadof")
}

// TargetURLs are what a push to the remote uses, after insteadOf and pushInsteadOf.
func (c *Config) TargetURLs(r Remote) []string {
	var urls []string
	for _, u := range r.PushURLs {
		urls = append(urls, c.rewrite(u, "insteadof"))
	}
	if urls != nil {
		return urls
	}
	for _, u := range r.URLs {
		if to := c.rewrite(u, "pushinsteadof"); to != u {
			urls = append(urls, to)
		} else {
			urls = append(urls, c.rewrite(u, "insteadof"))
		}
	}
	return urls
}

// Rewritten reports whether a URL on a command line would be pushed to under another name.
func (c *Config) Rewritten(url string) bool {
	return c.rewrite(url, "pushinsteadof") != url || c.rewrite(url, "insteadof") != url
}

// rewrite replaces the longest prefix that a url.BASE.<variable> names.
func (c *Config) rewrite(url, variable string) string {
	base, prefix := "", ""
	for _, s := range c.settings {
		rest, ok := strings.CutPrefix(s.key, "url.")
		if !ok {
			continue
		}
		b, v, _ := cutLast(rest, ".")
		if v == variable && strings.HasPrefix(url, s.value) && len(s.value) > len(prefix) {
			base, prefix = b, s.value
		}
	}
	return base + url[len(prefix):]
}

// RemoteNames are the remotes of the repository's own configuration, read without a child where that is plain; remotes
// that only the user's global configuration declares are then not among them. The second result is false where Config
// must be asked.
func (r *Repo) RemoteNames() ([]string, bool) {
	if r.local == nil || r.local.incomplete() || !plainEnv() {
		return nil, false
	}
	var names []string
	for _, m := range (&Config{settings: r.local}).Remotes() {
		names = append(names, m.Name)
	}
	return names, true
}
