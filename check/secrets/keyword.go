package secrets

import (
	"strings"
	"sync"
)

// An index finds all keywords of all rules in one pass. Keywords are filed under their first three bytes, folded;
// a bit set of the hashes of those answers "none here" for nearly every byte of an ordinary text.
type index struct {
	folded [256]byte
	bits   [1 << 16 / 64]uint64
	groups map[[3]byte][]keyed
}

type keyed struct {
	word string
	rule *rule
}

var keywords = sync.OnceValue(func() *index {
	x := &index{groups: map[[3]byte][]keyed{}}
	for i := range x.folded {
		x.folded[i] = fold(byte(i))
	}
	for _, r := range rules() {
		for _, w := range r.words() {
			key := [3]byte{fold(w[0]), fold(w[1]), fold(w[2])}
			h := hash(key[0], key[1], key[2])
			x.bits[h>>6] |= 1 << (h & 63)
			x.groups[key] = append(x.groups[key], keyed{w, r})
		}
	}
	return x
})

// hash spreads three folded bytes over the bit set.
func hash(a, b, c byte) uint32 {
	return (uint32(a) | uint32(b)<<8 | uint32(c)<<16) * 0x9e3779b1 >> 16
}

func fold(c byte) byte {
	if upper(c) {
		return c | 0x20
	}
	return c
}

// eachKeyword calls try for every rule at every place where one of its keywords stands.
func eachKeyword(text string, try func(r *rule, at int)) {
	if len(text) < 3 {
		return
	}
	x := keywords()
	a, b := x.folded[text[0]], x.folded[text[1]]
	for i := 2; i < len(text); i++ {
		c := x.folded[text[i]]
		h := hash(a, b, c)
		if x.bits[h>>6]&(1<<(h&63)) != 0 {
			x.tryAt(text, i-2, [3]byte{a, b, c}, try)
		}
		a, b = b, c
	}
}

func (x *index) tryAt(text string, at int, key [3]byte, try func(*rule, int)) {
	for _, k := range x.groups[key] {
		if len(text)-at < len(k.word) {
			continue
		}
		here := text[at : at+len(k.word)]
		if here == k.word || k.rule.fold && strings.EqualFold(here, k.word) {
			try(k.rule, at)
		}
	}
}
