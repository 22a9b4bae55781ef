package workbench

import (
	"bytes"
	"strconv"
	"strings"
)

// A valueKind is what a JSON value is.
type valueKind int

const (
	broken valueKind = iota
	null
	boolean
	number
	text
	list
	object
)

// A node is a JSON value. Text is a string's text, or a number or literal as written.
type node struct {
	kind    valueKind
	off     int
	text    string
	items   []*node
	members []member
}

// A member is one key of an object as written and as plainKey writes it, and its value.
type member struct {
	key, plain string
	off        int
	value      *node
}

// parse reads a whole text as one JSON value.
func parse(b []byte) (*node, error) {
	c := &cursor{b: b}
	n, err := c.node(0)
	if err != nil {
		return nil, err
	}
	if c.peek() != 0 {
		return nil, c.fail("something follows the end of it")
	}
	return n, nil
}

func (c *cursor) node(depth int) (*node, error) {
	if depth > maxDepth {
		return nil, c.fail("it is nested more than %d deep", maxDepth)
	}
	first := c.peek()
	n := &node{off: c.i}
	var err error
	switch first {
	case '"':
		n.kind = text
		var raw []byte
		raw, err = c.rawString()
		n.text = unquote(raw)
	case '[':
		n.kind = list
		err = c.elements(func() error { return n.addItem(c, depth) })
	case '{':
		n.kind = object
		err = c.members(func(key []byte) error { return n.addMember(c, key, depth) })
	default:
		var w []byte
		w, err = c.word()
		n.kind, n.text = kindOfWord(w), string(w)
	}
	return n, err
}

func (n *node) addItem(c *cursor, depth int) error {
	item, err := c.node(depth + 1)
	n.items = append(n.items, item)
	return err
}

func (n *node) addMember(c *cursor, key []byte, depth int) error {
	m := member{key: unquote(key), off: c.i}
	m.plain = plainKey(m.key)
	var err error
	m.value, err = c.node(depth + 1)
	n.members = append(n.members, m)
	return err
}

// kindOfWord tells what a number or literal is.
func kindOfWord(w []byte) valueKind {
	switch string(w) {
	case "":
		return broken
	case "null", "None":
		return null
	case "true", "false", "True", "False":
		return boolean
	case "NaN", "nan", "-NaN", "Infinity", "-Infinity", "+Infinity", "inf", "-inf":
		return number
	}
	if bytes.IndexByte([]byte("0123456789-+."), w[0]) < 0 {
		return broken
	}
	if _, err := strconv.ParseFloat(string(w), 64); err != nil && !strings.Contains(err.Error(), "range") {
		return broken
	}
	return number
}

// get gives the value of a key, the last where it is there twice; nil where there is none. A null is given.
func (n *node) get(key string) *node {
	if n == nil {
		return nil
	}
	for i := len(n.members) - 1; i >= 0; i-- {
		if n.members[i].plain == key {
			return n.members[i].value
		}
	}
	return nil
}

// current gives the members that count: of a key that is there twice the last.
func (n *node) current() []member {
	last := make(map[string]int, len(n.members))
	for i, m := range n.members {
		last[m.key] = i
	}
	if len(last) == len(n.members) {
		return n.members
	}
	var all []member
	for i, m := range n.members {
		if last[m.key] == i {
			all = append(all, m)
		}
	}
	return all
}

// plainKey writes a key in small letters with underscores: nextAction, Next-Action and next action are next_action.
func plainKey(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '-' || c == ' ' || c == '.':
			b.WriteByte('_')
		case 'A' <= c && c <= 'Z':
			if i > 0 && 'a' <= s[i-1] && s[i-1] <= 'z' {
				b.WriteByte('_')
			}
			b.WriteByte(c | 0x20)
		default:
			b.WriteByte(c)
		}
	}
	return strings.ToLower(b.String())
}

// first gives the value of the first of the keys that has one other than null.
func (n *node) first(keys ...string) *node {
	for _, k := range keys {
		if v := n.get(k); v != nil && v.kind != null {
			return v
		}
	}
	return nil
}

// said gives the value of the first of the keys under which there is more than a way to write that there is nothing.
func (n *node) said(keys ...string) *node {
	for _, k := range keys {
		if v := n.get(k); v != nil && (v.kind == object && len(v.members) > 0 || len(v.strings()) > 0) {
			return v
		}
	}
	return nil
}

// describing are the keys under which an object says in words what it is.
var describing = []string{"what", "text", "description", "title", "summary", "detail", "message", "reason", "name", "note", "value", "assumption",
	"blocker", "step", "action", "task", "issue", "content", "desc", "details", "statement", "label", "subject", "error", "command", "描述", "内容",
	"説明", "설명", "описание", "descripción", "descrição", "beschreibung", "id"}

// say gives a value as one text: a string, a number, what an object calls itself; "" where there is none.
func (n *node) say() string {
	switch {
	case n == nil:
		return ""
	case n.kind == text:
		return strings.TrimSpace(n.text)
	case n.kind == number || n.kind == boolean:
		return n.text
	case n.kind == object:
		return n.first(describing...).say()
	case n.kind == list && len(n.items) == 1:
		return n.items[0].say()
	}
	return ""
}

// outline gives an object that does not say what it is by the first of its texts and numbers.
func (n *node) outline() string {
	var parts []string
	for _, m := range n.members {
		if v := m.value; (v.kind == text || v.kind == number) && !nothing(v.text) && len(parts) < 4 {
			parts = append(parts, m.key+": "+v.say())
		}
	}
	return strings.Join(parts, ", ")
}

// strings gives a value as a list of texts: of a list each element, of an object each value, else the one.
func (n *node) strings() []string {
	var all []string
	add := func(v *node) {
		s := v.say()
		switch {
		case v.kind == list && len(v.items) > 1:
			all = append(all, v.strings()...)
			return
		case s == "" && v.kind == object:
			s = v.outline()
		}
		if !nothing(s) {
			all = append(all, s)
		}
	}
	switch {
	case n == nil:
	case n.kind == list:
		for _, item := range n.items {
			add(item)
		}
	case n.kind == object && n.first(describing...) == nil:
		for _, m := range n.members {
			add(m.value)
		}
	default:
		add(n)
	}
	return all
}

// nothing reports whether s is a way to write that there is nothing.
func nothing(s string) bool {
	return among("||none|n/a|na|null|nil|nothing|false|no|empty|none currently|none known|no blockers|no blocker|no open blockers|no active blockers|"+
		"no issues|no issues found|no findings|no problems|no problems found|no errors|no warnings|no concerns|none found|all clear|not blocked|"+
		"keine|keiner|keines|nichts|无|無|没有|暂无|なし|特になし|없음|нет|aucun|aucune|rien|ninguno|ninguna|nada|nenhum|nenhuma|nessuno|nessuna|"+
		"niente|geen|ingen|inga|brak|žádné|yok|", strings.ToLower(strings.Trim(s, " .-_")))
}

// duplicates appends the members whose key came before in the same object.
func (n *node) duplicates(all []member) []member {
	for _, item := range n.items {
		all = item.duplicates(all)
	}
	seen := make(map[string]bool, len(n.members))
	for _, m := range n.members {
		if seen[m.key] {
			all = append(all, m)
		}
		seen[m.key] = true
		all = m.value.duplicates(all)
	}
	return all
}
