package gitstore

import (
	"regexp"
	"sync"
)

// lazily is a pattern that is compiled when it is first used: most commands use none, and all pay for start-up.
func lazily(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
