package handoff

import (
	"bytes"
	"strings"

	"gopkg.in/yaml.v3"
)

// An emitter writes nodes in two-space block style. A scalar whose tag is !!str is written by the rules of scalarOf, any
// other as it is.
type emitter struct{ bytes.Buffer }

// maxSimpleKey keeps well below the 1,024 characters that YAML allows before a key's colon.
const maxSimpleKey = 500

func emit(root *yaml.Node) []byte {
	var e emitter
	e.mapping(root, 0)
	return e.Bytes()
}

// mapping writes each key on a line of its own; the first one continues the line that the caller began.
func (e *emitter) mapping(n *yaml.Node, indent int) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if i > 0 {
			e.blanks(indent)
		}
		key := n.Content[i].Value
		if !plainHolds(key) {
			key = quoted(key)
		}
		if len(key) > maxSimpleKey {
			e.WriteString("? " + key + "\n")
			e.blanks(indent)
			key = ""
		}
		e.WriteString(key + ":")
		e.value(n.Content[i+1], indent)
	}
}

func (e *emitter) value(n *yaml.Node, indent int) {
	switch {
	case n.Kind == yaml.ScalarNode:
		e.scalar(n, indent+2)
	case len(n.Content) == 0 && n.Kind == yaml.MappingNode:
		e.WriteString(" {}\n")
	case len(n.Content) == 0:
		e.WriteString(" []\n")
	case n.Kind == yaml.MappingNode:
		e.WriteByte('\n')
		e.blanks(indent + 2)
		e.mapping(n, indent+2)
	default:
		e.WriteByte('\n')
		e.sequence(n, indent+2)
	}
}

func (e *emitter) sequence(n *yaml.Node, indent int) {
	for _, c := range n.Content {
		e.blanks(indent)
		e.WriteByte('-')
		if c.Kind == yaml.MappingNode && len(c.Content) > 0 {
			e.WriteByte(' ')
			e.mapping(c, indent+2)
			continue
		}
		e.value(c, indent)
	}
}

func (e *emitter) scalar(n *yaml.Node, indent int) {
	text := n.Value
	if n.Tag == "!!str" {
		text = scalarOf(n.Value, indent)
	}
	e.WriteString(" " + text + "\n")
}

func (e *emitter) blanks(n int) { e.WriteString(strings.Repeat(" ", n)) }
