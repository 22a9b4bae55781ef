package handoff

import (
	"fmt"
	"slices"
	"strings"
)

// finishable are the lists whose items can be finished; next_action can too.
var finishable = []string{"next", "pending", "uncertain"}

// finish moves what the text names to done. What is done already stays done, and takes the sub-keys that were given.
func (c *carrier) finish(g Given) {
	what, ok := c.finishTarget(g.What)
	if !ok {
		return
	}
	from := c.settle(what)
	c.finished = c.finished || slices.Contains(from, "next_action")
	c.again = c.again || what != c.before.NextAction && slices.Contains(c.PreviousNextActions, what)
	it := c.markDone(what, g)
	if len(from) > 0 {
		c.report.Finished = append(c.report.Finished, Finished{it, from})
	}
}

// finishTarget is the text of the item that is meant. An item that is still open is preferred to one that is done, but
// never at the price of a lesser match: the same command again must not finish something else.
func (c *carrier) finishTarget(text string) (string, bool) {
	open, done := c.openTexts(), c.textsOf("done")
	for _, candidates := range [][]string{open, done} {
		if slices.Contains(candidates, text) {
			return text, true
		}
	}
	parts := containing(open, text)
	if len(parts) == 0 {
		parts = containing(done, text)
	}
	if len(parts) == 1 {
		return parts[0], true
	}
	if len(parts) == 0 {
		parts = open
		c.failMatch("--finish", text, "names nothing in next_action, next, pending or uncertain", parts)
	} else {
		c.failMatch("--finish", text, "names several items", parts)
	}
	return "", false
}

// openTexts are the texts of all items that can be finished, each once: the old next action, and the lists before and
// after the patch. What the patch itself has just said comes next or is to be added is not meant: the first time it is
// not there yet, and the second time must do the same.
func (c *carrier) openTexts() []string {
	texts := []string{c.before.NextAction}
	for _, key := range finishable {
		given := c.patch.Lists[key].Added
		for _, what := range c.textsOf(key) {
			if !slices.Contains(texts, what) && !sameText(given, what) {
				texts = append(texts, what)
			}
		}
	}
	if c.before.NextAction == "" || c.before.NextAction == c.patch.Texts["next_action"] {
		return texts[1:]
	}
	return texts
}

// textsOf are the texts of a list, before and after the patch, each once.
func (c *carrier) textsOf(key string) []string {
	l, _ := ListOf(key)
	var texts []string
	for _, it := range slices.Concat(*l.Of(&c.before), *l.Of(&c.after)) {
		if !slices.Contains(texts, it.What) {
			texts = append(texts, it.What)
		}
	}
	return texts
}

func containing(texts []string, part string) []string {
	part = strings.TrimSpace(part)
	var found []string
	for _, s := range texts {
		if strings.Contains(s, part) {
			found = append(found, s)
		}
	}
	return found
}

// maxCandidates is how many candidates an error lists.
const maxCandidates = 10

func (c *carrier) failMatch(flag, text, problem string, candidates []string) {
	var lines []string
	for _, s := range candidates[:min(len(candidates), maxCandidates)] {
		lines = append(lines, CleanLine(s, 100))
	}
	if more := len(candidates) - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	hint := "there is nothing to choose from"
	if len(lines) > 0 {
		hint = "it may be one of: " + strings.Join(lines, " | ")
	}
	c.errs = append(c.errs, &InputError{Key: flag, Msg: fmt.Sprintf("%q %s", CleanLine(text, 100), problem), Hint: hint})
}

// settle takes an item out of wherever it was open, and gives the keys under which it stood.
func (c *carrier) settle(what string) []string {
	var from []string
	if what == c.before.NextAction {
		from = append(from, "next_action")
	}
	for _, key := range finishable {
		l, _ := ListOf(key)
		if indexOf(*l.Of(&c.before), what) >= 0 || indexOf(*l.Of(&c.after), what) >= 0 {
			from = append(from, key)
		}
		c.remove(l, what)
	}
	return from
}

func (c *carrier) remove(l List, what string) {
	items := l.Of(&c.after)
	*items = slices.DeleteFunc(*items, func(it Item) bool { return it.What == what })
	c.settled[Drop{l.Key, what}] = true
}

// markDone puts an item into done, or finds it there, and gives it the sub-keys that came with the finish.
func (c *carrier) markDone(what string, g Given) Item {
	l, _ := ListOf("done")
	i := indexOf(c.after.Done, what)
	if i < 0 {
		it := Item{What: what}
		if old := indexOf(c.before.Done, what); old >= 0 {
			it = c.before.Done[old]
		}
		c.after.Done = append(c.after.Done, it)
		i = len(c.after.Done) - 1
	}
	g.apply(&c.after.Done[i], c.Now)
	var known *Item
	if old := indexOf(c.before.Done, what); old >= 0 {
		known = &c.before.Done[old]
	}
	c.stamp(l, &c.after.Done[i], known)
	return c.after.Done[i]
}

func (c *carrier) drop(d Drop) {
	l, _ := ListOf(d.List)
	texts := c.textsOf(d.List)
	if slices.Contains(texts, d.Text) {
		c.remove(l, d.Text)
		return
	}
	switch parts := containing(texts, d.Text); len(parts) {
	case 1:
		c.remove(l, parts[0])
	case 0:
		c.failMatch("--drop", d.Text, "names nothing in "+d.List, texts)
	default:
		c.failMatch("--drop", d.Text, "names several entries of "+d.List, parts)
	}
}
