package handoff

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// diffItems tells the changes of one list of the brief. An item that came from another list, or went to one, is not
// taken for a reworded one.
func diffItems(a, b []Item, moved movements) []Entry[Item] {
	id := func(it Item) string { return it.What }
	al := align(a, b, id)
	rewordings(a, b, &al, moved)
	out := entries(a, b, al, func(x, y Item) bool { return x == y }, id)
	for i := range out {
		switch e := &out[i]; e.Edit {
		case EditAdded:
			e.From = moved.left[e.After.What]
		case EditRemoved:
			e.To = moved.came[e.Before.What]
		}
	}
	return out
}

const (
	// likeness is how much two texts must share to be one item reworded, if nothing else of it changed.
	likeness = 0.6
	// closeLikeness is how much where other sub-keys changed too.
	closeLikeness = 0.8
	// comparedWords is how many words of an item are compared: what a list costs has a bound.
	comparedWords = 48
	// bestOf is how many candidates are kept for each item that vanished.
	bestOf = 8
)

// A likePair is a vanished item and a new one that may be its rewording; apart is how far from one another they stand
// among the vanished and the new.
type likePair struct {
	i, j, apart int
	score       float64
}

// rewordings pairs, best first, what vanished with what is new and clearly the same.
func rewordings(a, b []Item, al *alignment, moved movements) {
	index := newWordIndex()
	for j, i := range al.from {
		if i < 0 && moved.left[b[j].What] == "" {
			index.add(j, b[j])
		}
	}
	var pairs []likePair
	for rank, i := range al.removed {
		if moved.came[a[i].What] == "" {
			pairs = append(pairs, index.like(i, rank, a[i])...)
		}
	}
	slices.SortFunc(pairs, likePair.compare)
	taken := make(map[int]bool)
	for _, p := range pairs {
		if al.from[p.j] < 0 && !taken[p.i] {
			al.from[p.j], taken[p.i] = p.i, true
		}
	}
	al.removed = slices.DeleteFunc(al.removed, func(i int) bool { return taken[i] })
}

// compare orders pairs, the best first: of equals, those that kept their place.
func (p likePair) compare(q likePair) int {
	return cmp.Or(-cmp.Compare(p.score, q.score), cmp.Compare(p.apart, q.apart), cmp.Compare(p.i, q.i), cmp.Compare(p.j, q.j))
}

// besideText is what an author wrote beside the text; stamps are made anew for a new text.
func besideText(it Item) Item {
	it.What, it.At, it.Since, it.By = "", Time{}, Time{}, ""
	return it
}

func sortedWords(s string) []string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	words = words[:min(len(words), comparedWords)]
	for i, w := range words {
		words[i] = stem(w)
	}
	slices.Sort(words)
	return words
}

// stem is the part of a word that its forms share, roughly: dependency and dependencies count as one word. Names with
// numbers are compared whole.
func stem(word string) string {
	const length = 6
	n := 0
	for i := range word {
		if n++; n > length {
			if isNumber(word) {
				return word
			}
			return word[:i]
		}
	}
	return word
}

// isNumber reports whether a word is a number or a name with one in it, such as v2 or pr17.
func isNumber(word string) bool { return strings.ContainsFunc(word, unicode.IsNumber) }
