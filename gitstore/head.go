package gitstore

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// Head is what is checked out in the worktree that the repository was opened in.
type Head struct {
	// Branch is without refs/heads/; "" where HEAD is detached.
	Branch string
	// OID is the commit; "" where the branch is unborn.
	OID              string
	Detached, Unborn bool
	Operation        Operation
}

// An Operation is something that git has begun and not finished in a worktree. The zero Operation is none.
type Operation struct {
	// Name is rebase, am, merge, cherry-pick, revert or bisect.
	Name string
	// Branch is the branch that is being rebased, Onto the commit that it goes to, Step "n of m".
	Branch, Onto, Step string
}

// Head reads what is checked out, and what is under way. In a repository with loose refs it starts no child.
func (r *Repo) Head(ctx context.Context) (Head, error) {
	target, err := r.headTarget(ctx)
	if err != nil {
		return Head{}, err
	}
	h := Head{Operation: r.operation(ctx)}
	branch, ok := strings.CutPrefix(target, "refs/heads/")
	h.Detached = !ok
	if h.Detached && isOID(target) {
		h.OID = target
		return h, nil
	}
	if ok {
		h.Branch = branch
	}
	h.OID, err = r.ref(ctx, target)
	h.Unborn = err == nil && h.OID == ""
	return h, err
}

// headTarget is the ref that HEAD points to, or the commit where it is detached.
func (r *Repo) headTarget(ctx context.Context) (string, error) {
	if r.place.RefFormat == "files" {
		if target, err := readPlainHead(r.place.GitDir); err == nil {
			return target, nil
		}
	}
	out, err := r.git(ctx, "symbolic-ref", "-q", "HEAD")
	var git *GitError
	if errors.As(err, &git) && git.Status == 1 {
		out, err = r.git(ctx, "rev-parse", "--verify", "HEAD")
	}
	return strings.TrimSpace(string(out)), err
}

var errNotPlain = errors.New("not a plain ref file")

// readPlainHead reads a HEAD that is a regular file with one ref or one object id in it.
func readPlainHead(gitDir string) (string, error) {
	file := filepath.Join(gitDir, "HEAD")
	if info, err := os.Lstat(file); err != nil || !info.Mode().IsRegular() {
		return "", errNotPlain
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	text := strings.TrimRight(string(data), "\n")
	if ref, ok := strings.CutPrefix(text, "ref: refs/heads/"); ok && ref != "" && strings.TrimSpace(ref) == ref {
		return "refs/heads/" + ref, nil
	}
	if isOID(text) {
		return text, nil
	}
	return "", errNotPlain
}

// isOID reports whether s is a full object id.
func isOID(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}

// operation looks where git keeps what it has begun (wt-status.c, wt_status_get_state).
func (r *Repo) operation(ctx context.Context) Operation {
	switch {
	case r.has("rebase-merge"):
		return r.rebase("rebase-merge", "msgnum", "end")
	case r.has("rebase-apply/applying"):
		op := r.rebase("rebase-apply", "next", "last")
		op.Name = "am"
		return op
	case r.has("rebase-apply"):
		return r.rebase("rebase-apply", "next", "last")
	case r.has("MERGE_HEAD"):
		return Operation{Name: "merge"}
	case r.pseudoRef(ctx, "CHERRY_PICK_HEAD"):
		return Operation{Name: "cherry-pick"}
	case r.pseudoRef(ctx, "REVERT_HEAD"):
		return Operation{Name: "revert"}
	case r.has("sequencer"):
		return r.sequencer()
	case r.has("BISECT_LOG"):
		return r.bisect()
	}
	return Operation{}
}

func (r *Repo) has(name string) bool { return exists(filepath.Join(r.place.GitDir, name)) }

// line reads a file of one line; "" where there is none.
func (r *Repo) line(name string) string {
	data, _ := os.ReadFile(filepath.Join(r.place.GitDir, name))
	return strings.TrimSpace(string(data))
}

func (r *Repo) rebase(dir, step, steps string) Operation {
	op := Operation{Name: "rebase", Onto: r.line(dir + "/onto")}
	op.Branch, _ = strings.CutPrefix(r.line(dir+"/head-name"), "refs/heads/")
	if op.Branch == "detached HEAD" {
		op.Branch = ""
	}
	if n, m := r.line(dir+"/"+step), r.line(dir+"/"+steps); n != "" && m != "" {
		op.Step = n + " of " + m
	}
	return op
}

// bisect tells where the search began: on a branch, or on a commit where HEAD was detached.
func (r *Repo) bisect() Operation {
	op := Operation{Name: "bisect", Branch: r.line("BISECT_START")}
	if isOID(op.Branch) {
		op.Branch = ""
	}
	return op
}

// sequencer tells what a series of picks is between two of them.
func (r *Repo) sequencer() Operation {
	if strings.HasPrefix(r.line("sequencer/todo"), "revert") {
		return Operation{Name: "revert"}
	}
	return Operation{Name: "cherry-pick"}
}

// pseudoRef reports whether a ref beside HEAD exists, which reftable keeps in its tables.
func (r *Repo) pseudoRef(ctx context.Context, name string) bool {
	if r.place.RefFormat == "files" {
		return r.has(name)
	}
	out, err := r.git(ctx, "rev-parse", "-q", "--verify", name)
	return err == nil && len(out) > 0
}
