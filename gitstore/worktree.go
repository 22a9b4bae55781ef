package gitstore

import (
	"context"
	"strings"

	"git-handoff/gitstore/handoff"
)

// A Look is one look at a worktree: what is checked out, what its files are like, and the stashes made on its branch.
type Look struct {
	Head    Head
	Status  *Status
	Stashes []Stash
}

// LookAround looks at this worktree. In a bare repository it is nil.
func (r *Repo) LookAround(ctx context.Context) (*Look, error) {
	if r.Place().TopLevel == "" {
		return nil, nil
	}
	head, err := r.Head(ctx)
	if err != nil {
		return nil, err
	}
	status, err := r.Status(ctx)
	if err != nil {
		return nil, err
	}
	stashes, err := r.Stashes(ctx, head.WorkBranch())
	return &Look{head, status, stashes}, err
}

// Worktree is what exists in this worktree and in no commit, as a document records it: the operation that is half
// done, unmerged, changed and untracked files, and the stashes made on the branch. Lists are capped, Omitted counts
// the rest. It is nil in a bare repository.
func (r *Repo) Worktree(ctx context.Context) (*handoff.Worktree, error) {
	look, err := r.LookAround(ctx)
	if err != nil || look == nil {
		return nil, err
	}
	return r.WorktreeOf(ctx, look)
}

// WorktreeOf is Worktree for a look that was taken already.
func (r *Repo) WorktreeOf(ctx context.Context, look *Look) (*handoff.Worktree, error) {
	w := &handoff.Worktree{Operation: look.Head.Operation.Name, Step: look.Head.Operation.Step}
	var err error
	if w.Onto, err = r.branchAt(ctx, look.Head.Operation.Onto); err != nil {
		return nil, err
	}
	for _, s := range look.Stashes {
		w.Stashes = append(w.Stashes, s.String())
	}
	w.Unmerged = cut(look.Status.Unmerged, &w.Omitted)
	w.Modified = cut(look.Status.Changed, &w.Omitted)
	w.Untracked = cut(look.Status.Untracked, &w.Omitted)
	w.Stashes = cut(w.Stashes, &w.Omitted)
	return w, nil
}

// WorkBranch is the branch that the worktree works on: the one that is checked out, or being rebased. "" on any other
// detached HEAD.
func (h Head) WorkBranch() string {
	if h.Branch == "" && h.Operation.Name == "rebase" {
		return h.Operation.Branch
	}
	return h.Branch
}

// cut cuts a list to what a document holds and counts what it cut.
func cut[T any](list []T, omitted *int) []T {
	n := min(len(list), handoff.MaxWorktreePaths)
	*omitted += len(list) - n
	return list[:n:n]
}

// branchAt is the name of a branch that points to a commit, else the commit's id. A rebase records the id alone, and
// people know the branch: of several the default branch, then the first by name, local ones before those of remotes.
func (r *Repo) branchAt(ctx context.Context, oid string) (string, error) {
	if oid == "" {
		return "", nil
	}
	out, err := r.git(ctx, "for-each-ref", "--points-at="+oid, "--format=%(refname)", "refs/heads/", "refs/remotes/")
	if err != nil {
		return "", err
	}
	best := ""
	for _, ref := range strings.Fields(string(out)) {
		name, local := strings.CutPrefix(ref, "refs/heads/")
		if !local {
			name = strings.TrimPrefix(ref, "refs/remotes/")
		}
		if best == "" || name == "main" || name == "master" && best != "main" {
			best = name
		}
	}
	if best == "" {
		best = oid
	}
	return best, nil
}
