package gitstore

import (
	"context"
	"fmt"
	"strings"
)

// A Stash is one entry of the stash. Note is the message that its maker gave, "" where git made one up.
type Stash struct {
	Index  int
	Branch string
	Note   string
	// Message is the whole line as git stash list shows it.
	Message string
}

func (s Stash) String() string { return s.Name() + ": " + s.Message }

// Name is how git commands name the entry.
func (s Stash) Name() string { return fmt.Sprintf("stash@{%d}", s.Index) }

// stashPattern is how git stash writes where a stash was made: "WIP on BRANCH: …" without a message, "On BRANCH: …"
// with one. No branch has a colon in its name.
var stashPattern = lazily(`^(WIP on|On) ([^:]+): (.*)$`)

// Stashes are the stashes that were made on a branch, the newest first. Stashes made on a detached HEAD, or put
// there by git stash store, belong to none.
func (r *Repo) Stashes(ctx context.Context, branch string) ([]Stash, error) {
	oid, err := r.ref(ctx, "refs/stash")
	if err != nil || oid == "" || branch == "" {
		return nil, err
	}
	out, err := r.git(ctx, "log", "-g", "-z", "--no-show-signature", "--format=%gs", "refs/stash", "--")
	if err != nil {
		return nil, err
	}
	var stashes []Stash
	for i, message := range strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if s := parseStash(message); s.Branch == branch {
			s.Index = i
			stashes = append(stashes, s)
		}
	}
	return stashes, nil
}

func parseStash(message string) Stash {
	s := Stash{Message: message}
	m := stashPattern().FindStringSubmatch(message)
	if m == nil {
		return s
	}
	s.Branch = m[2]
	if m[1] == "On" {
		s.Note = m[3]
	}
	return s
}
