package check

import (
	"regexp"
	"sync"
)

// lazily compiles a pattern when it is first needed: most runs of the program, such as in a hook, need none.
func lazily(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
