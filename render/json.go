package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"

	"git-handoff/gitstore/handoff"
)

// JSON is the document as one flat object with the keys of the stored document, in its order. It holds every text
// unchanged; an item of a list is an object always.
func JSON(d *handoff.Document) ([]byte, error) {
	o, err := object(d)
	if err != nil {
		return nil, err
	}
	return encodeJSON(o)
}

// A member is one key of an ordered object.
type member struct {
	key   string
	value any
}

// members are an object whose keys stay in order.
type members []member

// MarshalJSON writes the members as one object.
func (m members) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, one := range m {
		if i > 0 {
			b.WriteByte(',')
		}
		value, err := marshal(one.value)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%q:%s", one.key, bytes.TrimSpace(value))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// object is the document's members in the order of the stored document.
func object(d *handoff.Document) (members, error) {
	data, err := marshal(d)
	if err != nil {
		return nil, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return nil, err
	}
	var o members
	for _, key := range handoff.Keys {
		if value, ok := fields[key.Name]; ok {
			o = append(o, member{key.Name, value})
		}
	}
	return o, nil
}

// encodeJSON encodes a value with two-space indentation. What a terminal would act on or hide is escaped, which
// changes no value: JSON is printed to terminals too.
func encodeJSON(v any) ([]byte, error) {
	data, err := marshal(v)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, data, "", "  "); err != nil {
		return nil, err
	}
	return escapeJSON(b.Bytes()), nil
}

// marshal is json.Marshal without its escapes for HTML, which make commands hard to read.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
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
