package hooks

import (
	"bufio"
	"context"
	"io"
	"path"
	"slices"
	"strings"

	"git-handoff/gitstore"
	"git-handoff/gitstore/handoff"
)

// A pushed is one line of what git tells a pre-push hook. A deletion has the local name "(delete)" and an id of zeros.
type pushed struct{ localRef, localOID, remoteRef, remoteOID string }

// readPush reads the standard input of a pre-push hook. A push with nothing to send has none.
func readPush(in io.Reader) ([]pushed, error) {
	var all []pushed
	lines := bufio.NewScanner(io.LimitReader(in, maxInput))
	for lines.Scan() {
		// A local name may be an expression with blanks in it; the other three may not.
		f := strings.Fields(lines.Text())
		if n := len(f); n >= 4 {
			all = append(all, pushed{strings.Join(f[:n-3], " "), f[n-3], f[n-2], f[n-1]})
		}
	}
	return all, lines.Err()
}

// restAll marks a repository that has nothing to publish.
func (e *event) restAll(ctx context.Context) {
	rest, ok := prepareRest(e.repo, "")
	if !ok {
		return
	}
	refs, err := e.repo.Refs(ctx, handoff.RefPrefix, handoff.ArchivePrefix, path.Dir(handoff.NotesRef))
	something := func(r gitstore.Ref) bool {
		return !strings.HasPrefix(r.Name, path.Dir(handoff.NotesRef)) || r.Name == handoff.NotesRef
	}
	if err == nil && !slices.ContainsFunc(refs, something) {
		rest.mark()
	}
}
