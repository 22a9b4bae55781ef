package check

import (
	"strings"

	"git-handoff/check/secrets"
	"git-handoff/gitstore/handoff"
)

// A fault is what is wrong with a text; the zero fault is none.
type fault struct{ what, mend string }

// eachText makes a rule of one about a single text: it is tried on everything that an author wrote.
func eachText(find func(text string) fault) func(*Subject) []Issue {
	return func(s *Subject) []Issue {
		var all []Issue
		visitBrief(&s.Doc.Brief, func(place, text string) {
			if f := find(text); f.what != "" {
				all = append(all, Issue{Place: place, What: f.what, Mend: []string{f.mend}})
			}
		})
		return all
	}
}

// visitBrief visits every text of a brief with its place.
func visitBrief(b *handoff.Brief, visit func(place, text string)) {
	for _, t := range handoff.Texts {
		if text := *t.Of(b); text != "" && t.Values == nil {
			visit(t.Key, text)
		}
	}
	for _, l := range handoff.Lists {
		for i, it := range *l.Of(b) {
			visit(entry(l.Key, i), it.What)
			for _, sub := range l.Subkeys {
				if text := it.Subkey(sub); text != "" && l.SubkeyValues(sub) == nil {
					visit(entry(l.Key, i)+"."+sub, text)
				}
			}
		}
	}
}

// conversation is what only somebody who was there can follow.
var conversation = lazily(`(?i)\b(?:as (?:above|discussed|mentioned|agreed|explained|described|noted|said|before|per our)|(?:see|mentioned|described|discussed|listed|shown|given|stated) (?:above|earlier|before|previously)|like (?:before|last time|I said|you said|we said)|(?:you|we|I) (?:said|discussed|agreed|talked about|mentioned) (?:earlier|before|above|that)|(?:earlier|previous|above|this|our) (?:conversation|chat|message|thread|discussion|session said)|in (?:this|the|our) (?:chat|conversation|thread)|(?:my|your) (?:last|previous|earlier) (?:message|question|reply|answer|prompt)|the (?:above|aforementioned)|the same as (?:above|before)|what (?:you|we|I) (?:just )?(?:said|did) (?:above|before|earlier)|wie (?:oben|besprochen)|siehe oben|comme (?:ci-dessus|convenu|discuté)|como (?:se dijo|acordado|arriba))\b`)

func leansOnConversation(text string) fault {
	m := conversation().FindString(text)
	if m == "" {
		return fault{}
	}
	return fault{"leans on a conversation that the reader does not have: " + quoted(m), "say here what was said there"}
}

var (
	timestamped = lazily(`(?m)^\W*(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d\b`)
	prompted    = lazily(`(?m)^(?:\$ |# \S|>>> |In \[\d+\]: |PS [A-Z]:\\|[\w.-]+@[\w.-]+[:~][^\n]*[$#] |(?:INFO|DEBUG|WARN|WARNING|ERROR|TRACE)[ :\]])`)
)

// maxProseLines is from how many lines on a text is a log; minLogLines how many of its lines look like one.
const (
	maxProseLines = 20
	minLogLines   = 3
)

// isLog finds texts that were pasted instead of written.
func isLog(text string) fault {
	const mend = "write the one sentence that matters, and name the log under artifacts"
	switch {
	case strings.Count(strings.TrimSpace(text), "\n")+1 >= maxProseLines:
		return fault{"has twenty lines or more: it is a log, not a note", mend}
	case len(timestamped().FindAllStringIndex(text, minLogLines)) >= minLogLines:
		return fault{"has lines with times: it is a log, not a note", mend}
	case len(prompted().FindAllStringIndex(text, minLogLines)) >= minLogLines:
		return fault{"has prompts or levels at the start of its lines: it is a log, not a note", mend}
	}
	return fault{}
}

var (
	messages = lazily(`["']role["']\s*:\s*["'](?:system|user|assistant|tool|developer|function)["']|<\|(?:im_start|im_end|endoftext|system|user|assistant)\|>|(?m)^\s*(?:Human|Assistant|User|System):\s`)
	callIDs  = lazily(`\b(?:toolu_[A-Za-z0-9]{8,}|call_[A-Za-z0-9]{12,}|chatcmpl-[A-Za-z0-9]{8,}|msg_[A-Za-z0-9]{12,}|resp_[A-Za-z0-9]{16,}|run_[A-Za-z0-9]{20,}|thread_[A-Za-z0-9]{16,})\b|\btool_(?:call|use)_id\b|["']tool_calls["']\s*:|<(?:tool_use|tool_result|function_calls?|invoke)\b`)
	// models are names of models; needs is what makes work depend on one.
	models = lazily(`(?i)\b(?:gpt-?[345o][\w.-]*|o[134](?:-mini|-pro|-preview)|claude(?:-[\w.-]+| (?:opus|sonnet|haiku)(?: [\d.]+)?)?|gemini(?:-[\w.-]+| (?:pro|flash|ultra)(?: [\d.]+)?)|llama-?[234][\w.-]*|mi[sx]tral-[\w.-]+|deepseek-[\w.-]+|qwen[\d.-]+[\w.-]*|grok-\d[\w.-]*)\b`)
	needs  = lazily(`(?i)\b(?:use|using|with|run|ask|needs?|requires?|must|only|switch to|prompt|continue (?:in|with)|call|let|via)\b`)
)

// hasRuntime finds what belongs to the program that ran the session and means nothing to the next one.
func hasRuntime(text string) fault {
	const mend = "say what is to be done, so that whoever takes over can do it, whatever runs them"
	switch {
	case messages().MatchString(text):
		return fault{"holds messages of a session", mend}
	case callIDs().MatchString(text):
		return fault{"holds the id of a tool call: " + quoted(callIDs().FindString(text)), mend}
	case models().MatchString(text) && needs().MatchString(text):
		return fault{"makes the work depend on a model: " + quoted(models().FindString(text)), mend}
	}
	return fault{}
}

func hasHome(text string) fault {
	if secrets.Home(text, "") == text {
		return fault{}
	}
	return fault{"names somebody's home folder", "write the path from the top of the repository, or with ~"}
}

func namesPersons(text string) fault {
	hits := secrets.Personal(text)
	if len(hits) == 0 {
		return fault{}
	}
	return fault{"names a mail address or a private host (" + hits[0].Rule + ")", "leave it out if it need not be known to all who can read the repository"}
}

// secretTexts finds secrets in the whole document: what was saved before a rule was known, or by something else.
func secretTexts(s *Subject) []Issue {
	if s.Secret == nil {
		return nil
	}
	var all []Issue
	add := func(place, text string) {
		for _, rule := range s.Secret(text) {
			all = append(all, Issue{Place: place, What: "holds what looks like a secret (" + rule + ")",
				Mend: []string{"take it out with git handoff save, revoke it, and know that older versions still hold it"}})
		}
	}
	visitBrief(&s.Doc.Brief, add)
	visitFacts(s.Doc, add)
	return all
}

// visitFacts visits the texts of the facts that come from outside.
func visitFacts(d *handoff.Document, visit func(place, text string)) {
	if c := d.CommandsRun; c != nil {
		for i, r := range c.Runs {
			visit(entry("commands_run.runs", i), r.Command+"\n"+r.Output+"\n"+r.Failed)
		}
	}
	for i, f := range d.Findings {
		visit(entry("findings", i), f.What)
	}
	for i, f := range d.ChangedFiles.Files {
		visit(entry("changed_files.files", i), f.Path+"\n"+f.From)
	}
	if e := d.Evidence; e != nil {
		visit("evidence", e.Command+"\n"+e.Why+"\n"+e.By)
	}
	if w := d.Worktree; w != nil {
		visit("worktree", strings.Join(append(append(append([]string{}, w.Untracked...), w.Unmerged...), w.Stashes...), "\n"))
	}
	if c := d.Clean; c != nil {
		visit("clean.allowed", c.Allowed)
	}
	visit("provenance", d.Provenance.Session+"\n"+d.Provenance.ProducedBy)
}
