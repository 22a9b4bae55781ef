package gitstore

import (
	"context"
	"slices"

	"git-handoff/gitstore/handoff"
)

// maxNearTrees is how many trees are read here.
const maxNearTrees = 100

// nearChanges is the difference between the trees of two commits, where no file may have been renamed: then nothing was
// added, or nothing was deleted.
func (r *Repo) nearChanges(ctx context.Context, from, to string) ([]handoff.ChangedFile, bool) {
	if r.place.Partial || r.rewritesParents() {
		return nil, false
	}
	a, errA := r.TreeOf(ctx, from)
	b, errB := r.TreeOf(ctx, to)
	d := treeDiff{repo: r, ctx: ctx}
	if errA != nil || errB != nil || !d.trees(a, b, "") {
		return nil, false
	}
	has := func(c handoff.Change) bool {
		return slices.ContainsFunc(d.files, func(f handoff.ChangedFile) bool { return f.Change == c })
	}
	return d.files, !(has(handoff.Added) && has(handoff.Deleted))
}

// A treeDiff is a difference on its way. Its methods are false where git must be asked.
type treeDiff struct {
	repo  *Repo
	ctx   context.Context
	read  int
	files []handoff.ChangedFile
}

func (d *treeDiff) entries(tree string) (map[string]treeEntry, bool) {
	if tree == "" {
		return nil, true
	}
	if d.read++; d.read > maxNearTrees {
		return nil, false
	}
	kind, data, err := d.repo.object(d.ctx, tree)
	list, parseErr := parseTree(data, len(tree)/2)
	if err != nil || parseErr != nil || kind != "tree" {
		return nil, false
	}
	entries := make(map[string]treeEntry, len(list))
	for _, e := range list {
		entries[e.name] = e
	}
	return entries, true
}

// trees compares two trees, "" for none, that stand at a path.
func (d *treeDiff) trees(a, b, path string) bool {
	before, okA := d.entries(a)
	after, okB := d.entries(b)
	if !okA || !okB {
		return false
	}
	for name, old := range before {
		if now := after[name]; (now.mode != old.mode || now.oid != old.oid) && !d.entry(old, now, path+name) {
			return false
		}
	}
	for name, now := range after {
		if _, was := before[name]; !was && !d.entry(treeEntry{}, now, path+name) {
			return false
		}
	}
	return true
}

// entry compares two entries that differ, one of them perhaps not there.
func (d *treeDiff) entry(a, b treeEntry, path string) bool {
	isFile := func(e treeEntry) bool { return e.mode == "100644" || e.mode == "100755" }
	isTree := func(e treeEntry) bool { return e.mode == "40000" }
	none := treeEntry{}
	change := handoff.Modified
	switch {
	case (isTree(a) || a == none) && (isTree(b) || b == none):
		return d.trees(a.oid, b.oid, path+"/")
	case a == none && isFile(b):
		change = handoff.Added
	case b == none && isFile(a):
		change = handoff.Deleted
	case !isFile(a) || !isFile(b):
		return false
	case a.oid == b.oid:
		change = handoff.ModeChanged
	}
	d.files = append(d.files, handoff.ChangedFile{Path: readablePath(path), Change: change})
	return true
}
