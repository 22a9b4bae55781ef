package gitstore

import (
	"os"
	"time"
)

// Now is the present moment, to the second, in the local zone: the only clock that this package and its callers use.
// The environment variable GIT_HANDOFF_NOW (RFC 3339) sets it, for tests alone. GIT_AUTHOR_DATE and GIT_COMMITTER_DATE
// do not count: git sets the first for the hooks of an amended commit, whose date is not that of what we write.
func Now() time.Time {
	if t, err := time.Parse(time.RFC3339, os.Getenv("GIT_HANDOFF_NOW")); err == nil {
		return t
	}
	return time.Now().Truncate(time.Second)
}
