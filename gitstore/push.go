package gitstore

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"git-handoff/gitstore/handoff"
)

// A PushedRef is one ref that was to be moved on a peer: from Old, which the peer must have ("" is none), to New ("" is
// to delete it). Name is zero for what is no handoff.
type PushedRef struct {
	Ref, Old, New string
	Name          handoff.Name
	Result        PushResult
	// Reason is the peer's, where it refused.
	Reason string
}

// PushResult is what became of a pushed ref.
type PushResult int

const (
	// Unanswered is a ref of which git said nothing: the connection broke.
	Unanswered PushResult = iota
	// Accepted refs are on the peer as they were meant.
	Accepted
	// Stale refs have another value there than expected: fetch, resolve, and try again.
	Stale
	// Refused refs are not taken by the peer, now or later.
	Refused
)

// PushMarker is set in the environment of every push of ours, so that our pre-push hook knows it.
const PushMarker = "GIT_HANDOFF_PUSHING"

// maxPushArgs is how many bytes of arguments one push has: half of what Windows takes.
const maxPushArgs = 16 << 10

// push moves refs on a peer, each with its expected value as the lease, in one child (or, of hundreds, in a few), and
// says of each what became of it. The error is an *UnreachedError where nothing at all could be said.
func (r *Repo) push(ctx context.Context, p Peer, refs []PushedRef) error {
	config, err := r.Config(ctx)
	if err != nil {
		return err
	}
	for len(refs) > 0 {
		n, size := 0, 0
		for n < len(refs) && (n == 0 || size < maxPushArgs) {
			size += 2*len(refs[n].Ref) + len(refs[n].Old) + len(refs[n].New) + 30
			n++
		}
		out, err := r.gitNetwork(ctx, config.PushTimeout, nil, pushArgs(p, refs[:n])...)
		answered := readPorcelain(string(out), refs[:n])
		var git *GitError
		if err != nil && (!answered || !errors.As(err, &git) || git.Status != 1) {
			return &UnreachedError{Remote: p.Remote, URL: PublicURL(p.URL), Err: err}
		}
		refs = refs[n:]
	}
	return nil
}

// pushArgs is a push that no configuration of the user makes into another one.
func pushArgs(p Peer, refs []PushedRef) []string {
	args := []string{"-c", "push.pushOption=", "-c", "push.negotiate=false", "-c", "core.warnAmbiguousRefs=false", "-c", "color.ui=false", "-c", "gc.auto=0"}
	if !looksLikeURL(p.Remote) {
		args = append(args, "-c", "remote."+p.Remote+".mirror=false")
	}
	args = append(args, "push", "--no-verify", "--no-follow-tags", "--no-signed", "--recurse-submodules=no", "--no-force-if-includes",
		"--no-progress", "--porcelain")
	for _, ref := range refs {
		args = append(args, "--force-with-lease="+ref.Ref+":"+ref.Old)
	}
	args = append(args, "--end-of-options", p.To)
	for _, ref := range refs {
		args = append(args, ref.New+":"+ref.Ref)
	}
	return args
}

// readPorcelain reads the lines "FLAG TAB FROM:TO TAB SUMMARY" of git push --porcelain, and reports whether there were
// any.
func readPorcelain(out string, refs []PushedRef) bool {
	byName := map[string]*PushedRef{}
	for i := range refs {
		byName[refs[i].Ref] = &refs[i]
	}
	answered := false
	for line := range strings.Lines(out) {
		f := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 3)
		if len(f) != 3 || len(f[0]) != 1 {
			continue
		}
		_, to, _ := strings.Cut(f[1], ":")
		ref, ok := byName[to]
		if !ok {
			continue
		}
		answered = true
		ref.Result, ref.Reason = Accepted, ""
		if f[0] == "!" {
			ref.Result, ref.Reason = rejection(f[2])
		}
	}
	return answered
}

// staleReasons are what a rejection says that another look at the peer can mend. A peer that only failed to update the
// ref may have been busy with another push, or hold a ref that has to make room.
var staleReasons = []string{"stale info", "fetch first", "non-fast-forward", "already exists", "remote ref updated since checkout",
	"failed to update ref", "failed to lock", "cannot lock ref", "reference already exists", "incorrect old value provided", "needs force"}

func rejection(summary string) (PushResult, string) {
	reason := summary
	if i := strings.IndexByte(summary, '('); i >= 0 {
		reason = strings.TrimSuffix(summary[i+1:], ")")
	}
	for _, s := range staleReasons {
		if strings.Contains(reason, s) {
			return Stale, reason
		}
	}
	return Refused, reason
}

// track moves the tracking refs to what a peer took. Somebody else's fetch may have been faster, and knows better; what
// cannot be noted now, the next fetch finds.
func (r *Repo) track(ctx context.Context, p Peer, s *survey, refs []PushedRef) error {
	var changes, cleared []RefChange
	for _, ref := range refs {
		if ref.Result != Accepted {
			continue
		}
		c := RefChange{Ref: trackingOf(p, ref.Ref), Old: s.trackedAt(p, ref.Ref), New: ref.New}
		if c.New == "" && c.Old != "" {
			cleared = append(cleared, c)
		} else if c.New != c.Old {
			changes = append(changes, c)
		}
	}
	for _, step := range [][]RefChange{cleared, changes} {
		if len(step) == 0 {
			continue
		}
		if err := r.UpdateRefs(ctx, "handoff: push to "+p.Remote, step...); err != nil && !lost(err) {
			return fmt.Errorf("pushed, but not noted: %w", err)
		}
	}
	return nil
}

// trackingOf is the tracking ref for a ref of a peer.
func trackingOf(p Peer, ref string) string {
	prefix := handoff.TrackingPrefix + TrackingKey(p.Track)
	switch {
	case strings.HasPrefix(ref, handoff.RefPrefix):
		return prefix + "/heads/" + strings.TrimPrefix(ref, handoff.RefPrefix)
	case strings.HasPrefix(ref, handoff.ArchivePrefix):
		return prefix + "/archive/" + strings.TrimPrefix(ref, handoff.ArchivePrefix)
	}
	return prefix + "/notes/handoff"
}

// trackedAt is what a tracking ref pointed to when the refs were surveyed.
func (s *survey) trackedAt(p Peer, ref string) string {
	key := TrackingKey(p.Track)
	if name, ok := handoff.ParseRef(ref); ok {
		return s.tracked[key][name].OID
	}
	if oid, ok := strings.CutPrefix(ref, handoff.ArchivePrefix); ok {
		if s.archived[key][oid] {
			return oid
		}
		return ""
	}
	return s.notes[key]
}
