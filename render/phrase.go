package render

import (
	"strings"

	"git-handoff/gitstore/handoff"
)

// A role says where a part of a phrase comes from and how it is shown. Told and code, the parts of a changed text
// and a heading that is a name hold text that is not the template's; printers make these inert.
type role uint8

const (
	said    role = iota // the template's words
	told                // text from the document, from git or from the caller
	code                // told, and to be copied as it is: an id, a path, a command
	faint               // the template's words, less important
	good                // the template's words, a success
	loud                // the template's words, an alarm
	heading             // a heading: the template's words or a name
	shared              // told, a part of a text that changed: what old and new have
	worn                // told, a part that only the old text has
	fresh               // told, a part that only the new text has
)

// A span is a part of a phrase.
type span struct {
	text string
	as   role
}

// A phrase is what an entry says, part after part; the template's words bring their own blanks.
type phrase []span

func say(s string) span   { return span{s, said} }
func hush(s string) span  { return span{s, faint} }
func shout(s string) span { return span{s, loud} }
func cheer(s string) span { return span{s, good} }

// tell quotes text that is not the template's. An empty one is said to be empty, since a reader would miss it.
func tell(s string) span {
	if strings.TrimSpace(Inert(s)) == "" {
		return say("(empty)")
	}
	return span{s, told}
}

// quote is tell for what is to be copied as it is.
func quote(s string) span {
	if strings.TrimSpace(Inert(s)) == "" {
		return say("(empty)")
	}
	return span{s, code}
}

// id quotes a long id, shortened to what is unique in any repository that people have.
func id(oid string) span { return quote(short(oid)) }

// fold is tell for text that has to stay on one line, such as a name.
func fold(s string) span { return tell(Folded(s)) }

// short is the first 12 digits of an object id.
func short(oid string) string {
	if len(oid) > 12 && strings.Trim(oid, "0123456789abcdef") == "" {
		return oid[:12]
	}
	return oid
}

// labelled is a phrase "label: text", or none where the text is absent.
func labelled(label, text string) []phrase {
	if text == "" {
		return nil
	}
	return []phrase{{hush(label + ": "), tell(text)}}
}

// An entry is one thing that a section says. Without a mark it is a paragraph, with "1." one of a numbered list, with
// another mark one of a list.
type entry struct {
	mark  string
	text  phrase
	under []phrase
	// output is shown as it is, below the rest.
	output string
}

// A section is a heading and its entries. The gloss is the template's remark on all of them.
type section struct {
	title   string
	gloss   string
	entries []entry
}

// list is a section of one entry for each item.
func list(title, gloss string, items []handoff.Item, one func(handoff.Item) entry) section {
	s := section{title: title, gloss: gloss}
	for _, it := range items {
		s.entries = append(s.entries, one(it))
	}
	return s
}

// plain is an entry that says what the item says, and why if that is known.
func plain(it handoff.Item) entry {
	return entry{mark: "-", text: phrase{tell(it.What)}, under: labelled("why", it.Why)}
}
