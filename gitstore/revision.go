package gitstore

import (
	"context"
	"strings"
)

// Resolve gives the full object id of the commit that a revision names (gitrevisions(7)).
func (r *Repo) Resolve(ctx context.Context, rev string) (string, error) {
	out, err := r.git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	return strings.TrimSpace(string(out)), err
}
