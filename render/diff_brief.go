package render

import (
	"fmt"
	"slices"
	"strings"

	"git-handoff/gitstore/handoff"
)

// text is the section of a text of the brief that changed.
func (c comparer) text(key string) section {
	s := section{title: titleOf(key)}
	for _, t := range c.Texts {
		if t.Key == key {
			for _, line := range c.change("", t.Before, t.After) {
				s.entries = append(s.entries, entry{mark: "~", text: line})
			}
		}
	}
	return s
}

// settled is what got done.
func (c comparer) settled() section {
	s := section{title: "Progress", gloss: "done since"}
	for _, x := range c.Settled {
		e := entry{mark: "-", text: phrase{cheer("done"), say(": "), tell(x.Item.What)}}
		e.under = []phrase{was(x.From)}
		s.entries = append(s.entries, e.with(subkeys("done", x.Item)))
	}
	return s
}

// gone is what vanished from lists that nothing should vanish from unnoticed.
func (c comparer) gone() section {
	s := section{title: "Dropped", gloss: "no longer there, and not done"}
	for _, x := range c.Gone {
		e := entry{mark: "!", text: phrase{shout("dropped"), say(" from " + place(x.List) + ": "), tell(x.Item.What)}}
		if x.To != "" {
			e.under = append(e.under, phrase{hush("is now in " + place(x.To))})
		}
		s.entries = append(s.entries, e.with(subkeys(x.List, x.Item)))
	}
	return s
}

func was(from string) phrase {
	if from == "next_action" {
		return phrase{hush("was the next action")}
	}
	return phrase{hush("was in " + place(from))}
}

func (e entry) with(under []phrase) entry {
	e.under = append(e.under, under...)
	return e
}

// list is the section of a list that changed, but for what progress and dropped items already say.
func (c comparer) list(l handoff.List) section {
	s := section{title: titleOf(l.Key)}
	for _, change := range c.Lists {
		if change.Key != l.Key {
			continue
		}
		for _, e := range change.Items {
			settled := l.Key == "done" && e.Edit == handoff.EditAdded && e.From != ""
			told := e.Edit == handoff.EditRemoved && (e.To == "done" || l.Guarded)
			if !settled && !told {
				s.entries = append(s.entries, c.item(l, e))
			}
		}
	}
	return s
}

func (c comparer) item(l handoff.List, e handoff.Entry[handoff.Item]) entry {
	switch e.Edit {
	case handoff.EditAdded:
		added := entry{mark: "+", text: phrase{cheer("added"), say(": "), tell(e.After.What)}}
		if e.From != "" {
			added.under = []phrase{was(e.From)}
		}
		return added.with(subkeys(l.Key, *e.After))
	case handoff.EditRemoved:
		removed := entry{mark: "-", text: phrase{shout("removed"), say(": "), tell(e.Before.What)}}
		switch e.To {
		case "":
			return removed.with(subkeys(l.Key, *e.Before))
		case "next_action":
			removed.text[0] = cheer("is the next action now")
		default:
			removed.under = []phrase{{hush("is now in " + place(e.To))}}
		}
		return removed
	}
	return c.altered(l, e)
}

// altered is an item that is there before and after.
func (c comparer) altered(l handoff.List, e handoff.Entry[handoff.Item]) entry {
	out := entry{mark: "~", text: phrase{say(string(e.Edit) + ": "), tell(e.After.What)}}
	if e.Edit == handoff.EditReworded {
		if lines := c.change("", e.Before.What, e.After.What); len(lines) == 1 {
			out.text = append(phrase{say("reworded: ")}, lines[0]...)
		} else {
			out.under = lines[:1]
		}
	}
	switch {
	case e.Moved && e.Was == e.At:
		out.under = append(out.under, phrase{hush("others moved past it")})
	case e.Moved:
		out.under = append(out.under, phrase{hush(fmt.Sprintf("moved from %d to %d", e.Was, e.At))})
	}
	for _, key := range l.Subkeys {
		if before, after := e.Before.Subkey(key), e.After.Subkey(key); before != after {
			out.under = append(out.under, c.change(key, before, after)...)
		}
	}
	return out
}

// subkeys are an item's sub-keys as remarks on it.
func subkeys(list string, it handoff.Item) []phrase {
	l, _ := handoff.ListOf(list)
	var lines []phrase
	for _, key := range l.Subkeys {
		lines = append(lines, labelled(key, it.Subkey(key))...)
	}
	return lines
}

const (
	// shortValue is how long two values may be to stand on one line.
	shortValue = 40
	// enoughShared is the least part of a text that has to stay for a comparison word by word to be readable.
	enoughShared = 0.4
)

// change says how a text changed, in one line or two; label, which may be "", names it.
func (c comparer) change(label, before, after string) []phrase {
	head := func(word string) phrase {
		if label == "" {
			return phrase{hush(word + ": ")}
		}
		return phrase{hush(label + " " + word + ": ")}
	}
	named := phrase{}
	if label != "" {
		named = phrase{hush(label + ": ")}
	}
	switch {
	case before == "":
		return []phrase{append(head("added"), tell(after))}
	case after == "":
		return []phrase{append(head("removed"), tell(before))}
	case isValue(before) && isValue(after):
		return []phrase{append(named, tell(before), say(" → "), tell(after))}
	}
	if c.words {
		if spans := handoff.WordDiff(before, after); sharedPart(spans) >= enoughShared {
			return []phrase{append(named, wordByWord(spans)...)}
		}
	}
	return []phrase{append(head("was"), tell(before)), append(head("now"), tell(after))}
}

// isValue reports whether a text is a value, such as a kind or a time, more than it is prose.
func isValue(s string) bool { return len(s) <= shortValue && !strings.ContainsAny(s, " \n") }

// sharedPart is the part of the longer text that both have.
func sharedPart(spans []handoff.Span) float64 {
	n := map[handoff.SpanOp]int{}
	for _, s := range spans {
		n[s.Op] += len(strings.TrimSpace(s.Text))
	}
	return float64(n[handoff.SpanBoth]) / float64(max(1, n[handoff.SpanBoth]+max(n[handoff.SpanOld], n[handoff.SpanNew])))
}

// wordByWord marks what went and what came. The marks are there with colours too: not everybody sees those.
func wordByWord(spans []handoff.Span) phrase {
	var ph phrase
	for _, s := range spans {
		switch s.Op {
		case handoff.SpanOld:
			ph = append(ph, span{"[-", worn}, span{s.Text, worn}, span{"-]", worn})
		case handoff.SpanNew:
			ph = append(ph, span{"{+", fresh}, span{s.Text, fresh}, span{"+}", fresh})
		default:
			ph = append(ph, span{s.Text, shared})
		}
	}
	return slices.Clip(ph)
}
