package render

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"git-handoff/gitstore/handoff"
)

// facts are the sections that the program found out by itself.
func (p page) facts() []section {
	return []section{p.code(), p.verdicts(), p.uncommitted(), p.cleanliness(), p.commands(), p.files(), p.ids()}
}

// code says which commits the handoff is about, and which of them is known to work.
func (p page) code() section {
	s := section{title: "Code"}
	add := func(line phrase, under ...phrase) {
		s.entries = append(s.entries, entry{mark: "-", text: line, under: under})
	}
	d := p.Doc
	if d.LastKnownGood != "" {
		add(phrase{say("last known good commit "), p.commit(d.LastKnownGood)}, p.evidence(d.Evidence))
	} else {
		add(phrase{shout("no last known good commit"), say(": nothing is known to work")})
	}
	if d.Head != "" {
		add(phrase{say("branch "), quote(d.Branch), say(" at "), p.commit(d.Head), say(sameAs(d.Head, d.LastKnownGood))})
	} else {
		add(phrase{say("branch "), quote(d.Branch), say(" without a commit")})
	}
	if d.Base != "" {
		add(phrase{say(count(d.Commits, "commit") + " since "), p.commit(d.Base)})
	}
	return s
}

func sameAs(head, good string) string {
	if head == good {
		return ", which is the last known good commit"
	}
	return ""
}

// evidence says in words why the last known good commit is believed to be good.
func (p page) evidence(e *handoff.Evidence) phrase {
	switch {
	case e == nil:
		return phrase{shout("no evidence is recorded")}
	case e.Kind == handoff.Assumed:
		return phrase{say("assumed: it is where the branch forked, and no commit since has evidence")}
	case e.Kind == handoff.Asserted:
		line := append(phrase{say("asserted")}, p.byAt(e)...)
		if e.Why != "" {
			line = append(line, say(": "), tell(e.Why))
		}
		return append(line, say(" (no command has verified it)"))
	case e.Kind != handoff.Verified:
		return phrase{fold(string(e.Kind))}
	}
	line := phrase{cheer("verified")}
	if e.Command != "" {
		line = append(line, say(" with "), quote(e.Command))
	}
	if e.Exit != nil {
		line = append(line, say(", exit "+strconv.Itoa(*e.Exit)))
	}
	return append(line, p.byAt(e)...)
}

func (p page) byAt(e *handoff.Evidence) phrase {
	line := phrase{}
	if e.By != "" {
		line = append(line, say(", by "), fold(e.By))
	}
	if !e.At.IsZero() {
		line = append(line, say(", "), p.ago(e.At.Std()))
	}
	return line
}

// commands is the account of what was run.
func (p page) commands() section {
	s := section{title: "Commands run"}
	c := p.Doc.CommandsRun
	if c == nil {
		return s
	}
	s.entries = []entry{{text: tally(c)}}
	for _, r := range c.Runs {
		s.entries = append(s.entries, p.run(r))
	}
	return s
}

// tally counts the commands that were run.
func tally(c *handoff.CommandsRun) phrase {
	line := phrase{say(fmt.Sprintf("%d run, ", c.Total))}
	if c.Failed > 0 {
		line = append(line, shout(fmt.Sprintf("%d failed", c.Failed)))
	} else {
		line = append(line, say("none failed"))
	}
	if c.Unknown > 0 {
		line = append(line, say(fmt.Sprintf(", %d without a known result", c.Unknown)))
	}
	if c.Omitted > 0 {
		line = append(line, say(fmt.Sprintf(", %d not shown (%d of them failed)", c.Omitted, c.OmittedFailed)))
	}
	if c.Log != nil {
		line = append(line, say("; from "), quote(c.Log.Path))
	}
	return line
}

func (p page) run(r handoff.Run) entry {
	e := entry{mark: "-", text: phrase{result(r), say(": "), quote(r.Command)}, output: r.Output}
	if r.Times > 1 {
		e.text = append(e.text, say(fmt.Sprintf(" (%d times)", r.Times)))
	}
	line := phrase{}
	if r.Exit == nil && r.Failed != "" {
		line = append(line, tell(r.Failed))
	}
	if r.MS > 0 {
		line = comma(line, say("took "+(time.Duration(r.MS)*time.Millisecond).String()))
	}
	if !r.At.IsZero() {
		line = comma(line, p.ago(r.At.Std()))
	}
	if len(line) > 0 {
		e.under = []phrase{line}
	}
	return e
}

func comma(line phrase, next span) phrase {
	if len(line) > 0 {
		line = append(line, say(", "))
	}
	return append(line, next)
}

func result(r handoff.Run) span {
	switch {
	case r.Exit != nil && *r.Exit == 0:
		return cheer("exit 0")
	case r.Exit != nil:
		return shout(fmt.Sprintf("exit %d", *r.Exit))
	case r.Failed != "":
		return shout("failed")
	}
	return say("result unknown")
}

// files are the changed files; text shows the first of a long list.
func (p page) files() section {
	s := section{title: "Changed files"}
	c := p.Doc.ChangedFiles
	if c.IsZero() {
		return s
	}
	shown := c.Files
	if p.ages && len(shown) > maxFilesInText {
		shown = shown[:maxFilesInText]
	}
	for _, f := range shown {
		s.entries = append(s.entries, entry{mark: "-", text: change(f)})
	}
	if more := c.Total - len(shown); more > 0 {
		line := phrase{say("and " + strconv.Itoa(more) + " more")}
		if p.Doc.Base != "" && p.Doc.Head != "" {
			line = append(line, say(": "), quote("git diff --name-status "+short(p.Doc.Base)+" "+short(p.Doc.Head)))
		}
		s.entries = append(s.entries, entry{text: line})
	}
	return s
}

// maxFilesInText is how many changed files fit a page that somebody reads on a terminal.
const maxFilesInText = 20

// ids are the names of the work elsewhere.
func (p page) ids() section {
	s := section{title: "Ids"}
	d := p.Doc
	for _, it := range []struct{ label, value string }{
		{"task", d.TaskID}, {"run", d.RunID}, {"checkpoint", d.CheckpointID}, {"tool", d.Provenance.Tool},
	} {
		if it.value != "" {
			s.entries = append(s.entries, entry{mark: "-", text: phrase{hush(it.label + " "), quote(it.value)}})
		}
	}
	var old []string
	for _, l := range d.Supersedes {
		old = append(old, strings.Trim(l.Handoff+" "+short(l.Version), " "))
	}
	for _, name := range old {
		s.entries = append(s.entries, entry{mark: "-", text: phrase{hush("supersedes "), quote(name)}})
	}
	return s
}
