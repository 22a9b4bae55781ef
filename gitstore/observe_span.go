package gitstore

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A Commit is one code commit as reports show it. Tree and Parents are full object ids, When is the committer's time.
type Commit struct {
	OID     string
	Tree    string
	Parents []string
	When    time.Time
	Author  string
	Subject string
}

// A span is what a tip has that others have not.
type span struct {
	// commits are those of the tip alone, no parent before its children.
	commits []Commit
	// edges are the parents of commits that the others have too. Every common ancestor is reachable from one of
	// them, so a single edge is the merge base, and commits are those of base..tip.
	edges []Commit
	// further counts commits of the tip alone that come after those listed.
	further int
}

const commitFormat = "--format=%T %ct %P%x00%an%x00%s"

// span asks git, in one child, what tip has and the others have not. The order follows the history, not the clocks.
func (r *Repo) span(ctx context.Context, tip string, others []string) (span, error) {
	args := []string{"rev-list", "--topo-order", "--boundary", "--encoding=UTF-8", commitFormat, tip}
	for _, o := range others {
		args = append(args, "^"+o)
	}
	out, err := r.git(ctx, append(args, "--")...)
	if err != nil {
		return span{}, err
	}
	return parseSpan(out)
}

// parseSpan reads pairs of lines, "commit [-]ID" and what commitFormat gives.
func parseSpan(out []byte) (span, error) {
	var s span
	for len(out) > 0 {
		head, rest, _ := bytes.Cut(out, []byte{'\n'})
		line, rest, ok := bytes.Cut(rest, []byte{'\n'})
		id, isCommit := strings.CutPrefix(string(head), "commit ")
		if !ok || !isCommit {
			return span{}, fmt.Errorf("git rev-list answered %.80q, which is no commit", head)
		}
		id, isEdge := strings.CutPrefix(id, "-")
		c, err := parseCommitLine(id, string(line))
		if err != nil {
			return span{}, err
		}
		if isEdge {
			s.edges = append(s.edges, c)
		} else {
			s.commits = append(s.commits, c)
		}
		out = rest
	}
	return s, nil
}

func parseCommitLine(id, line string) (Commit, error) {
	part := strings.SplitN(line, "\x00", 3)
	ids := strings.Fields(part[0])
	if len(part) != 3 || len(ids) < 2 {
		return Commit{}, fmt.Errorf("git rev-list answered %.80q for commit %s", line, id)
	}
	seconds, err := strconv.ParseInt(ids[1], 10, 64)
	if err != nil {
		return Commit{}, fmt.Errorf("commit %s has the time %q", id, ids[1])
	}
	return Commit{OID: id, Tree: ids[0], Parents: ids[2:], When: time.Unix(seconds, 0).UTC(), Author: part[1], Subject: part[2]}, nil
}
