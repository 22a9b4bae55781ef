package handoff

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Patch says what one save changes in a brief. What it does not name stays as it is. The zero Patch changes nothing.
type Patch struct {
	// Texts are the text fields supplied, by key; "" empties one.
	Texts map[string]string
	// Lists are the lists supplied, by key.
	Lists map[string]ListPatch
	// Finish names items that are done, each by its text; Sub holds what the done item is given.
	Finish []Given
	// Drop names items to remove.
	Drop []Drop
	// IgnoredFacts says that the input was a whole document, of which only the brief was taken.
	IgnoredFacts bool
}

// A ListPatch replaces a list, if Replace is set, by Entries, then adds Added.
type ListPatch struct {
	Replace bool
	Entries []Given
	Added   []Given
}

// A Drop names one item of one list, by its text.
type Drop struct{ List, Text string }

// Empty reports whether the patch changes nothing.
func (p *Patch) Empty() bool {
	return len(p.Texts) == 0 && len(p.Lists) == 0 && len(p.Finish) == 0 && len(p.Drop) == 0
}

// Then adds what q changes to what p changes; where both supply a field, q's counts.
func (p *Patch) Then(q *Patch) {
	for key, value := range q.Texts {
		p.setText(key, value)
	}
	for key, lp := range q.Lists {
		if !lp.Replace {
			old := p.Lists[key]
			lp = ListPatch{old.Replace, old.Entries, append(slices.Clone(old.Added), lp.Added...)}
		}
		p.setList(key, lp)
	}
	p.Finish = append(p.Finish, q.Finish...)
	p.Drop = append(p.Drop, q.Drop...)
	p.IgnoredFacts = p.IgnoredFacts || q.IgnoredFacts
}

func (p *Patch) setText(key, value string) {
	if p.Texts == nil {
		p.Texts = map[string]string{}
	}
	p.Texts[key] = value
}

func (p *Patch) setList(key string, lp ListPatch) {
	if p.Lists == nil {
		p.Lists = map[string]ListPatch{}
	}
	p.Lists[key] = lp
}

// SetText supplies a text field, by its key in the document (a note's is dotted). All errors of this and the following
// methods are *InputError.
func (p *Patch) SetText(key, value string) error {
	t, ok := TextOf(key)
	if !ok {
		return unknownBriefKey(key)
	}
	if err := cmp.Or(checkText(value), t.check(value)); err != nil {
		return &InputError{Key: t.source(), Msg: err.Error()}
	}
	p.setText(key, value)
	return nil
}

// source names a field as it is given on a command line.
func (t Text) source() string {
	if t.Flag == "" {
		return t.Key
	}
	return "--" + t.Flag
}

// checkText reports why what came from a command line cannot be stored, or nil.
func checkText(s string) error {
	switch {
	case !utf8.ValidString(s):
		return errors.New("the text is not valid UTF-8")
	case strings.IndexByte(s, 0) >= 0:
		return errors.New("the text contains NUL")
	case len(s) > MaxInput:
		return fmt.Errorf("the text has %d bytes, at most %d are kept; put it into a file and name it under artifacts", len(s), MaxInput)
	}
	return nil
}

// check reports why the field cannot have the value, or nil. An empty value empties the field.
func (t Text) check(value string) error {
	switch n := utf8.RuneCountInString(value); {
	case t.Max > 0 && n > t.Max:
		return fmt.Errorf("the note has %d characters, at most %d are kept; shorten it, or put it into summary", n, t.Max)
	case t.Values != nil && value != "" && !slices.Contains(t.Values, value):
		return &ValueError{value, t.Values}
	}
	return nil
}

// Replace supplies one entry of a list, from the text of a flag. The entries so supplied replace the list.
func (p *Patch) Replace(list, text string) error {
	return p.flagEntry(list, "--", text, func(lp *ListPatch, e Given) []Given {
		if !lp.Replace {
			*lp = ListPatch{Replace: true, Added: lp.Added}
		}
		lp.Entries = append(lp.Entries, e)
		return lp.Entries
	})
}

// Add appends one entry to a list, from the text of a flag.
func (p *Patch) Add(list, text string) error {
	return p.flagEntry(list, "--add-", text, func(lp *ListPatch, e Given) []Given {
		lp.Added = append(lp.Added, e)
		return lp.Added
	})
}

func (p *Patch) flagEntry(list, dashes, text string, put func(*ListPatch, Given) []Given) error {
	l, ok := ListOf(list)
	if !ok {
		return unknownBriefKey(list)
	}
	e, err := l.parse(text)
	if err != nil {
		return &InputError{Key: dashes + l.Flag, Msg: err.Error()}
	}
	lp := p.Lists[l.Key]
	entries := put(&lp, e)
	if sameText(entries[:len(entries)-1], e.What) {
		return &InputError{Key: dashes + l.Flag, Msg: fmt.Sprintf("%q is there twice", e.What), Hint: "say each thing once"}
	}
	p.setList(l.Key, lp)
	return nil
}

func sameText(entries []Given, what string) bool {
	return slices.ContainsFunc(entries, func(e Given) bool { return e.What == what })
}

// parse reads an entry of the list from the text of a flag.
func (l List) parse(text string) (Given, error) {
	if err := checkText(text); err != nil {
		return Given{}, err
	}
	e, err := parseEntry(text, l.Subkeys)
	if err != nil {
		return Given{}, err
	}
	if err := l.checkWhat(e.What); err != nil {
		return Given{}, err
	}
	if strings.TrimSpace(e.What) == "" {
		return Given{}, fmt.Errorf("the entry is empty; to empty the list use --clear %s", l.Key)
	}
	for _, key := range l.Subkeys {
		if err := l.checkSubkey(key, e.Sub[key]); err != nil {
			return Given{}, fmt.Errorf("%s: %w", key, err)
		}
	}
	return e, nil
}

// FinishItem moves the item that the text names to done; sub-keys of done may follow the text.
func (p *Patch) FinishItem(text string) error {
	done, _ := ListOf("done")
	e, err := done.parse(text)
	if err != nil {
		return &InputError{Key: "--finish", Msg: err.Error()}
	}
	p.Finish = append(p.Finish, e)
	return nil
}

// DropItem removes the item that KEY=TEXT names.
func (p *Patch) DropItem(keyText string) error {
	name, text, ok := strings.Cut(keyText, "=")
	key, known := briefKey(name)
	l, isList := ListOf(key)
	switch {
	case !ok || strings.TrimSpace(text) == "":
		return &InputError{Key: "--drop", Msg: fmt.Sprintf("%q is not KEY=TEXT", keyText), Hint: "for example --drop constraints='the text of the entry'"}
	case !known:
		return unknownBriefKey(name)
	case !isList:
		return &InputError{Key: "--drop", Msg: key + " is not a list", Hint: "use --clear " + key}
	}
	p.Drop = append(p.Drop, Drop{l.Key, text})
	return nil
}

// Clear empties a field, named by its key or its flag. The key notes empties all notes.
func (p *Patch) Clear(name string) error {
	key, ok := briefKey(name)
	if !ok {
		return unknownBriefKey(name)
	}
	if key == "notes" {
		for _, note := range noteKeys {
			_ = p.Clear(note)
		}
		return nil
	}
	if _, isList := ListOf(key); isList {
		p.setList(key, ListPatch{Replace: true, Added: p.Lists[key].Added})
		return nil
	}
	p.setText(key, "")
	return nil
}

// SetNote supplies the note that KEY=TEXT names.
func (p *Patch) SetNote(keyText string) error {
	name, text, ok := strings.Cut(keyText, "=")
	name = strings.ReplaceAll(strings.TrimPrefix(name, notesPrefix), "-", "_")
	if !ok || !slices.Contains(noteKeys, name) {
		return &InputError{Key: "--note", Msg: fmt.Sprintf("%q is not KEY=TEXT with one of the keys %s", keyText, strings.Join(noteKeys, ", "))}
	}
	if name == "do_not_repeat" {
		return p.Replace(notesPrefix+name, text)
	}
	return p.SetText(notesPrefix+name, text)
}
