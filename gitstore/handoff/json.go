package handoff

import (
	"bytes"
	"encoding/json"

	"gopkg.in/yaml.v3"
)

// nodeOfJSON turns JSON, known to be valid, into the nodes that the same YAML would give. JSON is nearly YAML, but
// yaml.v3 knows neither `\/` nor surrogate pairs, which other programs write for every emoji.
func nodeOfJSON(data []byte) *yaml.Node {
	r := jsonReader{dec: json.NewDecoder(bytes.NewReader(data)), data: data, line: 1}
	r.dec.UseNumber()
	return r.value()
}

type jsonReader struct {
	dec  *json.Decoder
	data []byte
	// line is the number of the line that holds the byte at offset at.
	line int
	at   int64
}

func (r *jsonReader) value() *yaml.Node {
	token, err := r.dec.Token()
	if err != nil {
		return nil
	}
	n := &yaml.Node{Line: r.lineNow()}
	switch t := token.(type) {
	case json.Delim:
		n.Kind = yaml.MappingNode
		if t == '[' {
			n.Kind = yaml.SequenceNode
		}
		for r.dec.More() {
			n.Content = append(n.Content, r.value())
		}
		_, _ = r.dec.Token()
	case string:
		n.Kind, n.Tag, n.Value, n.Style = yaml.ScalarNode, "!!str", t, yaml.DoubleQuotedStyle
	case json.Number:
		n.Kind, n.Value = yaml.ScalarNode, t.String()
	case bool:
		n.Kind, n.Tag, n.Value = yaml.ScalarNode, "!!bool", "false"
		if t {
			n.Value = "true"
		}
	case nil:
		n.Kind, n.Tag, n.Value = yaml.ScalarNode, "!!null", "null"
	}
	return n
}

func (r *jsonReader) lineNow() int {
	offset := r.dec.InputOffset()
	r.line += bytes.Count(r.data[r.at:offset], []byte("\n"))
	r.at = offset
	return r.line
}
