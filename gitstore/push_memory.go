package gitstore

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A peerFile is a small file in the common git directory that remembers something of a peer.
func (r *Repo) peerFile(what string, p Peer) string {
	return filepath.Join(r.place.CommonDir, "handoff", what, TrackingKey(p.Track))
}

// writePeerFile writes as well as it can: what cannot be remembered is only said again. An empty text removes it.
func (r *Repo) writePeerFile(what string, p Peer, text string) {
	file := r.peerFile(what, p)
	if text == "" {
		_ = os.Remove(file)
		return
	}
	if os.MkdirAll(filepath.Dir(file), 0o755) == nil {
		_ = os.WriteFile(file, []byte(text), 0o644)
	}
}

// Told reports whether the user was told what automatic pushes publish to a peer.
func (r *Repo) Told(p Peer) bool { return exists(r.peerFile("told", p)) }

// SetTold remembers that the user was told.
func (r *Repo) SetTold(p Peer) { r.writePeerFile("told", p, PublicURL(p.URL)+"\n") }

// namespaces are what a host may take or refuse as a whole.
var namespaces = []string{"refs/handoff/", "refs/handoff-archive/", "refs/notes/"}

func namespaceOf(ref string) string {
	i := slices.IndexFunc(namespaces, func(ns string) bool { return strings.HasPrefix(ref, ns) })
	if i < 0 {
		return ""
	}
	return namespaces[i]
}

// RefusedBy are the namespaces that a peer is known to refuse.
func (r *Repo) RefusedBy(p Peer) []string {
	text, err := os.ReadFile(r.peerFile("refused", p))
	if err != nil {
		return nil
	}
	return strings.Fields(string(text))
}

// rememberRefusals keeps which namespaces a peer refused: those of which it took nothing. What it took is forgotten.
func (r *Repo) rememberRefusals(p Peer, refs []PushedRef) {
	before := r.RefusedBy(p)
	after := slices.Clone(before)
	for _, ns := range namespaces {
		refused, taken := false, false
		for _, ref := range refs {
			if namespaceOf(ref.Ref) == ns {
				refused = refused || ref.Result == Refused
				taken = taken || ref.Result == Accepted
			}
		}
		switch known := slices.Contains(after, ns); {
		case taken && known:
			after = slices.DeleteFunc(after, func(s string) bool { return s == ns })
		case refused && !taken && !known:
			after = append(after, ns)
		}
	}
	if !slices.Equal(before, after) {
		text := strings.Join(after, "\n")
		if text != "" {
			text += "\n"
		}
		r.writePeerFile("refused", p, text)
	}
}
