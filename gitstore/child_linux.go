package gitstore

import "syscall"

// childAttr can make a child end with us, by SIGTERM. The signal follows the thread that started the child; Go ends a
// thread only with a goroutine that is locked to it, and there is none here.
func childAttr(ownGroup, tied bool) *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setpgid: ownGroup}
	if tied {
		attr.Pdeathsig = syscall.SIGTERM
	}
	return attr
}
