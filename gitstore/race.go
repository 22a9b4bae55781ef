package gitstore

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"
)

const (
	// raceAttempts is how often a lost race is run again. After the first, writers of ours stand in line, so that only
	// those who have just come and plain git can be faster again.
	raceAttempts = 40
	// lineLimit is how long to stand in line; then the race is run without it.
	lineLimit = 10 * time.Second
)

// race runs attempt until it neither loses to others (ErrRefMoved) nor finds the ref locked, and gives its last error.
func (r *Repo) race(ctx context.Context, attempt func() error) error {
	err := attempt()
	if !lost(err) {
		return err
	}
	leave := r.standInLine(ctx)
	defer leave()
	for n := 1; n < raceAttempts && lost(err); n++ {
		if err := pause(ctx, n); err != nil {
			return err
		}
		err = attempt()
	}
	return err
}

func lost(err error) bool { return errors.Is(err, ErrRefMoved) || errors.Is(err, ErrRefLocked) }

// pause lets plain git through: longer with each lost race, and never the same for two.
func pause(ctx context.Context, n int) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(time.Duration(rand.IntN(min(n, 20)*5_000)+500) * time.Microsecond):
		return nil
	}
}

// standInLine waits until no other process of ours runs a race that it has lost before. The system ends the wait for
// whoever dies in it. It is a courtesy: where it cannot be had, the compare-and-swap alone decides.
func (r *Repo) standInLine(ctx context.Context) (leave func()) {
	dir := filepath.Join(r.place.CommonDir, "handoff")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return func() {}
	}
	f, err := os.OpenFile(filepath.Join(dir, "line"), os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return func() {}
	}
	turn := make(chan struct{})
	go func() {
		waitForTurn(f)
		close(turn)
	}()
	select {
	case <-turn:
		return func() { f.Close() }
	case <-ctx.Done():
	case <-time.After(lineLimit):
	}
	go func() {
		<-turn
		f.Close()
	}()
	return func() {}
}
