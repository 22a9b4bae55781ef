package gitstore

import (
	"errors"
	"fmt"
	"strings"

	"git-handoff/gitstore/handoff"
)

// An UnreadError is a version that cannot be read: its commit or its document is not here, is damaged or is from a newer
// release, or it is no handoff. It says what Err says; which version it is stands in Where.
type UnreadError struct {
	// Name is zero where the version was found by its id.
	Name handoff.Name
	OID  string
	Err  error
}

func (e *UnreadError) Error() string { return e.Err.Error() }

func (e *UnreadError) Unwrap() error { return e.Err }

// Where names the version.
func (e *UnreadError) Where() string {
	if e.Name.IsZero() {
		return fmt.Sprintf("version %.12s", e.OID)
	}
	return fmt.Sprintf("%s, version %.12s", e.Name, e.OID)
}

// unread tells of an error about a version which version it is.
func (v *Version) unread(err error) error {
	if err == nil {
		return nil
	}
	return &UnreadError{Name: v.Name, OID: v.OID, Err: err}
}

// Unread are the versions that could not be read among many. All others were.
type Unread []*UnreadError

func (e Unread) Error() string {
	lines := make([]string, len(e))
	for i, one := range e {
		lines[i] = one.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives them one by one.
func (e Unread) Unwrap() []error {
	errs := make([]error, len(e))
	for i, one := range e {
		errs[i] = one
	}
	return errs
}

// UnlessUnread is the error, or nil where all that it says is that some versions cannot be read. Those are given.
func UnlessUnread(err error) (Unread, error) {
	var some Unread
	if errors.As(err, &some) {
		return some, nil
	}
	return nil, err
}

// A damagedError is an object that is here and cannot be read. To a reader it is one that is not here.
type damagedError struct {
	oid string
	err error
}

func (e *damagedError) Error() string {
	text := e.err.Error()
	if i := strings.LastIndex(text, "fatal: "); i >= 0 {
		text = text[i+len("fatal: "):]
	}
	return fmt.Sprintf("object %s is damaged: %s", e.oid, text)
}

func (e *damagedError) Unwrap() error { return e.err }

func (e *damagedError) Is(target error) bool { return target == ErrNoObject }

// unreadable tells an object that git gave up on from one that it could not fetch, and from a git that was ended.
func unreadable(oid string, err error) error {
	var git *GitError
	if errors.As(err, &git) && git.Status > 0 && !Promised(err) {
		return &damagedError{oid, err}
	}
	return err
}

// Promised reports whether an error is about an object that a partial clone left on its remote and could not fetch.
func Promised(err error) bool {
	var git *GitError
	return errors.As(err, &git) && strings.Contains(git.Stderr, "promisor remote")
}

// BadConfig reports whether an error is about a file of settings that git cannot read.
func BadConfig(err error) bool {
	var git *GitError
	return errors.As(err, &git) && strings.Contains(git.Stderr, "bad config")
}

// damage is what git says of objects that are missing or cannot be read.
var damage = lazily(`bad object|bad tree object|unable to read|missing object|packfile|index file|alternate object path|is corrupt|object file .* is empty|inflate`)

// Damaged reports whether an error is about objects that are missing or damaged here.
func Damaged(err error) bool {
	var git *GitError
	return errors.Is(err, ErrNoObject) || errors.As(err, &git) && !Promised(err) && damage().MatchString(git.Stderr)
}
