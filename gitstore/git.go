package gitstore

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

// How long git children may take. Local ones only end there when something is broken.
const (
	localLimit = 60 * time.Second
	// killGrace is what a child has to put its lock files away after it was told to end.
	killGrace = 2 * time.Second
	// maxStderr is how much of a child's error output is kept.
	maxStderr = 64 << 10
)

// ErrNoGit is returned where there is no git to run.
var ErrNoGit = errors.New("git is not installed, or not on PATH")

// A call is one git child.
type call struct {
	dir   string
	args  []string
	stdin io.Reader
	env   []string
	// limit is the longest that it may take; 0 is localLimit.
	limit time.Duration
	// shared keeps the child in our process group, where it may ask on the terminal.
	shared bool
	// untied lets the child finish when we die.
	untied bool
}

// git runs git and gives its standard output.
func (r *Repo) git(ctx context.Context, args ...string) ([]byte, error) {
	return call{dir: r.dir, args: args}.output(ctx)
}

// gitIn runs git with stdin as its standard input and gives its standard output.
func (r *Repo) gitIn(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	return call{dir: r.dir, args: args, stdin: bytes.NewReader(stdin)}.output(ctx)
}

// gitPipe runs git and lets read have its standard output while it is written.
func (r *Repo) gitPipe(ctx context.Context, read func(io.Reader) error, args ...string) error {
	return call{dir: r.dir, args: args}.pipe(ctx, read)
}

// gitNetwork runs a git command that talks to a remote, at most for limit. Nothing may ask anybody anything.
func (r *Repo) gitNetwork(ctx context.Context, limit time.Duration, stdin []byte, args ...string) ([]byte, error) {
	env, err := r.networkEnv(ctx)
	if err != nil {
		return nil, err
	}
	return call{dir: r.dir, args: args, stdin: bytes.NewReader(stdin), env: env, limit: limit}.output(ctx)
}

func (c call) output(ctx context.Context) ([]byte, error) {
	ctx, cancel := c.deadline(ctx)
	defer cancel()
	cmd, stderr := c.command(ctx)
	var out bytes.Buffer
	cmd.Stdout = &out
	err := cmd.Run()
	return out.Bytes(), c.failure(ctx, err, stderr)
}

func (c call) pipe(ctx context.Context, read func(io.Reader) error) error {
	ctx, cancel := c.deadline(ctx)
	defer cancel()
	cmd, stderr := c.command(ctx)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return c.failure(ctx, err, stderr)
	}
	readErr := read(out)
	if readErr != nil {
		cancel()
	}
	if err := c.failure(ctx, cmd.Wait(), stderr); err != nil && readErr == nil {
		return err
	}
	return readErr
}

func (c call) deadline(ctx context.Context) (context.Context, context.CancelFunc) {
	if c.limit == 0 {
		c.limit = localLimit
	}
	return context.WithTimeout(ctx, c.limit)
}

// command prepares the child: its own process group, told to end with ctx and with us, and a plain C locale, since
// what it says is parsed.
func (c call) command(ctx context.Context) (*exec.Cmd, *capped) {
	cmd := exec.CommandContext(ctx, "git", c.args...)
	cmd.Dir = c.dir
	cmd.Env = append(os.Environ(), "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_PAGER=cat")
	cmd.Env = append(cmd.Env, c.env...)
	cmd.Stdin = c.stdin
	stderr := &capped{max: maxStderr}
	cmd.Stderr = stderr
	cmd.SysProcAttr = childAttr(!c.shared, !c.untied)
	cmd.Cancel = func() error { return terminate(cmd.Process, !c.shared) }
	cmd.WaitDelay = killGrace
	return cmd, stderr
}

// failure says in our words how a child ended. A grandchild that still holds a pipe is no failure of the child.
func (c call) failure(ctx context.Context, err error, stderr *capped) error {
	if err == nil || errors.Is(err, exec.ErrWaitDelay) && ctx.Err() == nil {
		return nil
	}
	if errors.Is(err, exec.ErrNotFound) {
		return ErrNoGit
	}
	e := &GitError{Args: c.args, Status: -1, Stderr: stderr.kept.String()}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		e.Err = ctx.Err()
	case errors.As(err, &exit):
		e.Status = exit.ExitCode()
		if e.Status < 0 {
			e.Err = err
		}
	default:
		e.Err = err
	}
	return e
}

// A dialogue is a git child that answers one question after another.
type dialogue struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  io.Reader
	call call
	// errs must only be read after the child has ended.
	errs *capped
}

// dialogue starts a child that lives until it is closed.
func (c call) dialogue() (*dialogue, error) {
	cmd, stderr := c.command(context.Background())
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, c.failure(context.Background(), err, stderr)
	}
	return &dialogue{cmd: cmd, in: in, out: out, call: c, errs: stderr}, nil
}

// kill ends the child at once; close says why it ended.
func (d *dialogue) kill() { terminate(d.cmd.Process, true) }

// close ends the child by ending its input, and gives the error it ended with; that of ctx where ctx is over.
func (d *dialogue) close(ctx context.Context) error {
	d.in.Close()
	return d.call.failure(ctx, d.cmd.Wait(), d.errs)
}

// capped keeps the first max bytes. It does not embed its buffer, whose ReadFrom would go past them.
type capped struct {
	kept bytes.Buffer
	max  int
}

func (c *capped) Write(p []byte) (int, error) {
	if room := c.max - c.kept.Len(); room > 0 {
		c.kept.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

// A Command is a program that the user sees at work: an editor, a verification, what `run` is given. It has our
// terminal and our process group, no time limit, and goes on when we are gone.
type Command struct {
	Argv []string
	Dir  string
	// Env are variables beside those of the environment.
	Env            []string
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Shared tells that a terminal gives its keys' signals to the command as to us, so that they are not passed on.
	Shared bool
}

// A Result says how a command ended. Exit is its status, or 128 and the signal's number as shells have it.
type Result struct {
	Exit   int
	Signal string
	Took   time.Duration
}

// outputGrace is how long a command's output is waited for after it ended: something that it left running may hold it.
const outputGrace = 2 * time.Second

// Run runs the command to its end. An interrupt from the keyboard reaches it without us, so we wait; a signal that
// reaches us alone is passed on. The error is for a command that could not be started; see StartStatus.
func (c Command) Run() (Result, error) {
	cmd := exec.Command(c.Argv[0], c.Argv[1:]...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = c.Dir, c.Stdin, c.Stdout, c.Stderr
	cmd.Env = append(os.Environ(), c.Env...)
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, passedOn...)
	defer signal.Stop(signals)
	cmd.WaitDelay = outputGrace
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return Result{}, err
	}
	done := make(chan struct{})
	defer close(done)
	go c.passOn(signals, done, cmd.Process)
	err := cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
		return Result{}, err
	}
	code, name := exitStatus(cmd.ProcessState)
	return Result{Exit: code, Signal: name, Took: time.Since(start)}, nil
}

// passOn gives a process the signals that we get and it does not, until done.
func (c Command) passOn(signals <-chan os.Signal, done <-chan struct{}, p *os.Process) {
	for {
		select {
		case s := <-signals:
			if s == syscall.SIGTERM || !c.Shared {
				_ = p.Signal(s)
			}
		case <-done:
			return
		}
	}
}

// StartStatus is the exit status that shells give for a command that cannot be started: 127 where there is none of
// that name, 126 where it cannot be run.
func StartStatus(err error) int {
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		return 127
	}
	return 126
}

// FindProgram is where a program stands on PATH, as an absolute path; "" where it does not.
func FindProgram(name string) string {
	found, err := exec.LookPath(name)
	if err != nil {
		return ""
	}
	if found, err = filepath.Abs(found); err != nil {
		return ""
	}
	return found
}
