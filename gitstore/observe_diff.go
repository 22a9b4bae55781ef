package gitstore

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"git-handoff/gitstore/handoff"
)

// renameLimit keeps the count of renames the same in clones whose diff.renameLimit differs.
const renameLimit = "-l1000"

// renameDetection is the -M option of a diff. Comparing contents fetches blobs in a partial clone, and fails there
// without a network; equal contents are found by their ids alone.
func (r *Repo) renameDetection() string {
	if r.Place().Partial {
		return "-M100%"
	}
	return "-M"
}

// changedFiles is the difference between two commits as a document holds it.
func (r *Repo) changedFiles(ctx context.Context, from, to string) (handoff.ChangedFiles, error) {
	if from == to {
		return handoff.ChangedFiles{}, nil
	}
	if near, ok := r.nearChanges(ctx, from, to); ok {
		return changedFilesOf(near), nil
	}
	files, err := r.diffTree(ctx, from, to)
	if err != nil {
		return handoff.ChangedFiles{}, err
	}
	return changedFilesOf(files), nil
}

// diffTree asks git what changed from one commit to another.
func (r *Repo) diffTree(ctx context.Context, from, to string) ([]handoff.ChangedFile, error) {
	out, err := r.git(ctx, "diff-tree", "-r", "-z", "--raw", "--ignore-submodules=none", "--no-ext-diff", renameLimit, r.renameDetection(), from, to)
	if err != nil {
		return nil, err
	}
	return parseRawDiff(out)
}

func changedFilesOf(files []handoff.ChangedFile) handoff.ChangedFiles {
	sortChanges(files)
	return handoff.ChangedFiles{Total: len(files), Files: files[:min(len(files), handoff.MaxChangedFiles)]}
}

// sortChanges orders changes by path, as git orders them, whatever diff.orderFile says.
func sortChanges(files []handoff.ChangedFile) {
	slices.SortFunc(files, func(a, b handoff.ChangedFile) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.From, b.From), strings.Compare(string(a.Change), string(b.Change)))
	})
}

// parseRawDiff reads the output of git diff-tree -z --raw (git-diff-tree(1), "raw output format").
func parseRawDiff(out []byte) ([]handoff.ChangedFile, error) {
	var files []handoff.ChangedFile
	for len(out) > 0 {
		file, rest, err := nextRawDiff(out)
		if err != nil {
			return nil, err
		}
		files, out = append(files, file), rest
	}
	return files, nil
}

// nextRawDiff reads ":MODE MODE ID ID STATUS\0PATH\0", with two paths for a rename or copy.
func nextRawDiff(out []byte) (file handoff.ChangedFile, rest []byte, err error) {
	head, rest, ok := bytes.Cut(out, []byte{0})
	f := strings.Fields(string(head))
	if !ok || len(f) != 5 || !strings.HasPrefix(f[0], ":") {
		return file, nil, fmt.Errorf("git diff-tree answered %.80q, which is no raw difference", head)
	}
	path, rest, ok := bytes.Cut(rest, []byte{0})
	file.Change = rawChange(f[4], f[0][1:], f[1], f[2] == f[3])
	if ok && (file.Change == handoff.Renamed || file.Change == handoff.Copied) {
		file.From = readablePath(string(path))
		path, rest, ok = bytes.Cut(rest, []byte{0})
	}
	if !ok || len(path) == 0 {
		return file, nil, fmt.Errorf("git diff-tree answered %.80q without a path", head)
	}
	file.Path = readablePath(string(path))
	return file, rest, nil
}

// rawChange names the change that a status letter stands for; a modification of the mode alone has a name of its own.
func rawChange(status, oldMode, newMode string, sameContent bool) handoff.Change {
	switch status[0] {
	case 'A':
		return handoff.Added
	case 'D':
		return handoff.Deleted
	case 'R':
		return handoff.Renamed
	case 'C':
		return handoff.Copied
	case 'T':
		return handoff.TypeChanged
	case 'U':
		return handoff.Unmerged
	}
	if sameContent && oldMode != newMode {
		return handoff.ModeChanged
	}
	return handoff.Modified
}
