package gitstore

import (
	"context"
	"fmt"
	"strings"
)

// A Branch is one local branch. Upstream and Push are full names of remote-tracking refs, "" where there is none.
// Worktree is the folder in which the branch is checked out, "" where it is in none.
type Branch struct {
	Name, OID      string
	Upstream, Push string
	Worktree       string
}

const branchFormat = "--format=%(refname)%00%(objectname)%00%(upstream)%00%(push)%00%(worktreepath)%00"

// Branches lists the local branches, sorted by name, in one child.
func (r *Repo) Branches(ctx context.Context) ([]Branch, error) {
	return r.branches(ctx, "refs/heads/")
}

func (r *Repo) branches(ctx context.Context, pattern string) ([]Branch, error) {
	out, err := r.git(ctx, "for-each-ref", branchFormat, pattern)
	if err != nil {
		return nil, err
	}
	return parseBranches(string(out))
}

// parseBranches reads five fields a branch, each ended by NUL; a line feed stands between two branches.
func parseBranches(out string) ([]Branch, error) {
	var all []Branch
	for rest := strings.TrimSuffix(out, "\n"); rest != ""; rest = strings.TrimPrefix(rest, "\n") {
		f := strings.SplitN(rest, "\x00", 6)
		if len(f) != 6 {
			return nil, fmt.Errorf("git for-each-ref answered %.80q, which is no branch", rest)
		}
		all = append(all, Branch{Name: strings.TrimPrefix(f[0], "refs/heads/"), OID: f[1], Upstream: f[2], Push: f[3], Worktree: f[4]})
		rest = f[5]
	}
	return all, nil
}

// BranchTip is the commit that a local branch points to; "" where there is no such branch, or it is unborn.
func (r *Repo) BranchTip(ctx context.Context, branch string) (string, error) {
	return r.ref(ctx, "refs/heads/"+branch)
}

// BranchExists reports whether there is a local branch of that name that has a commit.
func (r *Repo) BranchExists(ctx context.Context, branch string) (bool, error) {
	oid, err := r.BranchTip(ctx, branch)
	return oid != "", err
}

// published reports whether a commit of a branch is in what this clone knows of the branch on remotes: its upstream,
// where it is pushed to, and branches of the same name.
func (r *Repo) published(ctx context.Context, branch, commit string) (bool, error) {
	found, err := r.branches(ctx, "refs/heads/"+branch)
	if err != nil {
		return false, err
	}
	args := []string{"for-each-ref", "--contains=" + commit, "--format=%(refname)", "refs/remotes/*/" + branch}
	for _, b := range found {
		for _, ref := range []string{b.Upstream, b.Push} {
			if strings.HasPrefix(ref, "refs/") {
				args = append(args, ref)
			}
		}
	}
	out, err := r.git(ctx, args...)
	return len(out) > 0, err
}
