//go:build unix

package gitstore

import (
	"io/fs"
	"os"
	"syscall"
)

// ours reports whether a file belongs to the user that we run as. Git trusts a few more, after looking closer.
func ours(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}

func sameDevice(a, b fs.FileInfo) bool {
	x, ok := a.Sys().(*syscall.Stat_t)
	y, ok2 := b.Sys().(*syscall.Stat_t)
	return ok && ok2 && x.Dev == y.Dev
}
