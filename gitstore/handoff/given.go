package handoff

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// An Given is a list entry as it was written: its text, and the sub-keys that were supplied, each as written. A time may
// be an offset from the moment of the save.
type Given struct {
	What string
	Sub  map[string]string
}

// anyMoment stands for the moment of the save where only the form of a time is checked.
var anyMoment = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// checkSubkey reports why a sub-key of the list cannot have the value, or nil. An empty value is an absent one.
func (l List) checkSubkey(key, value string) error {
	if value == "" {
		return nil
	}
	if isTime(key) {
		_, err := ParseTimeAt(value, anyMoment)
		return err
	}
	if allowed := l.SubkeyValues(key); allowed != nil && !slices.Contains(allowed, value) {
		return &ValueError{value, allowed}
	}
	return nil
}

// Max is the longest text of an entry, in characters; 0 is no limit.
func (l List) Max() int {
	if strings.HasPrefix(l.Key, notesPrefix) {
		return MaxNote
	}
	return 0
}

// checkWhat reports why an entry of the list cannot have the text, or nil.
func (l List) checkWhat(what string) error { return Text{Max: l.Max()}.check(what) }

// entry reads one entry of a list: a text, or a mapping of the list's keys.
func (r *reader) entry(n *yaml.Node, l List) (Given, bool) {
	if n.Kind != yaml.MappingNode {
		what := r.text(n, l.Key)
		return Given{What: what}, r.hasText(n, l, what)
	}
	e := Given{Sub: map[string]string{}}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		switch {
		case key.Value == l.Identity:
			e.What = r.text(value, join(l.Key, key.Value))
		case slices.Contains(l.Subkeys, key.Value):
			e.Sub[key.Value] = r.subkey(value, l, key.Value)
		default:
			r.unknownSubkey(key, l)
		}
	}
	return e, r.hasText(n, l, e.What)
}

// hasText holds an author's entry to having a text, unless something is already wrong with it.
func (r *reader) hasText(n *yaml.Node, l List, what string) bool {
	if !r.author || strings.TrimSpace(what) != "" {
		return true
	}
	text := n
	if n.Kind == yaml.MappingNode {
		text = child(n, l.Identity)
	}
	switch {
	case text == nil:
		r.fail(n.Line, l.Key, "say in `"+l.Identity+"` what it is about", "the entry has no `%s`", l.Identity)
	case text.Kind == yaml.ScalarNode && text.ShortTag() == "!!str":
		r.fail(n.Line, l.Key, "say what it is about, or leave the entry out", "the entry is empty")
	}
	return false
}

func (r *reader) unknownSubkey(key *yaml.Node, l List) {
	if !r.author {
		r.unknownKey(join(l.Key, key.Value))
		return
	}
	known := append([]string{l.Identity}, l.Subkeys...)
	r.fail(key.Line, join(l.Key, key.Value), suggest(key.Value, known), "an entry of %s has no such key", l.Key)
}

// subkey reads the value of a sub-key in its written form.
func (r *reader) subkey(n *yaml.Node, l List, key string) string {
	path := join(l.Key, key)
	switch {
	case key == "required":
		return fmt.Sprint(r.boolean(n, path))
	case isTime(key) && !isTimeNode(n):
		r.wrongKind(n, path, "a time")
		return ""
	case isTime(key):
		return r.checked(n, l, key, path)
	case r.text(n, path) == "":
		return ""
	}
	return r.checked(n, l, key, path)
}

func (r *reader) checked(n *yaml.Node, l List, key, path string) string {
	if err := l.checkSubkey(key, n.Value); err != nil {
		r.fail(n.Line, path, "", "%s", err)
		return ""
	}
	return n.Value
}

// item is the entry as an item, its times counted from now.
func (e Given) item(now time.Time) Item {
	it := Item{What: e.What}
	e.apply(&it, now)
	return it
}

// apply sets the sub-keys that were supplied. They have been checked.
func (e Given) apply(it *Item, now time.Time) {
	for key, value := range e.Sub {
		if isTime(key) {
			if t, err := ParseTimeAt(value, now); err == nil {
				*it.time(key) = t
			}
			continue
		}
		_ = it.SetSubkey(key, value)
	}
}

// parseEntry reads an entry from a command line: its text, then sub-keys as ` :: KEY=VALUE`. What follows ` :: ` and is
// none of the keys stays text.
func parseEntry(s string, keys []string) (Given, error) {
	parts := strings.Split(s, " :: ")
	e := Given{What: parts[0], Sub: map[string]string{}}
	last := ""
	for _, part := range parts[1:] {
		key, value, ok := strings.Cut(part, "=")
		key = strings.TrimSpace(key)
		if ok && slices.Contains(keys, key) {
			if _, twice := e.Sub[key]; twice {
				return Given{}, fmt.Errorf("%q is given twice", key)
			}
			e.Sub[key], last = value, key
			continue
		}
		if last == "" {
			e.What += " :: " + part
		} else {
			e.Sub[last] += " :: " + part
		}
	}
	return e, nil
}
