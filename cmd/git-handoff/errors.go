package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"git-handoff/check/secrets"
	"git-handoff/gitstore/handoff"
)

// Exit statuses, as the manual lists them.
const (
	exitOK        = 0
	exitFailure   = 1 // failure, findings of check, a difference, or not ready with --exit-code
	exitUsage     = 2 // usage or bad input
	exitNoHandoff = 3 // no such handoff, or an ambiguous name
	exitRefused   = 4 // unclean, a secret, an unknown format, a held claim
	exitConflict  = 5
	exitUnknown   = 6 // nothing here, and the remote was never fetched or not reached
)

// A problem is an error for a person: what is wrong, what to do next, and the exit status it ends with.
type problem struct {
	code  int
	what  string
	hints []string
	cause error
	// settled tells that its words were masked as the repository's settings want it.
	settled bool
}

func (p *problem) Error() string { return p.what }

func (p *problem) Unwrap() error { return p.cause }

// hint adds a mend: a command that can be pasted, or a short sentence.
func (p *problem) hint(format string, args ...any) *problem {
	p.hints = append(p.hints, fmt.Sprintf(format, args...))
	return p
}

// word is a name as a hint gives it: it can be pasted into a shell whatever is in it, a branch of a stranger's too.
func word(name any) string { return handoff.ShellLine([]string{fmt.Sprint(name)}) }

func trouble(code int, format string, args ...any) *problem {
	return &problem{code: code, what: fmt.Sprintf(format, args...)}
}

func badUsage(format string, args ...any) *problem { return trouble(exitUsage, format, args...) }

// problems are several reasons for one refusal, said in one go.
type problems []*problem

func (p problems) Error() string {
	lines := make([]string, len(p))
	for i, one := range p {
		lines[i] = one.what
	}
	return strings.Join(lines, "\n")
}

// orNil is the error, or nil where there is no problem.
func (p problems) orNil() error {
	if len(p) == 0 {
		return nil
	}
	return p
}

// together is all that is wrong in one error, nil if nothing is.
func together(errs ...error) error {
	errs = slices.DeleteFunc(slices.Clone(errs), func(err error) bool { return err == nil })
	switch len(errs) {
	case 0:
		return nil
	case 1:
		return errs[0]
	}
	var all problems
	for _, err := range errs {
		for _, p := range explain(err) {
			if p.cause == nil {
				p.cause = err
			}
			all = append(all, p)
		}
	}
	return all
}

// A silent error ends the program with its status and says nothing: the output has said it all.
type silent int

func (s silent) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// usageError puts what urfave/cli says of a command line in our words.
func usageError(c *cli.Context, err error, _ bool) error {
	help := "git handoff -h"
	if c.Command != nil && c.Command.Name != "" && c.Command.Name != c.App.Name {
		help = "git handoff " + c.Command.Name + " -h"
	}
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: -"); ok {
		text = "there is no option --" + strings.TrimLeft(name, "-")
	}
	text = strings.NewReplacer("flag needs an argument: -", "an option needs a value: --", " for flag -", " for --").Replace(text)
	return badUsage("%s", text).hint("%s", help)
}

// masked is a line about what went wrong: it may quote a name or an address that holds a secret.
func masked(s string) string {
	s, _ = secrets.Mask(s, nil)
	return oneLine(s)
}

// report says what went wrong, in one place for all commands, and returns the exit status.
func report(w io.Writer, err error) int {
	var quiet silent
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &quiet):
		return int(quiet)
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(w, "git-handoff: error: interrupted")
		return exitFailure
	}
	code := exitOK
	for _, p := range explain(err) {
		words := masked
		if p.settled {
			words = oneLine
		}
		fmt.Fprintf(w, "git-handoff: error: %s\n", words(p.what))
		for _, h := range p.hints {
			fmt.Fprintf(w, "git-handoff: hint: %s\n", words(h))
		}
		code = max(code, p.code)
	}
	return code
}
