package gitstore

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// defaultTips are the commits of the default branch, the local and the remote-tracking one; none if branch is the
// default branch, or there is none. The branch's own upstream is never among them: after a push it is the branch.
func (r *Repo) defaultTips(ctx context.Context, branch string) ([]string, error) {
	d, err := r.DefaultBranch(ctx, branch)
	if err != nil || d.Name == branch {
		return nil, err
	}
	tips := d.Tips()
	slices.Sort(tips)
	return slices.Compact(tips), nil
}

// A DefaultBranch is the branch that others fork from. Name is without refs/heads/ or its remote, Remote the remote
// that it was looked for on; both are "" where there is none, or handoff.base is no branch.
type DefaultBranch struct {
	Name, Remote    string
	local, tracking string
}

// Tips are the commits of the local and of the remote-tracking default branch, as far as they exist.
func (d DefaultBranch) Tips() []string {
	return slices.DeleteFunc([]string{d.local, d.tracking}, func(oid string) bool { return oid == "" })
}

// DefaultBranch finds the default branch as seen from a branch: handoff.base, else what the remote's HEAD names, else
// main or master. A setting that names nothing here falls through to the next.
func (r *Repo) DefaultBranch(ctx context.Context, branch string) (DefaultBranch, error) {
	c, err := r.Config(ctx)
	if err != nil {
		return DefaultBranch{}, err
	}
	remotes := c.baseRemotes(branch)
	remote, head, err := r.remoteHead(ctx, remotes)
	if err != nil {
		return DefaultBranch{}, err
	}
	for i, name := range []string{c.Base, head, "main", "master"} {
		from, name := splitRemote(name, remotes)
		if from == "" {
			from = remote
		}
		d, err := r.lookUpDefault(ctx, name, from)
		if err == nil && len(d.Tips()) == 0 && i == 0 {
			d, err = r.baseRevision(ctx, c.Base)
		}
		if err != nil || len(d.Tips()) > 0 {
			return d, err
		}
	}
	return DefaultBranch{}, nil
}

// baseRevision takes handoff.base for a tag or a commit.
func (r *Repo) baseRevision(ctx context.Context, rev string) (DefaultBranch, error) {
	if rev == "" {
		return DefaultBranch{}, nil
	}
	out, err := r.git(ctx, "rev-parse", "-q", "--verify", "--end-of-options", rev+"^{commit}")
	var git *GitError
	if errors.As(err, &git) && git.Status > 0 {
		return DefaultBranch{}, nil
	}
	return DefaultBranch{local: strings.TrimSpace(string(out))}, err
}

// splitRemote takes a name that people write for a branch apart: main, refs/heads/main, origin/main,
// refs/remotes/origin/main.
func splitRemote(name string, remotes []string) (remote, branch string) {
	if branch, ok := strings.CutPrefix(name, "refs/heads/"); ok {
		return "", branch
	}
	name = strings.TrimPrefix(name, "refs/remotes/")
	for _, r := range remotes {
		if branch, ok := strings.CutPrefix(name, r+"/"); ok && len(r) > len(remote) {
			remote, name = r, branch
		}
	}
	return remote, name
}

// lookUpDefault finds a branch here and on a remote.
func (r *Repo) lookUpDefault(ctx context.Context, name, remote string) (d DefaultBranch, err error) {
	if name == "" {
		return DefaultBranch{}, nil
	}
	d = DefaultBranch{Name: name, Remote: remote}
	if d.local, err = r.ref(ctx, "refs/heads/"+name); err != nil || remote == "" {
		return d, err
	}
	d.tracking, err = r.ref(ctx, "refs/remotes/"+remote+"/"+name)
	return d, err
}

// baseRemotes are the remotes, those first whose default branch counts for a branch: the one it is pulled from, then
// origin, then the others as they are configured.
func (c *Config) baseRemotes(branch string) []string {
	var names []string
	for _, r := range c.Remotes() {
		names = append(names, r.Name)
	}
	own := c.Get("branch." + branch + ".remote")
	rank := func(name string) int {
		switch name {
		case own:
			return 0
		case "origin":
			return 1
		}
		return 2
	}
	slices.SortStableFunc(names, func(a, b string) int { return rank(a) - rank(b) })
	return names
}

// remoteHead is the first remote whose HEAD names a branch, as clone or git remote set-head left it, and that branch;
// the first remote and "" if none does.
func (r *Repo) remoteHead(ctx context.Context, remotes []string) (remote, branch string, err error) {
	for _, remote := range remotes {
		prefix := "refs/remotes/" + remote + "/"
		target, err := r.symref(ctx, prefix+"HEAD")
		if err != nil {
			return "", "", err
		}
		if branch, ok := strings.CutPrefix(target, prefix); ok {
			return remote, branch, nil
		}
	}
	return strings.Join(remotes[:min(1, len(remotes))], ""), "", nil
}

// symref is the ref that a symbolic ref points to; "" if it is none. Symbolic refs are never packed.
func (r *Repo) symref(ctx context.Context, name string) (string, error) {
	if r.Place().RefFormat != "files" {
		out, err := r.git(ctx, "for-each-ref", "--format=%(symref)", name)
		return strings.TrimSpace(string(out)), err
	}
	data, err := os.ReadFile(filepath.Join(r.Place().CommonDir, filepath.FromSlash(name)))
	if err != nil {
		return "", nil // a ref that cannot be read names nothing
	}
	target, _ := strings.CutPrefix(strings.TrimSpace(string(data)), "ref: ")
	return strings.TrimSpace(target), nil
}
