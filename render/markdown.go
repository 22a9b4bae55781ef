package render

import (
	"bytes"
	"strings"
)

// Markdown is the view for a person on a host. Times are absolute, since it may lie in a file.
func Markdown(v View) []byte {
	p := page{View: v}
	w := &markdownWriter{}
	w.head(p)
	for _, s := range p.sections() {
		w.section(s, "## ")
	}
	return w.Bytes()
}

// head prints what stands above the first section.
func (w *markdownWriter) head(p page) {
	w.WriteString("# Handoff " + codeSpan(p.Doc.Name().String()) + "\n\n")
	head := []string{w.phrase(p.standing())}
	for _, line := range p.top() {
		head = append(head, w.phrase(line))
	}
	w.WriteString(strings.Join(head, "\\\n") + "\n")
	w.entries(p.alarms())
}

// A markdownWriter prints sections as Markdown. Headings, lists and emphasis come from the template alone.
type markdownWriter struct{ bytes.Buffer }

func (w *markdownWriter) section(s section, level string) {
	if len(s.entries) == 0 {
		return
	}
	w.WriteString("\n" + level + s.title + "\n")
	if s.gloss != "" {
		w.WriteString("\n(" + s.gloss + ")\n")
	}
	w.entries(s.entries)
}

func (w *markdownWriter) entries(all []entry) {
	tight := false
	for _, e := range all {
		if !tight || e.mark == "" {
			w.WriteByte('\n')
		}
		tight = e.mark != "" && e.output == ""
		w.entry(e)
	}
}

func (w *markdownWriter) entry(e entry) {
	marker := "- "
	switch {
	case e.mark == "":
		marker = ""
	case e.mark[0] >= '0' && e.mark[0] <= '9':
		marker = e.mark + " "
	}
	hang := strings.Repeat(" ", len(marker))
	w.item(marker, hang, e.text)
	for _, line := range e.under {
		w.item(hang+"- ", hang+"  ", line)
	}
	if e.output != "" {
		w.WriteString("\n" + fence(e.output, "text", hang))
	}
}

// item prints a phrase behind a marker; what follows its first line is indented, so that it stays in the item.
func (w *markdownWriter) item(marker, hang string, ph phrase) {
	text := w.phrase(ph)
	for i, line := range strings.Split(text, "\n") {
		prefix := hang
		if i == 0 {
			prefix = marker
		}
		w.WriteString(strings.TrimRight(prefix+line, " ") + "\n")
	}
}

func (w *markdownWriter) phrase(ph phrase) string {
	var b strings.Builder
	for _, s := range ph {
		switch s.as {
		case told, shared, worn, fresh:
			b.WriteString(paragraphs(s.text))
		case code:
			b.WriteString(codeSpan(s.text))
		case loud:
			b.WriteString("**" + s.text + "**")
		default:
			b.WriteString(s.text)
		}
	}
	return b.String()
}
