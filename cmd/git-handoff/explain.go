package main

import (
	"errors"
	"strings"

	"git-handoff/gitstore"
	"git-handoff/gitstore/handoff"
	"git-handoff/render"
)

// A rule maps a kind of error to its exit status and a mend.
type rule struct {
	is   func(error) bool
	code int
	hint string
}

func is(target error) func(error) bool { return func(err error) bool { return errors.Is(err, target) } }

func as[T error](err error) bool {
	var target T
	return errors.As(err, &target)
}

// rules are tried in order; what none of them knows ends with exitFailure and without a hint.
var rules = []rule{
	{is(gitstore.ErrNotRepository), exitFailure, "run it inside a git repository, or name one: git handoff -C DIR …"},
	{is(gitstore.ErrNoHandoff), exitNoHandoff, "git handoff list --all shows the handoffs there are"},
	{is(gitstore.ErrClosed), exitRefused, "git handoff list shows those that do"},
	{is(gitstore.ErrUnreached), exitUnknown, "try again when it can be reached; git config handoff.fetchTimeout 30s gives it more time"},
	{is(gitstore.ErrNoRemote), exitUsage, "git remote -v shows the remotes there are"},
	{is(gitstore.ErrNotClosed), exitFailure, ""},
	{is(gitstore.ErrNotHandoff), exitRefused, ""},
	{as[*gitstore.BrokenRefError], exitFailure, ""},
	{is(gitstore.ErrNoIdentity), exitFailure, "git config user.name 'Your Name' && git config user.email you@example.com"},
	{is(gitstore.ErrConflict), exitConflict, "run the command again; git handoff log shows what the others wrote"},
	{is(gitstore.ErrRefLocked), exitConflict, "another git process holds the lock; run the command again when it is done"},
	{is(gitstore.ErrRefMoved), exitConflict, "run the command again"},
	{as[*gitstore.ConflictDF], exitConflict, "git handoff resolve makes room, if the other branch is gone"},
	{as[*gitstore.ConfigError], exitUsage, "correct the value, or remove it"},
	{as[*handoff.NewerError], exitRefused, "install the release that wrote it; git handoff show --raw prints the document as it is"},
	{as[*handoff.InputError], exitUsage, ""},
}

// explain turns an error into problems for a person, each with what to do next.
func explain(err error) []*problem {
	if as[*handoff.CorruptError](err) { // what is in it is not an author's input
		return withHints([]*problem{trouble(exitRefused, "%s", err)}, err)
	}
	var several problems
	if errors.As(err, &several) {
		return withHints(several, err)
	}
	var inputs handoff.InputErrors
	if errors.As(err, &inputs) {
		return withHints(inputProblems(inputs), err)
	}
	var p *problem
	if errors.As(err, &p) {
		return withHints([]*problem{p}, err)
	}
	for _, r := range rules {
		if r.is(err) {
			return withHints([]*problem{ruled(r, err)}, err)
		}
	}
	return withHints([]*problem{trouble(exitFailure, "%s", err)}, err)
}

func ruled(r rule, err error) *problem {
	p := trouble(r.code, "%s", err)
	if errors.Is(err, gitstore.ErrNoIdentity) {
		p.what = gitstore.ErrNoIdentity.Error() // git's own text is a page
	}
	var input *handoff.InputError
	var broken *gitstore.BrokenRefError
	switch {
	case errors.As(err, &broken):
		p.hint("rm %s, then git handoff sync brings back what a remote has", word(broken.File))
	case errors.As(err, &input) && input.Hint != "":
		p.hint("%s", input.Hint)
	case r.hint != "":
		p.hint("%s", r.hint)
	}
	return p
}

func inputProblems(inputs handoff.InputErrors) []*problem {
	var all []*problem
	for _, e := range inputs {
		p := trouble(exitUsage, "%s", e.Error())
		if e.Hint != "" {
			p.hint("%s", e.Hint)
		}
		all = append(all, p)
	}
	return all
}

// A hinted error is an error with a mend that only its caller knew.
type hinted struct {
	error
	hint string
}

func (h *hinted) Unwrap() error { return h.error }

// withHint adds a mend to an error on its way to the user.
func withHint(err error, hint string) error {
	if err == nil {
		return nil
	}
	return &hinted{err, hint}
}

// withHints appends the mends that were added on the way to the last problem.
func withHints(all []*problem, err error) []*problem {
	last := *all[len(all)-1]
	last.hints = append([]string{}, last.hints...)
	for h := (*hinted)(nil); errors.As(err, &h); err = h.error {
		last.hints = append(last.hints, h.hint)
	}
	return append(all[:len(all)-1:len(all)-1], &last)
}

// oneLine makes a message fit for one line of a terminal.
func oneLine(s string) string { return render.Folded(s) }

// list joins words for a sentence.
func list(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
