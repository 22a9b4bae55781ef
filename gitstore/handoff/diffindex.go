package handoff

import "slices"

// A wordIndex finds the new items that share words with one that vanished. It counts what they share word by word, so
// that two long lists, reworded from end to end, are not compared text by text.
type wordIndex struct {
	// ids number the words, the second of one kind in an item apart from the first; holders are the new items that have each.
	ids     map[countedWord]int
	holders [][]int32
	fresh   []freshItem
	// shared counts what the item in hand has in common with each new one.
	shared []sharedWords
}

type countedWord struct {
	word string
	nth  int
}

// A freshItem is a new item: its place in its list, and how many words it has. Plain ones have no number in them.
type freshItem struct {
	j            int
	words, plain int
	subkeys      Item
}

type sharedWords struct{ all, plain int32 }

func newWordIndex() *wordIndex { return &wordIndex{ids: make(map[countedWord]int)} }

// add takes a new item in.
func (x *wordIndex) add(j int, it Item) {
	f := freshItem{j: j, subkeys: besideText(it)}
	for _, w := range countWords(it.What) {
		id, known := x.ids[w]
		if !known {
			id = len(x.holders)
			x.ids[w] = id
			x.holders = append(x.holders, nil)
		}
		x.holders[id] = append(x.holders[id], int32(len(x.fresh)))
		f.count(w)
	}
	x.fresh = append(x.fresh, f)
	x.shared = append(x.shared, sharedWords{})
}

func (f *freshItem) count(w countedWord) {
	f.words++
	if !isNumber(w.word) {
		f.plain++
	}
}

func countWords(s string) []countedWord {
	words := sortedWords(s)
	out := make([]countedWord, len(words))
	for i, w := range words {
		out[i] = countedWord{word: w}
		if i > 0 && words[i-1] == w {
			out[i].nth = out[i-1].nth + 1
		}
	}
	return out
}

// like are the new items most like one that vanished: item i of its list, the rank-th of those that vanished.
func (x *wordIndex) like(i, rank int, it Item) []likePair {
	clear(x.shared)
	gone := freshItem{j: i, subkeys: besideText(it)}
	for _, w := range countWords(it.What) {
		gone.count(w)
		if id, known := x.ids[w]; known {
			x.share(x.holders[id], isNumber(w.word))
		}
	}
	var best []likePair
	for n := range x.fresh {
		f := &x.fresh[n]
		score := gone.alike(f, x.shared[n])
		if score < likeness || score < closeLikeness && gone.subkeys != f.subkeys {
			continue
		}
		best = keepBest(best, likePair{i: i, j: f.j, apart: max(rank-n, n-rank), score: score})
	}
	return best
}

func (x *wordIndex) share(holders []int32, number bool) {
	plain := int32(1)
	if number {
		plain = 0
	}
	for _, n := range holders {
		x.shared[n].all++
		x.shared[n].plain += plain
	}
}

// alike is the share of words, from 0 to 1, that two items have in common. Texts that differ in numbers alone are two
// of a kind, such as step 4 and step 5, and not the same.
func (f *freshItem) alike(g *freshItem, s sharedWords) float64 {
	total := float64(f.words + g.words)
	onlyNumbers := int(s.plain) == f.plain && f.plain == g.plain
	if total == 0 || onlyNumbers && float64(s.all) < total/2 {
		return 0
	}
	return 2 * float64(s.all) / total
}

// keepBest adds a pair to the best few, which are in order.
func keepBest(best []likePair, p likePair) []likePair {
	if len(best) == bestOf && p.compare(best[bestOf-1]) >= 0 {
		return best
	}
	at, _ := slices.BinarySearchFunc(best, p, likePair.compare)
	best = slices.Insert(best, at, p)
	return best[:min(len(best), bestOf)]
}
