package gitstore

import (
	"context"
	"errors"
	"time"

	"git-handoff/gitstore/handoff"
)

// A Wait is one pending item of a story: how long it was pending, and whether it expired meanwhile.
type Wait struct {
	What string
	// Since is when it was first saved as pending; Ended when it was no longer, zero while it is.
	Since, Ended time.Time
	Expires      time.Time
}

// ExpiredBy reports whether the item expired while it was still pending.
func (w Wait) ExpiredBy(now time.Time) bool {
	end := w.Ended
	if end.IsZero() {
		end = now
	}
	return !w.Expires.IsZero() && !w.Expires.After(end)
}

// Waits are the pending items that the saves of a story named, whichever of them are still there.
func (r *Repo) Waits(ctx context.Context, s *Story) ([]Wait, error) {
	var waits []Wait
	open := map[string]int{}
	for i := range s.Versions {
		v := &s.Versions[i]
		if v.Message.Event.Disposable() || v.Message.Event == handoff.EventClaim {
			continue
		}
		doc, err := r.Document(ctx, v)
		var newer *handoff.NewerError
		if errors.As(err, &newer) {
			continue // what a later release wrote is not ours to count
		}
		if err != nil {
			return nil, err
		}
		waits = followWaits(waits, open, doc, v.Committer.When)
	}
	return waits, nil
}

// followWaits takes one version into account; open are the items that were pending in the one before, by what they are.
func followWaits(waits []Wait, open map[string]int, doc *handoff.Document, at time.Time) []Wait {
	there := map[string]bool{}
	if doc.Status == handoff.Active {
		for _, it := range doc.Pending {
			there[it.What] = true
			n, known := open[it.What]
			if !known {
				n = len(waits)
				waits, open[it.What] = append(waits, Wait{What: it.What, Since: at}), n
			}
			waits[n].Expires = it.Expires.Std()
		}
	}
	for what, n := range open {
		if !there[what] {
			waits[n].Ended = at
			delete(open, what)
		}
	}
	return waits
}
