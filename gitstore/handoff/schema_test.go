package handoff

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// A validator knows as much of JSON Schema as Schema uses, and panics at anything else.
type validator struct{ root map[string]any }

func newValidator(t *testing.T) validator {
	t.Helper()
	var v validator
	if err := json.Unmarshal(Schema(), &v.root); err != nil {
		t.Fatal(err)
	}
	return v
}

func (v validator) resolve(ref string) map[string]any {
	var at any = v.root
	for part := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
		at = at.(map[string]any)[part]
	}
	return at.(map[string]any)
}

// problems lists where a value breaks a schema.
func (v validator) problems(s map[string]any, x any, at string) []string {
	var found []string
	for keyword, arg := range s {
		if !v.holds(keyword, arg, x) {
			found = append(found, fmt.Sprintf("%s: %s %v", at, keyword, arg))
		}
	}
	if ref, ok := s["$ref"].(string); ok {
		found = append(found, v.problems(v.resolve(ref), x, at)...)
	}
	if list, ok := x.([]any); ok && s["items"] != nil {
		for i, e := range list {
			found = append(found, v.problems(s["items"].(map[string]any), e, fmt.Sprintf("%s[%d]", at, i))...)
		}
	}
	if object, ok := x.(map[string]any); ok {
		found = append(found, v.members(s, object, at)...)
	}
	return found
}

func (v validator) members(s, object map[string]any, at string) []string {
	var found []string
	properties, _ := s["properties"].(map[string]any)
	for key, x := range object {
		if p, ok := properties[key].(map[string]any); ok {
			found = append(found, v.problems(p, x, join(at, key))...)
		} else if more, ok := s["additionalProperties"].(map[string]any); ok {
			found = append(found, v.problems(more, x, join(at, key))...)
		} else if s["additionalProperties"] == false {
			found = append(found, join(at, key)+": no such key")
		}
	}
	return found
}

func (v validator) holds(keyword string, arg, x any) bool {
	text, isText := x.(string)
	switch keyword {
	case "type":
		kinds := map[string]reflect.Kind{"string": reflect.String, "integer": reflect.Int, "boolean": reflect.Bool, "array": reflect.Slice, "object": reflect.Map}
		return reflect.TypeOf(x).Kind() == kinds[arg.(string)]
	case "const":
		return fmt.Sprint(x) == fmt.Sprint(arg)
	case "enum":
		return slices.Contains(arg.([]any), x)
	case "maxLength":
		return !isText || utf8.RuneCountInString(text) <= int(arg.(float64))
	case "minLength":
		return !isText || utf8.RuneCountInString(text) >= int(arg.(float64))
	case "pattern":
		return !isText || regexp.MustCompile(arg.(string)).MatchString(text)
	case "format":
		_, err := time.Parse(time.RFC3339, text)
		return err == nil
	case "required":
		object, ok := x.(map[string]any)
		return ok && !slices.ContainsFunc(arg.([]any), func(key any) bool { return object[key.(string)] == nil })
	case "oneOf":
		n := 0
		for _, s := range arg.([]any) {
			if len(v.problems(s.(map[string]any), x, "")) == 0 {
				n++
			}
		}
		return n == 1
	case "$ref", "items", "properties", "additionalProperties", "description", "readOnly", "$schema", "title", "$defs":
		return true
	}
	panic("the validator does not know " + keyword)
}

// plainValue reads YAML as JSON would have it: a time is a string.
func plainValue(t *testing.T, data []byte) map[string]any {
	t.Helper()
	var root yaml.Node
	if err := yaml.Unmarshal(data, &root); err != nil {
		t.Fatal(err)
	}
	timesAsText(&root)
	var x map[string]any
	if err := root.Decode(&x); err != nil {
		t.Fatal(err)
	}
	return x
}

func timesAsText(n *yaml.Node) {
	if n.ShortTag() == "!!timestamp" {
		n.Tag = "!!str"
	}
	for _, c := range n.Content {
		timesAsText(c)
	}
}

func TestSchemaAccepts(t *testing.T) {
	t.Parallel()
	v := newValidator(t)
	for name, d := range map[string]*Document{"rich": richDocument(), "small": previous()} {
		data, err := Encode(d)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range v.problems(v.root, plainValue(t, data), "") {
			t.Errorf("%s: %s", name, p)
		}
	}
	brief := richDocument().Brief
	data, err := EncodeBrief(&brief)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{string(data), "pending: [{what: a, expires: +4h}, {what: b, since: 2026-01-02}]"} {
		for _, p := range v.problems(v.resolve("#/$defs/brief"), plainValue(t, []byte(text)), "") {
			t.Error(p)
		}
	}
}

func TestSchemaRefuses(t *testing.T) {
	t.Parallel()
	v := newValidator(t)
	for _, text := range []string{
		"unheard_of: 1", "summary: [a]", "next: a", "next: [{why: a}]", "next: [{what: a, why: b}]", "next: ['']", "progress: doing",
		"done: [{what: a, effect: world}]", "pending: [{what: a, expires: soon}]", "artifacts: [{what: a}]", "artifacts: [{name: a, required: 'yes'}]",
		"notes: {interpretation: " + long281 + "}", "notes: {do_not_repeat: [" + long281 + "]}", "notes: {other: a}", "head: abc", "status: active",
	} {
		if _, err := DecodeBrief("", []byte(text)); err == nil {
			t.Errorf("%.60s is accepted by the decoder", text)
		}
		if len(v.problems(v.resolve("#/$defs/brief"), plainValue(t, []byte(text)), "")) == 0 {
			t.Errorf("%.60s is accepted by the schema", text)
		}
	}
	for _, change := range []struct{ old, new string }{
		{"version: 1", "version: 2"}, {"topic: default\n", ""}, {"active", "asleep"}, {"commits: 3", "commits: x"},
		{"commits: 3", "evidence: {exit: 1}"}, {"commits: 3", "claim: {by: a, at: now}"}, {"next_action: go on\n", ""},
	} {
		if len(v.problems(v.root, plainValue(t, []byte(strings.Replace(stored, change.old, change.new, 1))), "")) == 0 {
			t.Errorf("%s is accepted", change.new)
		}
	}
}

func TestSchemaGolden(t *testing.T) {
	t.Parallel()
	golden(t, "schema.json", Schema())
}
