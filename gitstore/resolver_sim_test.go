package gitstore

import (
	"cmp"
	"crypto/sha1"
	"flag"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"git-handoff/gitstore/handoff"
)

var (
	resolverSeed  = flag.Uint64("resolver-seed", 0, "run the resolver's simulation for this one seed")
	resolverSeeds = flag.Uint64("resolver-seeds", 250, "run the resolver's simulation for so many seeds")
)

// A simulation is three clones of one handoff and a remote, in memory.
type simulation struct {
	r        *rand.Rand
	versions map[string]*Version
	docs     map[string]*handoff.Document
	remote   string
	clones   [3]*simClone
	minute   int
	texts    int
	merges   int
	pushes   int
	// removed are items that an author removed or finished, knowing them.
	removed map[string]bool
	told    []string
}

// A simClone is one clone: its tip, what it fetched last, and a clock that is wrong by skew.
type simClone struct {
	name, tip, fetched string
	skew               time.Duration
}

// TestResolverConverges plays random histories on three clones whose clocks disagree. When all have synchronised,
// they have one version, nothing more is written, and what no author removed is still there.
func TestResolverConverges(t *testing.T) {
	t.Parallel()
	first, last := uint64(1), *resolverSeeds
	if *resolverSeed != 0 {
		first, last = *resolverSeed, *resolverSeed
	}
	for seed := first; seed <= last; seed++ {
		s := newSimulation(seed)
		if err := s.play(); err != nil {
			t.Fatalf("seed %d (run again with -resolver-seed=%d): %v\n%s", seed, seed, err, strings.Join(s.told, "\n"))
		}
	}
}

// TestAlternatingRefreshesNeverMerge plays two clones that commit, refresh and push in turn on one branch.
func TestAlternatingRefreshesNeverMerge(t *testing.T) {
	t.Parallel()
	s := newSimulation(1)
	a, b := s.clones[0], s.clones[1]
	s.save(a)
	if err := s.sync(a); err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		s.minute += 10
		c := []*simClone{a, b}[i%2]
		if c.tip != "" {
			s.refresh(c)
		}
		s.fetch(c)
		if err := s.sync(c); err != nil {
			t.Fatal(err)
		}
		s.refresh(c)
		s.refresh(c)
		if err := s.sync(c); err != nil {
			t.Fatal(err)
		}
	}
	g := &graph{fork: s.fork("", ""), versions: map[string]*Version{}}
	if n := len(g.ancestors(s.remote)); s.merges > 0 || n > s.pushes {
		t.Errorf("%d merges, %d versions for %d pushes", s.merges, n, s.pushes)
	}
}

func newSimulation(seed uint64) *simulation {
	s := &simulation{r: rand.New(rand.NewPCG(seed, 7)), versions: map[string]*Version{}, docs: map[string]*handoff.Document{}, removed: map[string]bool{}}
	for i := range s.clones {
		s.clones[i] = &simClone{name: fmt.Sprint("clone", i), skew: time.Duration(s.r.IntN(181)-90) * time.Minute}
	}
	return s
}

func (s *simulation) play() error {
	for range 10 + s.r.IntN(40) {
		if err := s.step(s.clones[s.r.IntN(3)]); err != nil {
			return err
		}
	}
	for range 3 {
		for _, c := range s.clones {
			s.fetch(c)
			if err := s.sync(c); err != nil {
				return err
			}
		}
	}
	before := len(s.versions)
	for _, c := range s.clones {
		s.fetch(c)
		if err := s.sync(c); err != nil {
			return err
		}
		if c.tip != s.remote {
			return fmt.Errorf("%s stands at %.8s, the remote at %.8s", c.name, c.tip, s.remote)
		}
	}
	if len(s.versions) != before {
		return fmt.Errorf("an idle sync wrote %d versions", len(s.versions)-before)
	}
	return s.nothingLost()
}

// step is one thing that happens on a clone. A fetch and the push that follows it may be far apart.
func (s *simulation) step(c *simClone) error {
	s.minute += s.r.IntN(20)
	if c.tip == "" && s.r.IntN(3) == 0 {
		s.fetch(c)
		return s.sync(c)
	}
	switch n := s.r.IntN(20); {
	case n < 4:
		s.fetch(c)
	case n < 8:
		return s.sync(c)
	case n < 10 && c.tip != "":
		s.refresh(c)
	case n < 11 && c.tip != "":
		s.write(c, handoff.EventResume, s.docOf(c.tip), []string{c.tip}, s.now(c), c.name)
	case n < 12 && c.tip != "":
		s.claim(c)
	case n < 13 && c.tip != "":
		doc := s.docOf(c.tip)
		doc.Status = handoff.Archived
		s.write(c, handoff.EventArchive, doc, []string{c.tip}, s.now(c), c.name)
	default:
		s.save(c)
	}
	return nil
}

func (s *simulation) now(c *simClone) time.Time {
	return time.Date(2026, 5, 1, 8, s.minute, 0, 0, time.UTC).Add(c.skew)
}

// docOf is a copy of a version's document that may be changed.
func (s *simulation) docOf(oid string) handoff.Document {
	if oid == "" {
		return handoff.Document{Ledger: handoff.Ledger{Version: 1, Branch: "main", Topic: "default", Status: handoff.Active}}
	}
	doc := *s.docs[oid]
	for _, l := range handoff.Lists {
		items := l.Of(&doc.Brief)
		*items = slices.Clone(*items)
	}
	return doc
}

// write stores a version under an id that its content alone gives, as git does.
func (s *simulation) write(c *simClone, event handoff.Event, doc handoff.Document, parents []string, when time.Time, who string) string {
	message := handoff.MessageOf(&doc, event)
	if event != handoff.EventMerge {
		message = message.By(who, who)
	}
	data, err := handoff.Encode(&doc)
	if err != nil {
		panic(err)
	}
	oid := fmt.Sprintf("%x", sha1.Sum(fmt.Appendf(nil, "%v\n%v\n%s\n%s", parents, when.Unix(), message, data)))
	if s.versions[oid] == nil {
		s.told = append(s.told, fmt.Sprintf("%s %s %.8s after %.8s: %s", c.name, event, oid, parents, doc.NextAction))
	}
	s.versions[oid] = &Version{OID: oid, Parents: parents, Message: message, Committer: Ident{When: when}}
	s.docs[oid] = &doc
	c.tip = oid
	return oid
}

// refresh replaces a refresh that nobody else has.
func (s *simulation) refresh(c *simClone) {
	doc := s.docOf(c.tip)
	doc.Head = fmt.Sprintf("%040d", s.minute)
	doc.Provenance.RefreshedAt = handoff.TimeOf(s.now(c))
	parents := []string{c.tip}
	if v := s.versions[c.tip]; v.Message.Event == handoff.EventRefresh && !s.has(c.fetched, c.tip) {
		parents = v.Parents
	}
	s.write(c, handoff.EventRefresh, doc, parents, s.now(c), c.name)
}

// has reports whether a version is among the ancestors of a tip, "" being before all others.
func (s *simulation) has(tip, oid string) bool {
	if tip == "" || oid == "" {
		return oid == ""
	}
	g := &graph{fork: s.fork("", ""), versions: map[string]*Version{}}
	return g.ancestors(tip)[oid]
}

func (s *simulation) claim(c *simClone) {
	doc, at := s.docOf(c.tip), handoff.TimeOf(s.now(c))
	if doc.Claim != nil && doc.Claim.By != c.name && !doc.Claim.ExpiredAt(at) {
		return
	}
	doc.Claim = &handoff.Claim{By: c.name, At: at, Until: handoff.TimeOf(s.now(c).Add(time.Hour))}
	s.write(c, handoff.EventClaim, doc, []string{c.tip}, s.now(c), c.name)
}

// text is a new text that no other is part of.
func (s *simulation) text() string {
	s.texts++
	return fmt.Sprintf("<text %d>", s.texts)
}

// save is an author's version with a few changes.
func (s *simulation) save(c *simClone) {
	doc := s.docOf(c.tip)
	var parents []string
	if c.tip != "" {
		parents = []string{c.tip}
	}
	if doc.NextAction == "" {
		doc.NextAction = s.text()
	}
	for range 1 + s.r.IntN(4) {
		s.edit(&doc)
	}
	doc.Status = handoff.Active
	doc.Provenance = handoff.Provenance{ProducedBy: c.name, SavedAt: handoff.TimeOf(s.now(c))}
	if doc.Claim != nil && doc.Claim.By == c.name {
		doc.Claim = nil
	}
	s.write(c, handoff.EventSave, doc, parents, s.now(c), c.name)
}

func (s *simulation) edit(doc *handoff.Document) {
	switch s.r.IntN(6) {
	case 0:
		s.finishNextAction(doc)
	case 1:
		t := handoff.Texts[s.r.IntN(len(handoff.Texts))]
		if t.Values == nil {
			if t.Key == "next_action" {
				s.removed["next"+doc.NextAction] = true // where it may have come from
			}
			*t.Of(&doc.Brief) = s.text()
		}
	case 2:
		s.finishQueued(doc)
	default:
		s.editList(handoff.Lists[s.r.IntN(len(handoff.Lists))], doc)
	}
}

// finishNextAction does what a save with --finish does: the step is done and the first of the queue follows.
func (s *simulation) finishNextAction(doc *handoff.Document) {
	s.finish(doc, doc.NextAction)
	doc.NextAction = s.text()
	if len(doc.Next) > 0 {
		doc.NextAction, doc.Next = doc.Next[0].What, doc.Next[1:]
	}
}

func (s *simulation) finishQueued(doc *handoff.Document) {
	if n := len(doc.Next); n > 0 {
		i := s.r.IntN(n)
		s.finish(doc, doc.Next[i].What)
		doc.Next = slices.Delete(doc.Next, i, i+1)
	}
}

func (s *simulation) finish(doc *handoff.Document, what string) {
	if what == handoff.ChooseNextStep {
		return
	}
	same := func(it handoff.Item) bool { return it.What == what }
	if !slices.ContainsFunc(doc.Done, same) {
		doc.Done = append(doc.Done, handoff.Item{What: what})
	}
}

// editList adds, removes, changes or shuffles. It leaves questions alone, which hold the texts that gave way.
func (s *simulation) editList(l handoff.List, doc *handoff.Document) {
	items := l.Of(&doc.Brief)
	if len(*items) == 0 || s.r.IntN(2) == 0 {
		*items = slices.Insert(*items, s.r.IntN(len(*items)+1), handoff.Item{What: s.text()})
		return
	}
	i := s.r.IntN(len(*items))
	switch s.r.IntN(3) {
	case 0:
		if l.Key != "open" && l.Key != "done" {
			s.removed[l.Key+(*items)[i].What] = true
			*items = slices.Delete(*items, i, i+1)
		}
	case 1:
		s.r.Shuffle(len(*items), func(i, j int) { (*items)[i], (*items)[j] = (*items)[j], (*items)[i] })
	default:
		if slices.Contains(l.Subkeys, "why") {
			(*items)[i].Why = s.text()
		}
	}
}

func (s *simulation) fetch(c *simClone) { c.fetched = s.remote }

func (s *simulation) fork(local, fetched string) Fork {
	return Fork{
		Local: local, Fetched: fetched,
		Version:  func(oid string) (*Version, error) { return s.versions[oid], nil },
		Document: func(oid string) (*handoff.Document, error) { return s.docs[oid], nil },
		Descends: func(head, from string) bool { return head > from },
	}
}

// sync resolves with what was fetched and pushes, which the remote takes only if it is still there.
func (s *simulation) sync(c *simClone) error {
	r, err := Resolve(s.fork(c.tip, c.fetched))
	if err != nil {
		return err
	}
	if err := s.sameOnTheOtherSide(r, c); err != nil {
		return err
	}
	if r.Action != UpToDate {
		s.told = append(s.told, fmt.Sprintf("%s: %s of %.8s with %.8s", c.name, r.Action, c.tip, c.fetched))
	}
	c.tip = r.Tip
	for _, w := range r.Writes {
		parents := w.Parents
		if parents == nil {
			parents = []string{c.tip}
		}
		who := cmp.Or(w.Message.Actor, c.name)
		if len(parents) == 2 {
			s.merges++
		}
		s.write(c, w.Message.Event, *w.Doc, parents, w.When, who)
	}
	if s.remote == c.fetched && s.has(c.tip, s.remote) {
		if s.remote != c.tip {
			s.pushes++
		}
		s.remote, c.fetched = c.tip, c.tip
	}
	return nil
}

// sameOnTheOtherSide resolves with the sides exchanged where the merge stands on both tips as they are.
func (s *simulation) sameOnTheOtherSide(r *Resolution, c *simClone) error {
	if len(r.Writes) == 0 || len(r.Writes[0].Parents) != 2 || len(r.Dropped) > 0 {
		return nil
	}
	f := s.fork(c.fetched, c.tip)
	f.Elsewhere = func(string) bool { return true }
	other, err := Resolve(f)
	if err != nil || !reflect.DeepEqual(r.Writes, other.Writes) {
		return fmt.Errorf("the other clone merges %.8s and %.8s otherwise (%v)", c.tip, c.fetched, err)
	}
	return nil
}

// nothingLost holds the last document against everything that authors wrote.
func (s *simulation) nothingLost() error {
	if s.remote == "" {
		return nil
	}
	got := s.docs[s.remote]
	data, err := handoff.Encode(got)
	if err != nil {
		return err
	}
	for oid, v := range s.versions {
		if v.Message.Event != handoff.EventSave || !s.has(s.remote, oid) {
			continue
		}
		for _, l := range handoff.Lists {
			for _, it := range *l.Of(&s.docs[oid].Brief) {
				if !s.removed[l.Key+it.What] && !strings.Contains(string(data), it.What) {
					return fmt.Errorf("%s of %.8s lost: %s", l.Key, oid, it.What)
				}
			}
		}
		if err := s.textsKept(v, string(data)); err != nil {
			return err
		}
	}
	return nil
}

// textsKept demands that each text that a save wrote is still there, unless an author replaced it who knew it.
func (s *simulation) textsKept(v *Version, data string) error {
	for _, t := range handoff.Texts {
		text := *t.Of(&s.docs[v.OID].Brief)
		inherited := len(v.Parents) > 0 && text == *t.Of(&s.docs[v.Parents[0]].Brief)
		if inherited || text == "" || strings.Contains(data, text) || s.replaced(v.OID, t) {
			continue
		}
		return fmt.Errorf("%s of %.8s lost: %s", t.Key, v.OID, text)
	}
	return nil
}

// replaced reports whether a later save has another text there than the version before it.
func (s *simulation) replaced(oid string, t handoff.Text) bool {
	for later, v := range s.versions {
		if v.Message.Event != handoff.EventSave || later == oid || len(v.Parents) == 0 || !s.has(later, oid) {
			continue
		}
		if *t.Of(&s.docs[later].Brief) != *t.Of(&s.docs[v.Parents[0]].Brief) {
			return true
		}
	}
	return false
}
