package handoff

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// awkward are texts that YAML writers and readers get wrong.
var awkward = []string{
	"no", "yes", "Null", "null", "~", "true", "1e3", "0o7", "010", "0x1F", "1_000", "12:30:45", ".5", "1.", ".inf", "-.NaN",
	"2026-01-02", "2026-01-02T03:04:05Z", "---", "...", "--- a", "# x", "a # b", "a #", ": ", "a: b", "a:", ":a", "- a", "-", "?", "? a",
	" a", "a ", "\ta", "a\t", "a\tb", "\n", "\na", "a\n", "a\n\n", "a\n\n\nb\n", " a\nb", "a\n b", "a\n  ", "a\n  \nb", "a\n\t\nb", "a\n\t",
	"a\r", "a\rb", "a\r\nb", "\r", "\x01", "a\x1b[31mb", "\x7f", "\u0085", "a\u0085b", "\u2028", "a\n\u2028b", "a\u2029", "\ufeff", "a\ufeffb\nc",
	"\u202eabc", "a\u2066b\nc", "🚢", "a 🚢\nb 日本語", "é", "\u00a0", "a\u00a0", "\u3000a", "\ufffd", "\ufffe", "\uffff", "\U0010ffff",
	"'", "\"", "\\", "a\\nb", "'a' b", "{a}", "[a]", "a, b", "&a", "*a", "!a", "!!str a", "|", ">", "%a", "@a", "`a`", "<<", "=", "a | b",
	"--- \n---\n...\n", "a\n---\nb\n...\n# c", "a\n#b", "a:\n- b\n", "---\na", "# a\nb", "|\n a", "\x00", "a\x00\nb", "e3", "0", "-1", "+1", "+4h",
	strings.Repeat("x", 64<<10), strings.Repeat("long ", 13<<10) + "\nend", strings.Repeat("k", 2000),
}

// A generator makes valid documents, filling every field of every struct at times.
type generator struct{ *rand.Rand }

func (g generator) text() string {
	switch g.IntN(4) {
	case 0:
		return "plain text"
	case 1:
		return awkward[g.IntN(len(awkward))] + awkward[g.IntN(len(awkward)-3)]
	}
	return awkward[g.IntN(len(awkward)-3)]
}

func (g generator) time() Time {
	return TimeOf(time.Unix(g.Int64N(4_000_000_000), 0))
}

func (g generator) fill(v reflect.Value, path string) {
	if allowed := enums[v.Type()]; allowed != nil {
		v.SetString(allowed[g.IntN(len(allowed))])
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		g.fill(v.Elem(), path)
	case reflect.Struct:
		g.fillStruct(v, path)
	case reflect.Slice:
		g.fillSlice(v, path)
	case reflect.Map:
		v.Set(reflect.ValueOf(map[string]string{}))
		for range g.IntN(3) {
			v.SetMapIndex(reflect.ValueOf(g.text()), reflect.ValueOf(g.text()))
		}
	case reflect.String:
		v.SetString(g.text())
	case reflect.Bool:
		v.SetBool(g.IntN(2) == 0)
	default:
		v.SetInt(g.Int64N(1000) - 500)
	}
}

func (g generator) fillStruct(v reflect.Value, path string) {
	if v.Type() == timeType {
		v.Set(reflect.ValueOf(g.time()))
		return
	}
	for _, f := range fieldsOf(v.Type()) {
		if g.IntN(3) > 0 {
			g.fill(v.FieldByIndex(f.index), join(path, f.key))
		}
	}
}

func (g generator) fillSlice(v reflect.Value, path string) {
	v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	for range g.IntN(4) {
		x := reflect.New(v.Type().Elem()).Elem()
		if x.Type() == itemType {
			l, _ := ListOf(path)
			x.Set(reflect.ValueOf(g.item(l)))
		} else {
			g.fill(x, path)
		}
		v.Set(reflect.Append(v, x))
	}
}

func (g generator) item(l List) Item {
	it := Item{What: g.text()}
	for _, key := range l.Subkeys {
		values := l.SubkeyValues(key)
		switch {
		case g.IntN(2) == 0:
		case isTime(key):
			*it.time(key) = g.time()
		case values != nil:
			_ = it.SetSubkey(key, values[g.IntN(len(values))])
		default:
			_ = it.SetSubkey(key, g.text())
		}
	}
	return it
}

func (g generator) document() *Document {
	var d Document
	g.fill(reflect.ValueOf(&d).Elem(), "")
	d.Version, d.Branch, d.Topic = FormatVersion, "feat/x", "default"
	if d.Status == "" {
		d.Status = Active
	}
	return &d
}

func TestEncodeRoundTrip(t *testing.T) {
	t.Parallel()
	g := generator{rand.New(rand.NewPCG(1, 2))}
	for i := range 500 {
		d := g.document()
		data, err := Encode(d)
		if err != nil {
			t.Fatalf("document %d: %v\n%+v", i, err, d)
		}
		back, err := Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := Encode(back); err != nil || !bytes.Equal(data, again) {
			t.Fatalf("document %d: two encodings differ: %v\n%s", i, err, cmp.Diff(string(data), string(again)))
		}
	}
}

func TestEncodeAwkwardTexts(t *testing.T) {
	t.Parallel()
	for _, s := range awkward {
		d := New(Name{"main", "default"})
		d.Summary = s
		d.Next = []Item{{What: s}}
		d.Decisions = []Item{{What: s, Why: s}, {What: "x", Why: s}}
		d.ArtifactDigests = map[string]string{s: s}
		if _, err := Encode(d); err != nil {
			t.Errorf("%.40q: %v", s, err)
		}
	}
}

func FuzzEncodeText(f *testing.F) {
	for _, s := range awkward {
		if len(s) < 1000 {
			f.Add(s)
		}
	}
	f.Fuzz(func(t *testing.T, s string) {
		d := New(Name{"main", "default"})
		d.Summary, d.Next = s, []Item{{What: s}, {What: s + "x"}}
		d.Rejected = []Item{{What: "a", Why: s}}
		d.ArtifactDigests = map[string]string{s: "1"}
		_, err := Encode(d)
		var encoding *EncodingError
		if err != nil && !errors.As(err, &encoding) {
			t.Fatal(err)
		}
	})
}
