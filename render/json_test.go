package render

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"git-handoff/gitstore/handoff"
)

// TestJSONHoldsTextsUnchanged reads back what was written: the same document, though nothing in the bytes acts on a
// terminal.
func TestJSONHoldsTextsUnchanged(t *testing.T) {
	for _, s := range hostile {
		want := filled(strings.ToValidUTF8(s, "?"), false).Doc
		data, err := JSON(want)
		if err != nil {
			t.Fatal(err)
		}
		checkInert(t, string(data))
		var got handoff.Document
		if err := json.Unmarshal(data, &got); err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		again, err := JSON(&got)
		if err != nil || !bytes.Equal(data, again) {
			t.Errorf("%q: read back and written again it differs (%v):\n%s", s, err, cmp.Diff(string(data), string(again)))
		}
	}
}

func TestJSONOrder(t *testing.T) {
	data, err := JSON(full().Doc)
	if err != nil {
		t.Fatal(err)
	}
	last := -1
	for i, key := range handoff.Keys {
		at := bytes.Index(data, []byte("\n  \""+key.Name+"\":"))
		if at < last {
			t.Errorf("%s stands at byte %d, before its predecessor", key.Name, at)
		}
		if at < 0 {
			t.Errorf("key %d, %s, is missing", i, key.Name)
		}
		last = at
	}
}
