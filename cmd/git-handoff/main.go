// Command git-handoff keeps the continuation state of unfinished work in git itself. Installed on PATH, git runs it as
// `git handoff`.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

// heap is where the garbage collector starts to work, in bytes. Nearly every command is done before it has used that
// much, and one that reads a large log stays below it.
const heap = 48 << 20

func main() {
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(heap)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args, streams{in: os.Stdin, out: os.Stdout, err: os.Stderr})
	stop()
	os.Exit(code)
}
