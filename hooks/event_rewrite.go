package hooks

import (
	"bufio"
	"context"
	"io"
	"slices"
	"strings"

	"git-handoff/gitstore/handoff"
)

// postRewrite comes after an amend, which may be a step of a rebase, and once at the end of a rebase, when HEAD is back
// on the branch and the folder of the rebase still there.
func (e *event) postRewrite(ctx context.Context) Outcome {
	rewritten, err := readRewrite(e.stdin)
	if err != nil {
		return Outcome{Line: "the rewritten commits could not be read: " + err.Error()}
	}
	if e.arg(0) == "amend" {
		return e.refresh(ctx, rewritten, e.branch(ctx))
	}
	head, err := e.repo.Head(ctx)
	if err != nil {
		return Outcome{Line: complaint(err)}
	}
	branches, err := e.rewrittenBranches(ctx, rewritten)
	if err != nil {
		return Outcome{Line: complaint(err)}
	}
	branches = append(branches, head.Branch)
	slices.Sort(branches)
	return e.refresh(ctx, rewritten, slices.Compact(branches)...)
}

// rewrittenBranches are the branches with a handoff at a commit that was rewritten: a rebase with --update-refs moves
// other branches too.
func (e *event) rewrittenBranches(ctx context.Context, rewritten Rewrite) ([]string, error) {
	tips, err := e.repo.Tips(ctx)
	if err != nil {
		return nil, err
	}
	var branches []string
	for _, v := range tips {
		if _, ok := rewritten[v.Message.Head]; ok && v.Message.Status == handoff.Active {
			branches = append(branches, v.Name.Branch)
		}
	}
	return branches, nil
}

// maxInput is how much of a hook's standard input is read.
const maxInput = 64 << 20

// readRewrite reads lines of an old id, a new one and whatever git may add.
func readRewrite(in io.Reader) (Rewrite, error) {
	rewritten := Rewrite{}
	lines := bufio.NewScanner(io.LimitReader(in, maxInput))
	for lines.Scan() {
		if ids := strings.Fields(lines.Text()); len(ids) >= 2 && ids[0] != ids[1] {
			rewritten[ids[0]] = ids[1]
		}
	}
	return rewritten, lines.Err()
}
