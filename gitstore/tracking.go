package gitstore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"time"

	"git-handoff/gitstore/handoff"
)

// TrackingKey is the folder under refs/handoff-remotes/ for a remote: its name with / as %2F (remotes team and team/x
// can exist together) and what git takes in no ref likewise, or for a URL its hash.
func TrackingKey(remote string) string {
	if strings.ContainsAny(remote, ":\\") || strings.HasPrefix(remote, "/") || strings.HasPrefix(remote, ".") {
		sum := sha256.Sum256([]byte(remote))
		return "url-" + hex.EncodeToString(sum[:8])
	}
	return escapeKey.Replace(remote)
}

// escapeKey keeps the names of remotes apart and takes out of them what git has in no ref; unescapeKey gives them back.
var (
	escapeKey   = strings.NewReplacer("%", "%25", "/", "%2F", " ", "%20", "*", "%2A", "?", "%3F", "[", "%5B", "^", "%5E", "{", "%7B", "~", "%7E")
	unescapeKey = strings.NewReplacer("%25", "%", "%2F", "/", "%20", " ", "%2A", "*", "%3F", "?", "%5B", "[", "%5E", "^", "%7B", "{", "%7E", "~")
)

// TrackingRef is where the remote's version of a handoff is kept as it was last fetched.
func TrackingRef(remote string, name handoff.Name) string {
	return handoff.TrackingPrefix + TrackingKey(remote) + "/heads/" + name.String()
}

// fetchedFile notes when a remote's handoffs were last fetched.
func (r *Repo) fetchedFile(remote string) string {
	return filepath.Join(r.place.CommonDir, "handoff", "fetched", TrackingKey(remote))
}

// LastFetch is when the remote's handoffs were last fetched; zero for never.
func (r *Repo) LastFetch(remote string) time.Time {
	text, err := os.ReadFile(r.fetchedFile(remote))
	if err != nil {
		return time.Time{}
	}
	t, err := time.Parse(time.RFC3339, strings.TrimSpace(string(text)))
	if err != nil {
		return time.Time{}
	}
	return t
}

// TrackingNotes is where the remote's evidence is kept as it was last fetched.
func TrackingNotes(remote string) string {
	return handoff.TrackingPrefix + TrackingKey(remote) + "/notes/handoff"
}

// remoteNames are the names of the configured remotes, found without a child where that can be.
func (r *Repo) remoteNames(ctx context.Context) ([]string, error) {
	names, plain := r.RemoteNames()
	if plain {
		return names, nil
	}
	config, err := r.Config(ctx)
	if err != nil {
		return nil, err
	}
	for _, m := range config.Remotes() {
		names = append(names, m.Name)
	}
	return names, nil
}

// A Standing says where a remote's version of a handoff stands, seen from a local one, as far as the last fetch or push
// told. OID is the remote's version, "" if it has none.
type Standing struct {
	Remote, OID string
	// Fetched is when that was last looked at; zero where the remote was never fetched from.
	Fetched time.Time
	// Ahead counts the versions that only the local side has, Behind those that only the remote has.
	Ahead, Behind int
}

// There reports whether the remote has the very version.
func (s Standing) There() bool { return s.OID != "" && s.Ahead == 0 && s.Behind == 0 }

// Standings compares a local version, oid, with what each remote had. It never uses the network, and starts children
// only to count what a remote and the local side do not share.
func (r *Repo) Standings(ctx context.Context, name handoff.Name, oid string) ([]Standing, error) {
	names, err := r.remoteNames(ctx)
	if err != nil {
		return nil, err
	}
	var all []Standing
	for _, remote := range names {
		s, err := r.standing(ctx, remote, name, oid)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// AllStandings are the standings of every local handoff among the tips with each remote, as the tips have it. It starts
// no child where versions can be read without one.
func (r *Repo) AllStandings(ctx context.Context, tips []Version) (map[handoff.Name][]Standing, error) {
	names, err := r.remoteNames(ctx)
	if err != nil || len(names) == 0 {
		return nil, err
	}
	m := &meeting{repo: r}
	g := &graph{fork: Fork{Version: m.version(ctx)}, versions: map[string]*Version{}}
	s := newSurvey()
	for i, v := range tips {
		s.addTip(v)
		g.versions[v.OID] = &tips[i]
	}
	all := make(map[handoff.Name][]Standing, len(s.local))
	for _, remote := range names {
		tracked, fetched := s.tracked[TrackingKey(remote)], r.LastFetch(remote)
		for n, v := range s.local {
			at := Standing{Remote: remote, OID: tracked[n].OID, Fetched: fetched}
			if at.OID != "" && at.OID != v.OID {
				at.Ahead, at.Behind = g.apart(v.OID, at.OID)
			}
			all[n] = append(all[n], at)
		}
	}
	return all, g.err
}

// apart counts the versions that one side alone has, and those that the other has.
func (g *graph) apart(a, b string) (ahead, behind int) {
	ours, theirs := g.ancestors(a), g.ancestors(b)
	for oid := range ours {
		if !theirs[oid] {
			ahead++
		}
	}
	for oid := range theirs {
		if !ours[oid] {
			behind++
		}
	}
	return ahead, behind
}

func (r *Repo) standing(ctx context.Context, remote string, name handoff.Name, oid string) (Standing, error) {
	s := Standing{Remote: remote, Fetched: r.LastFetch(remote)}
	var err error
	if s.OID, err = r.ref(ctx, TrackingRef(remote, name)); err != nil || s.OID == "" || s.OID == oid || oid == "" {
		return s, err
	}
	if s.Ahead, err = r.Distance(ctx, s.OID, oid); err != nil {
		return s, err
	}
	s.Behind, err = r.Distance(ctx, oid, s.OID)
	return s, err
}

// Published reports whether any remote is known to have a version, or one that came after it.
func (r *Repo) Published(ctx context.Context, v *Version) (bool, error) {
	standings, err := r.Standings(ctx, v.Name, v.OID)
	if err != nil {
		return false, err
	}
	for _, s := range standings {
		if s.OID != "" && s.Ahead == 0 {
			return true, nil
		}
	}
	return false, nil
}

// Has reports whether a handoff is here.
func (r *Repo) Has(ctx context.Context, name handoff.Name) bool {
	oid, err := r.ref(ctx, name.Ref())
	return err == nil && oid != ""
}

// TrackedBy names the remote whose version of a handoff a tracking ref holds; false for any other ref.
func TrackedBy(ref string) (remote string, ok bool) {
	rest, ok := strings.CutPrefix(ref, handoff.TrackingPrefix)
	if !ok {
		return "", false
	}
	key, _, ok := strings.Cut(rest, "/heads/")
	if !ok || strings.Contains(key, "/") {
		return "", false
	}
	return unescapeKey.Replace(key), true
}
