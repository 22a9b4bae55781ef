package handoff

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// Artifacts is the list of artifacts: in JSON, as in YAML, what identifies one is its `name`.
type Artifacts []Item

// jsonOrder is the order of an item's sub-keys in JSON. It agrees with the order in every list.
var jsonOrder = []string{"kind", "why", "check", "replay", "ref", "required", "effect", "evidence", "severity", "for", "owner", "since", "expires", "by", "at", "on"}

// MarshalJSON writes the item as an object with the keys that it has in YAML. It is an object even where the YAML is a
// plain string, so that readers need one case.
func (it Item) MarshalJSON() ([]byte, error) { return it.marshal("what") }

// UnmarshalJSON reads what MarshalJSON wrote.
func (it *Item) UnmarshalJSON(data []byte) error { return it.unmarshal("what", data) }

// MarshalJSON writes the artifacts as objects with a `name`.
func (a Artifacts) MarshalJSON() ([]byte, error) {
	parts := make([]json.RawMessage, len(a))
	for i, it := range a {
		part, err := it.marshal("name")
		if err != nil {
			return nil, err
		}
		parts[i] = part
	}
	return marshalJSON(parts)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (a *Artifacts) UnmarshalJSON(data []byte) error {
	var parts []json.RawMessage
	if err := json.Unmarshal(data, &parts); err != nil {
		return err
	}
	*a = nil
	for _, part := range parts {
		var it Item
		if err := it.unmarshal("name", part); err != nil {
			return err
		}
		*a = append(*a, it)
	}
	return nil
}

func (it Item) marshal(identity string) ([]byte, error) {
	var b bytes.Buffer
	what, err := marshalJSON(it.What)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(&b, `{"%s":%s`, identity, what)
	for _, key := range jsonOrder {
		value := it.Subkey(key)
		if value == "" {
			continue
		}
		written := []byte(value)
		if key != "required" {
			if written, err = marshalJSON(value); err != nil {
				return nil, err
			}
		}
		fmt.Fprintf(&b, `,"%s":%s`, key, written)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func (it *Item) unmarshal(identity string, data []byte) error {
	var fields map[string]any
	if err := json.Unmarshal(data, &fields); err != nil {
		return err
	}
	*it = Item{}
	for key, value := range fields {
		switch {
		case key == identity:
			it.What = fmt.Sprint(value)
		case !slices.Contains(jsonOrder, key):
			return fmt.Errorf("an item has no key %q", key)
		default:
			if err := it.SetSubkey(key, fmt.Sprint(value)); err != nil {
				return fmt.Errorf("%s: %w", key, err)
			}
		}
	}
	return nil
}

// marshalJSON is json.Marshal without the escapes for HTML; whoever embeds the result may add them.
func marshalJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}
