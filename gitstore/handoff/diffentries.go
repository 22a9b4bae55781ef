package handoff

import (
	"cmp"
	"slices"
	"sort"
	"strconv"
)

// Edit is what happened to an entry of a list.
type Edit string

const (
	EditAdded    Edit = "added"
	EditRemoved  Edit = "removed"
	EditChanged  Edit = "changed"
	EditReworded Edit = "reworded"
	EditMoved    Edit = "moved"
)

// An Entry is one changed entry of a list. Was and At are its positions before and after, counted from 1; 0 is none.
// What is in no Entry kept its order.
type Entry[T any] struct {
	Edit Edit `json:"edit"`
	// Moved entries stand elsewhere among those that stayed; a changed or reworded one may have moved too.
	Moved  bool `json:"moved,omitempty"`
	Was    int  `json:"was,omitempty"`
	At     int  `json:"at,omitempty"`
	Before *T   `json:"before,omitempty"`
	After  *T   `json:"after,omitempty"`
	// From and To name the list, or next_action, that an added entry came out of or a removed one went to.
	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`
}

// An alignment pairs the entries of two lists: from[j] is where entry j of the second stands in the first, or -1.
type alignment struct {
	from    []int
	removed []int
}

// align pairs entries of one identity, the n-th of several with the n-th.
func align[T any](a, b []T, id func(T) string) alignment {
	at := make(map[string]int, len(a))
	for i, key := range occurrences(a, id) {
		at[key] = i
	}
	al := alignment{from: make([]int, len(b))}
	for j, key := range occurrences(b, id) {
		i, ok := at[key]
		if !ok {
			i = -1
		}
		al.from[j] = i
		delete(at, key)
	}
	for _, i := range at {
		al.removed = append(al.removed, i)
	}
	slices.Sort(al.removed)
	return al
}

// occurrences are the identities of the entries, made unique by counting.
func occurrences[T any](list []T, id func(T) string) []string {
	keys, seen := make([]string, len(list)), make(map[string]int, len(list))
	for i, x := range list {
		key := id(x)
		seen[key]++
		keys[i] = key + "\x00" + strconv.Itoa(seen[key])
	}
	return keys
}

// entries tells the changes of an aligned list, in the order of the second, then what is removed.
func entries[T any](a, b []T, al alignment, same func(x, y T) bool, id func(T) string) []Entry[T] {
	stayed := longestRun(al.from)
	var out []Entry[T]
	for j, i := range al.from {
		if i < 0 {
			out = append(out, Entry[T]{Edit: EditAdded, At: j + 1, After: &b[j]})
			continue
		}
		e := Entry[T]{Moved: !stayed[j], Was: i + 1, At: j + 1, Before: &a[i], After: &b[j]}
		switch {
		case id(a[i]) != id(b[j]):
			e.Edit = EditReworded
		case !same(a[i], b[j]):
			e.Edit = EditChanged
		case e.Moved:
			e.Edit = EditMoved
		default:
			continue
		}
		out = append(out, e)
	}
	for _, i := range al.removed {
		out = append(out, Entry[T]{Edit: EditRemoved, Was: i + 1, Before: &a[i]})
	}
	return out
}

// longestRun marks a longest increasing subsequence of from, leaving out -1: the entries that need not move.
func longestRun(from []int) []bool {
	var tails []int // tails[n] is the index in from of the smallest end of a run of length n+1
	previous := make([]int, len(from))
	for j, i := range from {
		if i < 0 {
			continue
		}
		n := sort.Search(len(tails), func(n int) bool { return from[tails[n]] >= i })
		previous[j] = -1
		if n > 0 {
			previous[j] = tails[n-1]
		}
		tails = append(tails[:n], append([]int{j}, tails[min(n+1, len(tails)):]...)...)
	}
	marked := make([]bool, len(from))
	if len(tails) > 0 {
		for j := tails[len(tails)-1]; j >= 0; j = previous[j] {
			marked[j] = true
		}
	}
	return marked
}

// applyEntries is the list that a becomes: what the entries place stands where they say, the rest fills the gaps.
func applyEntries[T any](a []T, changes []Entry[T]) []T {
	gone := make(map[int]bool, len(changes))
	var placed []Entry[T]
	for _, e := range changes {
		gone[e.Was-1] = true
		if e.After != nil {
			placed = append(placed, e)
		}
	}
	slices.SortStableFunc(placed, func(x, y Entry[T]) int { return cmp.Compare(x.At, y.At) })
	var out []T
	for i, x := range a {
		if gone[i] {
			continue
		}
		for ; len(placed) > 0 && placed[0].At <= len(out)+1; placed = placed[1:] {
			out = append(out, *placed[0].After)
		}
		out = append(out, x)
	}
	for _, e := range placed {
		out = append(out, *e.After)
	}
	return out
}
