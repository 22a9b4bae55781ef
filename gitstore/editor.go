package gitstore

import (
	"context"
	"strings"
)

// Shell is the command line that runs a line of POSIX shell, with args as its $1 and so on, as git does for editors and
// hooks of its configuration.
func Shell(line string, args ...string) []string {
	return append([]string{"sh", "-c", line, line}, args...)
}

// Editor is the command line that opens file in the user's editor, as git chooses it.
func (r *Repo) Editor(ctx context.Context, file string) ([]string, error) {
	out, err := r.git(ctx, "var", "GIT_EDITOR")
	if err != nil {
		return nil, err
	}
	return Shell(strings.TrimSuffix(string(out), "\n")+` "$@"`, file), nil
}
