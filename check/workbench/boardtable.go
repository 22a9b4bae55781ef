package workbench

// isTable reports whether a text is an entry of a table from ids to statuses: all members of n are texts, two thirds of
// them statuses, and its key is no name for one.
func (s *shape) isTable(n *node, m member) bool {
	known := 0
	for _, other := range n.members {
		if other.value.kind != text {
			return false
		}
		if status, _ := s.status(other.value.text); status != Unknown {
			known++
		}
	}
	return 3*known >= 2*len(n.members) && !among("|status|state|phase|stage|", m.plain)
}

// usedAsLegend reports whether a table tells what status words mean, not where items stand.
func (s *shape) usedAsLegend(table *node) bool {
	for _, m := range table.members {
		if status, _ := statusOf(m.key); status != Unknown {
			return true
		}
		for _, it := range s.items {
			if it.Word == m.key {
				return true
			}
		}
	}
	return false
}

// settleIDs gives items the status that a column or a table has for their id, drops the lines of columns that stand for
// such an item, and makes items of the ids that a table alone knows.
func (s *shape) settleIDs() {
	listed := map[string]bool{}
	for _, it := range s.items {
		listed[it.ID] = true
	}
	kept := s.items[:0]
	for _, it := range s.items {
		if it.ID == "" && it.Title != "" && listed[it.Title] {
			continue
		}
		if word, ok := s.columns[it.ID]; ok && it.ID != "" {
			s.signals++
			it.stands(s, word)
		}
		kept = append(kept, it)
	}
	s.items = kept
	for _, m := range s.table {
		if !listed[m.key] {
			s.signals++
			it := Item{ID: m.key, Line: s.lines.at(m.off)}
			it.stands(s, m.value.text)
			s.items = append(s.items, it)
		}
	}
	s.blockers()
}

// legend reads a table of what the status words of a board mean.
func legend(tree *node) map[string]string {
	words := map[string]string{}
	for _, key := range []string{"statuses", "status_legend", "status_map", "legend", "status_values", "states", "columns", "lists", "lanes"} {
		table := tree.get(key)
		if table == nil {
			continue
		}
		for _, m := range table.members {
			if meaning := m.value.say(); meaning != "" {
				words[m.key] = meaning
			}
		}
		for _, el := range table.items {
			if id, name := el.first("id", "key", "code").say(), el.first("name", "label", "title", "meaning").say(); id != "" {
				words[id] = name
			}
		}
	}
	return words
}

// flowKeys hold the statuses of a board in their order.
var flowKeys = []string{"allowed_statuses", "allowed_status", "valid_statuses", "valid_status", "status_values", "status_flow", "workflow", "columns", "statuses", "states"}

// early gives the words that mean that all is done elsewhere and on this board a step on the way: behind them in the
// order of its statuses work goes on, and another word for done follows.
func early(tree *node) map[string]bool {
	words := map[string]bool{}
	for _, holder := range []*node{tree, tree.get("rules"), tree.get("schema"), tree.get("meta"), tree.get("config")} {
		for _, key := range flowKeys {
			markEarly(holder.get(key), words)
		}
	}
	return words
}

func markEarly(flow *node, words map[string]bool) {
	if flow == nil {
		return
	}
	done, working := false, false
	for i := len(flow.items) - 1; i >= 0; i-- {
		word := flow.items[i].say()
		switch status, _ := statusOf(word); {
		case status == InProgress:
			working = working || done
		case status == Done && working:
			words[plainWord(word)] = true
		case status == Done:
			done = true
		}
	}
}
