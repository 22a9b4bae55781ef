package gitstore

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"git-handoff/gitstore/handoff"
)

// A story is a history of versions that is told by hand; their ids are the names that the test gives.
type story struct {
	versions map[string]*Version
	docs     map[string]*handoff.Document
}

func newStory() *story {
	return &story{versions: map[string]*Version{}, docs: map[string]*handoff.Document{}}
}

func storyTime(minute int) time.Time {
	return time.Date(2026, 4, 1, 9, minute, 0, 0, time.UTC)
}

// add adds a version, one minute after the one before it. Its document is the first parent's as edit leaves it.
func (s *story) add(oid string, event handoff.Event, parents string, edit func(*handoff.Document)) *story {
	doc := &handoff.Document{Ledger: handoff.Ledger{Version: 1, Branch: "main", Topic: "default", Status: handoff.Active}, Brief: handoff.Brief{NextAction: "go"}}
	v := &Version{OID: oid, Committer: Ident{When: storyTime(len(s.versions))}}
	if parents != "" {
		v.Parents = []string{parents}
		*doc = *s.docs[parents]
	}
	if edit != nil {
		edit(doc)
	}
	if event == handoff.EventSave {
		doc.Provenance.SavedAt = handoff.TimeOf(v.Committer.When)
		doc.Provenance.ProducedBy = "by-" + oid
	}
	v.Message = handoff.MessageOf(doc, event)
	s.versions[oid], s.docs[oid] = v, doc
	return s
}

// event adds an event of a session.
func (s *story) event(oid string, event handoff.Event, parent, session string) *story {
	s.add(oid, event, parent, nil)
	s.versions[oid].Message.Session = session
	return s
}

func (s *story) fork(local, fetched string) Fork {
	return Fork{
		Local: local, Fetched: fetched,
		Version:  func(oid string) (*Version, error) { return s.versions[oid], nil },
		Document: func(oid string) (*handoff.Document, error) { return s.docs[oid], nil },
	}
}

// told writes a resolution in one line: the action, where it leads, what is dropped.
func told(r *Resolution) string {
	out := string(r.Action) + " " + r.Tip
	for _, w := range r.Writes {
		out += fmt.Sprintf("[%s %v]", w.Message.Event, w.Parents)
	}
	for _, v := range r.Dropped {
		out += " -" + v.OID
	}
	return out
}

func TestResolve(t *testing.T) {
	t.Parallel()
	const save, refresh, resume, claim = handoff.EventSave, handoff.EventRefresh, handoff.EventResume, handoff.EventClaim
	claims := func(by string, minute int) func(*handoff.Document) {
		return func(d *handoff.Document) {
			at := storyTime(minute)
			d.Claim = &handoff.Claim{By: by, At: handoff.TimeOf(at), Until: handoff.TimeOf(at.Add(time.Hour))}
		}
	}
	text := func(s string) func(*handoff.Document) {
		return func(d *handoff.Document) { d.Constraints = append(slices.Clip(d.Constraints), handoff.Item{What: s}) }
	}
	for _, tt := range []struct {
		name           string
		story          *story
		local, fetched string
		want           string
	}{
		{"the same", newStory().add("a", save, "", nil), "a", "a", "up-to-date a"},
		{"only here", newStory().add("a", save, "", nil), "a", "", "push a"},
		{"only there", newStory().add("a", save, "", nil), "", "a", "fast-forward a"},
		{"ahead", newStory().add("a", save, "", nil).add("b", refresh, "a", nil).add("c", save, "b", nil), "c", "a", "push c"},
		{"behind", newStory().add("a", save, "", nil).add("b", refresh, "a", nil).add("c", save, "b", nil), "a", "c", "fast-forward c"},
		{"a refresh here, a save there", newStory().add("a", save, "", nil).add("b", refresh, "a", nil).add("c", save, "a", nil),
			"b", "c", "fast-forward c -b"},
		{"a refresh on either side", newStory().add("a", save, "", nil).add("b", refresh, "a", nil).add("c", refresh, "a", nil),
			"b", "c", "fast-forward c -b"},
		{"a resume and a refresh here, a save there",
			newStory().add("a", save, "", nil).event("b", resume, "a", "s").add("c", refresh, "b", nil).add("d", save, "a", nil),
			"c", "d", "reapply [resume [d]] -c -b"},
		{"a resume that the session has there by now",
			newStory().add("a", save, "", nil).event("b", resume, "a", "s").event("c", resume, "a", "s"),
			"b", "c", "fast-forward c -b"},
		{"two sessions' resumes", newStory().add("a", save, "", nil).event("b", resume, "a", "s").event("c", resume, "b", "t").add("d", save, "a", nil),
			"c", "d", "reapply [resume [d]][resume []] -c -b"},
		{"a save here, a published refresh there", newStory().add("a", save, "", nil).add("c", save, "a", nil).add("b", refresh, "a", nil),
			"c", "b", "join [merge [b c]]"},
		{"a save on either side, a refresh and a resume above ours",
			newStory().add("a", save, "", nil).add("c", save, "a", text("c")).event("d", resume, "c", "s").add("e", refresh, "d", nil).add("b", save, "a", text("b")),
			"e", "b", "merge [merge [b c]][resume []] -e -d"},
		{"a claim here, a save there", newStory().add("a", save, "", nil).add("b", claim, "a", claims("ann", 1)).add("c", save, "a", nil),
			"b", "c", "reapply [claim [c]] -b"},
		{"a claim on either side: the accepted one", newStory().add("a", save, "", nil).add("b", claim, "a", claims("ann", 1)).add("c", claim, "a", claims("bob", 2)),
			"b", "c", "fast-forward c -b"},
		{"one's own claim, renewed", newStory().add("a", save, "", nil).add("b", claim, "a", claims("ann", 2)).add("c", claim, "a", claims("ann", 1)),
			"b", "c", "reapply [claim [c]] -b"},
		{"a claim where the other has expired", newStory().add("a", save, "", nil).add("b", claim, "a", claims("ann", 100)).add("c", claim, "a", claims("bob", 1)),
			"b", "c", "reapply [claim [c]] -b"},
		{"no common version", newStory().add("a", save, "", text("a")).add("b", save, "", text("b")), "b", "a", "merge [merge [a b]]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r, err := Resolve(tt.story.fork(tt.local, tt.fetched))
			if err != nil {
				t.Fatal(err)
			}
			if got := told(r); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestResolveElsewhere(t *testing.T) {
	t.Parallel()
	s := newStory().add("a", handoff.EventSave, "", nil).add("b", handoff.EventRefresh, "a", nil).add("c", handoff.EventSave, "a", nil)
	f := s.fork("b", "c")
	f.Elsewhere = func(oid string) bool { return oid == "b" }
	r, err := Resolve(f)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := told(r), "join [merge [b c]]"; got != want {
		t.Errorf("a refresh that another remote has: got %s, want %s", got, want)
	}
	if r.Writes[0].Doc != s.docs["c"] {
		t.Error("the document is not the author's")
	}
}

// TestResolveIsTheSameOnBothSides exchanges local and fetched: the merge is the same to the byte.
func TestResolveIsTheSameOnBothSides(t *testing.T) {
	t.Parallel()
	s := newStory().add("a", handoff.EventSave, "", nil)
	s.add("c", handoff.EventSave, "a", func(d *handoff.Document) { d.Objective, d.Head = "C", "h1" })
	s.add("b", handoff.EventSave, "a", func(d *handoff.Document) { d.Objective, d.Head = "B", "h2" })
	descends := func(head, from string) bool { return head == "h1" && from == "h2" }
	f, g := s.fork("b", "c"), s.fork("c", "b")
	f.Descends, g.Descends = descends, descends
	x, err := Resolve(f)
	y, err2 := Resolve(g)
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	a, b := x.Writes[0], y.Writes[0]
	if fmt.Sprintf("%+v", *a.Doc) != fmt.Sprintf("%+v", *b.Doc) || a.Message.String() != b.Message.String() ||
		!slices.Equal(a.Parents, b.Parents) || !a.When.Equal(b.When) || a.Identity != AsProgram {
		t.Errorf("two clones differ:\n%+v\n%+v", a, b)
	}
	if a.Doc.Objective != "B" || a.Doc.Head != "h1" || !a.When.Equal(storyTime(2)) {
		t.Errorf("objective %q, head %s, at %v", a.Doc.Objective, a.Doc.Head, a.When)
	}
}

// TestResolveCrissCross merges over two merge bases, each of which has the other's ancestors.
func TestResolveCrissCross(t *testing.T) {
	t.Parallel()
	with := func(what ...string) func(*handoff.Document) {
		return func(d *handoff.Document) {
			d.Constraints = nil
			for _, w := range what {
				d.Constraints = append(d.Constraints, handoff.Item{What: w})
			}
		}
	}
	s := newStory().add("a", handoff.EventSave, "", with("old"))
	s.add("b", handoff.EventSave, "a", with("old", "b")).add("c", handoff.EventSave, "a", with("old", "c"))
	s.add("m", handoff.EventMerge, "b", with("old", "b", "c")).add("n", handoff.EventMerge, "c", with("old", "b", "c"))
	s.versions["m"].Parents, s.versions["n"].Parents = []string{"b", "c"}, []string{"b", "c"}
	s.add("x", handoff.EventSave, "m", with("old", "b", "x")).add("y", handoff.EventSave, "n", with("c", "b"))
	r, err := Resolve(s.fork("x", "y"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, it := range r.Writes[0].Doc.Constraints {
		got = append(got, it.What)
	}
	// c was removed on one side, old on the other, x was added; over either base alone, b or c would have come back.
	if want := []string{"b", "x"}; !slices.Equal(got, want) {
		t.Errorf("constraints %q, want %q", got, want)
	}
}

// TestResolveNamesWhoWroteIt finds the save that changed a field last, past saves of other things.
func TestResolveNamesWhoWroteIt(t *testing.T) {
	t.Parallel()
	s := newStory().add("a", handoff.EventSave, "", nil)
	s.add("b", handoff.EventSave, "a", func(d *handoff.Document) { d.Objective = "B" })
	s.add("c", handoff.EventSave, "a", func(d *handoff.Document) { d.Objective = "C" })
	s.add("d", handoff.EventSave, "b", func(d *handoff.Document) { d.Summary = "later" })
	r, err := Resolve(s.fork("d", "c"))
	if err != nil {
		t.Fatal(err)
	}
	doc := r.Writes[0].Doc
	if doc.Objective != "C" || doc.Summary != "later" {
		t.Errorf("objective %q, summary %q", doc.Objective, doc.Summary)
	}
	if want := "Which objective holds? Another save (by-b, 2026-04-01T09:01:00Z) says: B"; len(doc.Open) != 1 || doc.Open[0].What != want {
		t.Errorf("open %+v, want %q", doc.Open, want)
	}
}

func TestResolveLeavesWhatItCannotRead(t *testing.T) {
	t.Parallel()
	s := newStory().add("a", handoff.EventSave, "", nil).add("b", handoff.EventSave, "a", nil).add("c", handoff.EventSave, "a", nil)
	f := s.fork("b", "c")
	f.Document = func(oid string) (*handoff.Document, error) {
		if oid == "c" {
			return nil, &handoff.NewerError{Version: 9}
		}
		return s.docs[oid], nil
	}
	r, err := Resolve(f)
	var newer *handoff.NewerError
	if r != nil || !errors.As(err, &newer) {
		t.Errorf("got %v, %v", r, err)
	}
}

// TestResolveReadsLittle holds the cost of the ordinary cases: a few versions, however long the history.
func TestResolveReadsLittle(t *testing.T) {
	t.Parallel()
	s := newStory().add("v0", handoff.EventSave, "", nil)
	for i := 1; i < 1000; i++ {
		s.add(fmt.Sprint("v", i), handoff.EventSave, fmt.Sprint("v", i-1), nil)
	}
	for _, tips := range [][2]string{{"v999", "v997"}, {"v997", "v999"}} {
		f, reads := s.fork(tips[0], tips[1]), 0
		f.Version = func(oid string) (*Version, error) { reads++; return s.versions[oid], nil }
		f.Document = func(string) (*handoff.Document, error) { return nil, errors.New("read a document") }
		if _, err := Resolve(f); err != nil || reads > 10 {
			t.Errorf("%v: %d versions read, %v", tips, reads, err)
		}
	}
}
