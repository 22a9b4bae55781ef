package main

import (
	"context"
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"git-handoff/gitstore"
	"git-handoff/render"
)

// desk is what every command works with: the repository, its settings and the streams.
type desk struct {
	streams
	repo *gitstore.Repo
}

// open opens the repository that the command line means.
func open(c *cli.Context) (*desk, error) {
	repo, err := gitstore.Open(c.Context, startFolder(c))
	if err != nil {
		return nil, err
	}
	return &desk{streams: std(c), repo: repo}, nil
}

func (d *desk) close() { d.repo.Close() }

// say is one line for people, beside the output.
func (d *desk) say(line string) { fmt.Fprintf(d.err, "git-handoff: %s\n", oneLine(line)) }

// hint is one line that names the mend.
func (d *desk) hint(line string) { fmt.Fprintf(d.err, "git-handoff: hint: %s\n", oneLine(line)) }

// print is the output of a command, or the error that came in its place.
func (d *desk) print(data []byte, err error) error {
	if err == nil {
		_, err = d.out.Write(data)
	}
	return err
}

// tellUnread says of each version among many that cannot be read that it cannot, and why. Any other error it gives back.
func (d *desk) tellUnread(err error) error {
	some, err := gitstore.UnlessUnread(err)
	for _, one := range some {
		d.say("cannot be read: " + unreadable(one, one).what)
	}
	return err
}

// inert keeps what a document holds from acting on a terminal; anywhere else bytes stay as they are.
func (d *desk) inert(data []byte) []byte {
	if isTerminal(d.out) {
		return []byte(render.Inert(string(data)))
	}
	return data
}

// terminal is what text for people is made for.
func (d *desk) terminal() render.Terminal {
	return render.Terminal{Width: widthOf(d.out), Color: colourful(d.out)}
}

// columns is the width of the terminal, 0 where the output is none, so that lists are not cut in a pipe.
func (d *desk) columns() int {
	if isTerminal(d.out) {
		return widthOf(d.out)
	}
	return 0
}

func (d *desk) staleAfter(ctx context.Context) (time.Duration, error) {
	config, err := d.repo.Config(ctx)
	if err != nil {
		return 0, err
	}
	return config.StaleAfter, nil
}
