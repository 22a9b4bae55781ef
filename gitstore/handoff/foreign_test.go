package handoff

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func readShape(t *testing.T, shape Shape) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "shapes", string(shape)+"-in.json"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestShapesIn reads a text of each shape, the packet being a real one, and holds the brief and what was not taken.
func TestShapesIn(t *testing.T) {
	t.Parallel()
	for _, shape := range Shapes {
		data := readShape(t, shape)
		if found := DetectShape(data); found != shape {
			t.Errorf("%s is taken for %q", shape, found)
		}
		p, notTaken, err := DecodeShape("in.json", data, shape)
		if err != nil {
			t.Fatal(err)
		}
		b, _, err := CarryForward(nil, p, CarryOptions{Now: saveTime})
		if err != nil {
			t.Fatal(err)
		}
		text, err := EncodeBrief(b)
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, "# not taken: "+strings.Join(notTaken, ", ")+"\n"...)
		golden(t, "shapes/"+string(shape)+"-in.yaml", text)
	}
}

// TestShapesOut writes a document with something under every key in each shape.
func TestShapesOut(t *testing.T) {
	t.Parallel()
	for _, shape := range Shapes {
		d := richDocument()
		d.Done = append(d.Done, Item{What: "looked around", Effect: EffectNone})
		data, lost, err := EncodeShape(d, shape)
		if err != nil {
			t.Fatal(err)
		}
		if found := DetectShape(data); found != shape || !json.Valid(data) {
			t.Errorf("%s is taken for %q", shape, found)
		}
		golden(t, "shapes/"+string(shape)+"-out.json", fmt.Appendf(data, "lost: %s\n", strings.Join(lost, ", ")))
	}
}

// TestShapesRoundTrip writes a document and reads it back: all of the brief that is not named as lost is there.
func TestShapesRoundTrip(t *testing.T) {
	t.Parallel()
	for _, shape := range Shapes {
		d := richDocument()
		data, lost, err := EncodeShape(d, shape)
		if err != nil {
			t.Fatal(err)
		}
		p, _, err := DecodeShape("", data, shape)
		if err != nil {
			t.Fatal(err)
		}
		b, _, err := CarryForward(nil, p, CarryOptions{})
		if err != nil {
			t.Fatal(err)
		}
		want := withoutLost(d.Brief, lost)
		if !want.Equal(b) {
			t.Errorf("%s: %s", shape, cmp.Diff(&want, b, cmp.AllowUnexported(Time{})))
		}
		// once more gives the same text, facts aside
		again := New(d.Name())
		again.Brief, again.Provenance, again.Observed, again.Recorded = *b, d.Provenance, d.Observed, d.Recorded
		if second, _, err := EncodeShape(again, shape); err != nil || !bytes.Equal(data, second) {
			t.Errorf("%s: %v %s", shape, err, cmp.Diff(string(data), string(second)))
		}
	}
}

// withoutLost is the brief without what is named as lost.
func withoutLost(b Brief, lost []string) Brief {
	b = b.Clone()
	for _, text := range Texts {
		if slices.Contains(lost, text.Key) || strings.HasPrefix(text.Key, notesPrefix) && slices.Contains(lost, "notes") {
			*text.Of(&b) = ""
		}
	}
	for _, l := range Lists {
		items := l.Of(&b)
		if slices.Contains(lost, l.Key) || strings.HasPrefix(l.Key, notesPrefix) && slices.Contains(lost, "notes") {
			*items = nil
		}
		for i := range *items {
			for _, key := range l.Subkeys {
				if slices.Contains(lost, l.Key+"."+key) {
					_ = (*items)[i].SetSubkey(key, "")
				}
			}
		}
	}
	return b
}

func TestShapeEmptyDocument(t *testing.T) {
	t.Parallel()
	d := New(Name{"main", "default"})
	d.NextAction = "go"
	for _, shape := range Shapes {
		data, lost, err := EncodeShape(d, shape)
		if err != nil || slices.Contains(lost, "next_action") {
			t.Errorf("%s: %v, lost %v", shape, err, lost)
		}
		var keys map[string]any
		if err := json.Unmarshal(data, &keys); err != nil {
			t.Fatal(err)
		}
		for key, value := range keys {
			if value == nil {
				t.Errorf("%s: %s is null; programs that read it expect a text or a list", shape, key)
			}
		}
	}
}

func TestDetectShapeOfOthers(t *testing.T) {
	t.Parallel()
	rich, err := Encode(richDocument())
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{string(rich), "next_action: a\ntask_id: b\nsummary: c\nopen_risks: []\n", "", "[1]", "{", "version: 1\n", "a: *b\n"} {
		if shape := DetectShape([]byte(text)); shape != ShapeBrief {
			t.Errorf("%.40q is taken for a %s", text, shape)
		}
	}
}

func TestDecodeShapeErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		shape      Shape
		text, want string
	}{
		{ShapePacket, `{"summary": "x"}`, "this is no packet: it has no session_id, next_action"},
		{ShapeRecord, `{"run_id": 1, "next_safe_step": ["x"]}`, "in.json:1: next_safe_step: this is a list where text was expected"},
		{ShapeRecord, "{\"run_id\": 1, \"next_safe_step\": \"x\",\n\"pending_items\": {\"a\": 1}}", "in.json:2: pending_items: this is a mapping where a list"},
		{ShapeRecord, `{"run_id": 1, "next_safe_step": "x", "pending_items": [{"kind": "task"}]}`, "the entry has no `what`"},
		{ShapeRecord, `{"run_id": 1, "next_safe_step": "x", "pending_items": [["a"]]}`, "this is a list where text"},
		{ShapeDocument, `{"version": 1, "objective": "x", "next": "y"}`, "next: this is text where a list"},
		{ShapeDocument, `{"version": 1, "objective": "x", "next": [` + strings.Repeat(`"a", `, 3000) + `"b"]}`, ""},
		{ShapeDocument, `{"version": 1, "objective": "x", "next": [` + manyTexts(3000) + `]}`, "3000 list entries"},
		{ShapePacket, "{", "not YAML"},
	} {
		_, _, err := DecodeShape("in.json", []byte(tt.text), tt.shape)
		var all InputErrors
		if tt.want == "" && err == nil {
			continue
		}
		if !errors.As(err, &all) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.60s: got %v, want %q", tt.text, err, tt.want)
		}
	}
}

func manyTexts(n int) string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprintf("%q", fmt.Sprint("step ", i))
	}
	return strings.Join(texts, ",")
}

func FuzzDecodeShape(f *testing.F) {
	for _, shape := range Shapes {
		data, err := os.ReadFile(filepath.Join("testdata", "shapes", string(shape)+"-in.json"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		DetectShape(data)
		for _, shape := range Shapes {
			p, _, err := DecodeShape("", data, shape)
			if err != nil {
				continue
			}
			b, _, err := CarryForward(nil, p, CarryOptions{StateNextAction: "x"})
			if err != nil {
				continue
			}
			d := New(Name{"main", "default"})
			d.Brief = *b
			if _, err := Encode(d); err != nil {
				t.Fatalf("%s: %v", shape, err)
			}
			if _, _, err := EncodeShape(d, shape); err != nil {
				t.Fatalf("%s: %v", shape, err)
			}
		}
	})
}
