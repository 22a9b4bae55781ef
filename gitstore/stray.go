package gitstore

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
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
// tag or remote-tracking branch reaches. One child, and one more for each branch that is so young.
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
	out, err := r.git(ctx, "log", "-g", "--branches", "--since="+fmt.Sprint(since.Unix()+1), "--grep-reflog=^branch: Created from ", "-z",
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
