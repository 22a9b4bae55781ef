package render

import (
	"fmt"
	"strings"

	"git-handoff/gitstore/handoff"
)

// A Review is what a comment on a pull request says about the handoffs of one branch. The same Review makes the same
// bytes.
type Review struct {
	Branch string
	// Tip is the commit of the branch, "" where it is not known.
	Tip string
	// Topics are the active handoffs; each is a section.
	Topics []Topic
	// Host makes the links. OnHost are the commits and versions that are known to be there; nothing else is linked.
	Host   Host
	OnHost map[string]bool
	// Limit is how many characters the host takes; 0 is what is known of the host.
	Limit int
}

// A Topic is one handoff of a review, with what is known about it beside what it says.
type Topic struct {
	View
	// Behind is how many commits the branch has since the recorded head; negative means that nobody knows. Rewritten is a
	// branch that no longer has that head.
	Behind    int
	Rewritten bool
	// Since is the version that is compared with, and what changed; nil where there is none. SinceWhy says in a few words
	// why it is this one, or why there is none.
	Since    *Comparison
	SinceWhy string
	// Wait is what holds up the next action.
	Wait []string
	// Checked tells that the rules of check were applied; Completeness is of 100.
	Checked      bool
	Completeness int
	Findings     []Finding
	Drift        []Drift
	// Beyond is how many commits the branch has since the last known good one; negative means that nobody knows. Lost is a
	// last known good commit that the branch no longer has.
	Beyond int
	Lost   bool
}

// A Finding is what a rule of check found. Place is the field, each Mend something that can be done about it.
type Finding struct {
	Rule, Place, What string
	Severity          handoff.Severity
	Mend              []string
}

// ReviewMarkdown is the comment. Its first line is a marker that no reader sees, by which a bot finds its own comment
// and the versions that it showed.
func ReviewMarkdown(r Review) []byte {
	marker := Marker(r.Branch, r.versions())
	c := comment{limit: r.limit() - len(marker) - 1, name: "git handoff list"}
	for _, t := range r.Topics {
		c.parts = append(c.parts, part{head: r.heading(t), sections: func() []section { return r.sections(t) }, level: "### ", show: showCommand(t)})
	}
	return append([]byte(marker+"\n"), c.markdown()...)
}

func (r Review) limit() int {
	if r.Limit > 0 {
		return r.Limit
	}
	return r.Host.commentLimit()
}

func (r Review) versions() map[string]string {
	shown := map[string]string{}
	for _, t := range r.Topics {
		shown[t.Doc.Topic] = t.OID
	}
	return shown
}

// showCommand prints the whole of what a comment has no room for.
func showCommand(t Topic) string { return "git handoff show " + t.Doc.Name().String() }

// heading is the line that says which version this is, how old it is and how far the branch is beyond it, and the
// verdict below it.
func (r Review) heading(t Topic) string {
	p := page{View: t.View}
	line := phrase{say("## Handoff "), quote(t.Doc.Name().String())}
	if t.OID != "" {
		line = append(line, say(", version "), r.commit(t.OID))
	}
	if at := p.saved(); !at.IsZero() {
		line = append(line, say(", saved "+moment(at)))
	}
	if by := clip(Folded(p.actor())); by != "" {
		line = append(line, say(" by "), fold(by))
	}
	line = append(line, say(", "), t.behind())
	w := &markdownWriter{}
	return w.phrase(line) + "\n\n" + w.phrase(r.verdict(t)) + "\n"
}

func (t Topic) behind() span {
	switch {
	case t.Rewritten:
		return say("the branch was rewritten since")
	case t.Behind < 0:
		return say("how far behind the branch is not known")
	case t.Behind == 0:
		return say("up to date with the branch")
	}
	return say(count(t.Behind, "commit") + " behind the branch")
}

// commit quotes an object id, with a link where the host has the object.
func (r Review) commit(oid string) span {
	return r.link(short(Folded(oid)), r.Host.Commit(oid), r.OnHost[oid])
}

// link is a link of the template's around a quoted text, or the text alone.
func (r Review) link(text, address string, there bool) span {
	if address == "" || !there {
		return quote(text)
	}
	return say("[" + codeSpan(text) + "](" + address + ")")
}

// maxClip is how many characters of a text stand in a line that is always shown.
const maxClip = 160

// clip shortens a text for such a line.
func clip(s string) string {
	runes := []rune(s)
	if len(runes) <= maxClip {
		return s
	}
	return strings.TrimSpace(string(runes[:maxClip])) + "…"
}

// sections are what the review says of one handoff, what a reviewer needs first in front.
func (r Review) sections(t Topic) []section {
	p := page{View: t.View}
	all := []section{{title: "Remarks", entries: p.alarms()}, p.nextAction(), p.queue(), r.changes(t), t.dropped(),
		p.uncertain(), p.pending(), p.open(), p.doNotRepeat(), p.risks(), t.findings()}
	if len(t.Drift) > 0 {
		all = append(all, ResumeView{Drift: t.Drift}.drift())
	}
	return append(all, r.code(t), r.links(t))
}

// changes are what the new version says otherwise than the one that it is compared with.
func (r Review) changes(t Topic) section {
	s := section{title: "What changed"}
	if t.Since == nil {
		s.entries = []entry{{text: phrase{say(t.SinceWhy)}}}
		return s
	}
	from := t.Since.From
	line := phrase{say("since version "), r.commit(from.OID)}
	if !from.When.IsZero() {
		line = append(line, say(", "+moment(from.When)))
	}
	if from.By != "" {
		line = append(line, say(" by "), fold(clip(Folded(from.By))))
	}
	if t.SinceWhy != "" {
		line = append(line, say(", "+t.SinceWhy))
	}
	s.entries = []entry{{text: line}}
	changes := (comparer{t.Since.Difference, false}).gist()
	if len(changes) == 0 {
		changes = []entry{{mark: "-", text: phrase{say("nothing")}}}
	}
	s.entries = append(s.entries, changes...)
	return s
}

// gist are the changes that a reviewer reads here, each with the name of its field. What is dropped has a section of
// its own, and what git shows better is left to git.
func (c comparer) gist() []entry {
	skipped := map[string]bool{"Dropped": true, "Code": true, "Worktree": true, "Commands run": true, "Provenance": true}
	var all []entry
	for _, s := range c.sections() {
		if skipped[s.title] {
			continue
		}
		for _, e := range s.entries {
			e.mark = "-"
			e.text = append(phrase{say(s.title + ", ")}, e.text...)
			all = append(all, e)
		}
	}
	return all
}

func (t Topic) dropped() section {
	if t.Since == nil {
		return section{}
	}
	return comparer{t.Since.Difference, false}.gone()
}

// findings are what check says of the document.
func (t Topic) findings() section {
	s := section{title: "Findings of check"}
	if !t.Checked {
		return s
	}
	s.entries = []entry{{text: phrase{say(fmt.Sprintf("completeness %d of 100", t.Completeness))}}}
	for _, f := range bySeverity(t.Findings, func(f Finding) handoff.Severity { return f.Severity }) {
		e := entry{mark: "-", text: append(severe(f.Severity), tell(f.What))}
		if f.Place != "" {
			e.under = append(e.under, phrase{hush("in "), quote(f.Place)})
		}
		for _, mend := range f.Mend {
			e.under = append(e.under, labelled("mend", mend)...)
		}
		s.entries = append(s.entries, e)
	}
	return s
}

// code says how the last known good commit stands to the branch.
func (r Review) code(t Topic) section {
	s := section{title: "Last known good commit"}
	d := t.Doc
	if d.LastKnownGood == "" {
		s.entries = []entry{{text: phrase{shout("none"), say(": nothing is known to work")}}}
		return s
	}
	line := append(phrase{r.commit(d.LastKnownGood), say(", ")}, (page{View: t.View}).evidence(d.Evidence)...)
	s.entries = []entry{{mark: "-", text: line}, {mark: "-", text: r.distance(t)}}
	return s
}

func (r Review) distance(t Topic) phrase {
	tip := phrase{say("the branch")}
	if r.Tip != "" {
		tip = phrase{say("the branch's tip "), r.commit(r.Tip)}
	}
	switch {
	case t.Lost:
		return append(tip, say(" no longer has it: "), shout("the branch was rewritten"))
	case t.Beyond < 0:
		return append(phrase{say("how far it is from ")}, append(tip, say(" is not known here"))...)
	case t.Beyond == 0:
		return append(phrase{say("it is ")}, tip...)
	}
	return append(tip, say(" is "+count(t.Beyond, "commit")+" beyond it"))
}

// links lead to what the handoff talks about, as it is at one commit.
func (r Review) links(t Topic) section {
	s := section{title: "Links"}
	add := func(label string, text, address string, there bool) {
		if address != "" && there {
			s.entries = append(s.entries, entry{mark: "-", text: phrase{say(label + " "), r.link(text, address, true)}})
		}
	}
	d := t.Doc
	add("the document", handoff.File, r.Host.File(t.OID, handoff.File), r.OnHost[t.OID])
	if r.Tip != d.LastKnownGood {
		add("since the last known good commit", short(d.LastKnownGood)+"..."+short(r.Tip),
			r.Host.Compare(d.LastKnownGood, r.Tip), r.OnHost[d.LastKnownGood] && r.OnHost[r.Tip])
	}
	for _, a := range d.Artifacts {
		switch {
		case a.Kind == "commit":
			add("commit", short(a.Ref), r.Host.Commit(a.Ref), r.OnHost[a.Ref])
		case a.Kind == "file" && r.Tip != "" && inside(a.Ref):
			add("file", a.Ref, r.Host.File(r.Tip, a.Ref), r.OnHost[r.Tip])
		}
	}
	return s
}

// inside reports whether a path can be one of the repository.
func inside(path string) bool {
	return path != "" && path[0] != '/' && !strings.Contains("/"+path+"/", "/../") && !strings.ContainsAny(path, "\\:\n")
}
