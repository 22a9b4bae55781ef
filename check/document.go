package check

import (
	"strconv"
	"time"

	"git-handoff/gitstore/handoff"
)

// A Subject is a document to check, and what has to be known besides: the moment, which required artifacts are not
// there, and which secrets are allowed.
type Subject struct {
	Doc *handoff.Document
	Now time.Time
	// Missing are the names of required artifacts that were looked for and not found.
	Missing []string
	// Secret gives the rules of the secrets in a text.
	Secret func(text string) []string
}

// A docRule finds one kind of fault in a document.
type docRule struct {
	id       string
	severity handoff.Severity
	find     func(*Subject) []Issue
}

// docRules are the rules of document quality, in the order in which issues are told.
var docRules = []docRule{
	{"next-action.missing", handoff.Block, noNextAction},
	{"next-action.vague", handoff.Warn, vagueNextAction},
	{"reason.decision", handoff.Warn, decisionWithoutWhy},
	{"reason.rejected", handoff.Warn, rejectedWithoutWhy},
	{"text.conversation", handoff.Warn, eachText(leansOnConversation)},
	{"text.log", handoff.Warn, eachText(isLog)},
	{"text.runtime", handoff.Warn, eachText(hasRuntime)},
	{"text.home", handoff.Warn, eachText(hasHome)},
	{"text.secret", handoff.Block, secretTexts},
	{"text.personal", handoff.Info, eachText(namesPersons)},
	{"uncertain.check", handoff.Warn, uncertainWithoutCheck},
	{"pending.expired", handoff.Warn, expiredApproval},
	{"pending.gate", handoff.Warn, approvalGatesNothing},
	{"artifact.missing", handoff.Block, missingArtifact},
	{"budget.brief", handoff.Warn, briefOverBudget},
	{"budget.facts", handoff.Warn, factsOverBudget},
}

// Document checks the quality of a document. What blocks comes first.
func Document(s Subject) []Issue {
	var all []Issue
	for _, r := range docRules {
		for _, i := range r.find(&s) {
			i.Rule = r.id
			if i.Severity == "" {
				i.Severity = r.severity
			}
			all = append(all, i)
		}
	}
	return bySeverity(all)
}

func uncertainWithoutCheck(s *Subject) []Issue {
	var all []Issue
	for i, it := range s.Doc.Uncertain {
		if it.Check == "" {
			all = append(all, Issue{Place: entry("uncertain", i), What: "nobody can tell how to find out about " + quoted(it.What),
				Mend: []string{"git handoff save --add-uncertain " + shellWord(it.What+" :: check=HOW TO FIND OUT")}})
		}
	}
	return all
}

func expiredApproval(s *Subject) []Issue {
	var all []Issue
	for i, it := range s.Doc.Pending {
		if it.Kind == "approval" && !it.Expires.IsZero() && !it.Expires.Std().After(s.Now) {
			all = append(all, Issue{Place: entry("pending", i), What: "the approval " + quoted(it.What) + " expired at " + it.Expires.String(),
				Mend: []string{"ask again, then git handoff save --add-pending " + shellWord(it.What+" :: expires=+4h"), "git handoff save --drop " + shellWord("pending="+it.What)}})
		}
	}
	return all
}

// approvalGatesNothing finds approvals that name no step, or one that is not there.
func approvalGatesNothing(s *Subject) []Issue {
	var all []Issue
	for i, it := range s.Doc.Pending {
		if it.Kind != "approval" || it.On != "" && s.hasStep(it.On) {
			continue
		}
		what := "the approval " + quoted(it.What) + " names no step that waits for it"
		if it.On != "" {
			what = "the approval " + quoted(it.What) + " waits for a step that is not there: " + quoted(it.On)
		}
		all = append(all, Issue{Place: entry("pending", i), What: what,
			Mend: []string{"git handoff save --add-pending " + shellWord(it.What+" :: on=THE STEP THAT IT GATES")}})
	}
	return all
}

// hasStep reports whether a text names the next action or a step of the queue.
func (s *Subject) hasStep(on string) bool {
	if namesStep(on, s.Doc.NextAction) {
		return true
	}
	for _, it := range s.Doc.Next {
		if namesStep(on, it.What) {
			return true
		}
	}
	return false
}

func missingArtifact(s *Subject) []Issue {
	var all []Issue
	for _, name := range s.Missing {
		all = append(all, Issue{Place: "artifacts", What: "the required artifact " + quoted(name) + " is not there",
			Mend: []string{"bring it back, or git handoff save --drop " + shellWord("artifacts="+name)}})
	}
	return all
}

func briefOverBudget(s *Subject) []Issue {
	n := s.Doc.BriefTokens()
	if n <= handoff.MaxBriefTokens {
		return nil
	}
	return []Issue{{Place: "brief", What: "the brief takes about " + strconv.Itoa(n) + " tokens, at most " + strconv.Itoa(handoff.MaxBriefTokens) + " are read with care",
		Mend: []string{"put what is long into a file and name it under artifacts", "git handoff save --edit"}}}
}

func factsOverBudget(s *Subject) []Issue {
	n := s.Doc.FactsSize()
	if n <= handoff.MaxFacts {
		return nil
	}
	return []Issue{{Place: "facts", What: "the facts take " + strconv.Itoa(n) + " bytes, at most " + strconv.Itoa(handoff.MaxFacts) + " are meant",
		Mend: []string{"git handoff save records them anew, cut to size"}}}
}

// entry names an entry of a list, counted from 1.
func entry(list string, i int) string { return list + "[" + strconv.Itoa(i+1) + "]" }

// maxQuoted is how much of a text an issue shows, in characters.
const maxQuoted = 60

func quoted(s string) string { return strconv.Quote(handoff.CleanLine(s, maxQuoted)) }
