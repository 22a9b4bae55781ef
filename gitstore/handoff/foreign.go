package handoff

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// A Shape is a format that a brief can be read from: this program's own, or one of other programs, which a document can
// be written to as well.
type Shape string

const (
	// ShapeBrief is this program's own author input.
	ShapeBrief Shape = "brief"
	// ShapePacket is what the workbench packs at the end of a session.
	ShapePacket Shape = "packet"
	// ShapeRecord is a checkpoint of a workflow: what was committed, what is uncertain, what is pending.
	ShapeRecord Shape = "record"
	// ShapeDocument is a handoff document by itself, without a repository.
	ShapeDocument Shape = "document"
)

// Shapes are the shapes of other programs.
var Shapes = []Shape{ShapePacket, ShapeRecord, ShapeDocument}

// ParseShape reads the name of a shape; "" is this program's own.
func ParseShape(s string) (Shape, error) {
	if s == "" || s == string(ShapeBrief) {
		return ShapeBrief, nil
	}
	if slices.Contains(Shapes, Shape(s)) {
		return Shape(s), nil
	}
	return "", &ValueError{s, []string{string(ShapePacket), string(ShapeRecord), string(ShapeDocument), string(ShapeBrief)}}
}

// A shapeKey is one key of a shape. It holds a text or a list of the brief, or a fact, which is written and never read.
type shapeKey struct {
	name string
	// text or list is the key of the brief that it holds.
	text, list string
	// out gives its value where that is not simply the text or the list.
	out func(*Document) any
	// in reads its value where that is not simply a text or a list.
	in func(*shapeReader, *yaml.Node)
	// part says that the list is only a part of the brief's: what is read is added.
	part bool
	// whats says that entries are plain texts; their sub-keys cannot be held.
	whats bool
	// own says that the key describes the shape itself.
	own bool
}

// A shapeSpec is what a shape is known by and what it holds.
type shapeSpec struct {
	required []string
	keys     []shapeKey
	// holds are the keys of the facts that it holds in full, partly those of which something is lost.
	holds, partly []string
}

// DetectShape tells which shape a text has, by the keys that the shape requires and this program's own input has not.
// What has none, readable or not, is ShapeBrief: its decoder says what is wrong with it.
func DetectShape(data []byte) Shape {
	src := &source{max: MaxInput, lenient: true}
	root := src.read(data)
	if root == nil || child(root, "branch") != nil {
		return ShapeBrief
	}
	for _, s := range Shapes {
		if len(missing(root, shapeSpecs[s])) == 0 {
			return s
		}
	}
	return ShapeBrief
}

func missing(root *yaml.Node, spec shapeSpec) []string {
	return slices.DeleteFunc(slices.Clone(spec.required), func(key string) bool { return child(root, key) != nil })
}

// DecodeShape reads a text of the shape as author input. Facts that the text claims are not taken, nor what the brief
// has no place for; both are named. Errors are InputErrors.
func DecodeShape(file string, data []byte, shape Shape) (*Patch, []string, error) {
	src := &source{file: file, max: MaxInput, lenient: true}
	root := src.read(data)
	if root == nil {
		return nil, nil, src.err()
	}
	spec := shapeSpecs[shape]
	if spec.keys == nil {
		return nil, nil, fmt.Errorf("%q is not a shape of another program", shape)
	}
	if absent := missing(root, spec); len(absent) > 0 {
		src.fail(0, "", "", "this is no %s: it has no %s", shape, strings.Join(absent, ", "))
		return nil, nil, src.err()
	}
	r := &shapeReader{source: src, patch: &Patch{}}
	for i := 0; i+1 < len(root.Content); i += 2 {
		r.key(spec, root.Content[i].Value, root.Content[i+1])
	}
	if r.items > MaxItems {
		src.fail(0, "", "", "the input has %d list entries, at most %d are kept", r.items, MaxItems)
	}
	if err := src.err(); err != nil {
		return nil, nil, err
	}
	return r.patch, r.notTaken, nil
}

// A shapeReader makes a patch of a text of another program. It is strict in structure and lenient in what such programs
// differ in: null is absent, a number is a text, an entry may call its text by several names.
type shapeReader struct {
	*source
	patch    *Patch
	notTaken []string
	items    int
}

func (r *shapeReader) skip(what string) {
	if !slices.Contains(r.notTaken, what) {
		r.notTaken = append(r.notTaken, what)
	}
}

func (r *shapeReader) key(spec shapeSpec, name string, n *yaml.Node) {
	i := slices.IndexFunc(spec.keys, func(k shapeKey) bool { return k.name == name })
	switch {
	case i >= 0 && spec.keys[i].own, isNull(n):
	case i < 0:
		r.skip(name)
	case spec.keys[i].in != nil:
		spec.keys[i].in(r, n)
	case spec.keys[i].text != "":
		r.text(n, name, spec.keys[i].text)
	case spec.keys[i].list != "":
		r.list(n, spec.keys[i])
	default:
		r.skip(name)
	}
}

func (r *shapeReader) text(n *yaml.Node, name, key string) {
	t, _ := TextOf(key)
	switch {
	case n.Kind != yaml.ScalarNode:
		r.fail(n.Line, name, "", "this is %s where text was expected", kindOf(n))
	case !r.noNUL(n, name):
	case t.check(n.Value) != nil:
		r.skip(name + " " + CleanLine(n.Value, 40))
	default:
		r.patch.setText(key, n.Value)
	}
}

func (r *shapeReader) list(n *yaml.Node, k shapeKey) {
	l, _ := ListOf(k.list)
	entries, ok := r.entries(n, k.name, l)
	if !ok {
		return
	}
	if k.part {
		r.patch.setList(l.Key, ListPatch{Added: entries})
		return
	}
	r.patch.setList(l.Key, ListPatch{Replace: true, Entries: entries})
}

// entries reads a list. What is there several times is the same thing.
func (r *shapeReader) entries(n *yaml.Node, name string, l List) ([]Given, bool) {
	if n.Kind != yaml.SequenceNode {
		r.fail(n.Line, name, "", "this is %s where a list was expected", kindOf(n))
		return nil, false
	}
	seen := map[string]bool{}
	var entries []Given
	for _, c := range n.Content {
		g, ok := r.entry(c, name, l)
		if ok && !seen[g.What] {
			seen[g.What] = true
			entries = append(entries, g)
		}
	}
	r.items += len(entries)
	return entries, true
}

// foreignNames are the names under which entries of other programs have their text, the likeliest first.
var foreignNames = []string{"what", "name", "detail", "action", "title", "text", "description", "question", "step", "decision", "option", "command", "path"}

// foreignSubkeys are other names of sub-keys.
var foreignSubkeys = map[string]string{"reason": "why", "rationale": "why", "path": "ref", "uri": "ref", "url": "ref", "expires_at": "expires", "idempotency_key": "ref", "external_id": "ref"}

func (r *shapeReader) entry(n *yaml.Node, name string, l List) (Given, bool) {
	switch n.Kind {
	case yaml.ScalarNode:
		return Given{What: n.Value}, !isNull(n) && strings.TrimSpace(n.Value) != "" && r.noNUL(n, name)
	case yaml.SequenceNode:
		r.fail(n.Line, name, "", "this is a list where text was expected")
		return Given{}, false
	}
	identity := identityOf(n, l)
	if identity == "" {
		r.fail(n.Line, name, "", "the entry has no `%s`", l.Identity)
		return Given{}, false
	}
	g := Given{What: child(n, identity).Value, Sub: map[string]string{}}
	r.noNUL(child(n, identity), name)
	for i := 0; i+1 < len(n.Content); i += 2 {
		if key := n.Content[i].Value; key != identity && !isNull(n.Content[i+1]) {
			r.subkey(g, n.Content[i+1], name, key, l)
		}
	}
	return g, true
}

// identityOf is the key under which an entry has its text, or "".
func identityOf(n *yaml.Node, l List) string {
	for _, key := range append([]string{l.Identity}, foreignNames...) {
		if c := child(n, key); c != nil && c.Kind == yaml.ScalarNode && !isNull(c) && strings.TrimSpace(c.Value) != "" {
			return key
		}
	}
	return ""
}

func (r *shapeReader) subkey(g Given, n *yaml.Node, name, key string, l List) {
	ours := key
	if other, ok := foreignSubkeys[key]; ok && !slices.Contains(l.Subkeys, key) {
		ours = other
	}
	_, taken := g.Sub[ours]
	switch {
	case n.Kind == yaml.ScalarNode && n.Value == "":
	case taken, !slices.Contains(l.Subkeys, ours), n.Kind != yaml.ScalarNode:
		r.skip(name + "." + key)
	case l.checkSubkey(ours, n.Value) != nil:
		r.skip(fmt.Sprintf("%s.%s %s", name, key, CleanLine(n.Value, 40)))
	case r.noNUL(n, name+"."+key):
		g.Sub[ours] = n.Value
	}
}
