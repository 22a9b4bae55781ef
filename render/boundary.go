package render

import (
	"git-handoff/gitstore/handoff"
)

// A boundary divides what the document holds by whether it may be run again.
type boundary struct {
	// Never must not be run again: done with an effect outside, uncertain and marked never, or marked not to be repeated.
	Never []handoff.Item
	// Check has to be checked before it is touched.
	Check []handoff.Item
	// Again may be run again as it is.
	Again []handoff.Item
	// Rebuild is done without an effect outside and may be rebuilt from the last known good commit.
	Rebuild []handoff.Item
}

// boundaryOf draws the line. What is absent or unknown falls on the side of caution.
func boundaryOf(b *handoff.Brief) boundary {
	var r boundary
	for _, it := range b.Done {
		switch it.EffectOrDefault() {
		case handoff.EffectNone, handoff.EffectLocal:
			r.Rebuild = append(r.Rebuild, it)
		default:
			r.Never = append(r.Never, it)
		}
	}
	for _, it := range b.Uncertain {
		switch it.ReplayOrDefault() {
		case handoff.ReplaySafe:
			r.Again = append(r.Again, it)
		case handoff.ReplayAfterCheck:
			r.Check = append(r.Check, it)
		default:
			r.Never = append(r.Never, it)
			r.Check = append(r.Check, it)
		}
	}
	r.Never = append(r.Never, b.Notes.DoNotRepeat...)
	return r
}

// replayBoundary says in words what is settled, what may be run again, what never, and what to check first, and how.
func (v ResumeView) replayBoundary(p page) []section {
	b := boundaryOf(&p.Doc.Brief)
	rebuild := "no last known good commit is here to rebuild from"
	if v.Fallback != "" {
		rebuild = "from the last known good commit " + short(Folded(v.Fallback))
	}
	return []section{
		group("Never run again", "settled outside this repository, or not known to be repeatable", b.Never, name),
		group("Check first", "before you touch it", b.Check, checkFirst),
		group("May be run again", "", b.Again, name),
		group("May be rebuilt", rebuild, b.Rebuild, name),
	}
}

// group is a section that says so if it holds nothing: an absent one would leave the reader to guess.
func group(title, gloss string, items []handoff.Item, one func(handoff.Item) entry) section {
	s := list(title, gloss, items, one)
	if len(items) == 0 {
		return section{title: title, entries: []entry{{text: phrase{say("nothing")}}}}
	}
	return s
}

func name(it handoff.Item) entry { return entry{mark: "-", text: phrase{fold(it.What)}} }

func checkFirst(it handoff.Item) entry {
	e := name(it)
	if it.Check == "" {
		e.under = append(e.under, phrase{hush("how: "), shout("no check is given"), say("; find one or ask")})
	} else {
		e.under = append(e.under, phrase{hush("how: "), fold(it.Check)})
	}
	return entry{mark: e.mark, text: e.text, under: append(e.under, phrase{hush("then: "), thenWhat(it)})}
}

// thenWhat says what the outcome of a check allows.
func thenWhat(it handoff.Item) span {
	if it.ReplayOrDefault() == handoff.ReplayAfterCheck {
		return say("run it again only if the check shows that it did not happen")
	}
	return say("record what the check shows; never run it again")
}
