package gitstore

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Peer is one repository at the other end. A remote whose pushes go where its fetches come from is one peer; one with
// other push URLs is several.
type Peer struct {
	// Remote is the remote as the user names it: its name, or a URL.
	Remote string
	// URL is where it is, for people and to recognise it; already rewritten by insteadOf.
	URL string
	// From and To are what git fetch and git push are given; "" where it can only be written, or only be read.
	From, To string
	// Track names the folder that keeps what it had: see TrackingKey.
	Track string
}

// ErrNoRemote is a remote that is not configured.
var ErrNoRemote = errors.New("there is no such remote")

// Peers are the repositories that a remote, by its name or a URL, stands for. Pushes go to the remote's name, so that
// git rewrites the URL once and not twice; to a URL only where there are several and none would be rewritten again.
func (c *Config) Peers(remote string) ([]Peer, error) {
	all := c.Remotes()
	i := slices.IndexFunc(all, func(r Remote) bool { return r.Name == remote })
	if i < 0 {
		if !looksLikeURL(remote) {
			return nil, fmt.Errorf("%w: %s", ErrNoRemote, remote)
		}
		return []Peer{{Remote: remote, URL: c.rewrite(remote, "insteadof"), From: remote, To: remote, Track: remote}}, nil
	}
	fetch, targets := c.FetchURL(all[i]), c.TargetURLs(all[i])
	var peers []Peer
	if fetch != "" && !slices.Contains(targets, fetch) {
		peers = append(peers, Peer{Remote: remote, URL: fetch, From: remote, Track: remote})
	}
	for _, url := range targets {
		peers = append(peers, c.pushPeer(remote, url, fetch, len(targets) > 1))
	}
	return slices.CompactFunc(peers, func(a, b Peer) bool { return a.Track == b.Track && a.To == b.To }), nil
}

// pushPeer is the peer behind one push URL of a remote.
func (c *Config) pushPeer(remote, url, fetch string, several bool) Peer {
	p := Peer{Remote: remote, URL: url, To: remote, Track: url}
	switch {
	case several && !c.Rewritten(url):
		p.To = url
	case several:
		// The remote's name goes to all of them, so they count as one, which nothing is fetched from.
		p.Track = remote
		return p
	}
	if url == fetch {
		p.From, p.Track = remote, remote
	} else if c.rewrite(url, "insteadof") == url {
		p.From = url
	}
	return p
}

// BranchPeer is the peer that a branch's handoffs are resolved with: of those behind its push remote, one that can be
// read and written, else one that can be read. False is none.
func (c *Config) BranchPeer(branch string) (Peer, bool) {
	peers, err := c.Peers(c.PushRemote(branch))
	if err != nil {
		return Peer{}, false
	}
	for _, fit := range []func(Peer) bool{
		func(p Peer) bool { return p.From != "" && p.To != "" },
		func(p Peer) bool { return p.From != "" },
	} {
		if i := slices.IndexFunc(peers, fit); i >= 0 {
			return peers[i], true
		}
	}
	return Peer{}, false
}

// PushPeer is the peer that a pre-push hook is told of: the remote's name, or a URL, and the URL that is pushed to.
func (c *Config) PushPeer(remote, url string) (Peer, error) {
	peers, err := c.Peers(remote)
	if errors.Is(err, ErrNoRemote) {
		// A path can look like a name.
		return Peer{Remote: remote, URL: url, From: remote, To: remote, Track: url}, nil
	}
	if err != nil {
		return Peer{}, err
	}
	for _, p := range peers {
		if p.To != "" && p.URL == url {
			return p, nil
		}
	}
	last := peers[len(peers)-1]
	last.URL = url
	return last, nil
}

// looksLikeURL tells what cannot be the name of a remote.
func looksLikeURL(s string) bool {
	return strings.ContainsAny(s, `:\`) || strings.HasPrefix(s, "/") || strings.HasPrefix(s, ".")
}

// PublicURL is a URL without a password in it.
func PublicURL(url string) string {
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok {
		return url
	}
	host, path, _ := strings.Cut(rest, "/")
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		user, _, secret := strings.Cut(host[:i], ":")
		if secret || strings.HasPrefix(scheme, "http") {
			// Of a URL for HTTP, the user may be a token.
			user = "…"
		}
		host = user + host[i:]
	}
	if path != "" {
		path = "/" + path
	}
	return scheme + "://" + host + path
}
