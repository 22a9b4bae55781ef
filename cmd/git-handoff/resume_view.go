package main

import (
	"cmp"
	"context"
	"strings"
	"time"

	"git-handoff/check"
	"git-handoff/gitstore"
	"git-handoff/gitstore/handoff"
	"git-handoff/render"
)

// look compares the handoff with the world of now, and gathers what a successor should know.
func (r *resuming) look(ctx context.Context) error {
	view, err := r.desk.view(ctx, r.name, r.now.Version, r.now.Doc)
	if err != nil {
		return err
	}
	r.view = render.ResumeView{View: view, Reach: r.remote.says}
	if c := r.now.Doc.Claim; c != nil {
		r.view.Claim.Yours = c.By == r.repo.Holder(r.who.session)
	}
	r.origin()
	compared, err := r.compare(ctx)
	if err != nil {
		return err
	}
	for _, d := range compared.Drift {
		r.view.Drift = append(r.view.Drift, render.Drift{Kind: string(d.Kind), State: render.DriftState(d.State), What: d.What})
	}
	for _, a := range compared.Artifacts {
		if a.Item.Required {
			r.view.Prerequisites = append(r.view.Prerequisites,
				render.Prerequisite{Name: a.Item.What, Kind: a.Item.Kind, Ref: a.Item.Ref, State: render.PrerequisiteState(a.State)})
		}
	}
	r.view.Fallback = compared.Fallback
	r.view.Wait = r.reasons()
	r.view.Proceed = len(r.view.Wait) == 0
	return nil
}

// origin says where the version is from, if it is not simply the one that is here.
func (r *resuming) origin() {
	switch {
	case r.now.Local == "":
		r.view.Origin, r.view.Fetched = r.peer.Remote, r.repo.LastFetch(r.peer.Track)
	case !r.now.Written():
		r.view.Remotes = nil
		r.view.Notes = append(r.view.Notes, "the version here and that of "+r.peer.Remote+" have diverged; this is both joined, and git handoff sync stores it")
	case r.now.Version.OID != r.now.Local:
		r.view.Notes = append(r.view.Notes, "this is the version of "+r.peer.Remote+", which is newer than the one that was here")
	}
}

func (r *resuming) compare(ctx context.Context) (*gitstore.Comparison, error) {
	saved, err := r.saved(ctx)
	if err != nil {
		return nil, err
	}
	probe := gitstore.Probe{Doc: r.now.Doc, Saved: saved, Unasked: r.remote.says, Now: gitstore.Now()}
	if r.peer != nil {
		probe.Remote = r.peer.Remote
	}
	if r.remote.fetched != nil {
		probe.Branches = r.remote.fetched.Branches
	}
	if err := r.lookAround(ctx, &probe); err != nil {
		return nil, err
	}
	return r.repo.Compare(ctx, probe)
}

// lookAround looks at the worktree and runs the checks of the clean state, if the branch is checked out here. What a
// workbench holds is not read: it can be large, and tells nothing that changed in the world.
func (r *resuming) lookAround(ctx context.Context, p *gitstore.Probe) error {
	head, err := r.repo.Head(ctx)
	if err != nil || head.WorkBranch() != r.name.Branch || r.repo.Place().TopLevel == "" {
		return err
	}
	if p.Look, err = r.repo.LookAround(ctx); err != nil || r.now.Doc.Clean == nil {
		return err
	}
	in := cleanInput{branch: r.name.Branch, base: r.now.Doc.Base, risks: r.now.Doc.OpenRisks, look: p.Look,
		lastSave: r.now.Doc.Provenance.SavedAt.Std()}
	state, err := r.cleanState(ctx, r.config, in)
	if err != nil {
		return err
	}
	// Evidence travels by itself: that none is here says nothing about the work.
	state.Tests.Known = true
	p.Clean = check.Record(check.Clean(state), "")
	return nil
}

// saved is the document as it was saved last.
func (r *resuming) saved(ctx context.Context) (*handoff.Document, error) {
	v, err := r.repo.SavedVersion(ctx, r.now.Version)
	if err != nil {
		return nil, err
	}
	if v.OID == r.now.Version.OID {
		return r.now.Doc, nil
	}
	return r.repo.Document(ctx, v)
}

// reasons are why the next action has to wait: what gates it, and somebody else who is at it.
func (r *resuming) reasons() []string {
	var why []string
	now := gitstore.Now()
	for _, g := range r.now.Doc.Gates() {
		why = append(why, gateReason(g, now))
	}
	if c := r.now.Doc.Claim; c != nil && !r.view.Claim.Yours && !c.ExpiredAt(handoff.TimeOf(now)) {
		why = append(why, claimReason(cmp.Or(r.view.Claim.Who, c.By), c, handoff.TimeOf(now)))
	}
	return why
}

// claimReason says who is at it, or was until a moment ago.
func claimReason(who string, c *handoff.Claim, now handoff.Time) string {
	if !c.InGraceAt(now) {
		return who + " is at it and has claimed it until " + c.Until.String()
	}
	return "the claim of " + who + " ended at " + c.Until.String() + ", and counts until " +
		handoff.TimeOf(c.Until.Std().Add(handoff.ClaimGrace)).String() + ", for clocks that disagree"
}

// gateReason says what an item is, who has it, and why it holds up the next action.
func gateReason(g handoff.Gate, now time.Time) string {
	it := g.Item
	about := []string{cmp.Or(it.Kind, "pending")}
	if g.List == "open" {
		about = []string{"a question for a human"}
	}
	if !it.Expires.IsZero() && !it.Expires.Std().After(now) {
		about = append(about, "EXPIRED at "+it.Expires.String())
	}
	if it.Owner != "" {
		about = append(about, "owner "+it.Owner)
	}
	reason := it.What + " (" + strings.Join(about, ", ") + ")"
	switch {
	case g.Unnamed:
		return reason + " names no step, so it holds up the next action"
	case g.Gone:
		return reason + " holds up a step that is not listed any more: " + it.On
	}
	return reason + " holds up the next action"
}

// reasonOf is an error in a few words, for a note.
func reasonOf(err error) string {
	if unwritable(err) {
		return "this repository cannot be written to"
	}
	return oneLine(err.Error())
}
