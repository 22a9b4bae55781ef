package handoff

import (
	"bytes"
	"encoding/json"
	"reflect"
)

// A schema is a JSON object whose members keep their order.
type schema []member

type member struct {
	key   string
	value any
}

// MarshalJSON writes the members in their order.
func (s schema) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range s {
		if i > 0 {
			b.WriteByte(',')
		}
		value, err := marshalJSON(m.value)
		if err != nil {
			return nil, err
		}
		b.WriteString(`"` + m.key + `":`)
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Schema is the JSON Schema (draft 2020-12) of a stored document, made from the tables of this package. What an author
// may write is its $defs/brief.
func Schema() []byte {
	var properties, brief schema
	fields := fieldsOf(reflect.TypeFor[Document]())
	for i, f := range fields {
		k := Keys[i]
		s := typeSchema(reflect.TypeFor[Document]().FieldByIndex(f.index).Type, f.key)
		s = append(s, member{"description", k.Doc})
		if k.Owner == OwnerBrief {
			brief = append(brief, member{f.key, schema{{"$ref", "#/properties/" + f.key}}})
		} else {
			s = append(s, member{"readOnly", true})
		}
		properties = append(properties, member{f.key, s})
	}
	properties[0].value = schema{{"const", FormatVersion}, {"description", Keys[0].Doc}, {"readOnly", true}}
	return indented(schema{
		{"$schema", "https://json-schema.org/draft/2020-12/schema"},
		{"title", "git-handoff document"},
		{"description", "handoff.yaml, format version 1; an author writes $defs/brief, the rest is recorded"},
		{"type", "object"},
		{"properties", properties},
		{"required", []string{"version", "branch", "topic", "status", "next_action"}},
		{"additionalProperties", false},
		{"$defs", schema{
			{"brief", closedObject(brief, nil)},
			{"time", schema{{"type", "string"}, {"format", "date-time"}}},
			{"authorTime", schema{{"type", "string"}, {"pattern", `^(\+[0-9].*|[0-9]{4}-[0-9]{2}-[0-9]{2}(T.*)?)$`},
				{"description", "RFC 3339, a date, or in author input an offset from now such as +4h or +2d"}}},
		}},
	})
}

func indented(s schema) []byte {
	var out bytes.Buffer
	data, err := s.MarshalJSON()
	if err == nil {
		err = json.Indent(&out, data, "", "  ")
	}
	if err != nil {
		panic("handoff: the schema is no JSON: " + err.Error())
	}
	out.WriteByte('\n')
	return out.Bytes()
}

func closedObject(properties schema, required []string) schema {
	s := schema{{"type", "object"}, {"properties", properties}}
	if len(required) > 0 {
		s = append(s, member{"required", required})
	}
	return append(s, member{"additionalProperties", false})
}

func typeSchema(t reflect.Type, path string) schema {
	if allowed := enums[t]; allowed != nil {
		return schema{{"enum", allowed}}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return typeSchema(t.Elem(), path)
	case reflect.Struct:
		if t == timeType {
			return schema{{"$ref", "#/$defs/time"}}
		}
		return structSchema(t, path)
	case reflect.Slice:
		return schema{{"type", "array"}, {"items", elementSchema(t.Elem(), path)}}
	case reflect.Map:
		return schema{{"type", "object"}, {"additionalProperties", schema{{"type", "string"}}}}
	case reflect.Bool:
		return schema{{"type", "boolean"}}
	case reflect.String:
		return textSchema(path)
	}
	return schema{{"type", "integer"}}
}

func textSchema(path string) schema {
	s := schema{{"type", "string"}}
	if t, ok := TextOf(path); ok && t.Max > 0 {
		s = append(s, member{"maxLength", t.Max})
	}
	return s
}

func elementSchema(t reflect.Type, path string) schema {
	if t != itemType {
		return typeSchema(t, path)
	}
	l, _ := ListOf(path)
	text := schema{{"type", "string"}, {"minLength", 1}}
	if l.Max() > 0 {
		text = append(text, member{"maxLength", l.Max()})
	}
	properties := schema{{l.Identity, text}}
	for _, key := range l.Subkeys {
		properties = append(properties, member{key, subkeySchema(l, key)})
	}
	return schema{{"oneOf", []schema{text, closedObject(properties, []string{l.Identity})}}}
}

func subkeySchema(l List, key string) schema {
	switch {
	case isTime(key):
		return schema{{"$ref", "#/$defs/authorTime"}}
	case key == "required":
		return schema{{"type", "boolean"}}
	case l.SubkeyValues(key) != nil:
		return schema{{"enum", l.SubkeyValues(key)}}
	}
	return schema{{"type", "string"}}
}

func structSchema(t reflect.Type, path string) schema {
	var properties schema
	var required []string
	for _, f := range fieldsOf(t) {
		x := t.FieldByIndex(f.index).Type
		properties = append(properties, member{f.key, typeSchema(x, join(path, f.key))})
		if !f.omit && x != timeType {
			required = append(required, f.key)
		}
	}
	return closedObject(properties, required)
}
