package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"

	"git-handoff/gitstore/handoff"
)

// JSON is the document as one flat object with the keys that the stored document has. It holds every text unchanged.
func JSON(d *handoff.Document) ([]byte, error) { return encodeJSON(d) }

// encodeJSON encodes a value with two-space indentation. What a terminal would act on or hide is escaped, which
// changes no value: JSON is printed to terminals too.
func encodeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return escapeJSON(b.Bytes()), nil
}

// escapeJSON writes \u escapes for what Inert would not show. Such runes stand in JSON's strings only.
func escapeJSON(data []byte) []byte {
	var b bytes.Buffer
	prev := rune(0)
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		next, _ := utf8.DecodeRune(data[i+n:])
		if shows(prev, r, next) {
			b.Write(data[i : i+n])
		} else if hi, lo := utf16.EncodeRune(r); hi != utf8.RuneError {
			fmt.Fprintf(&b, `\u%04x\u%04x`, hi, lo)
		} else {
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		prev = r
		i += n
	}
	return b.Bytes()
}
