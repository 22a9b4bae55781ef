// Command git-handoff keeps the continuation state of unfinished work in git itself. Installed on PATH, git runs it as
// `git handoff`.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"sync"
	"syscall"
)

// heap is where the garbage collector starts to work, in bytes. Nearly every command is done before it has used that
// much, and one that reads a large log stays below it.
const heap = 48 << 20

func main() {
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(heap)
	os.Exit(run(untilSignal(), os.Args, streams{in: os.Stdin, out: os.Stdout, err: os.Stderr}))
}

// A signalled is a context that ends with an interrupt or a SIGTERM. It listens from when somebody first waits for it:
// until a command has started something that must be ended, the system ends the command well enough, and listening
// takes a thread, as long as all of a small command.
type signalled struct {
	context.Context
	listen func()
}

func untilSignal() signalled {
	ctx, cancel := context.WithCancel(context.Background())
	return signalled{ctx, sync.OnceFunc(func() {
		signals := make(chan os.Signal, 1)
		signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
		go func() {
			<-signals
			signal.Stop(signals)
			cancel()
		}()
	})}
}

func (s signalled) Done() <-chan struct{} {
	s.listen()
	return s.Context.Done()
}
