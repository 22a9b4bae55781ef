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
	// comparedWords is how many words of an item are compared: the cost of a comparison has a bound.
	comparedWords = 48
	// bestOf is how many candidates are kept for each item that vanished.
	bestOf = 8
)

// A likePair is a vanished item and a new one that may be its rewording.
type likePair struct {
	i, j  int
	score float64
}

// rewordings pairs, best first, what vanished with what is new and clearly the same.
func rewordings(a, b []Item, al *alignment, moved movements) {
	words := make(map[int][]string)
	for j, i := range al.from {
		if i < 0 && moved.left[b[j].What] == "" {
			words[j] = sortedWords(b[j].What)
		}
	}
	var pairs []likePair
	for _, i := range al.removed {
		if moved.came[a[i].What] == "" {
			pairs = append(pairs, candidates(a[i], i, b, words)...)
		}
	}
	sortPairs(pairs)
	taken := make(map[int]bool)
	for _, p := range pairs {
		if al.from[p.j] < 0 && !taken[p.i] {
			al.from[p.j], taken[p.i] = p.i, true
		}
	}
	al.removed = slices.DeleteFunc(al.removed, func(i int) bool { return taken[i] })
}

func sortPairs(pairs []likePair) {
	slices.SortFunc(pairs, func(x, y likePair) int {
		return cmp.Or(-cmp.Compare(x.score, y.score), cmp.Compare(x.i, y.i), cmp.Compare(x.j, y.j))
	})
}

// candidates are the new items most like the vanished one.
func candidates(gone Item, i int, b []Item, words map[int][]string) []likePair {
	mine := sortedWords(gone.What)
	var out []likePair
	for j, theirs := range words {
		need := likeness
		if !sameSubkeys(gone, b[j]) {
			need = closeLikeness
		}
		if score := alike(mine, theirs, need); score >= need {
			out = append(out, likePair{i, j, score})
		}
	}
	sortPairs(out)
	return out[:min(bestOf, len(out))]
}

// sameSubkeys compares what an author wrote beside the text; stamps are made anew for a new text.
func sameSubkeys(a, b Item) bool {
	for _, it := range []*Item{&a, &b} {
		it.What, it.At, it.Since, it.By = "", Time{}, Time{}, ""
	}
	return a == b
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
		if n++; n > length && !isNumber(word) {
			return word[:i]
		}
	}
	return word
}

// alike is the share of words, from 0 to 1, that two sorted lists have in common; 0 where it cannot reach need. Texts
// that differ in numbers alone are two of a kind, such as step 4 and step 5, and not the same.
func alike(a, b []string, need float64) float64 {
	total := float64(len(a) + len(b))
	if total == 0 || 2*float64(min(len(a), len(b))) < need*total {
		return 0
	}
	common, onlyNumbers := 0, true
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			common, i, j = common+1, i+1, j+1
		case j == len(b) || i < len(a) && a[i] < b[j]:
			onlyNumbers = onlyNumbers && isNumber(a[i])
			i++
		default:
			onlyNumbers = onlyNumbers && isNumber(b[j])
			j++
		}
	}
	if onlyNumbers && float64(common) < total/2 {
		return 0
	}
	return 2 * float64(common) / total
}

// isNumber reports whether a word is a number or a name with one in it, such as v2 or pr17.
func isNumber(word string) bool { return strings.ContainsFunc(word, unicode.IsNumber) }
