package gitstore

import (
	"slices"

	"git-handoff/gitstore/handoff"
)

// setAside walks back from the local tip over what nobody but this clone has seen and no author wrote into: refreshes,
// resumes and claims. It gives the version that is left, and those set aside, newest first.
func (g *graph) setAside(tip string, theirs map[string]bool) (kept string, events []Version) {
	for !theirs[tip] && g.err == nil {
		v := g.version(tip)
		published := g.fork.Elsewhere != nil && g.fork.Elsewhere(tip)
		if published || len(v.Parents) != 1 || !v.Message.Event.Disposable() && v.Message.Event != handoff.EventClaim {
			break
		}
		events = append(events, *v)
		tip = v.Parents[0]
	}
	return tip, events
}

// reapplicable reports whether an event counts on another version too. A refresh does not: it is made anew.
func reapplicable(v Version) bool {
	return v.Message.Event == handoff.EventResume || v.Message.Event == handoff.EventClaim
}

// reapply writes the events again, oldest first, on what the resolution comes to without them.
func (g *graph) reapply(r *Resolution, events []Version, theirs map[string]bool) {
	var doc *handoff.Document
	if r.Tip != "" {
		doc = g.doc(r.Tip)
	} else {
		doc = r.Writes[0].Doc
	}
	resumed := g.resumed(theirs, events)
	for _, v := range slices.Backward(events) {
		next, ok := doc, false
		switch session := v.Message.Session; v.Message.Event {
		case handoff.EventResume:
			ok = session == "" || !resumed[session]
			resumed[session] = true
		case handoff.EventClaim:
			next, ok = g.reclaim(v, doc)
		}
		if ok {
			doc = next
			r.Writes = append(r.Writes, again(v, doc))
		}
	}
	if r.Tip != "" && len(r.Writes) > 0 {
		r.Action, r.Writes[0].Parents, r.Tip = Reapply, []string{r.Tip}, ""
	}
}

// resumed are the sessions whose resume the fetched side has and the version that the events stand on has not: a
// session resumes a version once.
func (g *graph) resumed(theirs map[string]bool, events []Version) map[string]bool {
	known := g.ancestors(events[len(events)-1].Parents...)
	sessions := make(map[string]bool)
	for oid := range theirs {
		if m := g.version(oid).Message; !known[oid] && m.Event == handoff.EventResume {
			sessions[m.Session] = true
		}
	}
	return sessions
}

// reclaim makes a claim again on another document. Somebody else's claim that is there by now, and has not expired, was
// accepted by the remote first: it stays.
func (g *graph) reclaim(v Version, doc *handoff.Document) (*handoff.Document, bool) {
	before, claim := g.doc(v.Parents[0]).Claim, g.doc(v.OID).Claim
	there := doc.Claim
	untouched := sameClaim(there, before)
	if !untouched && (claim == nil || there != nil && there.By != claim.By && !there.ExpiredAt(claim.At)) {
		return nil, false
	}
	out := *doc
	out.Claim = claim
	return &out, true
}

func sameClaim(a, b *handoff.Claim) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// again is an event on another version: who made it and when stays, what it says of the document is the new one's.
func again(v Version, doc *handoff.Document) Write {
	m := handoff.MessageOf(doc, v.Message.Event, v.Message.Trailers...).By(v.Message.Actor, v.Message.Session)
	return Write{Doc: doc, Message: m, When: v.Committer.When, Identity: AsUserOrProgram}
}
