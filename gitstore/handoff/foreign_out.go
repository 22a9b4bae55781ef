package handoff

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
)

// EncodeShape writes a document in the shape, as indented JSON. The second result names the keys of the document that
// say something and that the shape cannot hold, or not in full.
func EncodeShape(d *Document, shape Shape) ([]byte, []string, error) {
	spec := shapeSpecs[shape]
	if spec.keys == nil {
		return nil, nil, fmt.Errorf("%q is not a shape of another program", shape)
	}
	var b bytes.Buffer
	b.WriteByte('{')
	for i, k := range spec.keys {
		value, err := marshalJSON(k.value(d))
		if err != nil {
			return nil, nil, err
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`"` + k.name + `":`)
		b.Write(value)
	}
	b.WriteByte('}')
	var out bytes.Buffer
	if err := json.Indent(&out, b.Bytes(), "", "  "); err != nil {
		return nil, nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), spec.lost(d), nil
}

func (k shapeKey) value(d *Document) any {
	switch {
	case k.out != nil:
		return k.out(d)
	case k.text != "":
		t, _ := TextOf(k.text)
		return *t.Of(&d.Brief)
	}
	l, _ := ListOf(k.list)
	items := *l.Of(&d.Brief)
	if k.whats {
		whats := []string{}
		for _, it := range items {
			whats = append(whats, it.What)
		}
		return whats
	}
	return shortItems(items, l)
}

// A shortItem is an item as other programs write it: a plain text where it has nothing else.
type shortItem struct {
	Item
	identity string
}

// MarshalJSON writes the item.
func (s shortItem) MarshalJSON() ([]byte, error) {
	if s.Plain() {
		return marshalJSON(s.What)
	}
	return s.marshal(s.identity)
}

func shortItems(items []Item, l List) []shortItem {
	short := []shortItem{}
	for _, it := range items {
		short = append(short, shortItem{it, l.Identity})
	}
	return short
}

// lost names what the document says and the shape cannot hold.
func (s shapeSpec) lost(d *Document) []string {
	var lost []string
	v := reflect.ValueOf(*d)
	for _, f := range fieldsOf(v.Type()) {
		switch {
		case f.key == "version", empty(v.FieldByIndex(f.index)), slices.Contains(s.holds, f.key):
		case slices.Contains(s.partly, f.key):
			lost = append(lost, "parts of "+f.key)
		default:
			lost = append(lost, s.lostOf(d, f.key)...)
		}
	}
	return lost
}

// lostOf names what is lost of a field that has no fact's place in the shape.
func (s shapeSpec) lostOf(d *Document, key string) []string {
	i := slices.IndexFunc(s.keys, func(k shapeKey) bool { return k.text == key || k.list == key })
	if key == "next_action" && i < 0 {
		i = slices.IndexFunc(s.keys, func(k shapeKey) bool { return k.list == "next" })
	}
	if i < 0 {
		return []string{key}
	}
	k := s.keys[i]
	l, isList := ListOf(key)
	switch {
	case isList && k.whats:
		return lostSubkeys(*l.Of(&d.Brief), l)
	case k.part && slices.ContainsFunc(d.Done, func(it Item) bool { return it.Effect == EffectNone }):
		return []string{"done with effect none"}
	}
	return nil
}

// lostSubkeys names the sub-keys that some item of the list has.
func lostSubkeys(items []Item, l List) []string {
	var lost []string
	for _, key := range l.Subkeys {
		if slices.ContainsFunc(items, func(it Item) bool { return it.Subkey(key) != "" }) {
			lost = append(lost, l.Key+"."+key)
		}
	}
	return lost
}
