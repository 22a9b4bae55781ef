package handoff

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// DecodeBrief reads what an author wrote, YAML or JSON. It is strict, and tells all that is wrong at once: the error is
// InputErrors, or a *NewerError for a whole document of a newer format. file is what errors call the input.
//
// A whole document, recognised by its version and branch, is accepted for the sake of its brief.
func DecodeBrief(file string, data []byte) (*Patch, error) {
	src := &source{file: file, max: MaxInput}
	root := src.read(data)
	if root == nil {
		return nil, src.err()
	}
	whole := child(root, "version") != nil && child(root, "branch") != nil
	if whole {
		if err := checkVersion(root); err != nil {
			return nil, gateError(src, root, err)
		}
	}
	b := briefReader{reader: reader{source: src, author: true}, patch: &Patch{IgnoredFacts: whole}}
	b.top(root)
	if err := src.err(); err != nil {
		return nil, err
	}
	return b.patch, nil
}

// gateError keeps a *NewerError and makes an input error of a version that is none.
func gateError(src *source, root *yaml.Node, err error) error {
	if newer, ok := err.(*NewerError); ok {
		return newer
	}
	src.fail(child(root, "version").Line, "version", "", "this is not a format version; the newest is %d", FormatVersion)
	return src.err()
}

// A briefReader makes a patch of an author's input.
type briefReader struct {
	reader
	patch *Patch
	items int
}

func (b *briefReader) top(root *yaml.Node) {
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		k, known := KeyOf(key.Value)
		switch {
		case key.Kind != yaml.ScalarNode:
			// has been complained about
		case !known:
			b.fail(key.Line, key.Value, suggest(key.Value, briefKeys()), "there is no such key")
		case k.Owner != OwnerBrief:
			b.fact(key, k)
		case k.Name == "notes":
			b.notes(value)
		default:
			b.field(value, k.Name)
		}
	}
	if b.items > MaxItems {
		b.fail(0, "", "put long lists into a file and name it under artifacts", "the input has %d list entries, at most %d are kept", b.items, MaxItems)
	}
}

// factHints say how to change what an author may not write.
var factHints = map[string]string{
	"status":                 "how far the work is goes into progress",
	"last_known_good_commit": "a passing verification, or an assertion, moves it",
	"provenance":             "session, actor and turns are given beside the input",
	"findings":               "a risk that you see goes into open_risks",
	"commands_run":           "what failed and must not be tried again goes into failed_attempts",
	"changed_files":          "a file that matters to the successor goes into artifacts",
}

func (b *briefReader) fact(key *yaml.Node, k Key) {
	if b.patch.IgnoredFacts {
		return
	}
	who := map[Owner]string{
		OwnerObserved: "git-handoff observes it from git and its notes",
		OwnerRecorded: "git-handoff records it from the worktree and the workbench files at each save",
		OwnerLedger:   "git-handoff keeps it in its own books",
	}[k.Owner]
	hint := factHints[k.Name]
	if hint == "" {
		hint = "leave the key out"
	}
	b.fail(key.Line, k.Name, hint, "this is not an author's to write: %s", who)
}

func (b *briefReader) field(n *yaml.Node, key string) {
	if l, ok := ListOf(key); ok {
		b.list(n, l)
		return
	}
	t, _ := TextOf(key)
	if isNull(n) {
		return
	}
	value := b.text(n, key)
	if err := t.check(value); err != nil {
		b.fail(n.Line, key, "", "%s", err)
		return
	}
	b.patch.setText(key, value)
}

func (b *briefReader) notes(n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		b.wrongKind(n, "notes", "a mapping")
		return
	}
	if len(n.Content) == 0 {
		_ = b.patch.Clear("notes")
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if !slices.Contains(noteKeys, key.Value) {
			b.fail(key.Line, notesPrefix+key.Value, suggest(key.Value, noteKeys), "there is no such note")
			continue
		}
		b.field(n.Content[i+1], notesPrefix+key.Value)
	}
}

func (b *briefReader) list(n *yaml.Node, l List) {
	if isNull(n) {
		return
	}
	if n.Kind != yaml.SequenceNode {
		b.wrongKind(n, l.Key, "a list")
		return
	}
	b.items += len(n.Content)
	lp := ListPatch{Replace: true}
	lines := map[string]int{}
	for _, c := range n.Content {
		e, ok := b.entry(c, l)
		if !ok {
			continue
		}
		if first, twice := lines[e.What]; twice {
			b.fail(c.Line, l.Key, "keep one of the two", "two entries have the same %s %q, the first in line %d", l.Identity, CleanLine(e.What, 60), first)
			continue
		}
		lines[e.What] = c.Line
		if err := l.checkWhat(e.What); err != nil {
			b.fail(c.Line, l.Key, "", "%s", err)
		}
		lp.Entries = append(lp.Entries, e)
	}
	b.patch.setList(l.Key, lp)
}

// unknownBriefKey is the error for a key, given by itself, that is no author's.
func unknownBriefKey(name string) *InputError {
	if k, ok := KeyOf(strings.ReplaceAll(name, "-", "_")); ok && k.Owner != OwnerBrief {
		return &InputError{Key: name, Msg: "this is not an author's to write: git-handoff records it", Hint: factHints[k.Name]}
	}
	return &InputError{Key: name, Msg: "there is no such key", Hint: suggest(name, briefKeys())}
}
