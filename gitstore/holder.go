package gitstore

import (
	"crypto/rand"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"

	"git-handoff/gitstore/handoff"
)

// worktreeIDPattern is what a worktree calls itself.
var worktreeIDPattern = lazily(`^worktree-[0-9a-f]{16}$`)

func (r *Repo) worktreeIDFile() string {
	return filepath.Join(r.place.GitDir, "handoff", "worktree-id")
}

// Holder is who claims and resumes here: the session if there is one, else this worktree. It is "" where there is no
// session and the worktree has no id yet.
func (r *Repo) Holder(session string) string {
	if session != "" {
		return session
	}
	data, err := os.ReadFile(r.worktreeIDFile())
	if id := strings.TrimSpace(string(data)); err == nil && worktreeIDPattern().MatchString(id) {
		return id
	}
	return ""
}

// MakeHolder is Holder, and gives the worktree a random id if it needs one: a file in its own git directory, so that no
// copy or clone shares it.
func (r *Repo) MakeHolder(session string) (string, error) {
	if holder := r.Holder(session); holder != "" {
		return holder, nil
	}
	var random [8]byte
	rand.Read(random[:])
	id := "worktree-" + hex.EncodeToString(random[:])
	file := r.worktreeIDFile()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return "", err
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if os.IsExist(err) {
		if holder := r.Holder(""); holder != "" {
			return holder, nil
		}
		f, err = os.OpenFile(file, os.O_WRONLY|os.O_TRUNC, 0o644)
	}
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(id + "\n")
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return id, err
}

// ClaimAfter is the claim after its holder's save or archive, which ends it; anybody else's leaves it.
func ClaimAfter(claim *handoff.Claim, holder string) *handoff.Claim {
	if claim != nil && holder != "" && claim.By == holder {
		return nil
	}
	return claim
}
