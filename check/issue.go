package check

import (
	"fmt"
	"slices"
	"strings"

	"git-handoff/gitstore/handoff"
)

// An Issue is what a rule found. Rule is the rule's id, such as "tree.uncommitted"; Place is a path, a path with a
// line, a branch or a key of the document; each Mend is a command that can be pasted, or a short sentence.
type Issue struct {
	Rule     string           `json:"id"`
	Place    string           `json:"place,omitempty"`
	What     string           `json:"what"`
	Severity handoff.Severity `json:"severity"`
	Mend     []string         `json:"mend,omitempty"`
}

// Check is the family of the rule: tree, temp, tests, board or branch for the clean state.
func (i Issue) Check() string {
	family, _, _ := strings.Cut(i.Rule, ".")
	return family
}

// Blocking are the issues that block; Others are the rest.
func Blocking(all []Issue) (blocking, others []Issue) {
	for _, i := range all {
		if i.Severity == handoff.Block {
			blocking = append(blocking, i)
		} else {
			others = append(others, i)
		}
	}
	return blocking, others
}

// bySeverity orders issues: what blocks first, what only informs last; the order of the rules stays within each.
func bySeverity(all []Issue) []Issue {
	rank := map[handoff.Severity]int{handoff.Block: 0, handoff.Warn: 1, handoff.Info: 2}
	slices.SortStableFunc(all, func(a, b Issue) int { return rank[a.Severity] - rank[b.Severity] })
	return all
}

// maxNamed is how many of the things that are alike one issue names.
const maxNamed = 5

// Some names the first few of a list and counts the rest.
func Some(list []string) string {
	if len(list) <= maxNamed {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:maxNamed], ", "), len(list)-maxNamed)
}

// count writes a number with its noun.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// shellWord quotes a word for a POSIX shell where it needs that.
func shellWord(s string) string {
	plain := s != "" && !strings.HasPrefix(s, "-")
	for _, c := range s {
		plain = plain && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("_@%+=:,./-", c) || c >= 0x80)
	}
	if plain {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
