package handoff

import (
	"encoding/json"
	"errors"
	"slices"
)

// A Difference is what changed from one document to another, field by field in the order of the document. Texts,
// Lists and Facts hold all of it; Settled and Gone are views of what readers look for first.
type Difference struct {
	Texts []TextChange `json:"texts,omitempty"`
	Lists []ListChange `json:"lists,omitempty"`
	// Settled is what is done now and was a step, pending or uncertain before.
	Settled []Settled `json:"progress,omitempty"`
	// Gone is what vanished from the guarded lists without being done.
	Gone  []Gone       `json:"dropped,omitempty"`
	Facts []FactChange `json:"facts,omitempty"`
}

// Empty reports whether the documents are the same.
func (d *Difference) Empty() bool { return len(d.Texts) == 0 && len(d.Lists) == 0 && len(d.Facts) == 0 }

// A TextChange is a text of the brief that changed. An absent text is "".
type TextChange struct {
	Key    string `json:"key"`
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

// A ListChange is a list of the brief that changed.
type ListChange struct {
	Key   string        `json:"key"`
	Items []Entry[Item] `json:"items"`
}

// MarshalJSON writes the items with the keys that they have in the document: an artifact has a name.
func (c ListChange) MarshalJSON() ([]byte, error) {
	identity := "what"
	if l, ok := ListOf(c.Key); ok {
		identity = l.Identity
	}
	write := func(it *Item) (json.RawMessage, error) {
		if it == nil {
			return nil, nil
		}
		return it.marshal(identity)
	}
	out := struct {
		Key   string                   `json:"key"`
		Items []Entry[json.RawMessage] `json:"items"`
	}{Key: c.Key}
	for _, e := range c.Items {
		before, err := write(e.Before)
		after, err2 := write(e.After)
		if err := errors.Join(err, err2); err != nil {
			return nil, err
		}
		x := Entry[json.RawMessage]{Edit: e.Edit, Moved: e.Moved, Was: e.Was, At: e.At, From: e.From, To: e.To}
		if before != nil {
			x.Before = &before
		}
		if after != nil {
			x.After = &after
		}
		out.Items = append(out.Items, x)
	}
	return marshalJSON(out)
}

// Settled is an item that is done now; From is where it came from: next_action, next, pending or uncertain.
type Settled struct {
	From string `json:"from"`
	Item Item   `json:"item"`
}

// Gone is an item that vanished from a guarded list; To names the list that has it now, if one has.
type Gone struct {
	List string `json:"list"`
	Item Item   `json:"item"`
	To   string `json:"to,omitempty"`
}

// Diff tells what changed from a to b.
func Diff(a, b *Document) *Difference {
	d := new(Difference)
	for _, t := range Texts {
		if before, after := *t.Of(&a.Brief), *t.Of(&b.Brief); before != after {
			d.Texts = append(d.Texts, TextChange{Key: t.Key, Before: before, After: after})
		}
	}
	moves := movesBetween(&a.Brief, &b.Brief)
	for _, l := range Lists {
		items := diffItems(*l.Of(&a.Brief), *l.Of(&b.Brief), moves)
		if len(items) > 0 {
			d.Lists = append(d.Lists, ListChange{Key: l.Key, Items: items})
			d.note(l, items)
		}
	}
	for _, f := range facts {
		if c, changed := f.diff(a, b); changed {
			d.Facts = append(d.Facts, c)
		}
	}
	return d
}

// note adds a list's changes to the views.
func (d *Difference) note(l List, items []Entry[Item]) {
	for _, e := range items {
		switch {
		case e.Edit == EditAdded && e.From != "" && l.Key == "done":
			d.Settled = append(d.Settled, Settled{From: e.From, Item: *e.After})
		case e.Edit == EditRemoved && l.Guarded && e.To != "done":
			d.Gone = append(d.Gone, Gone{List: l.Key, Item: *e.Before, To: e.To})
		}
	}
}

// Apply is the document that a becomes by the difference: Apply(a, Diff(a, b)) equals b. It leaves a as it is.
func Apply(a *Document, d *Difference) *Document {
	out := *a
	for _, c := range d.Texts {
		if i := slices.IndexFunc(Texts, func(t Text) bool { return t.Key == c.Key }); i >= 0 {
			*Texts[i].Of(&out.Brief) = c.After
		}
	}
	for _, c := range d.Lists {
		if l, ok := ListOf(c.Key); ok {
			items := l.Of(&out.Brief)
			*items = applyEntries(*items, c.Items)
		}
	}
	out.unshare()
	for _, f := range facts {
		for _, c := range d.Facts {
			if c.Key == f.key {
				f.apply(&out, c)
			}
		}
	}
	return &out
}

// unshare copies what hangs on pointers and is changed in place.
func (d *Document) unshare() {
	d.Worktree = copyOf(d.Worktree)
	d.CommandsRun = copyOf(d.CommandsRun)
	d.VerdictPointer = copyOf(d.VerdictPointer)
	d.Clean = copyOf(d.Clean)
}

func copyOf[T any](p *T) *T {
	if p == nil {
		return nil
	}
	c := *p
	return &c
}

// movements are where items, by identity, went from and to: a step that is done, a step that was promoted, a question
// that became a blocker.
type movements struct{ left, came map[string]string }

func movesBetween(a, b *Brief) movements {
	return movements{left: placesLost(a, b), came: placesLost(b, a)}
}

// placesLost gives for each item that y has not where x has it the place, next_action or a list; done before others.
func placesLost(x, y *Brief) map[string]string {
	place := make(map[string]string)
	note := func(what, key string) {
		if what != "" && (place[what] == "" || key == "done") {
			place[what] = key
		}
	}
	if x.NextAction != y.NextAction {
		note(x.NextAction, "next_action")
	}
	for _, l := range Lists {
		has := indexItems(*l.Of(y))
		for _, it := range *l.Of(x) {
			if has.find(it.What) == nil {
				note(it.What, l.Key)
			}
		}
	}
	return place
}
