package gitstore

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"git-handoff/gitstore/handoff"
)

// summarySubjects is how many commits a generated summary names.
const summarySubjects = 8

// GeneratedSummary says what was done from the commits of base..head, for a document whose author wrote no summary.
// It is for show only and never stored. "" where the commits are not here. No child on an ordinary short branch.
func (r *Repo) GeneratedSummary(ctx context.Context, o *handoff.Observed) (string, error) {
	if o.Head == "" || o.Base == "" || !r.HasCommit(ctx, o.Head) || !r.HasCommit(ctx, o.Base) {
		return "", nil
	}
	subjects, total, ok := r.plainSubjects(ctx, o.Base, o.Head)
	if !ok {
		commits, err := r.Commits(ctx, o.Base, o.Head, 0)
		if err != nil {
			return "", err
		}
		total, subjects = len(commits), nil
		for _, c := range commits[:min(total, summarySubjects)] {
			subjects = append(subjects, c.Subject)
		}
	}
	return summaryOf(subjects, total), nil
}

// summaryOf writes subjects, newest first, as one sentence in the order in which the work was done.
func summaryOf(subjects []string, total int) string {
	switch {
	case total == 0:
		return ""
	case total == 1:
		return "1 commit: " + subjects[0]
	}
	subjects = slices.Clone(subjects)
	slices.Reverse(subjects)
	earlier := ""
	if more := total - len(subjects); more > 0 {
		earlier = fmt.Sprintf("%d earlier ones; ", more)
	}
	return fmt.Sprintf("%d commits: %s%s", total, earlier, strings.Join(subjects, "; "))
}

// plainSubjects reads the subjects of a branch without merges in process, newest first, at most summarySubjects, and
// counts its commits. It is not ok with a branch that has merges or is long.
func (r *Repo) plainSubjects(ctx context.Context, base, head string) (subjects []string, total int, ok bool) {
	for at := head; total < nearCommits; total++ {
		if at == base {
			return subjects, total, true
		}
		parents := r.parents(ctx, at)
		if len(parents) != 1 {
			break
		}
		if len(subjects) < summarySubjects {
			subjects = append(subjects, r.subject(ctx, at))
		}
		at = parents[0]
	}
	return nil, 0, false
}

// subject is the first paragraph of a commit's message on one line.
func (r *Repo) subject(ctx context.Context, oid string) string {
	_, data, err := r.object(ctx, oid)
	if err != nil {
		return ""
	}
	c, err := parseCommit(data)
	if err != nil {
		return ""
	}
	paragraph, _, _ := strings.Cut(strings.TrimLeft(c.message, "\n"), "\n\n")
	return strings.ToValidUTF8(strings.Join(strings.Fields(paragraph), " "), "\ufffd")
}
