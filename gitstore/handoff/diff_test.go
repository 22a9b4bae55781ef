package handoff

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// sameDocument takes an empty list for an absent one, as the stored form does.
func sameDocument(a, b *Document) string {
	if reflect.DeepEqual(a, b) {
		return ""
	}
	return cmp.Diff(a, b, cmpopts.EquateEmpty(), cmp.Comparer(func(x, y Time) bool { return x == y }))
}

// TestDiffApplied holds over arbitrary documents, related and not: the difference applied to one gives the other.
func TestDiffApplied(t *testing.T) {
	t.Parallel()
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 2))
		a, b := arbitraryDocument(r), arbitraryDocument(r)
		if seed%3 > 0 {
			b = alter(r, a)
		}
		before := fmt.Sprintf("%+v", *a)
		d := Diff(a, b)
		if diff := sameDocument(Apply(a, d), b); diff != "" {
			t.Fatalf("seed %d: applied is not the document (-applied +want):\n%s", seed, diff)
		}
		if after := fmt.Sprintf("%+v", *a); after != before {
			t.Fatalf("seed %d: the first document was changed", seed)
		}
		if d.Empty() && sameDocument(a, b) != "" || !d.Empty() && reflect.DeepEqual(a, b) {
			t.Fatalf("seed %d: Empty is %v", seed, d.Empty())
		}
		if x, y := encoded(t, d), encoded(t, Diff(a, b)); x != y {
			t.Fatalf("seed %d: two runs differ:\n%s\n%s", seed, x, y)
		}
	}
}

// TestDiffAppliedToStored holds over documents as they are read back: the result is stored as the same bytes.
func TestDiffAppliedToStored(t *testing.T) {
	t.Parallel()
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 3))
		a := arbitraryDocument(r)
		x, _ := readBack(t, a)
		y, want := readBack(t, alter(r, a))
		if _, got := readBack(t, Apply(x, Diff(x, y))); got != want {
			t.Fatalf("seed %d: %s", seed, cmp.Diff(want, got))
		}
	}
}

// readBack is a document as it is read back, and its bytes.
func readBack(t *testing.T, d *Document) (*Document, string) {
	t.Helper()
	data, err := Encode(d)
	if err != nil {
		t.Fatal(err)
	}
	back, err := Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	return back, string(data)
}

func encoded(t *testing.T, d *Difference) string {
	t.Helper()
	out, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestDiffSeesEveryField sets each field of a document in turn, however deep, and demands that the difference has it.
func TestDiffSeesEveryField(t *testing.T) {
	t.Parallel()
	seen := 0
	everyField(reflect.TypeFor[Document](), "", func(path string, set func(reflect.Value)) {
		a, b := new(Document), new(Document)
		set(reflect.ValueOf(b).Elem())
		d := Diff(a, b)
		if d.Empty() {
			t.Errorf("%s: no difference", path)
		}
		if diff := sameDocument(Apply(a, d), b); diff != "" {
			t.Errorf("%s: applied is not the document:\n%s", path, diff)
		}
		if diff := sameDocument(Apply(b, Diff(b, a)), a); diff != "" {
			t.Errorf("%s: taken away is not the document:\n%s", path, diff)
		}
		seen++
	})
	if seen < 100 {
		t.Errorf("only %d fields were tried", seen)
	}
}

// everyField calls try with a function that sets one field of a value of the type, for each field below it.
func everyField(typ reflect.Type, path string, try func(string, func(reflect.Value))) {
	switch {
	case typ == reflect.TypeFor[Time]():
		try(path, func(v reflect.Value) { v.Set(reflect.ValueOf(hour(1))) })
	case typ.Kind() == reflect.Pointer:
		everyField(typ.Elem(), path, func(p string, set func(reflect.Value)) {
			try(p, func(v reflect.Value) { v.Set(reflect.New(typ.Elem())); set(v.Elem()) })
		})
	case typ.Kind() == reflect.Slice:
		everyField(typ.Elem(), path+"[]", func(p string, set func(reflect.Value)) {
			try(p, func(v reflect.Value) { v.Set(reflect.MakeSlice(typ, 1, 1)); set(v.Index(0)) })
		})
	case typ.Kind() == reflect.Struct:
		for i := range typ.NumField() {
			everyField(typ.Field(i).Type, path+"."+typ.Field(i).Name, func(p string, set func(reflect.Value)) {
				try(p, func(v reflect.Value) { set(v.Field(i)) })
			})
		}
	default:
		try(path, setScalar)
	}
}

func setScalar(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("x")
	case reflect.Int, reflect.Int64:
		v.SetInt(7)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Map:
		v.Set(reflect.ValueOf(map[string]string{"k": "v"}))
	default:
		panic("a kind of field that the test does not know: " + v.Kind().String())
	}
}

// edits writes the entries of a list's change in one line each.
func edits(d *Difference, key string) []string {
	var out []string
	for _, c := range d.Lists {
		if c.Key != key {
			continue
		}
		for _, e := range c.Items {
			s := string(e.Edit)
			if e.Moved && e.Edit != EditMoved {
				s += "+moved"
			}
			if e.Before != nil {
				s += " " + e.Before.What
			}
			if e.After != nil && (e.Before == nil || e.Before.What != e.After.What) {
				s += " > " + e.After.What
			}
			if e.From+e.To != "" {
				s += " (" + e.From + ">" + e.To + ")"
			}
			out = append(out, s)
		}
	}
	return out
}

func TestDiffLists(t *testing.T) {
	t.Parallel()
	item := func(what, why string) Item { return Item{What: what, Why: why} }
	for _, tt := range []struct {
		name, key string
		a, b      Brief
		want      []string
	}{
		{"added and removed", "constraints", Brief{Constraints: []Item{{What: "one"}, {What: "two"}}}, Brief{Constraints: []Item{{What: "two"}, {What: "three"}}},
			[]string{"added > three", "removed one"}},
		{"changed", "decisions", Brief{Decisions: []Item{item("x", "a")}}, Brief{Decisions: []Item{item("x", "b")}}, []string{"changed x"}},
		{"one moved to the front", "next", Brief{Next: []Item{{What: "a"}, {What: "b"}, {What: "c"}}}, Brief{Next: []Item{{What: "c"}, {What: "a"}, {What: "b"}}},
			[]string{"moved c"}},
		{"reworded", "rejected", Brief{Rejected: []Item{item("use the AWS DMS service", "no enum")}}, Brief{Rejected: []Item{item("use AWS DMS service", "no enum")}},
			[]string{"reworded use the AWS DMS service > use AWS DMS service"}},
		{"reworded, with a new stamp", "decisions", Brief{Decisions: []Item{{What: "use the big table", At: hour(1)}}},
			Brief{Decisions: []Item{{What: "use the very big table", At: hour(2)}}}, []string{"reworded use the big table > use the very big table"}},
		{"reworded and moved", "next", Brief{Next: []Item{{What: "write the login tests"}, {What: "b"}, {What: "c"}}},
			Brief{Next: []Item{{What: "b"}, {What: "c"}, {What: "write login tests"}}}, []string{"reworded+moved write the login tests > write login tests"}},
		{"other forms of its words", "constraints", Brief{Constraints: []Item{{What: "no new dependency"}}}, Brief{Constraints: []Item{{What: "no new dependencies at all"}}},
			[]string{"reworded no new dependency > no new dependencies at all"}},
		{"another why and loosely alike is another item", "rejected", Brief{Rejected: []Item{item("use the fast cache", "old")}},
			Brief{Rejected: []Item{item("use the slow cache", "new")}}, []string{"added > use the slow cache", "removed use the fast cache"}},
		{"numbers tell two of a kind apart", "next", Brief{Next: []Item{{What: "port part 4 of the plan"}}}, Brief{Next: []Item{{What: "port part 5 of the plan"}}},
			[]string{"added > port part 5 of the plan", "removed port part 4 of the plan"}},
		{"the best match wins", "next", Brief{Next: []Item{{What: "check the new login page"}}},
			Brief{Next: []Item{{What: "check the new page"}, {What: "check the new login page twice"}}},
			[]string{"added > check the new page", "reworded check the new login page > check the new login page twice"}},
		{"a step that is done is not reworded", "next", Brief{Next: []Item{{What: "write the tests"}}},
			Brief{Next: []Item{{What: "write all the tests"}}, Done: []Item{{What: "write the tests"}}},
			[]string{"added > write all the tests", "removed write the tests (>done)"}},
		{"a step that was promoted", "next", Brief{NextAction: "x", Next: []Item{{What: "a"}, {What: "b"}}}, Brief{NextAction: "a", Next: []Item{{What: "b"}}},
			[]string{"removed a (>next_action)"}},
		{"a list alone in notes", "notes.do_not_repeat", Brief{}, Brief{Notes: Notes{DoNotRepeat: []Item{{What: "a"}}}}, []string{"added > a"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := edits(Diff(&Document{Brief: tt.a}, &Document{Brief: tt.b}), tt.key)
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestDiffSettledAndGone(t *testing.T) {
	t.Parallel()
	a := &Document{Brief: Brief{
		NextAction: "write", Next: []Item{{What: "review"}, {What: "tag"}}, Pending: []Item{{What: "approval"}, {What: "review"}},
		Uncertain: []Item{{What: "refund", Check: "ledger"}, {What: "mail"}}, Constraints: []Item{{What: "no downtime"}},
		Open: []Item{{What: "which bank"}}, FailedAttempts: []Item{{What: "retry"}},
		Notes: Notes{DoNotRepeat: []Item{{What: "do not ping"}}},
	}}
	b := &Document{Brief: Brief{
		NextAction: "tag", Pending: []Item{{What: "which bank"}, {What: "approval"}}, Uncertain: []Item{{What: "refund"}},
		Done: []Item{{What: "write"}, {What: "review"}, {What: "mail"}, {What: "something else"}, {What: "refund"}},
	}}
	d := Diff(a, b)
	var settled, gone []string
	for _, s := range d.Settled {
		settled = append(settled, s.From+": "+s.Item.What)
	}
	for _, g := range d.Gone {
		gone = append(gone, g.List+": "+g.Item.What+" > "+g.To)
	}
	if want := []string{"next_action: write", "next: review", "uncertain: mail"}; !slices.Equal(settled, want) {
		t.Errorf("settled %q, want %q", settled, want)
	}
	if want := []string{"constraints: no downtime > ", "open: which bank > pending", "notes.do_not_repeat: do not ping > "}; !slices.Equal(gone, want) {
		t.Errorf("gone %q, want %q", gone, want)
	}
}

// TestDiffOfLongLists takes more items than anybody reads, all of them reworded and shuffled, with words that
// all share: what is quadratic shows, what is cubic would not end.
func TestDiffOfLongLists(t *testing.T) {
	t.Parallel()
	const n = 1200
	r := rand.New(rand.NewPCG(1, 1))
	var a, b []Item
	for i := range n {
		id := strings.Map(func(c rune) rune { return c - '0' + 'a' }, fmt.Sprintf("%05d", i))
		a = append(a, Item{What: fmt.Sprintf("move the table %s to the other host with all its rows", id)})
		b = append(b, Item{What: fmt.Sprintf("move the whole table %s to the other host with all its rows", id)})
	}
	r.Shuffle(n, func(i, j int) { b[i], b[j] = b[j], b[i] })
	x, y := &Document{Brief: Brief{Next: a}}, &Document{Brief: Brief{Next: b}}
	d := Diff(x, y)
	if diff := sameDocument(Apply(x, d), y); diff != "" {
		t.Fatal(diff)
	}
	for _, e := range d.Lists[0].Items {
		if e.Edit == EditReworded && strings.Replace(e.After.What, "whole ", "", 1) == e.Before.What {
			continue
		}
		t.Fatalf("%s: %v > %v", e.Edit, e.Before, e.After)
	}
}

// longItems are n items of which each has more words than are compared, all of them words that the others have too.
func longItems(n int, end string) []Item {
	var all []Item
	for i := range n {
		all = append(all, Item{What: strings.Repeat("words that every item of this list has in common ", 8) + fmt.Sprint(i) + end})
	}
	return all
}

// TestDiffOfItemsAlike: where everything is as much like one thing as like another, what kept its place is the same.
func TestDiffOfItemsAlike(t *testing.T) {
	t.Parallel()
	const n = 100
	a, b := &Document{Brief: Brief{Next: longItems(n, " before")}}, &Document{Brief: Brief{Next: longItems(n, " after")}}
	d := Diff(a, b)
	if got := len(d.Lists[0].Items); got != n {
		t.Fatalf("%d entries, want %d", got, n)
	}
	for _, e := range d.Lists[0].Items {
		if e.Edit != EditReworded || e.Moved || e.Was != e.At {
			t.Errorf("%s from %d to %d", e.Edit, e.Was, e.At)
		}
	}
}

// BenchmarkDiffReworded is the worst that an author may hand in: 2,000 long items, each reworded and like all others.
func BenchmarkDiffReworded(b *testing.B) {
	x, y := &Document{Brief: Brief{Next: longItems(2000, " before")}}, &Document{Brief: Brief{Next: longItems(2000, " after")}}
	for b.Loop() {
		Diff(x, y)
	}
}

func TestWordDiff(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ a, b, want string }{
		{"", "", ""},
		{"same", "same", "=same"},
		{"", "new", "+new"},
		{"old", "", "-old"},
		{"write the tests", "write all the tests", "=write |+all |=the tests"},
		{"run a b now", "run x y now", "=run |-a b|+x y|= now"},
		{"the first of April", "the last of May", "=the |-first|+last|= of |-April|+May"},
		{"a, b", "a; b", "=a|-,|+;|= b"},
		{"部署到服务器", "部署服务器", "=部署|-到|=服务器"},
		{"x\xffy", "x\xfey", "=x|-\xff|+\xfe|=y"},
	} {
		var got []string
		for _, s := range WordDiff(tt.a, tt.b) {
			got = append(got, string(s.Op)+s.Text)
		}
		if joined := strings.Join(got, "|"); joined != tt.want {
			t.Errorf("%q to %q: %q, want %q", tt.a, tt.b, joined, tt.want)
		}
	}
}

func TestWordDiffOfLongTexts(t *testing.T) {
	t.Parallel()
	a, b := strings.Repeat("one two ", 40_000), strings.Repeat("two three ", 40_000)
	if got := WordDiff(a, b); len(got) > 3 {
		t.Errorf("%d spans", len(got))
	}
}

func FuzzWordDiff(f *testing.F) {
	f.Add("write the tests", "write all tests")
	f.Add("a b c d", "b  d\na")
	f.Add("x\xff", "é̀ 部署")
	f.Fuzz(func(t *testing.T, a, b string) {
		var before, after strings.Builder
		var last SpanOp
		for _, s := range WordDiff(a, b) {
			if s.Text == "" || s.Op == last {
				t.Errorf("a span is empty or not joined: %q", s)
			}
			last = s.Op
			if s.Op != SpanNew {
				before.WriteString(s.Text)
			}
			if s.Op != SpanOld {
				after.WriteString(s.Text)
			}
		}
		if before.String() != a || after.String() != b {
			t.Errorf("spans of %q and %q give %q and %q", a, b, before.String(), after.String())
		}
	})
}
