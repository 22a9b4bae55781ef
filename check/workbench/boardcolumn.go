package workbench

import (
	"slices"
	"strings"
)

// columnKeys counts the keys of an object that are columns: those of lists, or of objects, that are a status. Where a
// list lies under a key that items have, it counts none: the others are about these items.
func (s *shape) columnKeys(n *node) int {
	found := 0
	for _, m := range n.members {
		status, _ := s.status(columnName(m.key))
		if status != Unknown && m.value.kind >= list {
			found++
		}
		if m.value.kind == list && status == Unknown && among(itemKeys, m.plain) {
			return 0
		}
	}
	return found
}

func (s *shape) isStatus(word string) bool {
	status, _ := s.status(word)
	return status != Unknown
}

// columnName gives the status that a key names, without what lies there: completed_tasks, remainingFeatures.
func columnName(key string) string {
	plain := plainKey(key)
	if slices.Contains(activeKeys, plain) {
		return key
	}
	for _, what := range []string{"_tasks", "_features", "_items", "_stories", "_todos", "_issues", "_cards"} {
		if name, found := strings.CutSuffix(plain, what); found && lookup(key) == Unknown {
			return name
		}
	}
	return key
}

// isColumn reads a column that has a name and no items, or only the ids of its items.
func (s *shape) isColumn(n *node) bool {
	name := n.first("name", "title", "label", "status", "id").say()
	if !s.isStatus(name) || n.get("status") != nil && n.first("name", "title", "label") != nil {
		return false
	}
	for _, m := range n.members {
		for _, el := range m.value.items {
			if el.kind == text || el.kind == number {
				s.columns[strings.TrimSpace(el.text)] = name
			}
		}
	}
	return true
}
