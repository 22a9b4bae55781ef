package gitstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"git-handoff/gitstore/handoff"
)

// onRemote compares the recorded head with what the remote has of the branch: a successor elsewhere gets no other.
func (c *comparison) onRemote(ctx context.Context) (Drift, error) {
	head, branch := c.Doc.Head, c.Doc.Branch
	switch {
	case head == "":
		return unknown("the branch had no commit at the save"), nil
	case c.Remote == "":
		return unknown("there is no remote to ask"), nil
	case c.Branches == nil:
		return unknown("%s", cmp.Or(c.Unasked, c.Remote+" was not asked")), nil
	}
	theirs := c.Branches[branch]
	switch {
	case theirs == "":
		return found("%s has no branch %s", c.Remote, branch), nil
	case theirs == head:
		return noDrift, nil
	case c.repo.HasCommit(ctx, theirs) && c.repo.HasCommit(ctx, head):
		there, err := c.repo.IsAncestor(ctx, head, theirs)
		if err != nil || there {
			return noDrift, err
		}
		return found("%.12s, the recorded head, is not in %s of %s", head, branch, c.Remote), nil
	}
	if known, err := c.repo.ref(ctx, "refs/remotes/"+c.Remote+"/"+branch); err == nil && known != "" && c.repo.HasCommit(ctx, head) {
		if there, err := c.repo.IsAncestor(ctx, head, known); err == nil && there {
			return noDrift, nil
		}
	}
	return unknown("%s of %s is at %.12s, which is not here: git fetch %s", branch, c.Remote, theirs, c.Remote), nil
}

// cleanState compares the worktree with what the save recorded of it: what stood uncommitted then and is not here, and
// what is uncommitted now and was not then. The checks of the clean state count where both sides ran them.
func (c *comparison) cleanState(ctx context.Context) (Drift, error) {
	switch {
	case !c.here || c.Look == nil:
		return unknown("branch %s is not checked out here", c.Doc.Branch), nil
	case c.Doc.Worktree == nil && c.Doc.Clean == nil:
		return unknown("the save recorded nothing of it"), nil
	}
	now, err := c.repo.WorktreeOf(ctx, c.Look)
	if err != nil {
		return Drift{}, err
	}
	then := c.Doc.Worktree
	if then == nil {
		then = &handoff.Worktree{}
	}
	said := append(worktreeDrift(then, now), cleanDrift(c.Doc.Clean, c.Clean)...)
	if len(said) > 0 {
		return found("%s", strings.Join(said, "; ")), nil
	}
	if then.Omitted > 0 || now.Omitted > 0 {
		return unknown("there is more uncommitted than the save recorded"), nil
	}
	if still := modifiedPaths(now); len(still) > 0 {
		// All of them were modified at the save too, or they would have been found.
		return unknown("uncommitted then and now, and nobody recorded what it was: %s", someOf(still)), nil
	}
	return noDrift, nil
}

// worktreeDrift says in which way two states of a worktree differ.
func worktreeDrift(then, now *handoff.Worktree) []string {
	var said []string
	if then.Operation != now.Operation {
		said = append(said, fmt.Sprintf("%s was half done at the save, %s now", cmp.Or(then.Operation, "nothing"), cmp.Or(now.Operation, "nothing")))
	}
	add := func(format string, a, b []string) {
		if only := without(a, b); len(only) > 0 {
			said = append(said, fmt.Sprintf(format, someOf(only)))
		}
	}
	before, after := uncommitted(then), uncommitted(now)
	add("uncommitted at the save and not here: %s", before, after)
	add("uncommitted since: %s", after, before)
	add("stashed at the save and not here: %s", stashNames(then), stashNames(now))
	add("stashed since: %s", stashNames(now), stashNames(then))
	return said
}

// uncommitted are the paths of what is in no commit. The notes that a handoff's own tools leave untracked count too.
func uncommitted(w *handoff.Worktree) []string {
	paths := slices.Concat(w.Unmerged, w.Untracked, modifiedPaths(w))
	slices.Sort(paths)
	return slices.Compact(paths)
}

// modifiedPaths are the tracked files with changes in no commit.
func modifiedPaths(w *handoff.Worktree) []string {
	var paths []string
	for _, f := range w.Modified {
		paths = append(paths, f.Path)
	}
	return paths
}

// stashNames are the stashes without their numbers, which change with every new one.
func stashNames(w *handoff.Worktree) []string {
	var names []string
	for _, s := range w.Stashes {
		if _, message, ok := strings.Cut(s, ": "); ok && strings.HasPrefix(s, "stash@{") {
			s = message
		}
		names = append(names, s)
	}
	return names
}

// cleanDrift says which issues of the clean state are new; nothing where one of the sides did not look. What stands
// uncommitted is compared path by path, and not here.
func cleanDrift(then, now *handoff.Clean) []string {
	if then == nil || now == nil {
		return nil
	}
	known := map[string]bool{}
	for _, issue := range then.Issues {
		known[issueKey(issue)] = true
	}
	var said []string
	for _, issue := range now.Issues {
		if issue.Check != "tree" && !known[issueKey(issue)] {
			said = append(said, "since the save: "+issue.What)
		}
	}
	return said
}

// abbreviated matches object ids: an issue that names HEAD is the same one on another commit.
var abbreviated = lazily(`\b[0-9a-f]{7,64}\b`)

func issueKey(i handoff.CleanIssue) string {
	return i.Check + " " + abbreviated().ReplaceAllString(i.What, "…")
}

// without is what of a is not in b.
func without(a, b []string) []string {
	known := map[string]bool{}
	for _, s := range b {
		known[s] = true
	}
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return known[s] })
}

// newer looks for a handoff that tells more than this one: the one that took its place, one of the same name on another
// remote, or another topic of the branch that was saved later.
func (c *comparison) newer(ctx context.Context) (Drift, error) {
	if by := c.Doc.SupersededBy; by != nil {
		return found("superseded by %s", by.Handoff), nil
	}
	config, err := c.repo.Config(ctx)
	if err != nil {
		return Drift{}, err
	}
	prefixes := []string{handoff.RefPrefix + c.Doc.Branch}
	for _, remote := range config.Remotes() {
		prefixes = append(prefixes, handoff.TrackingPrefix+TrackingKey(remote.Name)+"/heads/"+c.Doc.Branch)
	}
	tips, err := c.repo.Tips(ctx, prefixes...)
	if err != nil {
		return Drift{}, err
	}
	var later []string
	for _, v := range tips {
		if v.Name.Branch == c.Doc.Branch && v.Message.Status == handoff.Active && v.Message.Saved.Std().After(c.Doc.Provenance.SavedAt.Std()) {
			later = append(later, laterName(v))
		}
	}
	slices.Sort(later)
	switch later = slices.Compact(later); {
	case len(later) > 0:
		return found("%s", someOf(later)), nil
	case c.Remote != "" && c.Branches == nil:
		return unknown("%s", cmp.Or(c.Unasked, c.Remote+" was not asked")), nil
	}
	return noDrift, nil
}

// laterName names a handoff that was saved later, and where it is.
func laterName(v Version) string {
	where := ""
	if remote, ok := TrackedBy(v.Ref); ok {
		where = " on " + remote
	}
	return fmt.Sprintf("%s%s, saved %s", v.Name, where, v.Message.Saved)
}

// apart counts the commits that two of them do not share: those of a alone, and those of b alone.
func (r *Repo) apart(ctx context.Context, a, b string) (onlyA, onlyB int, err error) {
	out, err := r.git(ctx, "rev-list", "--left-right", "--count", a+"..."+b, "--")
	if err != nil {
		return 0, 0, err
	}
	_, err = fmt.Sscanf(string(out), "%d %d", &onlyA, &onlyB)
	return onlyA, onlyB, err
}

// changedPaths are the paths that differ between two commits, both names of a file that was renamed.
func (r *Repo) changedPaths(ctx context.Context, from, to string) ([]string, error) {
	out, err := r.git(ctx, "diff-tree", "-r", "-z", "--name-only", "--no-renames", "--ignore-submodules=none", from, to)
	if err != nil {
		return nil, err
	}
	var paths []string
	for path := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if path != "" {
			paths = append(paths, readablePath(path))
		}
	}
	return paths, nil
}

// namedPaths are the paths that a handoff speaks of: as artifacts, reports and changed files, and as words of its texts.
func namedPaths(d *handoff.Document, changed []handoff.ChangedFile) map[string]bool {
	named := map[string]bool{}
	for _, f := range changed {
		named[f.Path] = true
		named[f.From] = true
	}
	if v := d.VerdictPointer; v != nil && v.Verification != nil {
		named[v.Verification.Path] = true
	}
	if v := d.VerdictPointer; v != nil && v.Review != nil {
		named[v.Review.Path] = true
	}
	words := func(text string) {
		for _, w := range strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(" \t\n,;()[]{}<>\"'`", c) }) {
			w = strings.TrimRight(w, ".:!?")
			named[strings.TrimPrefix(w, "./")] = true
			if file, _, ok := strings.Cut(w, ":"); ok {
				named[file] = true
			}
		}
	}
	for _, t := range handoff.Texts {
		words(*t.Of(&d.Brief))
	}
	for _, l := range handoff.Lists {
		for _, it := range *l.Of(&d.Brief) {
			words(it.What)
			named[it.Ref] = true
			for _, key := range l.Subkeys {
				words(it.Subkey(key))
			}
		}
	}
	delete(named, "")
	return named
}
