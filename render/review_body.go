package render

import (
	"bytes"

	"git-handoff/gitstore/handoff"
)

// ReviewBody is the body of a pull request: what the work is for, what was done and decided, how it was verified and
// what is left. It has no marker, since nobody updates it.
func ReviewBody(r Review) []byte {
	c := comment{limit: r.limit(), name: "git handoff list"}
	for _, t := range r.Topics {
		head := ""
		if len(r.Topics) > 1 {
			head = "# " + codeSpan(t.Doc.Topic) + "\n"
		}
		c.parts = append(c.parts, part{head: head, level: "## ", sections: func() []section { return r.bodySections(t) }, show: showCommand(t)})
	}
	return bytes.TrimLeft(c.markdown(), "\n")
}

func (r Review) bodySections(t Topic) []section {
	p := page{View: t.View}
	d := t.Doc
	return []section{
		paragraph("Objective", "", d.Objective), p.summary(), paragraph("For the reviewer", "", d.Notes.ReviewerGuidance),
		list("Decisions", "", d.Decisions, p.decision), list("Rejected", "", d.Rejected, plain), list("Constraints", "", d.Constraints, plain),
		r.code(t), p.verdicts(), list("Done", "", d.Done, p.doneItem), r.left(t),
		p.uncertain(), p.pending(), p.open(), p.risks(), list("Assumptions to validate", "", d.Assumptions, plain), r.source(t),
	}
}

// left is what is not done yet.
func (r Review) left(t Topic) section {
	s := section{title: "What is left"}
	if t.Doc.Progress == handoff.ProgressDone {
		return s
	}
	p := page{View: t.View}
	next := p.nextAction().entries[0]
	next.mark = "-"
	s.entries = []entry{next}
	for _, it := range t.Doc.Next {
		s.entries = append(s.entries, plain(it))
	}
	return s
}

// source names the version that the body was made of.
func (r Review) source(t Topic) section {
	s := section{title: "Handoff"}
	line := phrase{quote(t.Doc.Name().String())}
	if t.OID != "" {
		line = append(line, say(", version "), r.commit(t.OID))
	}
	if at := (page{View: t.View}).saved(); !at.IsZero() {
		line = append(line, say(", saved "+moment(at)))
	}
	s.entries = []entry{{text: line}}
	return s
}
