package handoff

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// New is an active document without content.
func New(n Name) *Document {
	return &Document{Ledger: Ledger{Version: FormatVersion, Branch: n.Branch, Topic: n.Topic, Status: Active}}
}

// Equal reports whether two documents say the same.
func Equal(a, b *Document) bool { return sameValue(reflect.ValueOf(*a), reflect.ValueOf(*b)) }

// Equal reports whether two briefs say the same.
func (b *Brief) Equal(c *Brief) bool { return sameValue(reflect.ValueOf(*b), reflect.ValueOf(*c)) }

// Encode writes a document as it is stored. Equal documents give equal bytes. What was written has been read back and
// compared: an error means that the document is not one that can be stored, and says why.
func Encode(d *Document) ([]byte, error) {
	data, err := encode(reflect.ValueOf(*d))
	if err != nil {
		return nil, err
	}
	back, err := Decode(data)
	if err != nil {
		return nil, fmt.Errorf("the document cannot be stored: %w", err)
	}
	if !Equal(d, back) {
		return nil, fmt.Errorf("the document cannot be stored: %s did not survive being written", firstDifference(d, back))
	}
	return data, nil
}

// EncodeBrief writes a brief as author input, for an editor. Reading it back gives a patch that sets every field that is
// not empty.
func EncodeBrief(b *Brief) ([]byte, error) { return encode(reflect.ValueOf(*b)) }

func encode(v reflect.Value) ([]byte, error) {
	var e nodeWriter
	root := e.structNode(v, "")
	if e.err != nil {
		return nil, e.err
	}
	if len(root.Content) == 0 {
		return nil, nil
	}
	return emit(root), nil
}

// firstDifference names the first key whose values differ.
func firstDifference(a, b *Document) string {
	for _, f := range fieldsOf(reflect.TypeFor[Document]()) {
		if !sameValue(reflect.ValueOf(*a).FieldByIndex(f.index), reflect.ValueOf(*b).FieldByIndex(f.index)) {
			return f.key
		}
	}
	return "nothing"
}

// A nodeWriter turns values into nodes and keeps the first error.
type nodeWriter struct{ err error }

func (w *nodeWriter) structNode(v reflect.Value, path string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode}
	for _, f := range fieldsOf(v.Type()) {
		x := v.FieldByIndex(f.index)
		if empty(x) && (f.omit || x.Type() == timeType) {
			continue
		}
		n.Content = append(n.Content, w.text(f.key, path), w.node(x, join(path, f.key)))
	}
	return n
}

// empty reports whether a value says nothing. A struct behind a pointer says something by being there.
func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return v.Len() == 0
	case reflect.Struct:
		if z, ok := v.Interface().(interface{ IsZero() bool }); ok {
			return z.IsZero()
		}
	}
	return v.IsZero()
}

func (w *nodeWriter) node(v reflect.Value, path string) *yaml.Node {
	switch v.Kind() {
	case reflect.Pointer:
		return w.node(v.Elem(), path)
	case reflect.Struct:
		if v.Type() == timeType {
			return plainNode(v.Interface().(Time).String())
		}
		return w.structNode(v, path)
	case reflect.Slice:
		return w.sliceNode(v, path)
	case reflect.Map:
		return w.mapNode(v, path)
	case reflect.String:
		return w.text(v.String(), path)
	case reflect.Bool:
		return plainNode(strconv.FormatBool(v.Bool()))
	}
	return plainNode(strconv.FormatInt(v.Int(), 10))
}

func (w *nodeWriter) sliceNode(v reflect.Value, path string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.SequenceNode}
	if v.Type().Elem() == itemType {
		l, _ := ListOf(path)
		for i := range v.Len() {
			n.Content = append(n.Content, w.itemNode(l, v.Index(i).Interface().(Item)))
		}
		return n
	}
	for i := range v.Len() {
		n.Content = append(n.Content, w.node(v.Index(i), path))
	}
	return n
}

func (w *nodeWriter) itemNode(l List, it Item) *yaml.Node {
	if it.Plain() {
		return w.text(it.What, l.Key)
	}
	n := &yaml.Node{Kind: yaml.MappingNode}
	n.Content = append(n.Content, w.text(l.Identity, l.Key), w.text(it.What, l.Key))
	for _, key := range l.Subkeys {
		value := it.Subkey(key)
		switch {
		case value == "":
		case isTyped(key):
			n.Content = append(n.Content, w.text(key, l.Key), plainNode(value))
		default:
			n.Content = append(n.Content, w.text(key, l.Key), w.text(value, l.Key+"."+key))
		}
	}
	return n
}

// isTyped reports whether a sub-key's value is not text: a time or a truth value.
func isTyped(subkey string) bool { return subkey == "required" || isTime(subkey) }

func isTime(subkey string) bool { return slices.Contains([]string{"at", "since", "expires"}, subkey) }

func (w *nodeWriter) mapNode(v reflect.Value, path string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode}
	m := v.Interface().(map[string]string)
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		n.Content = append(n.Content, w.text(k, path), w.text(m[k], path))
	}
	return n
}

func (w *nodeWriter) text(s, path string) *yaml.Node {
	if w.err == nil && !utf8.ValidString(s) {
		w.err = &EncodingError{Key: path}
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
}

func plainNode(s string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Value: s} }

// An EncodingError is a text that is not UTF-8, which YAML cannot hold.
type EncodingError struct{ Key string }

func (e *EncodingError) Error() string { return e.Key + ": the text is not valid UTF-8" }

// A CorruptError is a stored document that is not one: damaged, or written by something else.
type CorruptError struct{ Err error }

func (e *CorruptError) Error() string { return "the stored document is damaged: " + e.Err.Error() }
func (e *CorruptError) Unwrap() error { return e.Err }

// Decode reads a stored document. It is strict: what this release does not know is a *NewerError, anything else that is
// not as Encode writes it, in substance if not in style, a *CorruptError.
func Decode(data []byte) (*Document, error) {
	src := &source{max: MaxDocument}
	root := src.read(data)
	if root == nil {
		return nil, &CorruptError{src.err()}
	}
	if err := checkVersion(root); err != nil {
		return nil, err
	}
	if err := src.err(); err != nil {
		return nil, &CorruptError{err}
	}
	r := &reader{source: src}
	var d Document
	r.structValue(root, reflect.ValueOf(&d).Elem(), "")
	if r.unknown != "" {
		return nil, &NewerError{Version: d.Version, Key: r.unknown, Tool: writtenBy(root)}
	}
	if err := errors.Join(src.err(), CheckBranch(d.Branch), CheckTopic(d.Topic), checkStatus(d.Status)); err != nil {
		return nil, &CorruptError{err}
	}
	return &d, nil
}

func checkStatus(s Status) error {
	if s == "" {
		return errors.New("it has no status")
	}
	return nil
}

// checkVersion reads the format version before anything else is looked at, since a newer format may mean something else
// by every other key.
func checkVersion(root *yaml.Node) error {
	n := child(root, "version")
	if n == nil {
		return &CorruptError{errors.New("it has no version")}
	}
	v, err := strconv.Atoi(n.Value)
	switch {
	case err != nil || n.ShortTag() != "!!int" || v < 1:
		return &CorruptError{fmt.Errorf("%q is not a format version", CleanLine(n.Value, 40))}
	case v > FormatVersion:
		return &NewerError{Version: v, Tool: writtenBy(root)}
	}
	return nil
}

// writtenBy is the release that a document says wrote it, "" where it says none. The place is the same in all formats.
func writtenBy(root *yaml.Node) string {
	const longest = 60
	if p := child(root, "provenance"); p != nil {
		if tool := child(p, "tool"); tool != nil {
			return CleanLine(tool.Value, longest)
		}
	}
	return ""
}

// child is the value under a key of a mapping, or nil.
func child(n *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}
