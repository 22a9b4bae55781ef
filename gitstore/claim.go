package gitstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"git-handoff/gitstore/handoff"
)

// TrailerClaim says in the message of a claim which remote accepted it, or that it was made without one.
const TrailerClaim = "Handoff-Claim"

// ClaimedLocally is the value of TrailerClaim for a claim that no remote was asked about. No remote can have the name,
// since git allows no blank in it.
const ClaimedLocally = "no remote"

// A HeldError is the refusal of a claim because somebody else's has not expired.
type HeldError struct {
	Name  handoff.Name
	Claim handoff.Claim
	// Who is the person or program that made the claim, as far as it is known; By of the claim is a session or worktree.
	Who string
	// Remote is the remote that has accepted it, "" for a claim made without one.
	Remote string
	// Grace says that it has ended and counts a little longer; see handoff.ClaimGrace.
	Grace bool
}

func (e *HeldError) Error() string {
	who := e.Claim.By
	if e.Who != "" && e.Who != who {
		who = e.Who + " (" + e.Claim.By + ")"
	}
	where := ""
	if e.Remote == "" {
		where = " (claimed without a remote)"
	}
	if e.Grace {
		where += "; that is past, and it counts until " + handoff.TimeOf(e.Claim.Until.Std().Add(handoff.ClaimGrace)).String() + ", for clocks that disagree"
	}
	return fmt.Sprintf("%s is claimed by %s until %s%s", e.Name, who, e.Claim.Until, where)
}

// A RefusedError is a remote that takes no claim, now or later.
type RefusedError struct{ Remote, Ref, Reason string }

func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s does not take %s: %s", e.Remote, e.Ref, e.Reason)
}

// A Claiming is what somebody who takes a handoff over asks for.
type Claiming struct {
	Holder         string
	Session, Actor string
	TTL            time.Duration
	// Takeover ends somebody else's claim.
	Takeover bool
	// Peer has to accept the claim; nil for one that this clone alone knows. It must have been fetched from just now.
	Peer *Peer
	// Scan gives the names of the secrets in a text: what has any is not pushed. Nil lets everything pass.
	Scan func(text []byte) []string
}

// claimAttempts is how often a claim that the remote found stale is made again on what is there then.
const claimAttempts = 10

// Claim claims a handoff. With a peer, nothing is claimed here before the peer has accepted it: of two who claim at
// once, the peer takes one, and the other is a *HeldError. Without one, the claim is this clone's alone.
func (r *Repo) Claim(ctx context.Context, name handoff.Name, c Claiming) (*Version, error) {
	if c.Peer == nil {
		return r.Edit(ctx, name, func(prev *Version, doc *handoff.Document) (*Change, error) {
			if prev == nil {
				return nil, ErrNoHandoff
			}
			next, err := r.claimed(ctx, prev, doc, c)
			if err != nil {
				return nil, err
			}
			return &Change{Doc: next, Message: c.message(next, ClaimedLocally), Identity: AsUserOrProgram}, nil
		})
	}
	for n := range claimAttempts {
		if n > 0 {
			if err := pause(ctx, n); err != nil {
				return nil, err
			}
			if _, err := r.Fetch(ctx, *c.Peer, FetchOptions{}); err != nil {
				return nil, err
			}
		}
		v, err := r.claimOver(ctx, name, c)
		if !errors.Is(err, ErrRefMoved) {
			return v, err
		}
	}
	return nil, fmt.Errorf("%s: %w", name, ErrConflict)
}

// ErrClosed is a handoff that drives no work any more: archived or superseded.
var ErrClosed = errors.New("it drives no work any more")

// claimed is the document with the claim in it, unless somebody else's stands in the way.
func (r *Repo) claimed(ctx context.Context, v *Version, doc *handoff.Document, c Claiming) (*handoff.Document, error) {
	if doc.Status != handoff.Active {
		return nil, fmt.Errorf("%s is %s: %w", v.Name, doc.Status, ErrClosed)
	}
	now := handoff.TimeOf(Now())
	if old := doc.Claim; old != nil && old.By != c.Holder && !old.ExpiredAt(now) && !c.Takeover {
		held := &HeldError{Name: v.Name, Claim: *old, Grace: old.InGraceAt(now)}
		held.Who, held.Remote = r.Claimant(ctx, v, *old)
		return nil, held
	}
	next := *doc
	next.Claim = &handoff.Claim{By: c.Holder, At: now, Until: handoff.TimeOf(now.Std().Add(c.TTL))}
	return &next, nil
}

func (c Claiming) message(doc *handoff.Document, where string) handoff.Message {
	return handoff.MessageOf(doc, handoff.EventClaim, handoff.Trailer{Key: TrailerClaim, Value: where}).By(c.Actor, c.Session)
}

// claimOver makes one attempt to have the peer accept the claim. ErrRefMoved means that somebody was faster.
func (r *Repo) claimOver(ctx context.Context, name handoff.Name, c Claiming) (*Version, error) {
	// The lease is what was fetched before the handoff is settled with it and read: another process of this clone may
	// fetch, or claim, at any moment after.
	there, err := r.ref(ctx, TrackingRef(c.Peer.Track, name))
	if err != nil {
		return nil, err
	}
	if err := r.Settle(ctx, *c.Peer, name); err != nil {
		return nil, err
	}
	prev, doc, err := r.load(ctx, name)
	if err != nil {
		return nil, err
	}
	if prev == nil {
		return nil, ErrNoHandoff
	}
	next, err := r.claimed(ctx, prev, doc, c)
	if err != nil {
		return nil, err
	}
	oid, err := r.WriteVersion(ctx, next, c.message(next, c.Peer.Remote), []string{prev.OID}, WriteOptions{Identity: AsUserOrProgram})
	if err != nil {
		return nil, err
	}
	if err := r.pushClaim(ctx, name, oid, there, c); err != nil {
		return nil, err
	}
	err = r.UpdateRefs(ctx, "handoff: claim", RefChange{Ref: name.Ref(), Old: prev.OID, New: oid})
	if errors.Is(err, ErrRefMoved) || errors.Is(err, ErrRefLocked) {
		// Somebody here saved meanwhile. The claim is accepted all the same; it and the save are joined.
		err = r.Settle(ctx, *c.Peer, name)
	}
	if err != nil {
		return nil, err
	}
	return r.Tip(ctx, name)
}

// Settle makes a handoff here agree with what was fetched from a peer. It uses no network.
func (r *Repo) Settle(ctx context.Context, p Peer, name handoff.Name) error {
	settled, err := r.resolveAll(ctx, p, func(n handoff.Name) bool { return n == name }, false)
	if err != nil {
		return err
	}
	for _, s := range settled {
		if s.Err != nil {
			return s.Err
		}
	}
	return nil
}

// pushClaim pushes a version with what was fetched, there, as the lease.
func (r *Repo) pushClaim(ctx context.Context, name handoff.Name, oid, there string, c Claiming) error {
	if err := c.fit(ctx, r, name, oid, there); err != nil {
		return err
	}
	refs := []PushedRef{{Ref: name.Ref(), Old: there, New: oid, Name: name}}
	if err := r.push(ctx, *c.Peer, refs); err != nil {
		return err
	}
	switch refs[0].Result {
	case Accepted:
		err := r.UpdateRefs(ctx, "handoff: claim", RefChange{Ref: TrackingRef(c.Peer.Track, name), Old: there, New: oid})
		if errors.Is(err, ErrRefMoved) {
			return nil // a fetch of somebody else was faster, and knows better
		}
		return err
	case Refused:
		return &RefusedError{Remote: c.Peer.Remote, Ref: name.Ref(), Reason: refs[0].Reason}
	}
	return ErrRefMoved
}

// fit refuses to push what holds a secret.
func (c Claiming) fit(ctx context.Context, r *Repo, name handoff.Name, oid, there string) error {
	if c.Scan == nil {
		return nil
	}
	g := &graph{fork: Fork{Version: (&meeting{repo: r}).version(ctx)}, versions: map[string]*Version{}}
	why, err := (&publication{repo: r, scan: c.Scan}).secrets(ctx, g.news(oid, there))
	if err == nil && why != "" {
		err = &RefusedError{Remote: c.Peer.Remote, Ref: name.Ref(), Reason: why}
	}
	return err
}

// Claimant finds who made a claim that is in a version's document, and the remote that accepted it; "" where it was
// made without one, or where its event is not to be found.
func (r *Repo) Claimant(ctx context.Context, v *Version, claim handoff.Claim) (who, remote string) {
	const farEnough = 200
	history, err := r.History(ctx, cmp.Or(v.OID, strings.Join(v.Parents[:min(1, len(v.Parents))], "")), farEnough)
	if err != nil {
		return "", ""
	}
	for _, e := range history {
		if e.Message.Event != handoff.EventClaim {
			continue
		}
		if doc, err := r.Document(ctx, &e); err != nil || doc.Claim == nil || *doc.Claim != claim {
			continue
		}
		if remote = e.Message.Get(TrailerClaim); remote == ClaimedLocally {
			remote = ""
		}
		return cmp.Or(e.Message.Actor, e.Author.Name), remote
	}
	return "", ""
}
