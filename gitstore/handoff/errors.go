package handoff

import (
	"fmt"
	"strings"
)

// A ValueError is a value that is not one of those allowed.
type ValueError struct {
	Value   string
	Allowed []string
}

func (e *ValueError) Error() string {
	return fmt.Sprintf("%q is not one of %s", e.Value, strings.Join(e.Allowed, ", "))
}

// An InputError is one thing that is wrong with what an author gave. File and Key may be empty, Line is 1-based and 0
// where there is none.
type InputError struct {
	File string
	Line int
	Key  string
	Msg  string
	Hint string
}

func (e *InputError) Error() string {
	var b strings.Builder
	if e.File != "" {
		b.WriteString(e.File + ":")
	}
	if e.Line > 0 {
		fmt.Fprintf(&b, "%d:", e.Line)
	}
	if b.Len() > 0 {
		b.WriteByte(' ')
	}
	if e.Key != "" {
		b.WriteString(e.Key + ": ")
	}
	b.WriteString(e.Msg)
	return b.String()
}

// InputErrors are all that is wrong with one input.
type InputErrors []*InputError

func (e InputErrors) Error() string {
	lines := make([]string, len(e))
	for i, x := range e {
		lines[i] = x.Error()
	}
	return strings.Join(lines, "\n")
}

// A NewerError is a document that this release does not understand: a higher version, or a key it does not know.
type NewerError struct {
	Version int
	Key     string
	// Tool is the release that wrote it, as it says itself; "" if it does not.
	Tool string
}

func (e *NewerError) Error() string {
	by := ""
	if e.Tool != "" {
		by = "; " + e.Tool + " wrote it"
	}
	if e.Key != "" {
		return fmt.Sprintf("the document has the key %q, which this release does not know%s", e.Key, by)
	}
	return fmt.Sprintf("the document has format version %d, this release reads up to %d%s", e.Version, FormatVersion, by)
}
