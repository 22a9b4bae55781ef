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

// exitStatus is a process's status as shells have it, and the name of the signal that ended it, if one did.
func exitStatus(p *os.ProcessState) (int, string) {
	if w, ok := p.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return 128 + int(w.Signal()), w.Signal().String()
	}
	return p.ExitCode(), ""
}

// passedOn are the signals that a command gets from us.
var passedOn = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2}
