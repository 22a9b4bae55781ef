package gitstore

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A ReflogEntry is one move of a branch in this clone: where to, when, and what git said about it.
type ReflogEntry struct {
	OID     string
	When    time.Time
	Message string
}

// Reflog lists where a branch has been in this clone, the latest first. The last entry is when it was made, unless
// git has expired that.
func (r *Repo) Reflog(ctx context.Context, branch string) ([]ReflogEntry, error) {
	out, err := r.git(ctx, "log", "-g", "-z", "--no-show-signature", "--date=unix", "--format=%H%x00%gd%x00%gs", "refs/heads/"+branch, "--")
	if err != nil {
		return nil, err
	}
	return parseReflog(string(out))
}

func parseReflog(out string) ([]ReflogEntry, error) {
	f := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	var entries []ReflogEntry
	for i := 0; i+2 < len(f); i += 3 {
		_, date, _ := cutLast(strings.TrimSuffix(f[i+1], "}"), "@{")
		seconds, err := strconv.ParseInt(date, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("git log -g answered %.80q, which has no time", f[i+1])
		}
		entries = append(entries, ReflogEntry{OID: f[i], When: time.Unix(seconds, 0).UTC(), Message: f[i+2]})
	}
	return entries, nil
}

// Amended reports whether what HEAD was moved by last is git commit --amend.
func (r *Repo) Amended(ctx context.Context) bool {
	out, err := r.git(ctx, "log", "-g", "-1", "--no-show-signature", "--format=%gs", "HEAD", "--")
	return err == nil && strings.HasPrefix(string(out), "commit (amend)")
}

// A Rename is a branch that had another name before.
type Rename struct{ Old, New string }

// renamePattern is what git branch -m leaves in the reflog.
var renamePattern = lazily(`^Branch: renamed refs/heads/(\S+) to refs/heads/(\S+)$`)

// Renames lists the renames that the reflogs of local branches tell of, in one child. New is the name that the
// branch has now, however often it was renamed; a name that is a local branch again is listed too.
func (r *Repo) Renames(ctx context.Context) ([]Rename, error) {
	out, err := r.git(ctx, "log", "-g", "--branches", "--grep-reflog=^Branch: renamed refs/heads/", "-z", "--no-show-signature",
		"--format=%gD%x00%gs", "--")
	if err != nil {
		return nil, err
	}
	return parseRenames(out)
}

func parseRenames(out []byte) ([]Rename, error) {
	f := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	if len(f) == 1 && f[0] == "" {
		return nil, nil
	}
	if len(f)%2 != 0 {
		return nil, fmt.Errorf("git log -g answered %d fields, which are no pairs", len(f))
	}
	var renames []Rename
	for i := 0; i < len(f); i += 2 {
		at := strings.LastIndex(f[i], "@{")
		m := renamePattern().FindStringSubmatch(f[i+1])
		if at < 0 || m == nil {
			continue
		}
		now := strings.TrimPrefix(strings.TrimPrefix(f[i][:at], "refs/"), "heads/")
		if m[1] != now {
			renames = append(renames, Rename{Old: m[1], New: now})
		}
	}
	return renames, nil
}
