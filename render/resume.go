package render

import (
	"slices"
	"strings"

	"git-handoff/gitstore/handoff"
)

// A ResumeView is a view for whoever takes the work over, with what changed since it was saved.
type ResumeView struct {
	View
	// Proceed says that nothing gates the next action; Wait are the reasons if something does. A reason outweighs Proceed.
	Proceed bool
	Wait    []string
	Drift   []Drift
	// Prerequisites are the required artifacts.
	Prerequisites []Prerequisite
	// Fallback is the last known good commit, if it is still here and an ancestor: what can be rebuilt from it may be.
	Fallback string
	// Reach says, in one sentence, whether the remote was fetched from just now, or why not.
	Reach string
}

// Drift is one thing that was compared with the world of now. What says what was found, or why it could not be told.
type Drift struct {
	Kind  string
	What  string
	State DriftState
}

// DriftState is the outcome of a comparison.
type DriftState string

const (
	DriftFound   DriftState = "found"
	DriftNone    DriftState = "none"
	DriftUnknown DriftState = "unknown"
)

// A Prerequisite is a required artifact and whether it is what it was.
type Prerequisite struct {
	Name, Kind, Ref string
	State           PrerequisiteState
}

// PrerequisiteState is whether a required artifact is there, as it was at the save.
type PrerequisiteState string

const (
	Present PrerequisiteState = "present"
	Changed PrerequisiteState = "changed"
	Missing PrerequisiteState = "missing"
	Unknown PrerequisiteState = "unknown"
)

// Ready reports whether the next action may be begun, as every format says it.
func (v ResumeView) Ready() bool { return v.proceeds() }

// proceeds reports whether the next action may be begun.
func (v ResumeView) proceeds() bool { return v.Proceed && len(v.reasons()) == 0 }

// reasons are why the next action may not be begun. A handoff that does not drive the work is one by itself.
func (v ResumeView) reasons() []string {
	why := slices.Clone(v.Wait)
	instead := v.Instead
	if by := v.Doc.SupersededBy; by != nil && instead == "" {
		instead = by.Handoff
	}
	switch {
	case v.Doc.Status == handoff.Active, v.Doc.Status == "":
	case instead != "":
		why = append(why, "this handoff is "+string(v.Doc.Status)+"; continue from "+instead)
	default:
		why = append(why, "this handoff is "+string(v.Doc.Status))
	}
	return why
}

// ResumeText is the resume for a person at a terminal.
func ResumeText(v ResumeView, t Terminal) []byte {
	p := page{View: v.View, ages: true}
	w := &textWriter{terminal: t}
	w.head(p)
	for _, s := range v.sections(p) {
		w.section(s)
	}
	return w.Bytes()
}

// ResumeMarkdown is the resume for a person on a host.
func ResumeMarkdown(v ResumeView) []byte {
	p := page{View: v.View}
	w := &markdownWriter{}
	w.head(p)
	for _, s := range v.sections(p) {
		w.section(s, "## ")
	}
	return w.Bytes()
}

// sections are what a resume says: whether to begin, with what, what changed, what may be run again, and the rest of
// the document.
func (v ResumeView) sections(p page) []section {
	all := append([]section{v.decision()}, p.first()...)
	all = append(all, v.drift(), v.prerequisites())
	all = append(all, v.replayBoundary(p)...)
	return append(all, p.rest()...)
}

// decision says whether the next action may be begun.
func (v ResumeView) decision() section {
	if v.proceeds() {
		return section{title: "Proceed", entries: []entry{{text: phrase{cheer("nothing gates the next action"), say("; begin with it")}}}}
	}
	s := section{title: "WAIT", entries: []entry{{text: phrase{shout("do not begin the next action"), say("; it waits for this:")}}}}
	for _, why := range v.reasons() {
		s.entries = append(s.entries, entry{mark: "!", text: phrase{fold(why)}})
	}
	if len(v.reasons()) == 0 {
		s.entries = append(s.entries, entry{mark: "!", text: phrase{say("no reason is given; ask before you begin")}})
	}
	until := say("until then, read and check only, and tell a human what is waited for")
	s.entries = append(s.entries, entry{mark: "-", text: phrase{until}})
	return s
}

// drift reports what was compared. That nothing drifted is said only of what was looked at.
func (v ResumeView) drift() section {
	s := section{title: "Drift", gloss: "what changed since the save"}
	var same []string
	for _, d := range v.Drift {
		kind := strings.ReplaceAll(Folded(d.Kind), "_", " ")
		switch d.State {
		case DriftNone:
			same = append(same, kind)
			continue
		case DriftFound:
			s.entries = append(s.entries, entry{mark: "!", text: phrase{shout("changed"), say(", "), tell(kind), say(": "), fold(d.What)}})
		default:
			e := entry{mark: "?", text: phrase{say("unknown, "), tell(kind)}}
			if d.What != "" {
				e.text = append(e.text, say(": "), fold(d.What))
			}
			s.entries = append(s.entries, e)
		}
	}
	if len(same) > 0 {
		s.entries = append(s.entries, entry{mark: "-", text: phrase{cheer("no drift"), say(" in: "), fold(strings.Join(same, ", "))}})
	}
	if len(v.Drift) == 0 {
		s.entries = []entry{{text: phrase{say("nothing was compared, so this is unknown")}}}
	}
	if v.Reach != "" {
		s.entries = append(s.entries, entry{mark: "-", text: phrase{fold(v.Reach)}})
	}
	return s
}

// prerequisites say of each required artifact whether it is there.
func (v ResumeView) prerequisites() section {
	s := section{title: "Prerequisites", gloss: "read each again before you rely on it"}
	for _, r := range v.Prerequisites {
		state := shout(string(r.State))
		switch r.State {
		case Present:
			state = cheer("present")
		case Changed, Missing:
		default:
			state = say("unknown")
		}
		e := entry{mark: "-", text: phrase{state, say(": "), fold(r.Name)}}
		if line := reference(handoff.Item{Kind: r.Kind, Ref: r.Ref}); line != nil {
			e.under = []phrase{line}
		}
		s.entries = append(s.entries, e)
	}
	return s
}
