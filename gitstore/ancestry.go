package gitstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// IsAncestor reports whether a is b or an ancestor of b. A commit that is not here is an error.
func (r *Repo) IsAncestor(ctx context.Context, a, b string) (bool, error) {
	if a == b {
		return true, nil
	}
	if r.isNearAncestor(ctx, a, b) {
		return true, nil
	}
	_, err := r.git(ctx, "merge-base", "--is-ancestor", a, b)
	var git *GitError
	if errors.As(err, &git) && git.Status == 1 {
		return false, nil
	}
	return err == nil, err
}

// nearCommits is how many commits are read in process before git is asked, which costs as much as some hundred.
const nearCommits = 64

// isNearAncestor looks for a among the nearest ancestors of b. After an ordinary commit it is the first. False says
// nothing.
func (r *Repo) isNearAncestor(ctx context.Context, a, b string) bool {
	seen := map[string]bool{b: true}
	queue := []string{b}
	for i := 0; i < len(queue) && i < nearCommits; i++ {
		for _, p := range r.parents(ctx, queue[i]) {
			if p == a {
				return true
			}
			if !seen[p] {
				seen[p] = true
				queue = append(queue, p)
			}
		}
	}
	return false
}

// parents are those that a commit names itself; none if it is not here.
func (r *Repo) parents(ctx context.Context, commit string) []string {
	kind, data, err := r.object(ctx, commit)
	if err != nil || kind != "commit" {
		return nil
	}
	c, err := parseCommit(data)
	if err != nil {
		return nil
	}
	return c.parents
}

// HasCommit reports whether a commit is here. In a partial clone, reading one that is not would fetch it.
func (r *Repo) HasCommit(ctx context.Context, oid string) bool {
	if !isOID(oid) {
		return false
	}
	if r.Place().Partial {
		out, err := r.git(ctx, "rev-list", "--missing=allow-any", "--no-walk", oid, "--")
		return err == nil && strings.TrimSpace(string(out)) == oid
	}
	kind, _, err := r.object(ctx, oid)
	return err == nil && kind == "commit"
}

// MergeBases gives all best common ancestors of a commit and the others taken together, as if these had been merged.
// They are ordered by id: git's own order depends on that of its arguments. None is no error.
func (r *Repo) MergeBases(ctx context.Context, commit string, others ...string) ([]string, error) {
	out, err := r.git(ctx, append([]string{"merge-base", "--all", commit}, others...)...)
	var git *GitError
	if errors.As(err, &git) && git.Status == 1 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	bases := strings.Fields(string(out))
	slices.Sort(bases)
	return bases, nil
}

// Distance counts the commits of from..to.
func (r *Repo) Distance(ctx context.Context, from, to string) (int, error) {
	if s, ok := r.nearSpan(ctx, to, from); ok {
		return len(s.commits), nil
	}
	out, err := r.git(ctx, "rev-list", "--count", from+".."+to, "--")
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(out)))
}

// Commits lists from..to, newest first along the history whatever the clocks say, at most limit (0 is all). With from
// "" it goes back to the first commit.
func (r *Repo) Commits(ctx context.Context, from, to string, limit int) ([]Commit, error) {
	args := []string{"rev-list", "--topo-order", "--encoding=UTF-8", commitFormat}
	if limit > 0 {
		args = append(args, fmt.Sprintf("--max-count=%d", limit))
	}
	args = append(args, to)
	if from != "" {
		args = append(args, "^"+from)
	}
	out, err := r.git(ctx, append(args, "--")...)
	if err != nil {
		return nil, err
	}
	s, err := parseSpan(out)
	return s.commits, err
}

// Reachable gives those of commits that are reachable from tips, in one child. Commits that are not here are not.
func (r *Repo) Reachable(ctx context.Context, commits, tips []string) ([]string, error) {
	here, err := r.present(ctx, commits)
	if err != nil || len(here) == 0 || len(tips) == 0 {
		return nil, err
	}
	var in strings.Builder
	for _, c := range here {
		in.WriteString(c + "\n")
	}
	for _, t := range tips {
		in.WriteString("^" + t + "\n")
	}
	out, err := r.gitIn(ctx, []byte(in.String()), "rev-list", "--stdin")
	if err != nil {
		return nil, err
	}
	beyond := map[string]bool{}
	for _, c := range strings.Fields(string(out)) {
		beyond[c] = true
	}
	return slices.DeleteFunc(here, func(c string) bool { return beyond[c] }), nil
}

// present gives those of commits that are here. Nothing is fetched: git lists what it holds, all of it, which is the
// one way to ask for many that no git fetches for.
func (r *Repo) present(ctx context.Context, commits []string) ([]string, error) {
	if !r.Place().Partial {
		return slices.DeleteFunc(slices.Clone(commits), func(c string) bool { return !r.HasCommit(ctx, c) }), nil
	}
	out, err := r.git(ctx, "cat-file", "--batch-all-objects", "--unordered", "--batch-check=%(objecttype) %(objectname)")
	if err != nil {
		return nil, err
	}
	held := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		if id, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "commit "); ok {
			held[id] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(commits), func(c string) bool { return !held[c] }), nil
}
