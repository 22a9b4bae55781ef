package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"git-handoff/gitstore/handoff"
)

func (p page) nextAction() section {
	s := section{title: "Next action"}
	if p.Doc.NextAction == "" {
		s.entries = []entry{{text: phrase{shout("none written")}}}
		return s
	}
	s.entries = []entry{{text: phrase{tell(p.Doc.NextAction)}}}
	return s
}

func (p page) queue() section {
	s := section{title: "Then"}
	for i, it := range p.Doc.Next {
		e := plain(it)
		e.mark = fmt.Sprintf("%d.", i+1)
		s.entries = append(s.entries, e)
	}
	return s
}

func (p page) uncertain() section {
	return list("Uncertain", "run the check of each before touching it", p.Doc.Uncertain, p.uncertainItem)
}

func (p page) uncertainItem(it handoff.Item) entry {
	e := entry{mark: "?", text: phrase{tell(it.What)}}
	state := phrase{}
	if it.Kind != "" {
		state = append(state, fold(it.Kind), say("; "))
	}
	e.under = append(e.under, append(state, replay(it)...))
	if it.Check == "" {
		e.under = append(e.under, phrase{hush("check: "), shout("none given"), say(", so find out before touching it")})
	}
	e.under = append(e.under, labelled("check", it.Check)...)
	e.under = append(e.under, labelled("why", it.Why)...)
	if it.Ref != "" {
		e.under = append(e.under, phrase{hush("id: "), quote(it.Ref)})
	}
	return p.who(e, it.Owner, "since", it.At)
}

// replay says in words whether an uncertain item may be run again.
func replay(it handoff.Item) phrase {
	switch {
	case it.Replay == "":
		return phrase{shout("never run it again"), say(" (replay is not stated, which reads as never)")}
	case it.Replay == handoff.ReplayNever:
		return phrase{shout("never run it again")}
	case it.Replay == handoff.ReplayAfterCheck:
		return phrase{say("may be run again after the check, if that allows it")}
	case it.Replay == handoff.ReplaySafe:
		return phrase{cheer("safe to run again")}
	}
	return phrase{say("replay: "), fold(string(it.Replay))}
}

// who adds the owner and a time to an entry.
func (p page) who(e entry, owner, label string, at handoff.Time) entry {
	line := phrase{}
	if owner != "" {
		line = append(line, hush("owner: "), fold(owner))
	}
	if !at.IsZero() {
		line = append(comma(line, hush(label+" ")), p.ago(at.Std()))
	}
	if len(line) > 0 {
		e.under = append(e.under, line)
	}
	return e
}

func (p page) doNotRepeat() section {
	return list("Do not repeat", "", p.Doc.Notes.DoNotRepeat, plain)
}

func (p page) pending() section {
	return list("Pending", "others have to act first", p.Doc.Pending, p.pendingItem)
}

func (p page) pendingItem(it handoff.Item) entry {
	e := entry{mark: "-", text: phrase{tell(it.What)}}
	if it.Kind != "" {
		e.text = append(phrase{fold(it.Kind), say(": ")}, e.text...)
	}
	if past(it.Expires, p.Now) {
		e.text = append(phrase{shout("EXPIRED"), say(" ")}, e.text...)
		e.under = append(e.under, phrase{hush("expired "), p.until(it.Expires.Std())})
	} else if !it.Expires.IsZero() {
		e.under = append(e.under, phrase{hush("expires "), p.until(it.Expires.Std())})
	}
	e.under = append(e.under, gates(it)...)
	return p.who(e, it.Owner, "since", it.Since)
}

// gates says which step waits for an item. An approval or a blocker that names none holds up the next action.
func gates(it handoff.Item) []phrase {
	if it.On == "" && (it.Kind == "approval" || it.Kind == "blocker") {
		return []phrase{{hush("holds up: "), shout("the next action"), say(" (no step is named)")}}
	}
	return labelled("holds up", it.On)
}

func (p page) open() section {
	return list("Open questions", "", p.Doc.Open, func(it handoff.Item) entry {
		e := entry{mark: "?", text: phrase{tell(it.What)}, under: labelled("holds up", it.On)}
		switch it.For {
		case "human":
			e.text = append(phrase{shout("for a human"), say(": ")}, e.text...)
		case "":
		default:
			e.text = append(phrase{say("for an "), fold(it.For), say(": ")}, e.text...)
		}
		return e
	})
}

// brief are the sections that a reader needs after the first ones.
func (p page) brief() []section {
	d := p.Doc
	return []section{
		paragraph("Objective", "", d.Objective),
		p.summary(),
		list("Constraints", "", d.Constraints, plain),
		list("Decisions", "", d.Decisions, p.decision),
		list("Rejected", "ruled out, not to be proposed again", d.Rejected, plain),
		list("Done", "settled, not to be redone", d.Done, p.doneItem),
		list("Failed attempts", "", d.FailedAttempts, plain),
		list("Assumptions to validate", "", d.Assumptions, plain),
		p.notes(),
		list("Artifacts", "the file is the truth, this list a claim", d.Artifacts, artifact),
	}
}

func paragraph(title, gloss, text string) section {
	if text == "" {
		return section{title: title}
	}
	return section{title: title, gloss: gloss, entries: []entry{{text: phrase{tell(text)}}}}
}

// summary is the author's, or one that was generated from the commits, marked as such.
func (p page) summary() section {
	written, stored := strings.CutSuffix(strings.TrimSpace(p.Doc.Summary), "(generated)")
	if written != "" && !stored {
		return paragraph("Summary", "", written)
	}
	return paragraph("Summary", "generated", cmp.Or(strings.TrimSpace(written), p.Summary, p.factSummary()))
}

// factSummary is the summary of a document whose author gave none, as far as the document alone can tell.
func (p page) factSummary() string {
	d := p.Doc
	if d.Commits == 0 && d.ChangedFiles.Total == 0 {
		return ""
	}
	files := count(d.ChangedFiles.Total, "file") + " changed"
	if d.Commits == 0 {
		return files + "."
	}
	s := count(d.Commits, "commit") + " on this branch"
	if d.Base != "" {
		s += " since " + short(d.Base)
	}
	return s + ", " + files + "."
}

func (p page) decision(it handoff.Item) entry {
	return p.who(plain(it), "", "taken", it.At)
}

func (p page) doneItem(it handoff.Item) entry {
	e := entry{mark: "-", text: phrase{tell(it.What)}, under: []phrase{effect(it)}}
	e.under = append(e.under, labelled("evidence", it.Evidence)...)
	line := phrase{}
	if it.By != "" {
		line = append(line, hush("by "), fold(it.By))
	}
	if !it.At.IsZero() {
		line = comma(line, p.ago(it.At.Std()))
	}
	if len(line) > 0 {
		e.under = append(e.under, line)
	}
	return e
}

// effect says in words what a done item touched.
func effect(it handoff.Item) phrase {
	switch {
	case it.Effect == "":
		return phrase{hush("effect: "), shout("external"), say(" (not stated, which reads as external)")}
	case it.Effect == handoff.EffectExternal:
		return phrase{hush("effect: "), shout("external")}
	case it.Effect == handoff.EffectLocal:
		return phrase{hush("effect: "), say("local, may be rebuilt")}
	case it.Effect == handoff.EffectNone:
		return phrase{hush("effect: "), say("none")}
	}
	return phrase{hush("effect: "), fold(string(it.Effect))}
}

func artifact(it handoff.Item) entry {
	e := entry{mark: "-", text: phrase{tell(it.What)}}
	if line := reference(it); line != nil {
		e.under = append(e.under, line)
	}
	if it.Required {
		e.text = append(e.text, say(" "), shout("(required)"))
	}
	return e
}

// reference says where an artifact is.
func reference(it handoff.Item) phrase {
	switch {
	case it.Ref == "" && it.Kind == "":
		return nil
	case it.Ref == "":
		return phrase{fold(it.Kind)}
	case it.Kind == "":
		return phrase{quote(it.Ref)}
	}
	return phrase{fold(it.Kind), say(" "), quote(it.Ref)}
}

func (p page) notes() section {
	s := section{title: "Notes"}
	n := p.Doc.Notes
	for _, note := range []struct{ label, text string }{
		{"interpretation", n.Interpretation}, {"business context", n.BusinessContext},
		{"reason to escalate", n.EscalationReason}, {"for the reviewer", n.ReviewerGuidance},
	} {
		for _, line := range labelled(note.label, note.text) {
			s.entries = append(s.entries, entry{mark: "-", text: line})
		}
	}
	return s
}

// bySeverity sorts what blocks before what warns, and keeps the order otherwise.
func bySeverity[T any](all []T, of func(T) handoff.Severity) []T {
	rank := func(s handoff.Severity) int {
		return slices.Index([]handoff.Severity{handoff.Block, handoff.Warn, "", handoff.Info}, s)
	}
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b T) int { return cmp.Compare(rank(of(a)), rank(of(b))) })
	return sorted
}

// severe is the mark of a severity in front of a risk.
func severe(s handoff.Severity) phrase {
	switch s {
	case "":
		return nil
	case handoff.Block:
		return phrase{shout("block"), say(": ")}
	}
	return phrase{fold(string(s)), say(": ")}
}
