package hooks

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// A jsonText is a JSON file that is edited as text, so that keys, their order and all white space that is not touched
// stay as they are.
type jsonText struct {
	text []byte
	root *jsonNode
}

// A jsonNode is a value and where it stands in the text. An object has keys and values, an array values alone.
type jsonNode struct {
	start, end int
	kind       byte // the value's first character
	keys       []string
	keyStarts  []int
	values     []*jsonNode
}

var errNotJSON = errors.New("it is not plain JSON, so it is not edited")

// readJSON reads a text. A byte order mark stays where it is.
func readJSON(text []byte) (*jsonText, error) {
	mark := len(text) - len(bytes.TrimPrefix(text, []byte("\ufeff")))
	if !json.Valid(text[mark:]) {
		return nil, errNotJSON
	}
	r := &jsonReader{text: text, at: mark}
	r.blanks()
	return &jsonText{text: text, root: r.value()}, nil
}

// jsonReader reads JSON that is known to be valid.
type jsonReader struct {
	text []byte
	at   int
}

func (r *jsonReader) blanks() {
	for r.at < len(r.text) && strings.IndexByte(" \t\r\n", r.text[r.at]) >= 0 {
		r.at++
	}
}

func (r *jsonReader) value() *jsonNode {
	n := &jsonNode{start: r.at, kind: r.text[r.at]}
	switch n.kind {
	case '{', '[':
		r.inside(n)
	case '"':
		r.string()
	default:
		for r.at < len(r.text) && strings.IndexByte(",]} \t\r\n", r.text[r.at]) < 0 {
			r.at++
		}
	}
	n.end = r.at
	return n
}

// inside reads the members or elements of n, and its closing bracket.
func (r *jsonReader) inside(n *jsonNode) {
	for r.at++; ; r.at++ {
		r.blanks()
		if c := r.text[r.at]; c == '}' || c == ']' {
			break
		}
		if n.kind == '{' {
			n.keyStarts = append(n.keyStarts, r.at)
			n.keys = append(n.keys, r.string())
			r.blanks()
			r.at++ // the colon
			r.blanks()
		}
		n.values = append(n.values, r.value())
		r.blanks()
		if r.text[r.at] != ',' {
			break
		}
	}
	r.at++
}

func (r *jsonReader) string() string {
	start := r.at
	for r.at++; r.text[r.at] != '"'; r.at++ {
		if r.text[r.at] == '\\' {
			r.at++
		}
	}
	r.at++
	var s string
	_ = json.Unmarshal(r.text[start:r.at], &s)
	return s
}

// member is the value of a key, nil where there is none. Of a key that is there twice the last counts, as readers of
// JSON have it.
func (n *jsonNode) member(key string) *jsonNode {
	for i := len(n.keys) - 1; i >= 0; i-- {
		if n.keys[i] == key {
			return n.values[i]
		}
	}
	return nil
}

// first is where an entry of n begins: its key in an object.
func (n *jsonNode) first(i int) int {
	if n.kind == '{' {
		return n.keyStarts[i]
	}
	return n.values[i].start
}

// splice replaces a part of the text.
func (j *jsonText) splice(start, end int, with string) (*jsonText, error) {
	text := append(append(bytes.Clone(j.text[:start]), with...), j.text[end:]...)
	next, err := readJSON(text)
	if err != nil {
		return nil, fmt.Errorf("an edit would have damaged it: %w", err)
	}
	return next, nil
}

// remove takes an entry out, with its comma and the white space that came with it.
func (j *jsonText) remove(n *jsonNode, i int) (*jsonText, error) {
	last := len(n.values) - 1
	switch {
	case last == 0:
		return j.splice(n.start+1, n.end-1, "")
	case i == last:
		return j.splice(n.values[i-1].end, n.values[i].end, "")
	}
	return j.splice(n.first(i), n.first(i+1), "")
}

// add appends an entry to n: a member with a key, or, where key is "", an element. It is laid out as the file is.
func (j *jsonText) add(n *jsonNode, key string, value any) (*jsonText, error) {
	lead, indent, pretty := j.layout(n)
	entry, err := entryText(key, value, strings.TrimLeft(lead, "\r\n"), indent, pretty)
	if err != nil {
		return nil, err
	}
	entry = lines(entry, newlineOf(j.text))
	if len(n.values) > 0 {
		return j.splice(n.values[len(n.values)-1].end, n.values[len(n.values)-1].end, ","+lead+entry)
	}
	closing := ""
	if pretty {
		closing = newlineOf(j.text) + strings.TrimSuffix(strings.TrimLeft(lead, "\r\n"), indent)
	}
	return j.splice(n.start+1, n.end-1, lead+entry+closing)
}

// layout is what stands before an entry of n, the unit of indentation, and whether entries have lines of their own.
func (j *jsonText) layout(n *jsonNode) (lead, indent string, pretty bool) {
	indent = j.indent()
	if len(n.values) > 0 {
		from := n.start + 1
		if last := len(n.values) - 1; last > 0 {
			from = n.values[last-1].end + 1
		}
		lead = string(j.text[from:n.first(len(n.values)-1)])
		if i := strings.IndexByte(lead, ','); i >= 0 {
			lead = lead[i+1:]
		}
		if i := strings.LastIndexAny(lead, "\n"); i >= 0 {
			return newlineOf(j.text) + lead[i+1:], indent, true
		}
		return lead, indent, false
	}
	line := bytes.LastIndexByte(j.text[:n.start], '\n') + 1
	before := j.text[line:n.start]
	own := string(before[:len(before)-len(bytes.TrimLeft(before, " \t"))])
	return newlineOf(j.text) + own + indent, indent, true
}

// indent is the indentation of the first line that has any, two blanks if none has.
func (j *jsonText) indent() string {
	for line := range strings.Lines(string(j.text)) {
		if rest := strings.TrimLeft(line, " \t"); len(rest) < len(line) && strings.TrimSpace(rest) != "" {
			return line[:len(line)-len(rest)]
		}
	}
	return "  "
}

func entryText(key string, value any, own, indent string, pretty bool) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if pretty {
		e.SetIndent(own, indent)
	}
	if err := e.Encode(value); err != nil {
		return "", err
	}
	text := strings.TrimSuffix(b.String(), "\n")
	if key == "" {
		return text, nil
	}
	name, err := json.Marshal(key)
	return string(name) + ": " + text, err
}
