package hooks

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"git-handoff/gitstore"
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
	if err := e.rememberOthers(ctx, head.Branch, rewritten); err != nil {
		return Outcome{Line: complaint(err)}
	}
	return e.refresh(ctx, rewritten, head.Branch)
}

// rememberOthers keeps what became of the heads that handoffs of other branches record: a rebase with --update-refs
// moves these branches too, but only after this hook; one with --apply even its own, whose name is nowhere to be found.
func (e *event) rememberOthers(ctx context.Context, branch string, rewritten Rewrite) error {
	tips, err := e.repo.Tips(ctx)
	if err != nil {
		return err
	}
	others := Rewrite{}
	for _, v := range activeOf(tips) {
		if heir, ok := rewritten[v.Message.Head]; ok && v.Name.Branch != branch {
			others[v.Message.Head] = heir
		}
	}
	return others.remember(e.repo)
}

// memory is where rewrites wait for the branches to be moved.
func memory(repo *gitstore.Repo) string {
	return filepath.Join(repo.Place().CommonDir, "handoff", "rewritten.json")
}

// remember adds to what waits.
func (r Rewrite) remember(repo *gitstore.Repo) error {
	if len(r) == 0 {
		return nil
	}
	all := recall(repo)
	maps.Copy(all, r)
	return all.store(repo)
}

func (r Rewrite) store(repo *gitstore.Repo) error {
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(memory(repo)), 0o777); err != nil {
		return err
	}
	return writeFile(memory(repo), data, 0o644)
}

// recall gives what waits; an empty map for nothing, or nothing that can be read.
func recall(repo *gitstore.Repo) Rewrite {
	all := Rewrite{}
	data, err := os.ReadFile(memory(repo))
	if err != nil || json.Unmarshal(data, &all) != nil {
		return Rewrite{}
	}
	return all
}

// settle takes a head from what waits, now that its branch was seen to have moved.
func settle(repo *gitstore.Repo, head string) {
	all := recall(repo)
	if _, ok := all[head]; !ok {
		return
	}
	delete(all, head)
	if len(all) == 0 {
		os.Remove(memory(repo))
	} else if err := all.store(repo); err != nil {
		return
	}
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
