package render

import (
	"slices"
	"strings"

	"git-handoff/gitstore/handoff"
)

// risks are what may go wrong next: first an operation that stands half done in the worktree, then a verdict that
// fails, then the author's risks and what was found, the worst first.
func (p page) risks() section {
	s := section{title: "Risks"}
	s.entries = append(s.entries, p.operation()...)
	s.entries = append(s.entries, p.failing()...)
	for _, it := range bySeverity(p.Doc.OpenRisks, func(it handoff.Item) handoff.Severity { return it.Severity }) {
		s.entries = append(s.entries, entry{mark: "-", text: append(severe(it.Severity), tell(it.What))})
	}
	for _, f := range bySeverity(p.Doc.Findings, func(f handoff.Finding) handoff.Severity { return f.Severity }) {
		e := entry{mark: "-", text: append(severe(f.Severity), tell(f.What))}
		if f.Source != "" {
			e.under = []phrase{{hush("found in "), quote(f.Source)}}
		}
		s.entries = append(s.entries, e)
	}
	return s
}

// operation says that a rebase, merge or the like has to be ended before anything else.
func (p page) operation() []entry {
	w := p.Doc.Worktree
	if w == nil || w.Operation == "" && len(w.Unmerged) == 0 {
		return nil
	}
	e := entry{mark: "!", text: phrase{shout("unmerged files"), say(": resolve them before anything else")}}
	if w.Operation != "" {
		e.text = phrase{shout("half done"), say(": "), fold(w.Operation)}
		if w.Operation == "rebase" {
			e.text = append(e.text, say(" of "), quote(p.Doc.Branch))
		}
		if w.Onto != "" {
			e.text = append(e.text, say(" onto "), quote(w.Onto))
		}
		if w.Step != "" {
			e.text = append(e.text, say(", stopped at step "), fold(w.Step))
		}
		e.text = append(e.text, say("; finish or abort it before anything else"))
	}
	for _, path := range w.Unmerged {
		e.under = append(e.under, phrase{hush("unmerged: "), quote(path)})
	}
	return []entry{e}
}

// failing says that the verification does not pass, unless a finding already says it of the same file.
func (p page) failing() []entry {
	v := p.Doc.VerdictPointer
	if v == nil || v.Verification == nil {
		return nil
	}
	if passed := v.Verification.Passed; passed != nil && *passed {
		return nil
	}
	if slices.ContainsFunc(p.Doc.Findings, func(f handoff.Finding) bool { return f.Source == v.Verification.Path }) {
		return nil
	}
	return []entry{{mark: "!", text: verification(v.Verification)}}
}

// verdicts are the reports that judge the work.
func (p page) verdicts() section {
	s := section{title: "Verdicts"}
	v := p.Doc.VerdictPointer
	if v == nil {
		return s
	}
	if v.Verification != nil {
		s.entries = append(s.entries, entry{mark: "-", text: verification(v.Verification), under: digest(v.Verification.Digest)})
	}
	if v.Review != nil {
		s.entries = append(s.entries, entry{mark: "-", text: review(v.Review), under: digest(v.Review.Digest)})
	}
	return s
}

func verification(v *handoff.Verification) phrase {
	switch {
	case v.Passed == nil:
		return phrase{shout("the verification does not say that it passed"), say(": "), quote(v.Path)}
	case *v.Passed:
		return phrase{cheer("the verification passed"), say(": "), quote(v.Path)}
	}
	return phrase{shout("the verification is failing"), say(": "), quote(v.Path)}
}

func review(r *handoff.Review) phrase {
	line := phrase{say("review")}
	if r.Verdict != "" {
		line = append(line, say(" says "), fold(r.Verdict))
	}
	if r.Total != "" {
		line = append(line, say(", total "), fold(r.Total))
	}
	return append(line, say(": "), quote(r.Path))
}

func digest(hex string) []phrase {
	if hex == "" {
		return nil
	}
	return []phrase{{hush("sha256 "), id(hex)}}
}

// cleanliness says whether the state was clean when the handoff was saved.
func (p page) cleanliness() section {
	s := section{title: "Clean state at the save"}
	c := p.Doc.Clean
	if c == nil {
		return s
	}
	verdict := phrase{cheer("clean")}
	if !c.OK {
		verdict = phrase{shout("not clean")}
	}
	if c.Allowed != "" {
		verdict = append(verdict, say(", saved all the same: "), fold(c.Allowed))
	}
	s.entries = []entry{{text: verdict}}
	for _, issue := range bySeverity(c.Issues, func(i handoff.CleanIssue) handoff.Severity { return i.Severity }) {
		text := append(severe(issue.Severity), fold(issue.Check), say(": "), tell(issue.What))
		s.entries = append(s.entries, entry{mark: "-", text: text})
	}
	return s
}

// uncommitted is what exists in the worktree of the save and in no commit.
func (p page) uncommitted() section {
	s := section{title: "Uncommitted", gloss: "only in the worktree of the save, in no commit"}
	w := p.Doc.Worktree
	if w == nil {
		return s
	}
	for _, f := range w.Modified {
		s.entries = append(s.entries, entry{mark: "-", text: change(f)})
	}
	for _, path := range w.Untracked {
		s.entries = append(s.entries, entry{mark: "-", text: phrase{say("untracked "), quote(path)}})
	}
	for _, stash := range w.Stashes {
		s.entries = append(s.entries, entry{mark: "-", text: phrase{say("stash "), tell(stash)}})
	}
	if w.Omitted > 0 {
		s.entries = append(s.entries, entry{text: phrase{say("and " + count(w.Omitted, "more path"))}})
	}
	return s
}

// change says what happened to a file.
func change(f handoff.ChangedFile) phrase {
	kind := strings.ReplaceAll(string(f.Change), "-", " ")
	if f.From == "" {
		return phrase{fold(kind), say(" "), quote(f.Path)}
	}
	return phrase{fold(kind), say(" "), quote(f.From), say(" to "), quote(f.Path)}
}
