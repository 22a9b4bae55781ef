package handoff

import "slices"

// mergeList merges one list item by item. The order is the first side's, followed by what only the other has; the
// first side is the one that reordered what both had from the base, where only one did.
func (m *merger) mergeList(l List) []Item {
	base := indexItems(*l.Of(&m.base.Brief))
	a, b := *l.Of(&m.a.Doc.Brief), *l.Of(&m.b.Doc.Brief)
	ia, ib := indexItems(a), indexItems(b)
	order := slices.Concat(a, b)
	if reordered(base, b) && !reordered(base, a) {
		order = slices.Concat(b, a)
	}
	var out []Item
	seen := make(map[string]bool, len(order))
	for _, it := range order {
		if seen[it.What] {
			continue
		}
		seen[it.What] = true
		if merged, ok := m.mergeItem(l, base.find(it.What), ia.find(it.What), ib.find(it.What)); ok {
			out = append(out, merged)
		}
	}
	return out
}

// itemIndex finds items by identity.
type itemIndex struct {
	items []Item
	at    map[string]int
}

func indexItems(items []Item) itemIndex {
	ix := itemIndex{items: items, at: make(map[string]int, len(items))}
	for i, it := range items {
		if _, twice := ix.at[it.What]; !twice {
			ix.at[it.What] = i
		}
	}
	return ix
}

func (ix itemIndex) find(what string) *Item {
	i, ok := ix.at[what]
	if !ok {
		return nil
	}
	return &ix.items[i]
}

// reordered reports whether the items that come from the base stand in another order than there.
func reordered(base itemIndex, items []Item) bool {
	last := -1
	for _, it := range items {
		i, ok := base.at[it.What]
		if !ok {
			continue
		}
		if i < last {
			return true
		}
		last = i
	}
	return false
}

// mergeItem merges what became of one item; nil stands for an item that is not there. The second result is false if
// the item is gone: one side removed it and the other left it as it was.
func (m *merger) mergeItem(l List, base, a, b *Item) (Item, bool) {
	if a != nil && b != nil {
		return m.mergeSubkeys(l, base, *a, *b), true
	}
	kept := a
	if kept == nil {
		kept = b
	}
	return *kept, base == nil || *kept != *base
}

func (m *merger) mergeSubkeys(l List, base *Item, a, b Item) Item {
	added := base == nil
	if added {
		base = &Item{What: a.What}
	}
	out := Item{What: a.What}
	for _, key := range l.Subkeys {
		value, clash := pick(base.Subkey(key), a.Subkey(key), b.Subkey(key))
		// Where both added the item, an absent value was said as much as one that is there.
		if clash || added && safest[key] != nil {
			value = m.settleSubkey(l, key, a, b)
		}
		if err := out.SetSubkey(key, value); err != nil {
			panic("handoff: an item's own value is refused: " + err.Error())
		}
	}
	return out
}

// safest orders the values of sub-keys where one is safer to act on, the safest first. An absent effect or replay
// reads as the safest, so it stands beside it.
var safest = map[string][]string{
	"effect":   {string(EffectExternal), "", string(EffectLocal), string(EffectNone)},
	"replay":   {string(ReplayNever), "", string(ReplayAfterCheck), string(ReplaySafe)},
	"severity": {string(Block), string(Warn), string(Info), ""},
	"required": {"true", ""},
	"for":      {"human", "agent", ""},
}

// settleSubkey decides a sub-key that both sides changed.
func (m *merger) settleSubkey(l List, key string, a, b Item) string {
	f := Field{List: l.Key, What: a.What, Key: key}
	switch key {
	case "effect", "replay", "severity", "required", "for":
		return safer(safest[key], a.Subkey(key), b.Subkey(key))
	case "at", "since", "expires":
		return earlier(a.Subkey(key), b.Subkey(key))
	case "by":
		return m.first(f, a, b)
	}
	return m.settle(f)
}

func safer(order []string, a, b string) string {
	if slices.Index(order, a) <= slices.Index(order, b) {
		return a
	}
	return b
}

// earlier compares times as they are written, which for UTC is the order of time; an absent one gives way.
func earlier(a, b string) string {
	if b == "" || a != "" && a <= b {
		return a
	}
	return b
}

// first is who did something first: two people may have settled the same step.
func (m *merger) first(f Field, a, b Item) string {
	switch {
	case a.At.Std().Before(b.At.Std()) && a.By != "":
		return a.By
	case b.At.Std().Before(a.At.Std()) && b.By != "":
		return b.By
	}
	winner, _, _ := m.last(f)
	return f.Of(winner.Doc)
}
