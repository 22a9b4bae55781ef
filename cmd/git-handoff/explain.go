package main

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"

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
	{is(gitstore.ErrNotHandoff), exitRefused, ""},
	{as[*handoff.CorruptError], exitRefused, ""},
	{is(gitstore.ErrNotRepository), exitFailure, "run it inside a git repository, or name one: git handoff -C DIR …"},
	{is(gitstore.ErrNoHandoff), exitNoHandoff, "git handoff list --all shows the handoffs there are"},
	{is(gitstore.ErrClosed), exitRefused, "git handoff list shows those that do"},
	{is(gitstore.ErrUnreached), exitUnknown, "try again when it can be reached; git config handoff.fetchTimeout 30s gives it more time"},
	{is(gitstore.ErrNoRemote), exitUsage, "git remote -v shows the remotes there are"},
	{is(gitstore.ErrNotClosed), exitFailure, ""},
	{as[*gitstore.BrokenRefError], exitFailure, ""},
	{is(gitstore.ErrNoIdentity), exitFailure, "git config user.name 'Your Name' && git config user.email you@example.com"},
	{is(gitstore.ErrConflict), exitConflict, "run the command again; git handoff log shows what the others wrote"},
	{is(gitstore.ErrRefLocked), exitConflict, "another git process holds the lock; run the command again when it is done"},
	{is(gitstore.ErrRefMoved), exitConflict, "run the command again"},
	{as[*gitstore.ConflictDF], exitConflict, "git handoff resolve makes room, if the other branch is gone"},
	{as[*gitstore.ConfigError], exitUsage, "correct the value, or remove it"},
	{as[*handoff.NewerError], exitRefused, "install the release that wrote it"},
	{as[*handoff.InputError], exitUsage, ""},
	{as[*gitstore.NotesError], exitFailure, ""},
	{gitstore.BadConfig, exitFailure, "mend that line of the file in an editor; git config --list reads it again"},
	{gitstore.Promised, exitUnknown, "what is asked for is on the remote alone; run the command again when it can be reached"},
	{gitstore.Damaged, exitFailure, "git fsck --full names all that is missing or damaged here"},
	{unwritable, exitFailure, "whoever may write there can do this; show, list, log and check only read"},
	{is(syscall.ENOSPC), exitFailure, "make room on the disk and run the command again; nothing was changed"},
}

// explain turns an error into problems for a person, each with what to do next.
func explain(err error) []*problem { return withHints(problemsOf(err), err) }

func problemsOf(err error) []*problem {
	var several problems
	var p *problem
	var many gitstore.Unread
	var unread *gitstore.UnreadError
	var inputs handoff.InputErrors
	switch {
	case errors.As(err, &several):
		return several
	case errors.As(err, &p):
		return []*problem{p}
	case errors.As(err, &many):
		for _, one := range many {
			several = append(several, unreadable(one, one))
		}
		return several
	case errors.As(err, &unread):
		return []*problem{unreadable(err, unread)}
	case errors.As(err, &inputs) && !as[*handoff.CorruptError](err): // what is stored is not an author's input
		return inputProblems(inputs)
	}
	return []*problem{byRule(err)}
}

// unwritable reports whether an error is about a place where we may not write.
func unwritable(err error) bool {
	text := err.Error()
	return errors.Is(err, fs.ErrPermission) || strings.Contains(text, "ermission denied") || strings.Contains(text, "ead-only file system")
}

func byRule(err error) *problem {
	for _, r := range rules {
		if r.is(err) {
			return ruled(r, err)
		}
	}
	return fromGit(err)
}

// fromGit tells of an error that no rule knows. A command that git advises stands on a line of its own, behind a tab.
func fromGit(err error) *problem {
	what, mend, advised := strings.Cut(err.Error(), "\n\n\t")
	p := trouble(exitFailure, "%s", what)
	if advised {
		p.hint("%s", mend)
	}
	return p
}

// unreadable says which version cannot be read, and how to see what there is.
func unreadable(err error, u *gitstore.UnreadError) *problem {
	p := byRule(err)
	if !strings.Contains(p.what, u.Name.String()) {
		p.what = u.Where() + ": " + p.what
	}
	switch {
	case errors.Is(err, gitstore.ErrNotHandoff):
		p.hint("git show --stat %s shows what it is", u.OID)
	case !as[*handoff.NewerError](err) && !as[*handoff.CorruptError](err):
	case u.Name.IsZero():
		p.hint("git handoff show --raw --at %s prints it as it is", u.OID)
	default:
		p.hint("git handoff show --raw %s prints it as it is", word(u.Name))
	}
	return p
}

func ruled(r rule, err error) *problem {
	p := trouble(r.code, "%s", err)
	if errors.Is(err, gitstore.ErrNoIdentity) {
		p.what = gitstore.ErrNoIdentity.Error() // git's own text is a page
	}
	var input *handoff.InputError
	var broken *gitstore.BrokenRefError
	var notes *gitstore.NotesError
	var conflict *gitstore.ConflictDF
	switch {
	case errors.As(err, &notes):
		p.hint("git update-ref -d %s %s gives the evidence up that cannot be read", word(notes.Ref), notes.OID)
	case errors.As(err, &conflict) && conflict.Blocking == strings.TrimSuffix(handoff.RefPrefix, "/"):
		p.hint("git update-ref -d %s, if nobody needs it", conflict.Blocking)
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
