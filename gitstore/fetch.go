package gitstore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"git-handoff/gitstore/handoff"
)

// ErrUnreached is the cause where a remote could not be asked: no network, no permission, too slow, not there.
var ErrUnreached = errors.New("not reached")

// An UnreachedError names the remote that was not reached, and says why in git's words.
type UnreachedError struct {
	Remote, URL string
	Err         error
}

func (e *UnreachedError) Error() string {
	reason := firstReason(e.Err)
	if cannotKeep(reason) {
		return fmt.Sprintf("what %s has could not be kept here: %s", e.Remote, reason)
	}
	return fmt.Sprintf("%s was not reached: %s", e.Remote, reason)
}

// cannotKeep reports whether it is this repository that a fetch failed on, and not the remote.
func cannotKeep(reason string) bool {
	for _, part := range []string{"insufficient permission for adding an object", "unable to create temporary file", "Read-only file system"} {
		if strings.Contains(reason, part) {
			return true
		}
	}
	return false
}

func (e *UnreachedError) Unwrap() []error { return []error{ErrUnreached, e.Err} }

// firstReason is the one line of what git said that tells why. Ssh and helpers say theirs first, git its general advice
// last.
func firstReason(err error) string {
	var git *GitError
	if !errors.As(err, &git) {
		return err.Error()
	}
	if errors.Is(git.Err, context.DeadlineExceeded) {
		return "it took too long"
	}
	for line := range strings.Lines(git.Stderr) {
		line = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(line), "fatal: "), "error: "))
		if line != "" && !strings.HasPrefix(line, "warning: ") && !strings.HasPrefix(line, "Could not read from remote") {
			return line
		}
	}
	return err.Error()
}

// Fetched is what one fetch found out beyond the tracking refs that it moved.
type Fetched struct {
	Peer Peer
	// Branches are the branches that the peer advertised, and their commits. Nil is not asked.
	Branches map[string]string
	// Note is one line about what could not be kept, "" for none.
	Note string
}

// FetchOptions say how to fetch. With Limit 0, handoff.fetchTimeout counts.
type FetchOptions struct {
	Limit time.Duration
	// Branches asks for the branches that the peer has, too: a second child, at the same time.
	Branches bool
}

// Fetch brings what a peer has of handoffs, evidence and archive under refs/handoff-remotes/, and nothing else. It
// never touches refs/handoff/. A peer that cannot be asked is an *UnreachedError.
func (r *Repo) Fetch(ctx context.Context, p Peer, opt FetchOptions) (*Fetched, error) {
	if opt.Limit == 0 {
		config, err := r.Config(ctx)
		if err != nil {
			return nil, err
		}
		opt.Limit = config.FetchTimeout
	}
	f := &Fetched{Peer: p}
	var asking sync.WaitGroup
	var branchErr error
	if opt.Branches {
		asking.Go(func() { f.Branches, branchErr = r.advertised(ctx, p, opt.Limit) })
	}
	note, err := r.fetchRefs(ctx, p, opt.Limit)
	asking.Wait()
	if err = errors.Join(err, branchErr); err != nil {
		return nil, &UnreachedError{Remote: p.Remote, URL: PublicURL(p.URL), Err: err}
	}
	f.Note = note
	r.recordFetch(p.Track)
	return f, nil
}

// fetchRefs runs the fetch. It is by globs alone, since one exact name that the remote lacks fails a whole fetch; the
// empty refmap keeps the user's own refspecs out of it, which could overwrite our notes.
func (r *Repo) fetchRefs(ctx context.Context, p Peer, limit time.Duration) (note string, err error) {
	into := handoff.TrackingPrefix + TrackingKey(p.Track)
	args := []string{"-c", "gc.auto=0", "-c", "core.warnAmbiguousRefs=false", "-c", "fetch.writeCommitGraph=false",
		"-c", "fetch.bundleURI="}
	if p.From == p.Remote && !looksLikeURL(p.Remote) {
		args = append(args, "-c", "remote."+p.Remote+".followRemoteHEAD=never")
	}
	args = append(args, "fetch", "--quiet", "--prune", "--no-prune-tags", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head",
		"--no-auto-maintenance", "--no-show-forced-updates", "--refmap=")
	if r.place.Partial {
		args = append(args, "--no-filter")
	}
	args = append(args, "--end-of-options", p.From,
		"+"+handoff.RefPrefix+"*:"+into+"/heads/*",
		"+"+handoff.NotesRef+"*:"+into+"/notes/handoff*",
		"+"+handoff.ArchivePrefix+"*:"+into+"/archive/*")
	for n := 1; ; n++ {
		_, err = r.gitNetwork(ctx, limit, nil, args...)
		var git *GitError
		if !errors.As(err, &git) || git.Status != 1 {
			return "", err
		}
		// The remote answered, but not every ref could be stored: somebody else was fetching, or two differ by case alone.
		if n == fetchAttempts || !strings.Contains(git.Stderr, "cannot lock ref") {
			return fmt.Sprintf("not all of %s could be kept: %s", p.Remote, firstReason(err)), nil
		}
		if err := pause(ctx, 4*n); err != nil {
			return "", err
		}
	}
}

// fetchAttempts is how often a fetch is tried that met another one here.
const fetchAttempts = 4

// advertised asks which branches a peer has.
func (r *Repo) advertised(ctx context.Context, p Peer, limit time.Duration) (map[string]string, error) {
	out, err := r.gitNetwork(ctx, limit, nil, "ls-remote", "--quiet", "--heads", "--end-of-options", p.From)
	if err != nil {
		return nil, err
	}
	branches := map[string]string{}
	for line := range strings.Lines(string(out)) {
		oid, ref, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if branch, ok := strings.CutPrefix(ref, "refs/heads/"); ok && isOID(oid) {
			branches[branch] = oid
		}
	}
	return branches, nil
}

// recordFetch notes, as well as it can, that the peer was asked just now.
func (r *Repo) recordFetch(track string) {
	file := r.fetchedFile(track)
	if os.MkdirAll(filepath.Dir(file), 0o755) == nil {
		_ = os.WriteFile(file, []byte(Now().UTC().Format(time.RFC3339)+"\n"), 0o644)
	}
}
