package handoff

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// CarryOptions say what a save knows beside the previous version and the patch.
type CarryOptions struct {
	// Now is the moment of the save; offsets are counted from it and new items are stamped with it.
	Now time.Time
	// Actor is who saves; what is newly done is done by them. It may be empty.
	Actor string
	// StateNextAction is the next action that the workbench's state file names.
	StateNextAction string
	// PreviousNextActions are the next actions of earlier versions. A state file that names one of them is stale.
	PreviousNextActions []string
	// BranchMoved says that the branch has new commits since the next action was written.
	BranchMoved bool
	// ReplaceAll says that the patch is the whole brief: what it does not name is emptied.
	ReplaceAll bool
	// Reopen says that the previous version closed the handoff: the brief starts empty.
	Reopen bool
}

// A Report says what a save did beyond what it was told, and where the next action came from.
type Report struct {
	// Dropped are entries of guarded lists that vanished without having been finished or dropped.
	Dropped []Dropped
	// Finished are the items that were moved to done.
	Finished []Finished
	// Promoted is the next action that came from the queue, or "".
	Promoted string
	// Source says where the next action came from.
	Source NextActionSource
	// Warnings are one line each.
	Warnings []string
}

// Dropped is an entry that vanished from a list.
type Dropped struct {
	List string
	Item Item
}

// Finished is an item now done, and the keys under which it stood.
type Finished struct {
	Item Item
	From []string
}

// NextActionSource says where a next action came from.
type NextActionSource string

const (
	FromAuthor    NextActionSource = "author"
	FromQueue     NextActionSource = "queue"
	FromState     NextActionSource = "state"
	FromInherited NextActionSource = "inherited"
)

// CarryForward makes the brief of a new version from the previous one, which may be nil, and a patch. It changes neither.
// The same patch again gives an equal brief, unless it drops something. The error, if any, is InputErrors.
func CarryForward(prev *Document, p *Patch, opt CarryOptions) (*Brief, Report, error) {
	if p == nil {
		p = &Patch{}
	}
	c := carrier{CarryOptions: opt, patch: p, settled: map[Drop]bool{}}
	if prev != nil && !opt.Reopen {
		c.before = prev.Brief
	}
	if !opt.ReplaceAll {
		c.after = c.before.Clone()
	}
	c.texts()
	for _, l := range Lists {
		c.list(l)
	}
	for _, d := range p.Drop {
		c.drop(d)
	}
	for _, g := range p.Finish {
		c.finish(g)
	}
	c.nextAction()
	c.next()
	c.reportDropped()
	c.checkSize()
	if len(c.errs) > 0 {
		return nil, c.report, c.errs
	}
	return &c.after, c.report, nil
}

// Clone is a copy that shares no list with the brief.
func (b *Brief) Clone() Brief {
	c := *b
	for _, l := range Lists {
		*l.Of(&c) = slices.Clone(*l.Of(&c))
	}
	return c
}

// A carrier holds one save while it is carried out.
type carrier struct {
	CarryOptions
	patch         *Patch
	before, after Brief
	// finished says that this save finishes the inherited next action; again, that an earlier save did so and that this
	// one only says it again; implied, that it is simply found among what is newly done.
	finished, again, implied bool
	// settled are the entries that were finished or dropped by name.
	settled map[Drop]bool
	report  Report
	errs    InputErrors
}

func (c *carrier) texts() {
	for _, t := range Texts {
		if value, ok := c.patch.Texts[t.Key]; ok {
			*t.Of(&c.after) = value
		}
	}
}

func (c *carrier) list(l List) {
	lp := c.patch.Lists[l.Key]
	old, items := *l.Of(&c.before), *l.Of(&c.after)
	if lp.Replace {
		items = nil
		for _, g := range lp.Entries {
			items = append(items, c.item(l, old, g))
		}
	}
	for _, g := range lp.Added {
		if i := indexOf(items, g.What); i >= 0 {
			known := items[i]
			g.apply(&items[i], c.Now)
			c.stamp(l, &items[i], &known)
		} else {
			items = append(items, c.item(l, old, g))
		}
	}
	*l.Of(&c.after) = items
}

// item is what was given as an item of the list, with the stamps of the old item of that text.
func (c *carrier) item(l List, old []Item, g Given) Item {
	it := g.item(c.Now)
	var known *Item
	if i := indexOf(old, g.What); i >= 0 {
		known = &old[i]
	}
	c.stamp(l, &it, known)
	return it
}

// stamp fills the times of an item, and who did it, where they are absent: from the old item if it is not new, else
// with the moment of the save.
func (c *carrier) stamp(l List, it, known *Item) {
	if known == nil {
		known = &Item{At: TimeOf(c.Now), Since: TimeOf(c.Now), By: c.Actor}
	}
	if slices.Contains(l.Subkeys, "at") && it.At.IsZero() {
		it.At = known.At
	}
	if slices.Contains(l.Subkeys, "since") && it.Since.IsZero() {
		it.Since = known.Since
	}
	if slices.Contains(l.Subkeys, "by") && it.By == "" {
		it.By = known.By
	}
}

func indexOf(items []Item, what string) int {
	return slices.IndexFunc(items, func(it Item) bool { return it.What == what })
}

// nextAction decides the next action: the author's, else the first of the queue if the old one is finished, else the
// state file's, else the old one. A finish that is said again has promoted its successor already; the state file that
// lost then does not win now. An author who empties it is not given another.
func (c *carrier) nextAction() {
	supplied, isSupplied := c.patch.Texts["next_action"]
	inherited := c.before.NextAction
	c.implied = inherited != "" && indexOf(c.after.Done, inherited) >= 0 && indexOf(c.before.Done, inherited) < 0
	switch {
	case strings.TrimSpace(supplied) != "":
		c.report.Source = FromAuthor
	case isSupplied || c.ReplaceAll:
		c.noNextAction()
	case c.finished && c.promote():
		c.report.Source = FromQueue
	case !c.again && c.stateCounts():
		c.after.NextAction, c.report.Source = c.StateNextAction, FromState
	case c.implied && c.promote():
		c.report.Source = FromQueue
	case inherited != "" && !c.finished && !c.implied:
		c.inherit()
	default:
		c.noNextAction()
	}
}

func (c *carrier) inherit() {
	c.report.Source = FromInherited
	if c.BranchMoved {
		c.report.Warnings = append(c.report.Warnings,
			"next_action is the one that was written before the branch's latest commits; say a new one if it no longer holds")
	}
}

// promote makes the first of the queue that is not done the next action. next removes it from the queue.
func (c *carrier) promote() bool {
	for _, it := range c.after.Next {
		if indexOf(c.after.Done, it.What) < 0 {
			c.after.NextAction, c.report.Promoted = it.What, it.What
			return true
		}
	}
	return false
}

// stateCounts reports whether the state file's next action is news.
func (c *carrier) stateCounts() bool {
	state := folded(c.StateNextAction)
	if state == "" {
		return false
	}
	same := func(s string) bool { return folded(s) == state }
	return !same(c.before.NextAction) && !slices.ContainsFunc(c.PreviousNextActions, same) &&
		!slices.ContainsFunc(c.after.Done, func(it Item) bool { return same(it.What) })
}

// folded is a text with its white space folded.
func folded(s string) string { return strings.Join(strings.Fields(s), " ") }

func (c *carrier) noNextAction() {
	e := &InputError{Key: "next_action", Msg: "there is no next action; whoever takes over would not know where to start",
		Hint: "say the first concrete step with --next-action"}
	if (c.finished || c.implied) && c.after.NextAction != "" {
		e.Msg = fmt.Sprintf("%q is finished and nothing follows it", CleanLine(c.before.NextAction, 80))
		e.Hint = "say what comes next with --next-action, or close the work with: git handoff archive --outcome done"
	}
	c.errs = append(c.errs, e)
}

// next keeps the queue behind the next action: without it, and without what this save settled, unless the author has
// just asked for it again.
func (c *carrier) next() {
	given := c.patch.Lists["next"]
	c.after.Next = slices.DeleteFunc(c.after.Next, func(it Item) bool {
		asked := sameText(given.Entries, it.What) || sameText(given.Added, it.What)
		isNew := indexOf(c.after.Done, it.What) >= 0 && indexOf(c.before.Done, it.What) < 0
		return it.What == c.after.NextAction || isNew && !asked
	})
}

func (c *carrier) reportDropped() {
	for _, l := range Lists {
		if !l.Guarded {
			continue
		}
		for _, it := range *l.Of(&c.before) {
			if indexOf(*l.Of(&c.after), it.What) < 0 && !c.settled[Drop{l.Key, it.What}] {
				c.report.Dropped = append(c.report.Dropped, Dropped{l.Key, it})
			}
		}
	}
}

func (c *carrier) checkSize() {
	n := 0
	for _, l := range Lists {
		n += len(*l.Of(&c.after))
	}
	if n > MaxItems {
		c.errs = append(c.errs, &InputError{Msg: fmt.Sprintf("the brief would have %d list entries, at most %d are kept", n, MaxItems),
			Hint: "put long lists into a file and name it under artifacts"})
	}
}
