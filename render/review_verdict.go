package render

import (
	"slices"
	"strings"

	"git-handoff/gitstore/handoff"
)

// verdict is one paragraph: whether the work can go on as it stands, and what speaks against it, the gravest first.
func (r Review) verdict(t Topic) phrase {
	stop, look := t.stops(), t.looks()
	line := phrase{}
	switch {
	case len(stop) > 0:
		line = append(line, shout("Stop"), say(": "))
		line = append(line, joined(stop)...)
		if len(look) > 0 {
			line = append(append(line, say(". Also to look at: ")), joined(look)...)
		}
	case len(look) > 0:
		line = append(append(line, shout("Look"), say(": ")), joined(look)...)
	default:
		line = append(line, say("In order: nothing is uncertain, pending or dropped, and nothing was found"))
	}
	return append(line, say(". "+t.state()))
}

// state is the sentence that ends a verdict.
func (t Topic) state() string {
	switch t.Doc.Progress {
	case handoff.ProgressDone:
		return "The work is said to be done."
	case handoff.Blocked:
		return "The work is said to be blocked."
	}
	return "The work is in progress."
}

// stops are the reasons not to go on.
func (t Topic) stops() []phrase {
	var all []phrase
	for _, why := range t.Wait[:min(len(t.Wait), 3)] {
		all = append(all, phrase{say("the next action waits: "), fold(clip(Folded(why)))})
	}
	if more := len(t.Wait) - 3; more > 0 {
		all = append(all, phrase{say("and for " + count(more, "more thing"))})
	}
	if t.Doc.Progress == handoff.Blocked {
		all = append(all, phrase{say("it is blocked")})
	}
	if w := t.Doc.Worktree; w != nil && (w.Operation != "" || len(w.Unmerged) > 0) {
		all = append(all, phrase{say("an operation of git was half done at the save")})
	}
	if v := t.Doc.VerdictPointer; v != nil && v.Verification != nil && v.Verification.Passed != nil && !*v.Verification.Passed {
		all = append(all, phrase{say("the verification is failing")})
	}
	all = counted(all, t.blocking(), "blocking risk")
	return counted(all, t.found(handoff.Block), "blocking finding")
}

func (t Topic) blocking() int {
	n := 0
	for _, it := range t.Doc.OpenRisks {
		if it.Severity == handoff.Block {
			n++
		}
	}
	for _, f := range t.Doc.Findings {
		if f.Severity == handoff.Block {
			n++
		}
	}
	return n
}

func (t Topic) found(s handoff.Severity) int {
	n := 0
	for _, f := range t.Findings {
		if f.Severity == s {
			n++
		}
	}
	return n
}

// looks are what a reviewer should see before it is relied on.
func (t Topic) looks() []phrase {
	var all []phrase
	if t.Since != nil {
		all = counted(all, len(t.Since.Difference.Gone), "entry dropped")
	}
	all = counted(all, len(t.Doc.Uncertain), "thing uncertain")
	all = counted(all, len(t.Doc.Pending), "thing pending")
	all = counted(all, questions(t.Doc), "question for a human")
	all = counted(all, t.found(handoff.Warn), "warning of check")
	all = counted(all, t.drifted(), "thing drifted")
	switch {
	case t.Doc.LastKnownGood == "":
		all = append(all, phrase{say("nothing is known to work")})
	case t.Lost:
		all = append(all, phrase{say("the last known good commit is no longer in the branch")})
	case t.Beyond > 0:
		all = append(all, phrase{say(count(t.Beyond, "commit") + " beyond the last known good one")})
	case t.Beyond < 0:
		all = append(all, phrase{say("how far it is from the last known good commit is not known")})
	}
	switch {
	case t.Rewritten, t.Behind > 0:
		all = append(all, phrase{say("the handoff is older than the branch")})
	case t.Behind < 0:
		all = append(all, phrase{say("whether the handoff is older than the branch is not known")})
	}
	return all
}

func questions(d *handoff.Document) int {
	n := 0
	for _, it := range d.Open {
		if it.For == "human" {
			n++
		}
	}
	return n
}

func (t Topic) drifted() int {
	n := 0
	for _, d := range t.Drift {
		if d.State == DriftFound {
			n++
		}
	}
	return n
}

// counted adds a number of things, unless it is none.
func counted(all []phrase, n int, what string) []phrase {
	if n == 0 {
		return all
	}
	return append(all, phrase{say(counts(n, what))})
}

// counts is count for a noun with something behind it: 2 things uncertain.
func counts(n int, what string) string {
	noun, rest, _ := strings.Cut(what, " ")
	switch noun {
	case "thing", "question", "warning":
		return strings.TrimSpace(count(n, noun) + " " + rest)
	case "entry":
		if n > 1 {
			noun = "entrie"
		}
		return count(n, noun) + " " + rest
	}
	return count(n, what)
}

// joined puts phrases into one sentence.
func joined(all []phrase) phrase {
	var line phrase
	for i, ph := range all {
		if i > 0 {
			line = append(line, say("; "))
		}
		line = append(line, ph...)
	}
	return slices.Clip(line)
}
