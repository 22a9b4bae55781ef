package hooks

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// maxAncestors is how far up the git push that called the hook is looked for: shells and hook managers stand between.
const maxAncestors = 12

// dryRun reports whether the git push that this hook is called for is a --dry-run. Git tells its hooks nothing of it,
// so the command lines of the parents are read. Where they cannot be, it is taken for a real push.
func dryRun() bool {
	pid := os.Getppid()
	for range maxAncestors {
		line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if err != nil {
			return false
		}
		argv := strings.Split(string(bytes.TrimSuffix(line, []byte{0})), "\x00")
		if dry, push := dryRunArgs(argv); push {
			return dry
		}
		if pid = parentOf(pid); pid <= 1 {
			return false
		}
	}
	return false
}

// parentOf reads the fourth field of /proc/PID/stat; the second, in parentheses, may hold anything.
func parentOf(pid int) int {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(stat[bytes.LastIndexByte(stat, ')')+1:]), " ")
	f := strings.Fields(rest)
	if len(f) < 2 {
		return 0
	}
	parent, _ := strconv.Atoi(f[1])
	return parent
}
