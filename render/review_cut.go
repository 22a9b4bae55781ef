package render

import (
	"fmt"
	"slices"
	"unicode/utf16"
)

// A comment is Markdown that may have so many characters and no more. What does not fit is left out by whole entries,
// and said.
type comment struct {
	parts []part
	limit int
	// name is the command that shows the parts that were left out.
	name string
}

// A part is one handoff: what is always shown of it, its sections, and the command that prints all of it. The sections
// are made only for as many parts as have room.
type part struct {
	head     string
	level    string
	sections func() []section
	show     string
	measured []measured
}

// markdown is the comment. If all has room, nothing is cut. Else every section gets the same room at most, so that one
// long list does not push the others out.
func (c comment) markdown() []byte {
	parts, left := c.fitting()
	more := c.more(parts, left)
	w := &markdownWriter{}
	for i, p := range parts {
		if i > 0 {
			w.WriteByte('\n')
		}
		w.WriteString(p.head)
		for _, s := range p.measured {
			w.section(s.cut(more), p.level)
		}
	}
	if left > 0 {
		w.WriteString("\n" + c.leftOut(left))
	}
	return w.Bytes()
}

// leftOut says how many handoffs are not shown.
func (c comment) leftOut(n int) string {
	return "And " + count(n, "more active handoff") + ", for which there is no room: " + codeSpan(c.name) + "\n"
}

// fitting are the parts that have room if each section is cut to its title, measured, and how many others there are.
func (c comment) fitting() (parts []part, left int) {
	used := characters(c.leftOut(len(c.parts)))
	for i, p := range c.parts {
		used += characters(p.head) + 1
		for _, s := range p.sections() {
			m := p.measure(s, c.limit)
			used += min(m.size, m.least)
			p.measured = append(p.measured, m)
		}
		if used > c.limit && i > 0 {
			return parts, len(c.parts) - i
		}
		parts = append(parts, p)
	}
	return parts, 0
}

// more is how many characters a section may have beyond its title, so that all together have at most the limit.
func (c comment) more(parts []part, left int) int {
	budget := c.limit
	if left > 0 {
		budget -= characters(c.leftOut(left)) + 1
	}
	var beyond []int
	for _, p := range parts {
		budget -= characters(p.head) + 1
		for _, m := range p.measured {
			budget -= min(m.size, m.least)
			beyond = append(beyond, max(0, m.size-m.least))
		}
	}
	return waterline(beyond, budget)
}

// waterline is the largest size to which all sizes can be cut so that they sum up to no more than the budget.
func waterline(sizes []int, budget int) int {
	slices.Sort(sizes)
	for i, size := range sizes {
		share := budget / (len(sizes) - i)
		if size > share {
			return share
		}
		budget -= size
	}
	return 1 << 30
}

// A measured section knows how many characters it has, and has if it is cut to its title. What is longer than a whole
// comment is measured no further.
type measured struct {
	section
	size, least int
	// entrySizes are the sizes of the first entries, as far as they were measured.
	entrySizes []int
	show       string
}

func (p part) measure(s section, limit int) measured {
	m := measured{section: s, show: p.show}
	if len(s.entries) == 0 {
		return m
	}
	m.least = characters(p.markdown(section{s.title, s.gloss, []entry{m.note(len(s.entries))}}))
	m.size = characters(p.markdown(section{s.title, s.gloss, []entry{{}}}))
	for _, e := range s.entries {
		w := &markdownWriter{}
		w.entries([]entry{e})
		n := characters(w.String())
		m.entrySizes = append(m.entrySizes, n)
		if m.size += n; m.size > limit {
			break
		}
	}
	return m
}

func (p part) markdown(s section) string {
	w := &markdownWriter{}
	w.section(s, p.level)
	return w.String()
}

// cut is the section with as many of its entries, from the first on, as have room.
func (m measured) cut(more int) section {
	if m.size <= m.least+more {
		return m.section
	}
	used, n := 0, 0
	for ; n < len(m.entrySizes); n++ {
		if used += m.entrySizes[n]; used > more {
			break
		}
	}
	cut := m.section
	cut.entries = append(slices.Clone(m.entries[:n]), m.note(len(m.entries)-n))
	return cut
}

// note says how many entries of a section are not shown.
func (m measured) note(missing int) entry {
	return entry{text: phrase{say(fmt.Sprintf("%d of %d not shown, for want of room: ", missing, len(m.entries))), quote(m.show)}}
}

// characters counts as the strictest hosts do, in UTF-16: what is outside its first plane, most emoji for one, is two.
func characters(s string) int {
	n := 0
	for _, r := range s {
		n += max(1, utf16.RuneLen(r))
	}
	return n
}
