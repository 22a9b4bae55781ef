//go:build unix && !linux

package gitstore

import "syscall"

// childAttr gives a child its own process group; these systems cannot tie its life to ours.
func childAttr(ownGroup, _ bool) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: ownGroup}
}
