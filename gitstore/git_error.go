package gitstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A GitError is a git command that failed: its arguments, its exit status (-1 where it did not get that far) and what
// it wrote to standard error. Err is the cause where git itself gave none, such as context.DeadlineExceeded.
type GitError struct {
	Args   []string
	Status int
	Stderr string
	Err    error
}

func (e *GitError) Error() string {
	msg := strings.TrimPrefix(strings.Join(distinct(e.Stderr), "\n"), "fatal: ")
	switch {
	case errors.Is(e.Err, context.DeadlineExceeded):
		msg = "took too long and was ended"
	case msg == "" && e.Err != nil:
		msg = e.Err.Error()
	case msg == "":
		msg = fmt.Sprintf("ended with status %d", e.Status)
	}
	return fmt.Sprintf("git %s: %s", e.verb(), msg)
}

// distinct are the lines of a text, each once: git says of a damaged pack the same for every object that it looks for.
func distinct(text string) []string {
	var lines []string
	for line := range strings.Lines(strings.TrimSpace(text)) {
		if line = strings.TrimRight(line, "\r\n"); !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return lines
}

func (e *GitError) Unwrap() error { return e.Err }

// verb is the git command among the arguments, past git's own options.
func (e *GitError) verb() string {
	for i := 0; i < len(e.Args); i++ {
		switch {
		case e.Args[i] == "-c", e.Args[i] == "-C":
			i++
		case !strings.HasPrefix(e.Args[i], "-"):
			return e.Args[i]
		}
	}
	return ""
}
