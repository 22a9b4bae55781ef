package gitstore

import "syscall"

// childAttr makes a child end with us: SIGTERM, on which git puts its lock files away. The signal follows the thread
// that started the child; Go ends a thread only with a goroutine that is locked to it, and there is none here.
func childAttr(ownGroup bool) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: ownGroup, Pdeathsig: syscall.SIGTERM}
}
