//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package gitstore

import (
	"os"
	"syscall"
)

// waitForTurn returns when nobody else holds the file, or when the system cannot tell.
func waitForTurn(f *os.File) {
	for syscall.Flock(int(f.Fd()), syscall.LOCK_EX) == syscall.EINTR {
	}
}
