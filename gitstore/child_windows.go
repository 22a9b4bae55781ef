package gitstore

import (
	"os"
	"syscall"
)

func childAttr(ownGroup, _ bool) *syscall.SysProcAttr {
	if !ownGroup {
		return nil
	}
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// terminate ends a child. Windows has no gentler way for a process without a console of its own.
func terminate(p *os.Process, _ bool) error { return p.Kill() }

// exitStatus is a process's status; there are no signals here.
func exitStatus(p *os.ProcessState) (int, string) { return p.ExitCode(), "" }

// passedOn are the signals that a command gets from us.
var passedOn = []os.Signal{os.Interrupt, syscall.SIGTERM}
