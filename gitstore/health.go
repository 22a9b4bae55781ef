package gitstore

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"git-handoff/gitstore/handoff"
)

// OldestGit is the oldest git that this program works with: %(raw) of git-for-each-ref(1) came with it.
var OldestGit = [2]int{2, 34}

// GitVersion is what `git version` prints, and its first two numbers.
func (r *Repo) GitVersion(ctx context.Context) (text string, number [2]int, err error) {
	out, err := r.git(ctx, "version")
	text = strings.TrimSpace(string(out))
	fmt.Sscanf(text, "git version %d.%d", &number[0], &number[1])
	return text, number, err
}

// Foreign lists the refs under refs/handoff/ that hold no version of a handoff.
func (r *Repo) Foreign(ctx context.Context) ([]string, error) {
	all, err := r.Refs(ctx, handoff.RefPrefix)
	if err != nil {
		return nil, err
	}
	tips, err := r.Tips(ctx)
	unread, err := UnlessUnread(err)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, v := range tips {
		known[v.Ref] = true
	}
	for _, one := range unread {
		known[one.Name.Ref()] = true
	}
	var foreign []string
	for _, ref := range all {
		if !known[ref.Name] {
			foreign = append(foreign, ref.Name)
		}
	}
	return foreign, nil
}

// BrokenRefs lists the refs of handoffs whose files git cannot read. Git itself passes over them in every list.
func (r *Repo) BrokenRefs() []*BrokenRefError {
	if r.place.RefFormat != "files" {
		return nil
	}
	var broken []*BrokenRefError
	root := filepath.Join(r.place.CommonDir, filepath.FromSlash(strings.TrimSuffix(handoff.RefPrefix, "/")))
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || strings.HasSuffix(path, ".lock") {
			return nil
		}
		data, err := os.ReadFile(path)
		if text := strings.TrimSpace(string(data)); err == nil && !isOID(text) && !strings.HasPrefix(text, "ref: ") {
			rel, _ := filepath.Rel(r.place.CommonDir, path)
			broken = append(broken, &BrokenRefError{Ref: filepath.ToSlash(rel), File: path})
		}
		return nil
	})
	return broken
}

// LeftLocks lists the lock files of refs of ours that no running git can still hold: those older than age.
func (r *Repo) LeftLocks(age time.Duration) []string {
	var left []string
	for _, folder := range []string{"refs/handoff", "refs/handoff-archive", "refs/handoff-remotes", "refs/notes"} {
		root := filepath.Join(r.place.CommonDir, filepath.FromSlash(folder))
		_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".lock") {
				return nil
			}
			if info, err := d.Info(); err == nil && time.Since(info.ModTime()) > age {
				left = append(left, path)
			}
			return nil
		})
	}
	return left
}

// Identified is nil where git knows in whose name to save; else ErrNoIdentity.
func (r *Repo) Identified(ctx context.Context) error {
	_, _, err := r.who(ctx, AsUser, Now())
	return err
}
