package handoff

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// Bounds on what is read. They are checked before any work that grows faster than the input: the duplicate-key check of
// yaml.v3's own decoder takes minutes for an input that its parser reads in a moment.
const (
	// MaxInput is the longest author input, in bytes.
	MaxInput = 1 << 20
	// MaxItems is how many list entries a brief may have in all.
	MaxItems = 2000
	// MaxDocument is the longest stored document, in bytes. Escapes can make it longer than the input it came from.
	MaxDocument = 16 << 20

	maxDepth = 16
	maxKeys  = 4000
	maxNodes = 100_000
	// maxErrors is how many errors one input is told about.
	maxErrors = 50
)

// A source reads one YAML or JSON text into nodes and collects what is wrong with it.
type source struct {
	file string
	// max is the longest text, in bytes.
	max int
	// lenient allows null, as files of other programs have it.
	lenient bool
	errs    InputErrors
	nodes   int
}

func (s *source) fail(line int, key, hint, format string, args ...any) {
	s.errs = append(s.errs, &InputError{File: s.file, Line: line, Key: key, Hint: hint, Msg: fmt.Sprintf(format, args...)})
}

// noNUL complains about a text with NUL, which YAML and JSON can write as an escape. A command's output may have it, an
// author's text may not.
func (s *source) noNUL(n *yaml.Node, key string) bool {
	if strings.IndexByte(n.Value, 0) < 0 {
		return true
	}
	s.fail(n.Line, key, "remove it", "the text contains NUL")
	return false
}

// err is what was collected, in the order of lines, or nil.
func (s *source) err() error {
	if len(s.errs) == 0 {
		return nil
	}
	slices.SortStableFunc(s.errs, func(a, b *InputError) int { return a.Line - b.Line })
	if more := len(s.errs) - maxErrors; more > 0 {
		s.errs = append(s.errs[:maxErrors:maxErrors], &InputError{File: s.file, Msg: fmt.Sprintf("and %d more", more)})
	}
	return s.errs
}

// read gives the mapping at the top of the text, or nil and an error collected. What it gives has no alias, anchor, tag
// or duplicate key, and is within the bounds.
func (s *source) read(data []byte) *yaml.Node {
	if !s.checkBytes(data) {
		return nil
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	var root *yaml.Node
	if trimmed := bytes.TrimSpace(data); len(trimmed) > 0 && trimmed[0] == '{' && json.Valid(trimmed) {
		root = nodeOfJSON(data)
	} else {
		root = s.parse(data)
	}
	if root == nil {
		return nil
	}
	if root.Kind != yaml.MappingNode {
		s.fail(root.Line, "", "write KEY: VALUE, for example next_action: run the tests", "the input is %s where a mapping of keys was expected", kindOf(root))
		return nil
	}
	if !s.bounded(root, 1) {
		return nil
	}
	s.check(root, "")
	return root
}

func (s *source) checkBytes(data []byte) bool {
	if len(data) > s.max {
		s.fail(0, "", "put long material into a file and name it under artifacts", "the input has %d bytes, at most %d are read", len(data), s.max)
		return false
	}
	if i := bytes.IndexByte(data, 0); i >= 0 {
		s.fail(lineAt(data, i), "", "", "there is a NUL byte; the input is not text")
		return false
	}
	if !utf8.Valid(data) {
		s.fail(lineAt(data, invalidAt(data)), "", "save the file as UTF-8", "the text is not valid UTF-8")
		return false
	}
	return true
}

func lineAt(data []byte, offset int) int { return 1 + bytes.Count(data[:offset], []byte("\n")) }

// invalidAt is the offset of the first byte that is not UTF-8.
func invalidAt(data []byte) int {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(data)
}

// parse reads exactly one YAML document.
func (s *source) parse(data []byte) *yaml.Node {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc, second yaml.Node
	err := dec.Decode(&doc)
	if errors.Is(err, io.EOF) {
		s.fail(0, "", "write KEY: VALUE, for example next_action: run the tests", "the input is empty")
		return nil
	}
	if err != nil {
		s.failYAML(err)
		return nil
	}
	switch err := dec.Decode(&second); {
	case err == nil:
		s.fail(second.Line, "", "join them into one", "there is a second YAML document; one input is one document")
		return nil
	case !errors.Is(err, io.EOF):
		s.failYAML(err)
		return nil
	}
	return doc.Content[0]
}

var yamlErrorLine = lazily(`^line (\d+): `)

func (s *source) failYAML(err error) {
	// yaml.v3 names every line but the first
	msg, line := strings.TrimPrefix(err.Error(), "yaml: "), 1
	if m := yamlErrorLine().FindStringSubmatch(msg); m != nil {
		line, _ = strconv.Atoi(m[1])
		msg = msg[len(m[0]):]
	}
	if strings.Contains(msg, "<document start>") {
		s.fail(line, "", "remove it", "there is text after the end of the document")
		return
	}
	s.fail(line, "", "text with ': ', ' #' or a special first character needs quotes", "the text is not YAML: %s", msg)
}

// bounded holds the nodes to the bounds, and stops at the first that breaks one.
func (s *source) bounded(n *yaml.Node, depth int) bool {
	s.nodes++
	switch {
	case depth > maxDepth:
		s.fail(n.Line, "", "", "the input is nested more than %d levels deep", maxDepth)
		return false
	case s.nodes > maxNodes:
		s.fail(n.Line, "", "", "the input has more than %d values", maxNodes)
		return false
	case n.Kind == yaml.MappingNode && len(n.Content) > 2*maxKeys:
		s.fail(n.Line, "", "", "one mapping has %d keys, at most %d are read", len(n.Content)/2, maxKeys)
		return false
	}
	for _, c := range n.Content {
		if !s.bounded(c, depth+1) {
			return false
		}
	}
	return true
}

// check collects what no document may have, whatever its keys mean.
func (s *source) check(n *yaml.Node, path string) {
	switch {
	case n.Kind == yaml.AliasNode:
		s.fail(n.Line, path, "write the value out", "an alias (*%s) is not accepted", n.Value)
	case n.Anchor != "":
		s.fail(n.Line, path, "leave the anchor out", "an anchor (&%s) is not accepted", n.Anchor)
	case n.Style&yaml.TaggedStyle != 0:
		s.fail(n.Line, path, "leave the tag out; put text that looks like a number or a date into quotes", "a tag (%s) is not accepted", n.Tag)
	case isNull(n) && !s.lenient:
		s.fail(n.Line, path, "use '' or [] to empty a field, or leave the key out", "the key has no value (null)")
	}
	switch n.Kind {
	case yaml.MappingNode:
		s.checkKeys(n, path)
	case yaml.SequenceNode:
		for _, c := range n.Content {
			s.check(c, path)
		}
	}
}

func (s *source) checkKeys(n *yaml.Node, path string) {
	lines := make(map[string]int, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		k := n.Content[i]
		at := join(path, k.Value)
		if k.Kind != yaml.ScalarNode || k.Anchor != "" || k.Style&yaml.TaggedStyle != 0 {
			s.fail(k.Line, path, "write KEY: VALUE", "a key must be plain text")
			continue
		}
		if first, ok := lines[k.Value]; ok {
			s.fail(k.Line, at, "keep one of the two", "the key is there twice, first in line %d", first)
			continue
		}
		lines[k.Value] = k.Line
		s.check(n.Content[i+1], at)
	}
}

// join adds a key to a path of keys.
func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

// kindOf says what a node is, for people.
func kindOf(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias"
	}
	switch n.ShortTag() {
	case "!!int", "!!float":
		return "a number"
	case "!!bool":
		return "true or false"
	case "!!timestamp":
		return "a date"
	case "!!null":
		return "null"
	}
	return "text"
}
