package render

import (
	"fmt"

	"git-handoff/gitstore/handoff"
)

// standing is the line under the name: whether the handoff drives work, and how far that is.
func (p page) standing() phrase {
	line := phrase{status(p.Doc.Status)}
	switch p.Doc.Progress {
	case handoff.Blocked:
		line = append(line, say(", "), shout("blocked"))
	case handoff.ProgressDone:
		line = append(line, say(", "), cheer("done"))
	case handoff.InProgress:
		line = append(line, say(", in progress"))
	}
	return line
}

func status(s handoff.Status) span {
	switch s {
	case handoff.Active:
		return cheer("active")
	case handoff.Superseded, handoff.Archived:
		return shout(string(s))
	}
	return fold(string(s))
}

// byline says how old the version is, who made it and which it is.
func (p page) byline() phrase {
	line := phrase{say("Saved")}
	if at := p.saved(); !at.IsZero() {
		line = append(line, say(" "), p.when(at))
	}
	if by := p.actor(); by != "" {
		line = append(line, say(" by "), fold(by))
	}
	if s := p.session(); s != "" {
		line = append(line, say(", session "), fold(s))
	}
	if n := p.Doc.Provenance.Turns; n > 0 {
		line = append(line, say(", "+count(n, "turn")))
	}
	if p.OID != "" {
		line = append(line, say(", version "), p.commit(p.OID))
	}
	if len(line) == 1 {
		return nil
	}
	return line
}

// briefAge says how old next_action is, in commits and in time.
func (p page) briefAge() phrase {
	at := p.BriefAt
	if at.IsZero() {
		at = p.saved()
	}
	commits := ""
	if p.BriefCommits >= 0 {
		commits = count(p.BriefCommits, "commit")
	}
	switch {
	case at.IsZero() && p.BriefCommits <= 0:
		return nil
	case at.IsZero():
		return phrase{say("Next action written " + commits + " ago")}
	case !p.ages || p.Now.IsZero():
		return phrase{say("Next action written " + moment(at) + since(p.BriefCommits, commits))}
	case p.BriefCommits > 0:
		return phrase{say("Next action written " + commits + ", " + Age(p.Now, at))}
	}
	return phrase{say("Next action written " + Age(p.Now, at) + since(p.BriefCommits, commits))}
}

func since(n int, commits string) string {
	switch {
	case n > 0:
		return ", " + commits + " ago"
	case n == 0:
		return ", no commit since"
	}
	return ""
}

// refreshed says when the facts were brought up to date, if that was after the save.
func (p page) refreshed() phrase {
	at := p.Doc.Provenance.RefreshedAt
	if at.IsZero() || !at.Std().After(p.saved()) {
		return nil
	}
	return phrase{say("Facts refreshed "), p.when(at.Std())}
}

// lastEvent says what happened to the handoff after the brief was saved: a resume, a claim, a merge.
func (p page) lastEvent() phrase {
	switch p.Message.Event {
	case "", handoff.EventSave, handoff.EventRefresh:
		return nil
	}
	line := phrase{say("Last event: "), fold(string(p.Message.Event))}
	if p.Message.Actor != "" {
		line = append(line, say(" by "), fold(p.Message.Actor))
	}
	if !p.When.IsZero() {
		line = append(line, say(", "), p.when(p.When))
	}
	return line
}

// top are the lines between the name and the first section.
func (p page) top() []phrase {
	lines := []phrase{p.byline(), p.briefAge(), p.refreshed(), p.lastEvent(), p.from()}
	for _, r := range p.Remotes {
		lines = append(lines, remoteLine(r))
	}
	var said []phrase
	for _, line := range lines {
		if len(line) > 0 {
			said = append(said, line)
		}
	}
	return said
}

func (p page) from() phrase {
	if p.Origin == "" {
		return nil
	}
	line := phrase{say("Not here: this is the version of "), fold(p.Origin)}
	if !p.Fetched.IsZero() {
		line = append(line, say(", fetched "), p.when(p.Fetched))
	}
	return line
}

// remoteLine says whether a remote has this version.
func remoteLine(r Remote) phrase {
	line := phrase{say("On "), fold(r.Name), say(": ")}
	versions := func(n int) string {
		if n <= 0 {
			return "some versions"
		}
		return count(n, "version")
	}
	switch r.State {
	case There:
		return append(line, cheer("there"))
	case Ahead:
		return append(line, shout("an older version"), say(" ("+versions(r.Ahead)+" here not pushed)"))
	case Behind:
		return append(line, shout("a newer version"), say(" ("+versions(r.Behind)+" not taken over here)"))
	case Diverged:
		return append(line, shout("diverged"),
			say(fmt.Sprintf(" (%s only here, %s only there; git handoff sync joins them)", versions(r.Ahead), versions(r.Behind))))
	case NotPushed:
		return append(line, shout("not pushed"))
	case Unfetched:
		return append(line, say("unknown, never fetched"))
	}
	return append(line, fold(string(r.State)))
}

// alarms are what a reader must know before anything else: that the handoff does not drive work, or that somebody has it.
func (p page) alarms() []entry {
	var all []entry
	if e := p.retired(); e != nil {
		all = append(all, entry{mark: "!", text: e})
	}
	if c := p.Doc.Claim; c != nil {
		all = append(all, entry{mark: "!", text: p.claimed(c)})
	}
	for _, note := range p.Notes {
		if Folded(note) != "" {
			all = append(all, entry{mark: "!", text: phrase{fold(note)}})
		}
	}
	return all
}

// retired says of a handoff that is not active what to read instead.
func (p page) retired() phrase {
	by := p.Doc.SupersededBy
	var line phrase
	switch {
	case p.Doc.Status == handoff.Archived:
		line = phrase{shout("ARCHIVED"), say(": this handoff is closed; do not continue from it.")}
	case p.Doc.Status == handoff.Superseded || by != nil:
		line = phrase{shout("SUPERSEDED"), say(": this handoff no longer drives the work.")}
	default:
		return nil
	}
	instead := p.Instead
	if by != nil && instead == "" {
		instead = by.Handoff
	}
	if instead == "" {
		return line
	}
	line = append(line, say(" Read "), quote(instead), say(" instead"))
	if by != nil && by.Handoff == instead && by.Version != "" {
		line = append(line, say(" (version "), p.commit(by.Version), say(")"))
	}
	if p.Ended {
		line = append(line, say("; it is closed, too"))
	}
	return append(line, say("."))
}

func (p page) claimed(c *handoff.Claim) phrase {
	by := phrase{fold(c.By)}
	if who := p.Claim.Who; who != "" && who != c.By {
		by = phrase{fold(who), say(" ("), fold(c.By), say(")")}
	}
	if past(c.Until, p.Now) {
		return append(append(phrase{say("The claim of ")}, by...), say(" ended "), p.until(c.Until.Std()), say("."))
	}
	line := append(phrase{shout("CLAIMED"), say(" by ")}, by...)
	if p.Claim.Yours {
		line = append(line, say(", which is you,"))
	}
	if !c.At.IsZero() {
		line = append(line, say(" since "+moment(c.At.Std())))
	}
	if !c.Until.IsZero() {
		line = append(line, say(", until "), p.until(c.Until.Std()))
	}
	if p.Claim.Remote == "" {
		return append(line, say("; "), shout("no remote has accepted it"), say(", so others may not know."))
	}
	return append(line, say("; "), fold(p.Claim.Remote), say(" has accepted it."))
}
