package main

import (
	"context"
	"errors"

	"git-handoff/gitstore"
	"git-handoff/hooks"
)

// claim claims the handoff: over the remote where the branch is published there, else in this clone alone, which is
// said. A remote that was not reached leaves nobody able to tell.
func (r *resuming) claim(ctx context.Context, takeover, local bool) error {
	holder, err := r.repo.MakeHolder(r.who.session)
	if err != nil {
		return trouble(exitFailure, "nothing can be claimed: %s", reasonOf(err))
	}
	asked := gitstore.Claiming{Holder: holder, Session: r.who.session, Actor: r.actor(), TTL: r.config.ClaimTTL,
		Takeover: takeover, Scan: hooks.Scan(r.config)}
	alone, err := r.alone(ctx, local)
	if err != nil {
		return err
	}
	if alone == "" {
		asked.Peer = r.peer
	} else if r.peer != nil {
		// What was fetched counts all the same.
		if err := r.repo.Settle(ctx, *r.peer, r.name); err != nil {
			return err
		}
	}
	if here, err := r.repo.BranchExists(ctx, r.name.Branch); err != nil || !here && !r.repo.Has(ctx, r.name) {
		return trouble(exitUsage, "branch %s is not here, so nothing can be claimed on it", r.name.Branch).hint("git switch %s", word(r.name.Branch))
	}
	v, err := r.repo.Claim(ctx, r.name, asked)
	if err != nil {
		return r.refused(err)
	}
	doc, err := r.repo.Document(ctx, v)
	if err != nil {
		return err
	}
	said := "claimed " + r.name.String() + " until " + doc.Claim.Until.String()
	if alone != "" {
		r.say(said + ", in this clone only: " + alone)
		return nil
	}
	r.say(said + "; " + r.peer.Remote + " has accepted it")
	return nil
}

// alone says why a claim is made without the remote, "" if it is made with it.
func (r *resuming) alone(ctx context.Context, local bool) (string, error) {
	switch {
	case r.peer == nil || r.peer.To == "":
		return "there is no remote to push to", nil
	case local:
		return "as told, " + r.peer.Remote + " was not asked to accept it", nil
	case r.remote.unreached != nil:
		return "", trouble(exitUnknown, "%s, so nobody can tell whether somebody else is at it", r.remote.says).
			hint("git handoff resume --claim --local claims it in this clone alone")
	case r.remote.fetched == nil:
		return "", trouble(exitUnknown, "%s, so nobody can tell whether somebody else is at it", r.remote.says).
			hint("git config handoff.fetch auto").hint("git handoff resume --claim --local claims it in this clone alone")
	case r.fetchedName(ctx, r.name):
		return "", nil
	}
	if _, published := r.remote.fetched.Branches[r.name.Branch]; !published {
		return "branch " + r.name.Branch + " is not published on " + r.peer.Remote, nil
	}
	return "", nil
}

// refused explains a claim that was not made.
func (r *resuming) refused(err error) error {
	var held *gitstore.HeldError
	var refused *gitstore.RefusedError
	switch {
	case errors.As(err, &held):
		return trouble(exitRefused, "%s", held).hint("git handoff resume %s reads it without a claim", word(r.name)).
			hint("git handoff resume --takeover %s ends that claim, if nobody is at it any more", word(r.name))
	case errors.As(err, &refused):
		return trouble(exitFailure, "%s; nothing is claimed", refused).hint("git handoff resume --claim --local %s claims it in this clone alone", word(r.name))
	case errors.Is(err, gitstore.ErrUnreached):
		return trouble(exitUnknown, "%s; nothing is claimed", err).hint("git handoff resume --claim --local %s claims it in this clone alone", word(r.name))
	}
	return err
}
