package render

import (
	"cmp"
	"fmt"
	"time"

	"git-handoff/gitstore/handoff"
)

// A Figure is one number of the dashboard, with what it was counted from. Without data there is no number.
type Figure struct {
	Name string
	// Definition says in one sentence what is counted.
	Definition string
	Unit       Unit
	Value      float64
	// Count of Of is what the value was made from; with Of 0 there is not enough data.
	Count, Of int
	// Remarks are more counts, such as those that were left out.
	Remarks string
}

// Unit is what a figure is measured in.
type Unit string

const (
	Share   Unit = "share" // from 0 to 1
	Seconds Unit = "seconds"
	Number  Unit = "number"
	Points  Unit = "points" // from 0 to 100
)

// enough reports whether there is a number at all.
func (f Figure) enough() bool { return f.Of > 0 }

// A Scope is the figures of one branch, or, without a name, of all.
type Scope struct {
	Branch           string
	Handoffs, Active int
	Figures          []Figure
}

// A Dashboard is what stats shows. A zero Since is all there is; Only is the branch that was asked for, "" for all.
type Dashboard struct {
	Now, Since time.Time
	Only       string
	All        Scope
	Branches   []Scope
}

// Stats is the dashboard for a person: all figures with their definitions, then those of each branch in one line each.
func Stats(d Dashboard, t Terminal) []byte {
	w := &textWriter{terminal: t}
	head := count(d.All.Handoffs, "handoff") + ", " + fmt.Sprintf("%d active", d.All.Active)
	if !d.Since.IsZero() {
		head += ", since " + moment(d.Since)
	}
	w.lines("", "  ", phrase{{cmp.Or(d.Only, "All branches"), heading}, say(": " + head)})
	for _, f := range d.All.Figures {
		w.lines("  ", "    ", append(phrase{{label(f.Name), heading}, say(": ")}, f.phrase()...))
		w.lines("      ", "      ", phrase{hush(f.Definition)})
	}
	for _, s := range d.Branches {
		if s.Branch == d.Only {
			continue // told above
		}
		w.WriteByte('\n')
		w.lines("", "  ", phrase{{s.Branch, heading}, say(": " + count(s.Handoffs, "handoff") + ", " + fmt.Sprintf("%d active", s.Active))})
		for _, f := range s.Figures {
			if f.enough() {
				w.lines("  ", "    ", append(phrase{say(label(f.Name) + ": ")}, f.phrase()...))
			}
		}
	}
	return w.Bytes()
}

func label(name string) string {
	out := []byte(name)
	for i := range out {
		if out[i] == '_' {
			out[i] = ' '
		}
	}
	return string(out)
}

// phrase is the number with its counts, or that there is none.
func (f Figure) phrase() phrase {
	if !f.enough() {
		p := phrase{hush("not enough data")}
		if f.Remarks != "" {
			p = append(p, hush(" ("+f.Remarks+")"))
		}
		return p
	}
	counted := fmt.Sprintf("%d of %d", f.Count, f.Of)
	if f.Unit == Seconds || f.Unit == Points {
		counted = fmt.Sprintf("from %d", f.Of)
	}
	if f.Remarks != "" {
		counted += "; " + f.Remarks
	}
	return phrase{cheer(f.value()), say(" (" + counted + ")")}
}

func (f Figure) value() string {
	switch f.Unit {
	case Share:
		return fmt.Sprintf("%.0f %%", 100*f.Value)
	case Seconds:
		return length(time.Duration(f.Value) * time.Second)
	}
	return fmt.Sprintf("%.0f", f.Value)
}

// length is how long something took, in one unit, to the second below a minute.
func length(d time.Duration) string {
	if d < time.Minute {
		return count(int(d/time.Second), "second")
	}
	return long(d)
}

// StatsJSON is the dashboard for a program. Where there is not enough data, value is null.
func StatsJSON(d Dashboard) ([]byte, error) {
	o := members{{"at", handoff.TimeOf(d.Now)}}
	if !d.Since.IsZero() {
		o = append(o, member{"since", handoff.TimeOf(d.Since)})
	}
	if d.Only != "" {
		o = append(o, member{"branch", d.Only})
	}
	branches := []members{}
	for _, s := range d.Branches {
		branches = append(branches, s.json(false))
	}
	return encodeJSON(append(o, member{"all", d.All.json(true)}, member{"branches", branches}))
}

func (s Scope) json(define bool) members {
	o := members{}
	if s.Branch != "" {
		o = append(o, member{"branch", s.Branch})
	}
	o = append(o, member{"handoffs", s.Handoffs}, member{"active", s.Active})
	for _, f := range s.Figures {
		one := members{{"value", nil}, {"unit", f.Unit}, {"count", f.Count}, {"of", f.Of}, {"enough", f.enough()}}
		if f.enough() {
			one[0].value = f.Value
		}
		if f.Remarks != "" {
			one = append(one, member{"remarks", f.Remarks})
		}
		if define {
			one = append(one, member{"definition", f.Definition})
		}
		o = append(o, member{f.Name, one})
	}
	return o
}
