package check

import (
	"git-handoff/gitstore/handoff"
)

// An Answer is one of the five answers that a reader who was not there must find in a document alone: where the work
// stands, what is settled, what it waits for, what is risky and what comes next. Fields are the keys that answer it, each
// with what it says; none is no answer.
type Answer struct {
	Question string        `json:"question"`
	Fields   []AnswerField `json:"fields,omitempty"`
	// Needed answers are those that no document may lack.
	Needed bool `json:"needed"`
}

// Answered reports whether the document answers the question.
func (a Answer) Answered() bool { return len(a.Fields) > 0 }

// An AnswerField is one key that answers, and its texts.
type AnswerField struct {
	Key   string   `json:"key"`
	Texts []string `json:"texts"`
}

// Cold gives the five answers as a document has them.
func Cold(d *handoff.Document) []Answer {
	b := &d.Brief
	where := Answer{Question: "where", Needed: true}
	where.add("objective", b.Objective)
	where.add("summary", b.Summary)
	where.add("progress", string(b.Progress))
	where.add("head", d.Head)
	where.add("last_known_good_commit", d.LastKnownGood)
	settled := Answer{Question: "settled"}
	settled.list("done", b.Done, func(it handoff.Item) string { return it.What + " (" + string(it.EffectOrDefault()) + ")" })
	settled.list("decisions", b.Decisions, reasoned)
	settled.list("rejected", b.Rejected, reasoned)
	settled.list("constraints", b.Constraints, plain)
	waiting := Answer{Question: "waiting"}
	waiting.list("pending", b.Pending, plain)
	waiting.list("open", b.Open, plain)
	risky := Answer{Question: "risky"}
	risky.list("uncertain", b.Uncertain, func(it handoff.Item) string { return it.What + " (replay " + string(it.ReplayOrDefault()) + ")" })
	risky.list("open_risks", b.OpenRisks, plain)
	risky.list("assumptions_to_validate", b.Assumptions, plain)
	risky.list("failed_attempts", b.FailedAttempts, reasoned)
	risky.list("notes.do_not_repeat", b.Notes.DoNotRepeat, plain)
	for _, f := range d.Findings {
		if f.Severity != handoff.Info {
			risky.add("findings", f.What)
		}
	}
	next := Answer{Question: "next", Needed: true}
	next.add("next_action", b.NextAction)
	if next.Answered() {
		next.list("next", b.Next, plain)
	}
	return []Answer{where, settled, waiting, risky, next}
}

func plain(it handoff.Item) string { return it.What }

func reasoned(it handoff.Item) string {
	if it.Why == "" {
		return it.What
	}
	return it.What + ": " + it.Why
}

// add lets a key answer; what says nothing does not.
func (a *Answer) add(key, text string) {
	if text == "" {
		return
	}
	if n := len(a.Fields); n > 0 && a.Fields[n-1].Key == key {
		a.Fields[n-1].Texts = append(a.Fields[n-1].Texts, text)
		return
	}
	a.Fields = append(a.Fields, AnswerField{key, []string{text}})
}

func (a *Answer) list(key string, items []handoff.Item, say func(handoff.Item) string) {
	for _, it := range items {
		a.add(key, say(it))
	}
}

// Advice is what to do at a share of the context used, in percent: from WrapUpAt on wrap up, from SaveNowAt on save.
func Advice(percent float64) string {
	switch {
	case percent >= SaveNowAt:
		return "save now"
	case percent >= WrapUpAt:
		return "wrap up"
	}
	return "go on"
}

const (
	WrapUpAt  = 50
	SaveNowAt = 75
)
