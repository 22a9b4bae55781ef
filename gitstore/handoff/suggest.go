package handoff

import "strings"

// suggest is the hint for a word that is none of those known: the nearest one if it is near, and all of them if there
// are few.
func suggest(word string, known []string) string {
	best, distance := "", 1+max(1, len(word)/3)
	if len(word) <= 64 {
		for _, k := range known {
			if d := editDistance(strings.ToLower(word), k); d < distance {
				best, distance = k, d
			}
		}
	}
	switch {
	case best != "":
		return "did you mean `" + best + "`?"
	case len(known) <= 10:
		return "it may have " + strings.Join(known, ", ")
	}
	return "git handoff schema tells the keys there are"
}

// editDistance counts the single-character changes from a to b, swaps of neighbours as one (optimal string alignment).
func editDistance(a, b string) int {
	var before []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next := make([]int, len(b)+1)
		next[0] = i
		for j := 1; j <= len(b); j++ {
			next[j] = min(row[j]+1, next[j-1]+1, row[j-1]+cost(a[i-1] != b[j-1]))
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}

func cost(differs bool) int {
	if differs {
		return 1
	}
	return 0
}
