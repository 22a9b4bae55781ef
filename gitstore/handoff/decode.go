package handoff

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// A reader fills values from nodes, strictly, and collects what does not fit.
type reader struct {
	*source
	// author says that the text is an author's: its times may be offsets, and an unknown key is an error at once.
	author bool
	// unknown is the first key that the format does not have.
	unknown string
}

func (r *reader) structValue(n *yaml.Node, v reflect.Value, path string) {
	if n.Kind != yaml.MappingNode {
		r.wrongKind(n, path, "a mapping")
		return
	}
	fields := fieldsOf(v.Type())
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i].Value
		f := slices.IndexFunc(fields, func(f field) bool { return f.key == key })
		if f < 0 {
			r.unknownKey(join(path, key))
			continue
		}
		r.value(n.Content[i+1], v.FieldByIndex(fields[f].index), join(path, key))
	}
}

func (r *reader) unknownKey(path string) {
	if r.unknown == "" {
		r.unknown = path
	}
}

// kindHints say how a kind of value is written.
var kindHints = map[string]string{
	"text":          "write one text",
	"a list":        "write each entry on a line of its own after '- '",
	"a mapping":     "write KEY: VALUE on indented lines",
	"a time":        "write it as 2006-01-02T15:04:05Z or, from now on, as +4h",
	"true or false": "write true or false without quotes",
}

// wrongKind says what was expected, unless the node has been complained about already.
func (r *reader) wrongKind(n *yaml.Node, path, want string) {
	if isNull(n) || n.Kind == yaml.AliasNode || n.Style&yaml.TaggedStyle != 0 {
		return
	}
	hint := kindHints[want]
	if n.Kind == yaml.ScalarNode && want == "text" {
		hint = "put it into quotes: " + strconv.Quote(n.Value)
	}
	r.fail(n.Line, path, hint, "this is %s where %s was expected", kindOf(n), want)
}

func (r *reader) value(n *yaml.Node, v reflect.Value, path string) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		r.value(n, v.Elem(), path)
	case reflect.Struct:
		if v.Type() == timeType {
			v.Set(reflect.ValueOf(r.time(n, path)))
			return
		}
		r.structValue(n, v, path)
	case reflect.Slice:
		r.slice(n, v, path)
	case reflect.Map:
		r.stringMap(n, v, path)
	case reflect.String:
		r.stringValue(n, v, path)
	case reflect.Bool:
		v.SetBool(r.boolean(n, path))
	default:
		r.integer(n, v, path)
	}
}

func (r *reader) slice(n *yaml.Node, v reflect.Value, path string) {
	if n.Kind != yaml.SequenceNode {
		r.wrongKind(n, path, "a list")
		return
	}
	if v.Type().Elem() == itemType {
		r.items(n, v, path)
		return
	}
	if len(n.Content) == 0 {
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content)))
	for i, c := range n.Content {
		r.value(c, v.Index(i), path)
	}
}

// items reads the entries of a list as they are stored, where times are absolute.
func (r *reader) items(n *yaml.Node, v reflect.Value, path string) {
	l, _ := ListOf(path)
	for _, c := range n.Content {
		entry, ok := r.entry(c, l)
		if !ok {
			continue
		}
		it := Item{What: entry.What}
		for key, value := range entry.Sub {
			if err := it.SetSubkey(key, value); err != nil {
				r.fail(c.Line, join(path, key), "", "%s", err)
			}
		}
		v.Set(reflect.Append(v, reflect.ValueOf(it)))
	}
}

func (r *reader) stringMap(n *yaml.Node, v reflect.Value, path string) {
	if n.Kind != yaml.MappingNode {
		r.wrongKind(n, path, "a mapping")
		return
	}
	m := make(map[string]string, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		m[n.Content[i].Value] = r.text(n.Content[i+1], path)
	}
	if len(m) > 0 {
		v.Set(reflect.ValueOf(m))
	}
}

func (r *reader) stringValue(n *yaml.Node, v reflect.Value, path string) {
	s := r.text(n, path)
	if allowed := enums[v.Type()]; allowed != nil && s != "" && !slices.Contains(allowed, s) {
		r.fail(n.Line, path, "", "%s", &ValueError{s, allowed})
	}
	v.SetString(s)
}

// text is a scalar that is text: a number, a date or a truth value without quotes is not, since what it would be stored
// as is not what was meant (010, 1.50, no).
func (r *reader) text(n *yaml.Node, path string) string {
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str" {
		r.wrongKind(n, path, "text")
		return ""
	}
	if r.author && !r.noNUL(n, path) {
		return ""
	}
	return n.Value
}

func (r *reader) boolean(n *yaml.Node, path string) bool {
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!bool" {
		r.wrongKind(n, path, "true or false")
		return false
	}
	return strings.EqualFold(n.Value, "true")
}

// integer reads a decimal whole number. yaml.v3 would take 1.5 for 1 and 010 for 8.
func (r *reader) integer(n *yaml.Node, v reflect.Value, path string) {
	i, err := strconv.ParseInt(n.Value, 10, 64)
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!int" || err != nil || strconv.FormatInt(i, 10) != n.Value || v.OverflowInt(i) {
		r.wrongKind(n, path, "a whole number")
		return
	}
	v.SetInt(i)
}

func (r *reader) time(n *yaml.Node, path string) Time {
	if !isTimeNode(n) {
		r.wrongKind(n, path, "a time")
		return Time{}
	}
	t, err := ParseTime(n.Value)
	if err != nil {
		r.fail(n.Line, path, "", "%s", err)
	}
	return t
}

func isTimeNode(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && (n.ShortTag() == "!!str" || n.ShortTag() == "!!timestamp")
}
