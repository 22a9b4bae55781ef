package gitstore

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A StrayBranch is a local branch with commits that no other ref reaches, and how many these are.
type StrayBranch struct {
	Name    string
	Commits int
}

// maxStray is how many branches are looked at.
const maxStray = 20

// StrayBranches lists the local branches that were made in this clone after since and have commits that no other branch,
// tag or remote-tracking branch reaches. One child for each branch that is so young, and one more where the reflogs are
// many or large.
func (r *Repo) StrayBranches(ctx context.Context, since time.Time, except string) ([]StrayBranch, error) {
	young, err := r.branchesMadeSince(ctx, since)
	if err != nil {
		return nil, err
	}
	var stray []StrayBranch
	for _, name := range young[:min(len(young), maxStray)] {
		if name == except {
			continue
		}
		out, err := r.git(ctx, "rev-list", "--count", "refs/heads/"+name, "--not", "--exclude="+name, "--branches", "--tags", "--remotes", "--")
		if err != nil {
			return nil, err
		}
		if n, _ := strconv.Atoi(strings.TrimSpace(string(out))); n > 0 {
			stray = append(stray, StrayBranch{name, n})
		}
	}
	return stray, nil
}

// branchesMadeSince names the local branches whose reflog tells that they were made after a moment.
func (r *Repo) branchesMadeSince(ctx context.Context, since time.Time) ([]string, error) {
	if names, ok := r.nearMadeSince(since); ok {
		return names, nil
	}
	return r.askMadeSince(ctx, since)
}

func (r *Repo) askMadeSince(ctx context.Context, since time.Time) ([]string, error) {
	out, err := r.git(ctx, "log", "-g", "--branches", "--since="+fmt.Sprint(since.Unix()+1), "--grep-reflog=^"+branchMade, "-z",
		"--no-show-signature", "--format=%gD", "--")
	if err != nil {
		return nil, err
	}
	var names []string
	for _, selector := range strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		ref, _, ok := cutLast(selector, "@{")
		if name := strings.TrimPrefix(strings.TrimPrefix(ref, "refs/"), "heads/"); ok && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// What of reflogs is read here.
const (
	maxNearLogs    = 64
	maxNearLogSize = 256 << 10
)

const branchMade = "branch: Created from "

// nearMadeSince reads the reflogs without a child; false where they are no files, or too much.
func (r *Repo) nearMadeSince(since time.Time) (names []string, ok bool) {
	if r.place.RefFormat != "files" {
		return nil, false
	}
	folder, logs := filepath.Join(r.place.CommonDir, "logs", "refs", "heads"), 0
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if logs++; err != nil || !info.Mode().IsRegular() || logs > maxNearLogs || info.Size() > maxNearLogSize {
			return errEnough
		}
		text, err := os.ReadFile(path)
		if madeSince(text, since) {
			names = append(names, filepath.ToSlash(strings.TrimPrefix(path, folder+string(filepath.Separator))))
		}
		return err
	})
	slices.Sort(names)
	return names, err == nil || os.IsNotExist(err) && logs == 0
}

// madeSince reports whether a reflog (old new NAME <EMAIL> SECONDS ZONE TAB MESSAGE) tells that its branch was
// made after a moment.
func madeSince(log []byte, since time.Time) bool {
	for line := range bytes.Lines(log) {
		head, message, _ := bytes.Cut(line, []byte{'\t'})
		if !bytes.HasPrefix(message, []byte(branchMade)) {
			continue
		}
		_, date, _ := cutLast(string(head), "> ")
		seconds, _, _ := strings.Cut(date, " ")
		if n, err := strconv.ParseInt(seconds, 10, 64); err == nil && n > since.Unix() {
			return true
		}
	}
	return false
}

// UntrackedIn lists the untracked files below folders of which nothing is tracked, at most limit of them; ignored ones
// are left out.
func (r *Repo) UntrackedIn(ctx context.Context, folders []string, limit int) ([]string, error) {
	if len(folders) == 0 {
		return nil, nil
	}
	var paths []string
	read := func(out io.Reader) error {
		scan := bufio.NewScanner(out)
		scan.Split(splitNUL)
		for scan.Scan() {
			if len(paths) == limit {
				return errEnough
			}
			paths = append(paths, readablePath(scan.Text()))
		}
		return scan.Err()
	}
	args := []string{"-C", r.Place().TopLevel, "--literal-pathspecs", "ls-files", "--others", "--exclude-standard", "-z", "--"}
	err := r.gitPipe(ctx, read, append(args, folders...)...)
	if errors.Is(err, errEnough) {
		err = nil
	}
	return paths, err
}

func splitNUL(data []byte, atEOF bool) (advance int, token []byte, err error) {
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return i + 1, data[:i], nil
	}
	if atEOF && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}
