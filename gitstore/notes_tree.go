package gitstore

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// The modes of what a notes tree is made of, as git writes them.
const (
	treeMode = "40000"
	blobMode = "100644"
)

func (e treeEntry) isTree() bool { return e.mode == treeMode }

// sortName is the name as git orders a tree: a folder sorts as if its name ended in a slash.
func (e treeEntry) sortName() string {
	if e.isTree() {
		return e.name + "/"
	}
	return e.name
}

// encodeEntries writes a tree object, ordered as git demands.
func encodeEntries(entries []treeEntry) ([]byte, error) {
	slices.SortFunc(entries, func(a, b treeEntry) int { return strings.Compare(a.sortName(), b.sortName()) })
	var b bytes.Buffer
	for _, e := range entries {
		id, err := hex.DecodeString(e.oid)
		if err != nil {
			return nil, err
		}
		b.WriteString(e.mode + " " + e.name + "\x00")
		b.Write(id)
	}
	return b.Bytes(), nil
}

// A noteTree is one folder of a notes tree. A note on an object lies under the object's id, its first digits split off
// as folders of two digits each, as deep as whoever wrote it thought fit: all depths can stand in one tree. Whatever
// else lies there stays.
type noteTree struct {
	entries []treeEntry
	// folders are the folders that were read, by name.
	folders map[string]*noteTree
	changed bool
}

// maxFlatNotes is how many notes lie side by side before new ones go into folders: a note that is added rewrites the
// folder it is in.
const maxFlatNotes = 256

// noteTree reads one folder; "" is an empty one.
func (r *Repo) noteTree(ctx context.Context, oid string) (*noteTree, error) {
	t := &noteTree{folders: map[string]*noteTree{}}
	if oid == "" {
		return t, nil
	}
	kind, data, err := r.object(ctx, oid)
	if err != nil {
		return nil, err
	}
	if kind != "tree" {
		return nil, fmt.Errorf("notes: %s is a %s where a tree was expected", oid, kind)
	}
	t.entries, err = parseTree(data, len(oid)/2)
	return t, err
}

// folder is the folder of that name, read when it is first asked for; nil where there is none.
func (t *noteTree) folder(ctx context.Context, r *Repo, name string) (*noteTree, error) {
	if f := t.folders[name]; f != nil {
		return f, nil
	}
	i := slices.IndexFunc(t.entries, func(e treeEntry) bool { return e.isTree() && e.name == name })
	if i < 0 {
		return nil, nil
	}
	f, err := r.noteTree(ctx, t.entries[i].oid)
	if err == nil {
		t.folders[name] = f
	}
	return f, err
}

// find gives the blobs of the notes on an object; rest is the part of its id that the folders above have not used.
// Several are an accident of other tools, and are all read.
func (t *noteTree) find(ctx context.Context, r *Repo, rest string) ([]string, error) {
	var blobs []string
	for _, e := range t.entries {
		if e.name == rest && !e.isTree() {
			blobs = append(blobs, e.oid)
		}
	}
	if len(rest) <= 2 {
		return blobs, nil
	}
	f, err := t.folder(ctx, r, rest[:2])
	if f == nil || err != nil {
		return blobs, err
	}
	deeper, err := f.find(ctx, r, rest[2:])
	return append(blobs, deeper...), err
}

// put makes blob the one note on an object.
func (t *noteTree) put(ctx context.Context, r *Repo, rest, blob string) error {
	t.changed = true
	t.entries = slices.DeleteFunc(t.entries, func(e treeEntry) bool { return e.name == rest && !e.isTree() })
	if len(rest) <= 2 {
		t.entries = append(t.entries, treeEntry{blobMode, rest, blob})
		return nil
	}
	f, err := t.folder(ctx, r, rest[:2])
	if err != nil {
		return err
	}
	if f == nil && (t.flat(len(rest)) < maxFlatNotes || t.holds(rest[:2])) {
		t.entries = append(t.entries, treeEntry{blobMode, rest, blob})
		return nil
	}
	if f == nil {
		f = &noteTree{folders: map[string]*noteTree{}}
		t.folders[rest[:2]] = f
	}
	return f.put(ctx, r, rest[2:], blob)
}

// holds reports whether something has that name that is no folder.
func (t *noteTree) holds(name string) bool {
	return slices.ContainsFunc(t.entries, func(e treeEntry) bool { return e.name == name && !e.isTree() })
}

// flat counts the notes that lie in this folder itself.
func (t *noteTree) flat(idLen int) int {
	n := 0
	for _, e := range t.entries {
		if len(e.name) == idLen && !e.isTree() {
			n++
		}
	}
	return n
}

// write stores the folders that changed and gives the tree's id.
func (t *noteTree) write(ctx context.Context, r *Repo) (string, error) {
	for name, f := range t.folders {
		if !f.changed {
			continue
		}
		oid, err := f.write(ctx, r)
		if err != nil {
			return "", err
		}
		t.entries = slices.DeleteFunc(t.entries, func(e treeEntry) bool { return e.name == name })
		t.entries = append(t.entries, treeEntry{treeMode, name, oid})
	}
	data, err := encodeEntries(t.entries)
	if err != nil {
		return "", err
	}
	return r.writeObject(ctx, "tree", data)
}

// each calls visit for every note below, with the id of the object it is on. prefix is the part of the ids that the
// folders above have used.
func (t *noteTree) each(ctx context.Context, r *Repo, prefix string, idLen int, visit func(object, blob string)) error {
	for _, e := range t.entries {
		switch id := prefix + e.name; {
		case !isHex(e.name):
		case !e.isTree() && len(id) == idLen:
			visit(id, e.oid)
		case e.isTree() && len(e.name) == 2 && len(id) < idLen:
			f, err := t.folder(ctx, r, e.name)
			if err != nil {
				return err
			}
			if err := f.each(ctx, r, id, idLen, visit); err != nil {
				return err
			}
		}
	}
	return nil
}

// isHex reports whether s has only the digits of an object id as git writes them.
func isHex(s string) bool {
	return strings.Trim(s, "0123456789abcdef") == ""
}
