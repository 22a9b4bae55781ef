package gitstore

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"git-handoff/gitstore/handoff"
)

// A Status is what the worktree holds that no commit has: every path, sorted. A folder of which nothing is tracked
// stands as one untracked path that ends in a slash. Ignored files are left out.
type Status struct {
	Unmerged []string
	// Changed are the tracked files that differ from HEAD, in the index or in the worktree.
	Changed   []handoff.ChangedFile
	Untracked []string
}

// Clean reports whether the files that git tracks are as HEAD has them. Untracked files do not count.
func (s *Status) Clean() bool { return len(s.Unmerged) == 0 && len(s.Changed) == 0 }

// Status asks git for the state of the worktree, without taking a lock. In a bare repository it is empty.
func (r *Repo) Status(ctx context.Context) (*Status, error) {
	if r.Place().TopLevel == "" {
		return &Status{}, nil
	}
	out, err := r.git(ctx, "-C", r.Place().TopLevel, "--no-optional-locks", "status", "--porcelain=v2", "-z",
		"--untracked-files=normal", "--ignored=no", r.statusRenames())
	if err != nil {
		return nil, err
	}
	records, err := parseStatus(out)
	if err != nil {
		return nil, err
	}
	if err := r.findModeChanges(ctx, records); err != nil {
		return nil, err
	}
	return statusOf(records), nil
}

func (r *Repo) statusRenames() string {
	if r.Place().Partial {
		return "--find-renames=100%"
	}
	return "--find-renames"
}

// statusOf sorts what git listed into lists of paths.
func statusOf(records []statusRecord) *Status {
	s := &Status{}
	for _, rec := range records {
		switch rec.kind {
		case '?':
			s.Untracked = append(s.Untracked, readablePath(rec.path))
		case 'u':
			s.Unmerged = append(s.Unmerged, readablePath(rec.path))
		default:
			s.Changed = append(s.Changed, rec.change())
		}
	}
	slices.Sort(s.Untracked)
	slices.Sort(s.Unmerged)
	sortChanges(s.Changed)
	return s
}

// A statusRecord is one entry of git status --porcelain=v2 (git-status(1)). Letters are those of index and worktree;
// modes and ids are those of HEAD, index and worktree, as far as git tells them.
type statusRecord struct {
	kind            byte
	index, worktree byte
	headMode        string
	indexMode       string
	worktreeMode    string
	headID, indexID string
	path, from      string
	sameAsIndex     bool
}

// statusFields is how many fields stand before the path, by kind of entry.
var statusFields = map[byte]int{'1': 8, '2': 9, 'u': 10, '?': 1, '!': 1}

func parseStatus(out []byte) ([]statusRecord, error) {
	var records []statusRecord
	for len(out) > 0 {
		line, rest, ok := bytes.Cut(out, []byte{0})
		if !ok || len(line) == 0 {
			return nil, fmt.Errorf("git status answered %.80q, which has no end", line)
		}
		if line[0] == '#' {
			out = rest
			continue
		}
		rec, err := parseStatusLine(string(line))
		if err != nil {
			return nil, err
		}
		if rec.kind == '2' {
			from, after, _ := bytes.Cut(rest, []byte{0})
			rec.from, rest = string(from), after
		}
		if rec.kind != '!' {
			records = append(records, rec)
		}
		out = rest
	}
	return records, nil
}

func parseStatusLine(line string) (statusRecord, error) {
	n := statusFields[line[0]]
	f := strings.SplitN(line, " ", n+1)
	if n == 0 || len(f) != n+1 || f[n] == "" {
		return statusRecord{}, fmt.Errorf("git status answered %.80q, which is no entry", line)
	}
	rec := statusRecord{kind: line[0], path: f[n]}
	if rec.kind != '1' && rec.kind != '2' {
		return rec, nil
	}
	if len(f[1]) != 2 {
		return statusRecord{}, fmt.Errorf("git status answered %.80q, which has no state", line)
	}
	rec.index, rec.worktree = f[1][0], f[1][1]
	rec.headMode, rec.indexMode, rec.worktreeMode, rec.headID, rec.indexID = f[3], f[4], f[5], f[6], f[7]
	return rec, nil
}

// change is what happened to the file from HEAD to the worktree, over the index. What the index alone still holds is
// named too, since it is in no commit.
func (rec statusRecord) change() handoff.ChangedFile {
	c := handoff.ChangedFile{Path: readablePath(rec.path), Change: handoff.Modified}
	letters := string([]byte{rec.index, rec.worktree})
	switch {
	case rec.kind == '2' && rec.worktree == 'D':
		c.Path, c.Change = readablePath(rec.from), handoff.Deleted
	case rec.kind == '2':
		c.From, c.Change = readablePath(rec.from), handoff.Renamed
		if strings.Contains(letters, "C") {
			c.Change = handoff.Copied
		}
	case strings.Contains(letters, "A"):
		c.Change = handoff.Added
	case strings.Contains(letters, "D"):
		c.Change = handoff.Deleted
	case strings.Contains(letters, "T"):
		c.Change = handoff.TypeChanged
	case rec.modeOnly():
		c.Change = handoff.ModeChanged
	}
	return c
}

// modeOnly reports whether nothing but the mode differs from HEAD.
func (rec statusRecord) modeOnly() bool {
	return rec.headID == rec.indexID && rec.headMode != rec.worktreeMode && (rec.worktree == '.' || rec.sameAsIndex)
}

// maxModeChecks bounds how many files are read to tell a change of the mode alone from one of the content.
const maxModeChecks = 200

// findModeChanges marks the files whose mode changed in the worktree and whose content did not. git status does not
// tell; git hash-object does, in one child, and applies the filters that the file goes through.
func (r *Repo) findModeChanges(ctx context.Context, records []statusRecord) error {
	var unsure []*statusRecord
	args := []string{"-C", r.Place().TopLevel, "hash-object", "--"}
	for i := range records {
		if rec := &records[i]; rec.mayBeModeOnly() && len(unsure) < maxModeChecks {
			unsure, args = append(unsure, rec), append(args, rec.path)
		}
	}
	if len(unsure) == 0 {
		return nil
	}
	out, err := r.git(ctx, args...)
	ids := strings.Fields(string(out))
	if err != nil || len(ids) != len(unsure) {
		return ctx.Err() // a file went away meanwhile: the changes stay listed as modifications
	}
	for i, rec := range unsure {
		rec.sameAsIndex = ids[i] == rec.indexID
	}
	return nil
}

func (rec *statusRecord) mayBeModeOnly() bool {
	return rec.kind == '1' && rec.worktree == 'M' && rec.indexMode != rec.worktreeMode && rec.headID == rec.indexID &&
		strings.HasPrefix(rec.indexMode, "100") && strings.HasPrefix(rec.worktreeMode, "100")
}
