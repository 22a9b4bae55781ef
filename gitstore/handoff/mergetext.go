package handoff

import (
	"fmt"
	"slices"
	"strings"
)

// mergeTexts merges every text but the next action, which needs the merged lists.
func (m *merger) mergeTexts() {
	for _, t := range Texts {
		if t.Key == "next_action" {
			continue
		}
		base, a, b := *t.Of(&m.base.Brief), *t.Of(&m.a.Doc.Brief), *t.Of(&m.b.Doc.Brief)
		value, clash := pick(base, a, b)
		if clash {
			value = m.settle(Field{Key: t.Key})
		}
		*t.Of(&m.out.Brief) = value
	}
}

// settle decides a field that both sides changed. The text that gives way is kept as a question, unless nobody wrote
// it: what was generated from commits can be generated again.
func (m *merger) settle(f Field) string {
	winner, loser, lost := m.last(f)
	value, other := f.Of(winner.Doc), f.Of(loser.Doc)
	if f.Key == "summary" && generated(value) && other != "" && !generated(other) {
		return other
	}
	if other != "" && !(f.Key == "summary" && generated(other)) {
		m.ask(f, other, lost)
	}
	return value
}

func generated(summary string) bool {
	return strings.HasSuffix(strings.TrimSpace(summary), "(generated)")
}

// ask keeps a text that gave way. The question is for an agent: a merge alone never makes a person's answer necessary.
func (m *merger) ask(f Field, text string, lost Stamp) {
	who := lost.At.String()
	if lost.By != "" {
		who = strings.TrimSuffix(lost.By+", "+who, ", ")
	}
	subject := f.Key + " holds"
	if f.List != "" {
		subject = fmt.Sprintf("%s holds for '%s' in %s", f.Key, f.What, f.List)
	}
	m.questions = append(m.questions, Item{
		What: fmt.Sprintf("Which %s? Another save (%s) says: %s", subject, who, text),
		For:  "agent",
	})
}

// askQuestions appends the questions to open. One that the base has is old: who removed it has answered it.
func (m *merger) askQuestions() {
	known := slices.Concat(m.base.Open, m.out.Open)
	for _, q := range m.questions {
		if !hasItem(known, q.What) {
			m.out.Open = append(m.out.Open, q)
			known = append(known, q)
		}
	}
}

func hasItem(items []Item, what string) bool {
	return slices.ContainsFunc(items, func(it Item) bool { return it.What == what })
}

// mergeNextAction runs when the lists are merged. What is done is no step any more.
func (m *merger) mergeNextAction() {
	out := &m.out.Brief
	out.NextAction = m.pickNextAction()
	out.Next = slices.DeleteFunc(out.Next, func(it Item) bool {
		return hasItem(out.Done, it.What) || it.What == out.NextAction && !m.queuedTwice(it.What)
	})
	if !m.over(out.NextAction) {
		return
	}
	out.NextAction = ChooseNextStep
	if len(out.Next) > 0 {
		out.NextAction, out.Next = out.Next[0].What, out.Next[1:]
	}
	if len(out.Next) == 0 {
		out.Next = nil
	}
}

// over reports whether a step leads nowhere: it is done, or it stands for having none.
func (m *merger) over(step string) bool {
	return step == "" || step == ChooseNextStep || hasItem(m.out.Done, step)
}

// queuedTwice reports whether a side has the step both as its next action and in the queue, as its author wanted it.
func (m *merger) queuedTwice(step string) bool {
	twice := func(b *Brief) bool { return b.NextAction == step && hasItem(b.Next, step) }
	return twice(&m.a.Doc.Brief) || twice(&m.b.Doc.Brief)
}

func (m *merger) pickNextAction() string {
	a, b := m.a.Doc.NextAction, m.b.Doc.NextAction
	value, clash := pick(m.base.NextAction, a, b)
	switch {
	case !clash, m.over(b):
		return value // which is a's in a clash
	case m.over(a):
		return b
	}
	f := Field{Key: "next_action"}
	_, loser, _ := m.last(f)
	m.requeue(loser.Doc.NextAction)
	return m.settle(f)
}

// requeue puts a step that had been promoted from the queue, and gave way, back in front of it: nobody removed it.
func (m *merger) requeue(step string) {
	if hasItem(m.base.Next, step) && !hasItem(m.out.Next, step) {
		m.out.Next = slices.Insert(m.out.Next, 0, Item{What: step})
	}
}
