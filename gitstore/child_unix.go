//go:build unix

package gitstore

import (
	"os"
	"syscall"
)

// terminate asks a child, and with its own group all that it started, to end.
func terminate(p *os.Process, group bool) error {
	if group {
		return syscall.Kill(-p.Pid, syscall.SIGTERM)
	}
	return p.Signal(syscall.SIGTERM)
}
