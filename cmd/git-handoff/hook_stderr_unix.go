//go:build unix

package main

import (
	"io"
	"os"
	"strconv"
	"syscall"

	"git-handoff/hooks"
)

// hookErrors is where a hook says its line: the file that the script kept for that, since it sends to nowhere what a
// program that crashes writes; else standard error. No child gets it: one that lived on would hold up who reads it.
func hookErrors(err io.Writer) io.Writer {
	fd, bad := strconv.Atoi(os.Getenv(hooks.SayVariable))
	os.Unsetenv(hooks.SayVariable)
	if bad != nil || fd <= int(os.Stderr.Fd()) {
		return err
	}
	syscall.CloseOnExec(fd)
	file := os.NewFile(uintptr(fd), "standard error")
	if _, bad := file.Stat(); bad != nil {
		return err
	}
	return file
}
