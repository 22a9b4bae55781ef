package hooks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"git-handoff/gitstore"
	"git-handoff/gitstore/handoff"
)

// limit is how long a hook may take, but for what pre-push sends over the network.
const limit = 5 * time.Second

// An Outcome is what a hook event comes to: at most one line for people, and the status that the hook ends with.
type Outcome struct {
	Line string
	// Notice means that the line is for a person at a terminal, and for nobody else.
	Notice bool
	Status int
}

// StatusBlock is the one status with which the hook of a push stops it. No other status of ours stops anything.
const StatusBlock = 75

// Event does what a hook is there for. It never fails: whatever goes wrong is one line, and status 0.
func Event(ctx context.Context, repo *gitstore.Repo, name string, args []string, stdin io.Reader) (out Outcome) {
	defer func() {
		if p := recover(); p != nil {
			out = Outcome{Line: fmt.Sprintf("the %s hook failed: %v", name, p)}
		}
	}()
	handle, ok := events[name]
	if !ok {
		return Outcome{Line: fmt.Sprintf("there is no hook %q", name)}
	}
	e := event{repo: repo, args: args, stdin: stdin}
	return handle(&e, ctx)
}

var events = map[string]func(*event, context.Context) Outcome{
	"post-commit":   (*event).postCommit,
	"post-rewrite":  (*event).postRewrite,
	"post-merge":    (*event).postMerge,
	"post-checkout": (*event).postCheckout,
	"pre-push":      (*event).prePush,
}

// An event is one call of a hook.
type event struct {
	repo  *gitstore.Repo
	args  []string
	stdin io.Reader
}

// arg is an argument of the hook, "" where git gave none.
func (e *event) arg(n int) string {
	if n < len(e.args) {
		return e.args[n]
	}
	return ""
}

// branch is the branch that a hook works for: none on a detached HEAD, nor while a rebase or am is under way, which
// ends with a post-rewrite of its own.
func (e *event) branch(ctx context.Context) string {
	head, err := e.repo.Head(ctx)
	if err != nil || head.Operation.Name == "rebase" || head.Operation.Name == "am" {
		return ""
	}
	return head.Branch
}

// postCommit leaves it to post-rewrite, which follows an amend, to say what did not work.
func (e *event) postCommit(ctx context.Context) Outcome {
	out := e.refresh(ctx, nil, e.branch(ctx))
	if out.Line != "" && e.repo.Amended(ctx) {
		out.Line = ""
	}
	return out
}

// postMerge comes while MERGE_HEAD is still there, and instead of post-commit. A squash changed no branch.
func (e *event) postMerge(ctx context.Context) Outcome {
	if e.arg(0) == "1" {
		return Outcome{}
	}
	return e.refresh(ctx, nil, e.branch(ctx))
}

// refresh refreshes branches, and says what did not work.
func (e *event) refresh(ctx context.Context, rewritten Rewrite, branches ...string) Outcome {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var failed []error
	for _, branch := range branches {
		if branch == "" {
			continue
		}
		_, err := Refresh(ctx, e.repo, branch, rewritten)
		failed = append(failed, err)
	}
	return Outcome{Line: complaint(errors.Join(failed...))}
}

// complaint is one line about handoffs that were not refreshed; "" where all were.
func complaint(err error) string {
	if err == nil {
		return ""
	}
	name := "the handoff"
	var one *RefreshError
	if errors.As(err, &one) {
		name, err = one.Name.String(), one.Err
	}
	return name + " " + reason(err)
}

func reason(err error) string {
	var newer *handoff.NewerError
	switch {
	case errors.As(err, &newer):
		return "was written by a newer release of git-handoff and is left as it is"
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("was not refreshed: it took longer than %s", limit)
	case errors.Is(err, errRace), errors.Is(err, gitstore.ErrRefLocked):
		return "was not refreshed: another process holds its ref; the next commit or save does it"
	}
	text, _, _ := strings.Cut(err.Error(), "\n")
	return "was not refreshed: " + text
}
