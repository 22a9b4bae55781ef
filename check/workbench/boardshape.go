package workbench

import (
	"cmp"
	"slices"
	"strings"
)

// A shape walks over a board's file and collects items, whichever way they are laid out.
type shape struct {
	lines  liner
	legend map[string]string
	early  map[string]bool
	items  []Item
	// signals counts what says where an item stands, empties lists that are there for items and have none.
	signals, empties int
	// columns gives the status word of ids that stand in a column or a table instead of an item.
	columns map[string]string
	// table is the ids of such tables, in order; tables are those that may be a legend instead.
	table []member
	// strays are the lines of what lies among items and is none.
	strays []int
	tables []*node
}

// itemKeys are where a list of items lies; childKeys where an item's own sub-items do; groupKeys where groups of items
// lie that are none themselves.
const (
	itemKeys = "|features|tasks|items|todos|todo_list|feature_list|task_list|task_board|stories|user_stories|issues|cards|work_items|tickets|bugs|" +
		"requirements|entries|board|backlog_items|checklist|goals|"
	childKeys = "|subtasks|sub_tasks|children|subitems|sub_items|sub_features|subfeatures|work_units|"
	groupKeys = "|columns|lanes|lists|boards|phases|milestones|epics|sprints|sections|groups|categories|modules|stages|swimlanes|areas|iterations|"
	// otherKeys hold lists and objects that are about something else.
	otherKeys = "|history|log|logs|sessions|session_log|changelog|notes|comments|events|team|members|agents|owners|assignees|metadata|meta|schema|legend|" +
		"config|settings|statistics|stats|summary|references|tests|dependencies|decisions|risks|steps|acceptance|acceptance_criteria|criteria|" +
		"verification|evidence|artifacts|links|tags|labels|rules|instructions|definition_of_done|status_legend|statuses|status_map|"
)

func among(keys, key string) bool { return strings.Contains(keys, "|"+key+"|") }

func (s *shape) read(tree *node) {
	switch tree.kind {
	case list:
		s.list(tree, group{})
	case object:
		s.object(tree, group{}, 0)
	}
	for _, t := range s.tables {
		if !s.usedAsLegend(t) {
			s.object(t, group{}, 1)
		}
	}
	s.settleIDs()
}

// A group is what an item gets from where it lies: the word of its column, the item it belongs to. In a list of groups
// an object that holds items is none itself, even if it says how far it is.
type group struct {
	column string
	parent string
	groups bool
	// vague columns may be no column but what a list is called (backlog, plan): they say nothing against an item's own
	// status.
	vague bool
}

// list reads the elements of a list as items: objects, or lines with a check box or, in a column, any text.
func (s *shape) list(n *node, g group) {
	if len(n.items) == 0 {
		s.empties++
	}
	mixed := slices.ContainsFunc(n.items, func(el *node) bool { return el.kind == object })
	for _, el := range n.items {
		before := len(s.items)
		switch {
		case el.kind == object:
			s.element(el, "", g)
			continue
		case el.kind == list && holdsObjects(el) && len(el.items) > 0:
			s.list(el, g)
		case el.kind == text:
			s.line(el, g)
		case el.kind == number && g.column != "":
			s.columns[el.text] = g.column
			continue
		}
		if mixed && len(s.items) == before {
			s.strays = append(s.strays, s.lines.at(el.off))
		}
	}
}

// element reads an object in a list of items: an item, or a group of items such as a column with a name.
func (s *shape) element(n *node, key string, g group) {
	if inner := groupList(n); inner != nil && (g.groups || !hasSignal(n)) {
		name := cmp.Or(n.first("name", "title", "status", "id", "column", "label").say(), key)
		if status, _ := s.status(name); status != Unknown {
			g.column = name
		}
		g.groups = false
		s.inside(inner, g)
		return
	}
	if g.groups && s.isColumn(n) {
		return
	}
	it := s.item(n, key, g)
	s.items = append(s.items, it)
	for _, m := range n.current() {
		if among(childKeys+itemKeys, m.plain) {
			s.inside(m.value, group{parent: it.ID})
		}
	}
}

// groupList gives the list of items that an object in a list is there for; nil where it is an item itself.
func groupList(n *node) *node {
	for _, m := range n.members {
		if among(itemKeys, m.plain) && (holdsObjects(m.value) || holdsBoxes(m.value)) {
			return m.value
		}
	}
	return nil
}

func holdsObjects(n *node) bool {
	if n.kind == list {
		return len(n.items) == 0 || n.items[0].kind == object
	}
	return n.kind == object && len(n.members) > 0 && n.members[0].value.kind == object
}

// holdsBoxes reports whether a list holds lines with a check box.
func holdsBoxes(n *node) bool {
	return n.kind == list && slices.ContainsFunc(n.items, func(el *node) bool {
		_, title, ok := checkBox(el.text)
		return el.kind == text && ok && title != ""
	})
}

func (s *shape) inside(n *node, g group) {
	switch n.kind {
	case list:
		if holdsObjects(n) || holdsBoxes(n) || g.column != "" {
			s.list(n, g)
		}
	case object:
		s.object(n, g, 1)
	}
}

// maxShapeDepth is how far below the top of a board lists of items are looked for.
const maxShapeDepth = 4

// object reads an object that holds items: as lists under its keys, as columns, or numbered.
func (s *shape) object(n *node, g group, depth int) {
	if depth > maxShapeDepth {
		return
	}
	numbered, columns := isNumbered(n), s.columnKeys(n)
	g.vague = columns < 2
	for _, m := range n.current() {
		switch {
		case m.value.kind == list:
			s.listMember(m, g, columns > 0)
		case m.value.kind == text && s.isTable(n, m):
			s.columns[m.key] = m.value.text
			s.table = append(s.table, m)
		case m.value.kind != object:
		case among("|statuses|status_map|", m.plain) && depth == 0:
			s.tables = append(s.tables, m.value)
		case among(otherKeys, m.plain):
		case numbered:
			s.element(m.value, m.key, g)
		default:
			s.member(m, g, depth)
		}
	}
}

// member reads an object under a key that is not numbered: a column of numbered items, or something that holds more.
func (s *shape) member(m member, g group, depth int) {
	if name := columnName(m.key); s.isStatus(name) {
		g.column = name
	}
	s.object(m.value, g, depth+1)
}

// listMember reads a list under a key that may be a status. Under a key that says nothing it is a list of items only if
// its objects say where they stand, or if it lies beside columns, as one of a name that is not known.
func (s *shape) listMember(m member, g group, columns bool) {
	name := columnName(m.key)
	objects := holdsObjects(m.value) && len(m.value.items) > 0
	switch {
	case s.isStatus(name) && !(among(itemKeys, m.plain) && objects):
		g.column = name
		s.list(m.value, g)
	case among(itemKeys, m.plain):
		s.list(m.value, g)
	case among(groupKeys, m.plain) && objects:
		g.groups = true
		s.list(m.value, g)
	case among(otherKeys, m.plain) || !objects:
	case anySignal(m.value):
		s.list(m.value, g)
	case columns && m.value.items[0].first(titleKeys...) != nil:
		g.column = m.key
		s.list(m.value, g)
	}
}

// isNumbered reports whether an object is a list in disguise: every value an object, no key one that a board has
// itself, and the first value an item.
func isNumbered(n *node) bool {
	if n.kind != object || len(n.members) == 0 {
		return false
	}
	for _, m := range n.members {
		if m.value.kind != object || among(itemKeys+groupKeys+otherKeys+"|project|sprint|milestone|epic|iteration|release|", m.plain) {
			return false
		}
	}
	v := n.members[0].value
	return hasSignal(v) || v.first("title", "description", "goal") != nil
}

// line reads a text in a list: an item if it has a check box or lies in a column.
func (s *shape) line(n *node, g group) {
	if g.column != "" {
		title := strings.TrimSpace(n.text)
		s.columns[title] = g.column
		it := Item{Title: title, Line: s.lines.at(n.off), Parent: g.parent, Word: g.column}
		it.Status, _ = s.status(g.column)
		s.signals++
		s.items = append(s.items, it)
		return
	}
	if status, title, ok := checkBox(n.text); ok && title != "" {
		s.signals++
		s.items = append(s.items, Item{Title: title, Line: s.lines.at(n.off), Status: status, Parent: g.parent})
	}
}

// recognised reports whether the file is a board: something in it says where an item stands, or it is one without items.
func (s *shape) recognised() bool {
	return s.signals > 0 || len(s.items) == 0 && s.empties > 0
}

// what says what a file is that is no board.
func (s *shape) what(tree *node) string {
	switch {
	case tree.kind == object:
		return "an object without tasks"
	case tree.kind != list:
		return "a single value"
	case tree.items[0].kind == text:
		return "a list of strings"
	case tree.items[0].kind == object:
		return "a list whose entries have no status"
	}
	return "a list of values"
}
