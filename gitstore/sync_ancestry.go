package gitstore

import (
	"context"
	"strings"
)

// ancestry answers which code commits descend from which. What it does not know yet it denies, and remembers the
// question: answer then settles all of them with one child.
type ancestry struct {
	repo  *Repo
	known map[lineage]bool
	open  map[lineage]bool
	// asked is set by a question that is still open.
	asked bool
}

// A lineage is a question: does head descend from from?
type lineage struct{ head, from string }

func newAncestry(r *Repo) *ancestry {
	return &ancestry{repo: r, known: map[lineage]bool{}, open: map[lineage]bool{}}
}

func (a *ancestry) descends(head, from string) bool {
	q := lineage{head, from}
	answer, ok := a.known[q]
	if !ok {
		a.open[q], a.asked = true, true
	}
	return answer
}

// answer settles what is open. Of a commit that is not here, nothing descends, and it from nothing.
func (a *ancestry) answer(ctx context.Context) error {
	if len(a.open) == 0 {
		return nil
	}
	var in strings.Builder
	bits := map[string]int{}
	for q := range a.open {
		a.known[q] = false
		if a.repo.HasCommit(ctx, q.head) && a.repo.HasCommit(ctx, q.from) {
			in.WriteString(q.head + "\n")
			if _, ok := bits[q.from]; !ok {
				bits[q.from] = len(bits)
			}
		}
	}
	if in.Len() > 0 {
		out, err := a.repo.gitIn(ctx, []byte(in.String()), "rev-list", "--topo-order", "--reverse", "--parents", "--stdin")
		if err != nil {
			return err
		}
		reach := reachability(string(out), bits)
		for q := range a.open {
			if i, ok := bits[q.from]; ok {
				a.known[q] = reach[q.head].has(i)
			}
		}
	}
	clear(a.open)
	return nil
}

// A bitset is a set of small numbers.
type bitset []uint64

func (b bitset) has(i int) bool { return i/64 < len(b) && b[i/64]&(1<<(i%64)) != 0 }

func (b bitset) add(i int) { b[i/64] |= 1 << (i % 64) }

func (b bitset) union(c bitset) {
	for i := range c {
		b[i] |= c[i]
	}
}

// reachability reads lines of a commit and its parents, no child before its parents, and gives for each commit which
// of the numbered ones it reaches. Along a line of commits that adds nothing, all share one set.
func reachability(lines string, bits map[string]int) map[string]bitset {
	reach := map[string]bitset{}
	size := (len(bits) + 63) / 64
	for line := range strings.Lines(lines) {
		ids := strings.Fields(line)
		i, numbered := bits[ids[0]]
		if !numbered && len(ids) == 2 {
			reach[ids[0]] = reach[ids[1]]
			continue
		}
		set := make(bitset, size)
		for _, parent := range ids[1:] {
			set.union(reach[parent])
		}
		if numbered {
			set.add(i)
		}
		reach[ids[0]] = set
	}
	return reach
}
