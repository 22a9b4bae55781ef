package gitstore

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
)

// catFile reads objects through one long-lived git cat-file, started with the first question, and writes them with
// git hash-object.
type catFile struct {
	repo *Repo
	mu   sync.Mutex
	talk *dialogue
	out  *bufio.Reader
}

func (c *catFile) read(ctx context.Context, oid string) (string, []byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.start(); err != nil {
		return "", nil, err
	}
	// The child may fetch a promised object, so it must end with whoever asked.
	ctx, cancel := call{}.deadline(ctx)
	defer cancel()
	stop := context.AfterFunc(ctx, c.talk.kill)
	kind, data, err := c.ask(oid)
	if !stop() || err != nil {
		return "", nil, unreadable(oid, c.broken(ctx, err))
	}
	if kind == "" {
		return "", nil, fmt.Errorf("%w: %s", ErrNoObject, oid)
	}
	return kind, data, nil
}

func (c *catFile) start() error {
	if c.talk != nil {
		return nil
	}
	talk, err := call{dir: c.repo.dir, args: []string{"--no-replace-objects", "cat-file", "--batch"}}.dialogue()
	if err != nil {
		return err
	}
	c.talk, c.out = talk, bufio.NewReader(talk.out)
	return nil
}

// ask puts one question. The kind is "" where there is no such object.
func (c *catFile) ask(oid string) (string, []byte, error) {
	if _, err := io.WriteString(c.talk.in, oid+"\n"); err != nil {
		return "", nil, err
	}
	line, err := c.out.ReadString('\n')
	if err != nil {
		return "", nil, err
	}
	if strings.HasSuffix(line, " missing\n") {
		return "", nil, nil
	}
	var id, kind string
	var size int
	if _, err := fmt.Sscanf(line, "%s %s %d\n", &id, &kind, &size); err != nil {
		return "", nil, fmt.Errorf("git cat-file answered %q", line)
	}
	data := make([]byte, size+1)
	if _, err := io.ReadFull(c.out, data); err != nil {
		return "", nil, err
	}
	return kind, data[:size], nil
}

// broken ends a child that no longer answers, and says why.
func (c *catFile) broken(ctx context.Context, err error) error {
	c.talk.kill()
	ended := c.talk.close(context.Background())
	c.talk = nil
	switch {
	case ctx.Err() != nil:
		return &GitError{Args: []string{"cat-file"}, Status: -1, Err: ctx.Err()}
	case ended != nil:
		return ended
	}
	return err
}

func (c *catFile) write(ctx context.Context, kind string, data []byte) (string, error) {
	out, err := c.repo.gitIn(ctx, data, "hash-object", "-w", "-t", kind, "--stdin")
	return strings.TrimSpace(string(out)), err
}

func (c *catFile) close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.talk == nil {
		return nil
	}
	talk := c.talk
	c.talk = nil
	return talk.close(context.Background())
}
