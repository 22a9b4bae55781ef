package main

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"

	"git-handoff/gitstore/handoff"
)

// digestArtifacts gives the sha256 of each artifact that is a file of the worktree. What is not here keeps the digest
// that was recorded where it was.
func digestArtifacts(top string, artifacts []handoff.Item, known map[string]string) map[string]string {
	if len(artifacts) == 0 {
		return nil
	}
	root, err := os.OpenRoot(top)
	if err != nil {
		return known
	}
	defer root.Close()
	digests := map[string]string{}
	for _, it := range artifacts {
		path, ok := artifactPath(top, it)
		if !ok {
			continue
		}
		if sum, err := digestOf(root, path); err == nil {
			digests[path] = sum
		} else if known[path] != "" {
			digests[path] = known[path]
		}
	}
	if len(digests) == 0 {
		return nil
	}
	return digests
}

// artifactPath is the path of an artifact that is a file, from the top of the worktree, with slashes: its ref, else its
// name. It is not ok for what is no file, or lies elsewhere.
func artifactPath(top string, it handoff.Item) (string, bool) {
	if it.Kind != "" && it.Kind != "file" {
		return "", false
	}
	path := it.Ref
	if path == "" {
		path = it.What
	}
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		inside, err := filepath.Rel(top, path)
		if err != nil {
			return "", false
		}
		path = inside
	}
	path = filepath.Clean(path)
	return filepath.ToSlash(path), filepath.IsLocal(path) && path != "."
}

func digestOf(root *os.Root, path string) (string, error) {
	f, err := root.Open(filepath.FromSlash(path))
	if err != nil {
		return "", err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return "", os.ErrInvalid
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
