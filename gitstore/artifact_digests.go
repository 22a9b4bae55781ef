package gitstore

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"git-handoff/gitstore/handoff"
)

// ArtifactDigests are the sha256 of the artifacts that are files, in hex, by their path: of what is in this worktree as
// it is, of the rest as it was recorded before. What is no file has none.
func (r *Repo) ArtifactDigests(artifacts []handoff.Item, before map[string]string) map[string]string {
	if len(artifacts) == 0 {
		return nil
	}
	top, err := r.worktreeRoot()
	if err != nil {
		return before
	}
	defer top.Close()
	digests := map[string]string{}
	for _, it := range artifacts {
		path, ok := r.artifactPath(it)
		if !ok {
			continue
		}
		if sum, err := fileDigest(top, path); err == nil && sum != "" {
			digests[path] = sum
		} else if before[path] != "" {
			digests[path] = before[path]
		}
	}
	if len(digests) == 0 {
		return nil
	}
	return digests
}

// isFile reports whether an artifact is a file: it says so, or says nothing and has a ref that can be one.
func isFile(it handoff.Item) bool {
	return it.Kind == "file" || it.Kind == "" && !strings.Contains(cmp.Or(it.Ref, it.What), "://")
}

// artifactPath is the path of an artifact that is a file, from the top of the worktree, with slashes: its ref, else its
// name. It is not ok for what is no file, or lies elsewhere.
func (r *Repo) artifactPath(it handoff.Item) (string, bool) {
	if !isFile(it) {
		return "", false
	}
	path := filepath.FromSlash(cmp.Or(it.Ref, it.What))
	if filepath.IsAbs(path) {
		inside, err := filepath.Rel(r.place.TopLevel, path)
		if err != nil {
			return "", false
		}
		path = inside
	}
	path = filepath.Clean(path)
	return filepath.ToSlash(path), filepath.IsLocal(path) && path != "."
}

// worktreeRoot opens the worktree so that no path, and no symbolic link, leads out of it.
func (r *Repo) worktreeRoot() (*os.Root, error) {
	if r.place.TopLevel == "" {
		return nil, fs.ErrNotExist
	}
	return os.OpenRoot(r.place.TopLevel)
}

// fileDigest is the sha256 of a file; "" for a folder or anything else that has no content of its own.
func fileDigest(top *os.Root, name string) (string, error) {
	name = filepath.FromSlash(name)
	info, err := top.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return "", err
	}
	f, err := top.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return digestOf(f)
}

func digestOf(in io.Reader) (string, error) {
	sum := sha256.New()
	if _, err := io.Copy(sum, in); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
