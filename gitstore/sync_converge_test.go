package gitstore

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"git-handoff/gitstore/handoff"
)

// TestClonesConverge plays random histories on three real clones of a real bare remote, whose clocks disagree. In the
// end all have the same versions, and everything that no author removed is still there. GIT_HANDOFF_TEST_SEEDS says how
// many seeds, GIT_HANDOFF_TEST_SEED which one.
func TestClonesConverge(t *testing.T) {
	t.Parallel()
	seeds := []uint64{1, 2}
	if n, err := strconv.ParseUint(os.Getenv("GIT_HANDOFF_TEST_SEEDS"), 10, 64); err == nil {
		seeds = nil
		for i := range n {
			seeds = append(seeds, i+1)
		}
	}
	if one, err := strconv.ParseUint(os.Getenv("GIT_HANDOFF_TEST_SEED"), 10, 64); err == nil {
		seeds = []uint64{one}
	}
	for _, seed := range seeds {
		h := newHistories(t, seed)
		if err := h.play(); err != nil {
			t.Fatalf("seed %d (run again with GIT_HANDOFF_TEST_SEED=%d): %v\n%s", seed, seed, err, strings.Join(h.told, "\n"))
		}
	}
}

// histories are three clones at work.
type histories struct {
	*traffic
	rand    *rand.Rand
	clones  []*workplace
	minute  int
	texts   int
	added   map[string]handoff.Name
	removed map[string]bool
	told    []string
}

type workplace struct {
	dir  string
	repo *Repo
	skew time.Duration
}

func newHistories(t *testing.T, seed uint64) *histories {
	h := &histories{traffic: newTraffic(t), rand: rand.New(rand.NewPCG(seed, 3)), added: map[string]handoff.Name{}, removed: map[string]bool{}}
	for i := range 3 {
		dir := h.clone(fmt.Sprint("clone", i))
		h.clones = append(h.clones, &workplace{dir, open(t, dir), time.Duration(h.rand.IntN(181)-90) * time.Minute})
	}
	return h
}

var playedNames = []handoff.Name{{Branch: "main", Topic: "default"}, {Branch: "main", Topic: "other"}}

func (h *histories) play() error {
	for range 28 {
		if err := h.step(h.clones[h.rand.IntN(3)]); err != nil {
			return err
		}
	}
	for range 3 {
		for _, c := range h.clones {
			if _, err := h.sync(c); err != nil {
				return err
			}
		}
	}
	for _, c := range h.clones {
		if told, err := h.sync(c); err != nil || told != "" {
			return fmt.Errorf("%s is not idle: %s %v", filepath.Base(c.dir), told, err)
		}
	}
	want := git(h.t, h.remote, "for-each-ref", "refs/handoff")
	for _, c := range h.clones {
		if got := git(h.t, c.dir, "for-each-ref", "refs/handoff"); got != want {
			return fmt.Errorf("%s has\n%s\nthe remote has\n%s", filepath.Base(c.dir), got, want)
		}
	}
	return h.nothingLost()
}

func (h *histories) step(c *workplace) error {
	h.minute += h.rand.IntN(20)
	n := playedNames[h.rand.IntN(2)]
	switch p := h.rand.IntN(20); {
	case p < 6:
		_, err := h.sync(c)
		return err
	case p < 8:
		return h.event(c, n, handoff.EventRefresh, func(d *handoff.Document) { d.Commits++ })
	case p < 9:
		return h.event(c, n, handoff.EventResume, func(*handoff.Document) {})
	case p < 10:
		return h.event(c, n, handoff.EventArchive, func(d *handoff.Document) { d.Status = handoff.Archived })
	case p < 11:
		other := playedNames[0]
		if n == other {
			other = playedNames[1]
		}
		return h.event(c, n, handoff.EventSupersede, func(d *handoff.Document) {
			d.Status, d.SupersededBy = handoff.Superseded, &handoff.Link{Handoff: other.String()}
		})
	case p < 12:
		commitFile(h.t, c.dir, "own-"+filepath.Base(c.dir), fmt.Sprint(h.minute))
		return nil
	}
	return h.save(c, n)
}

func (h *histories) sync(c *workplace) (string, error) {
	all, err := c.repo.Sync(h.t.Context(), "origin", TravelOptions{})
	if err != nil {
		return "", err
	}
	told := all[0].told()
	if told != "" {
		h.told = append(h.told, filepath.Base(c.dir)+" sync: "+told)
	}
	return told, nil
}

// event is a version that no author wrote into.
func (h *histories) event(c *workplace, n handoff.Name, e handoff.Event, edit func(*handoff.Document)) error {
	return h.write(c, n, e, func(prev *Version, doc *handoff.Document) *handoff.Document {
		if doc == nil || doc.Status != handoff.Active {
			return nil
		}
		next := *doc
		edit(&next)
		return &next
	})
}

func (h *histories) write(c *workplace, n handoff.Name, e handoff.Event, next func(*Version, *handoff.Document) *handoff.Document) error {
	when := time.Date(2026, 5, 1, 8, h.minute, 0, 0, time.UTC).Add(c.skew)
	v, err := c.repo.Edit(h.t.Context(), n, func(prev *Version, doc *handoff.Document) (*Change, error) {
		d := next(prev, doc)
		if d == nil {
			return nil, nil
		}
		if e == handoff.EventSave {
			d.Provenance = handoff.Provenance{SavedAt: handoff.TimeOf(when), ProducedBy: filepath.Base(c.dir)}
		}
		published := false
		if prev != nil {
			var err error
			if published, err = c.repo.Published(h.t.Context(), prev); err != nil {
				return nil, err
			}
		}
		replace := prev != nil && e == handoff.EventRefresh && prev.Message.Event == e && !published
		session := fmt.Sprint(filepath.Base(c.dir), h.minute)
		return &Change{Doc: d, Message: handoff.MessageOf(d, e).By(filepath.Base(c.dir), session), Replace: replace, When: when}, nil
	})
	if v != nil {
		h.told = append(h.told, fmt.Sprintf("%s %s %s: %.8s", filepath.Base(c.dir), e, n, v.OID))
	}
	return err
}

// save adds a few items, and removes or finishes one that it knows.
func (h *histories) save(c *workplace, n handoff.Name) error {
	return h.write(c, n, handoff.EventSave, func(_ *Version, doc *handoff.Document) *handoff.Document {
		next := handoff.Document{Ledger: handoff.Ledger{Version: 1, Branch: n.Branch, Topic: n.Topic}, Brief: handoff.Brief{NextAction: "start"}}
		if doc != nil {
			next = *doc
			next.Brief = doc.Brief.Clone()
		}
		next.Status, next.SupersededBy = handoff.Active, nil
		for range 1 + h.rand.IntN(3) {
			h.texts++
			text := fmt.Sprintf("<text %d>", h.texts)
			h.added[text] = n
			l := handoff.Lists[h.rand.IntN(len(handoff.Lists))]
			items := l.Of(&next.Brief)
			*items = slices.Insert(*items, h.rand.IntN(len(*items)+1), handoff.Item{What: text})
		}
		if h.rand.IntN(3) == 0 && len(next.Decisions) > 0 {
			h.removed[next.Decisions[0].What] = true
			next.Decisions = slices.Delete(next.Decisions, 0, 1)
		}
		return &next
	})
}

func (h *histories) nothingLost() error {
	docs := map[handoff.Name]string{}
	for text, n := range h.added {
		if docs[n] == "" {
			docs[n] = git(h.t, h.remote, "show", n.Ref()+":handoff.yaml")
		}
		if !h.removed[text] && !strings.Contains(docs[n], text) {
			return fmt.Errorf("%s of %s is lost:\n%s", text, n, docs[n])
		}
	}
	return nil
}

// TestManyDiverged resolves and publishes hundreds of diverged handoffs: the number of children does not depend on how
// many there are.
func TestManyDiverged(t *testing.T) {
	if few, many := countDiverged(t, 3), countDiverged(t, 150); few != many {
		t.Errorf("3 handoffs take %d children, 150 take %d", few, many)
	}
}

// countDiverged counts the children that resolving n diverged handoffs takes.
func countDiverged(t *testing.T, n int, initArgs ...string) int {
	t.Helper()
	w := newTraffic(t, initArgs...)
	a, b := w.clone("a", initArgs...), w.clone("b", initArgs...)
	for _, dir := range []string{a, b} {
		commitFile(t, dir, "own", dir)
	}
	fill(t, a, n)
	git(t, a, "push", "-q", "origin", "main:main", "refs/handoff/*:refs/handoff/*")
	fill(t, b, n)
	git(t, b, "fetch", "-q", "origin")
	r := open(t, b)
	children := countChildren(t, func() {
		tidied, err := r.Tidy(t.Context(), TidyOptions{})
		if err != nil {
			t.Fatal(err)
		}
		merged := 0
		for _, s := range tidied.Journeys[0].Settled {
			if s.Action == MergeBoth && s.Err == nil {
				merged++
			}
		}
		if merged != n {
			t.Errorf("%d of %d merged", merged, n)
		}
	})
	return children
}

// TestManyDivergedWhereGitWrites is the same where git is the one who writes objects.
func TestManyDivergedWhereGitWrites(t *testing.T) {
	for _, initArgs := range [][]string{{"--object-format=sha256"}, {"--ref-format=reftable"}} {
		t.Run(initArgs[0], func(t *testing.T) {
			supports(t, append([]string{"init", "-q"}, initArgs...)...)
			if few, many := countDiverged(t, 2, initArgs...), countDiverged(t, 9, initArgs...); few != many {
				t.Errorf("2 handoffs take %d children, 9 take %d", few, many)
			}
		})
	}
}

// fill writes many handoffs in one transaction.
func fill(t *testing.T, dir string, n int) {
	t.Helper()
	r := open(t, dir)
	head := git(t, dir, "rev-parse", "HEAD")
	var moves []RefChange
	for i := range n {
		name := handoff.Name{Branch: "main", Topic: fmt.Sprint("t", i)}
		doc := &handoff.Document{Ledger: handoff.Ledger{Version: 1, Branch: "main", Topic: name.Topic, Status: handoff.Active},
			Brief: handoff.Brief{NextAction: "go " + dir}, Observed: handoff.Observed{Head: head, Base: head}}
		oid, err := r.WriteVersion(t.Context(), doc, handoff.MessageOf(doc, handoff.EventSave), nil, WriteOptions{})
		if err != nil {
			t.Fatal(err)
		}
		moves = append(moves, RefChange{Ref: name.Ref(), New: oid})
	}
	if err := r.UpdateRefs(t.Context(), "test", moves...); err != nil {
		t.Fatal(err)
	}
}
