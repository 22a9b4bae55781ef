package gitstore

import (
	"errors"
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

// TestClonesConverge plays random histories on three real clones of a real bare remote, whose clocks disagree: saves,
// claims, refreshes, archives, supersessions, renames, branches that come and go, evidence, and resolving. In the end all
// have the same versions of what they share, nothing is left to do, and everything that no author removed is still there.
// GIT_HANDOFF_TEST_SEEDS says how many seeds, GIT_HANDOFF_TEST_SEED which one.
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
	noted   []string
	told    []string
	// over is what the save that is under way supersedes.
	over *handoff.Name
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

var playedNames = []handoff.Name{{Branch: "main", Topic: "default"}, {Branch: "main", Topic: "other"}, {Branch: "side", Topic: "default"}}

func (h *histories) play() error {
	for _, c := range h.clones {
		git(h.t, c.dir, "branch", "side")
	}
	for range 40 {
		if err := h.step(h.clones[h.rand.IntN(3)]); err != nil {
			return err
		}
	}
	for range 3 {
		for _, c := range h.clones {
			if _, err := h.tidy(c); err != nil {
				return err
			}
			if _, err := h.sync(c); err != nil {
				return err
			}
		}
	}
	for _, c := range h.clones {
		tidied, err := h.tidy(c)
		if err != nil || tidied != "" {
			return fmt.Errorf("%s has more to resolve: %s %v", filepath.Base(c.dir), tidied, err)
		}
		if told, err := h.sync(c); err != nil || told != "" {
			return fmt.Errorf("%s is not idle: %s %v", filepath.Base(c.dir), told, err)
		}
	}
	if err := h.agree(); err != nil {
		return err
	}
	return h.nothingLost()
}

// agree holds the clones against the remote: what both have is the same, all of main is everywhere, and so is all
// evidence.
func (h *histories) agree() error {
	there := refsOf(h.t, h.remote)
	for _, c := range h.clones {
		here := refsOf(h.t, c.dir)
		for ref, oid := range here {
			if there[ref] != "" && there[ref] != oid {
				return fmt.Errorf("%s has %s as %s, the remote as %s", filepath.Base(c.dir), ref, oid, there[ref])
			}
		}
		for ref := range there {
			if strings.HasPrefix(ref, "refs/handoff/main/") && here[ref] == "" {
				return fmt.Errorf("%s lacks %s", filepath.Base(c.dir), ref)
			}
		}
		for _, text := range h.noted {
			if notes := git(h.t, c.dir, "log", "-1", "--format=%N", "--notes=handoff", "origin/main"); !strings.Contains(notes, text) {
				return fmt.Errorf("%s lacks the evidence %s: %s", filepath.Base(c.dir), text, notes)
			}
		}
	}
	return nil
}

func refsOf(t testing.TB, dir string) map[string]string {
	refs := map[string]string{}
	for line := range strings.Lines(git(t, dir, "for-each-ref", "--format=%(refname) %(objectname)", "refs/handoff")) {
		ref, oid, _ := strings.Cut(strings.TrimSpace(line), " ")
		refs[ref] = oid
	}
	return refs
}

func (h *histories) step(c *workplace) error {
	h.minute += h.rand.IntN(20)
	n := playedNames[h.rand.IntN(len(playedNames))]
	switch p := h.rand.IntN(32); {
	case p < 7:
		_, err := h.sync(c)
		return err
	case p < 9:
		_, err := h.tidy(c)
		return err
	case p < 11:
		return h.event(c, n, handoff.EventRefresh, func(d *handoff.Document) { d.Commits++ })
	case p < 12:
		return h.event(c, n, handoff.EventResume, func(*handoff.Document) {})
	case p < 14:
		return h.claim(c, n)
	case p < 15:
		return h.event(c, n, handoff.EventArchive, func(d *handoff.Document) { d.Status = handoff.Archived })
	case p < 17:
		return h.saveOver(c)
	case p < 18:
		commitFile(h.t, c.dir, "own-"+filepath.Base(c.dir), fmt.Sprint(h.minute))
		return nil
	case p < 20:
		return h.note(c)
	case p < 22:
		return h.moveBranch(c)
	}
	return h.save(c, n)
}

// claim claims a handoff, with or without asking the remote.
func (h *histories) claim(c *workplace, n handoff.Name) error {
	claiming := Claiming{Holder: filepath.Base(c.dir), Actor: filepath.Base(c.dir), Session: filepath.Base(c.dir), TTL: time.Hour, Takeover: h.rand.IntN(2) == 0}
	if config, err := c.repo.Config(h.t.Context()); err != nil {
		return err
	} else if peer, ok := config.BranchPeer(n.Branch); ok && h.rand.IntN(2) == 0 && n.Branch == "main" {
		claiming.Peer = &peer
	}
	v, err := c.repo.Claim(h.t.Context(), n, claiming)
	var held *HeldError
	if errors.As(err, &held) || errors.Is(err, ErrNoHandoff) || errors.Is(err, ErrClosed) {
		return nil
	}
	if err == nil {
		h.tell("%s claim %s: %.8s", filepath.Base(c.dir), n, v.OID)
	}
	return err
}

func (h *histories) tell(format string, args ...any) {
	h.told = append(h.told, fmt.Sprintf(format, args...))
}

// saveOver saves one of the two handoffs of main, and marks the other superseded by it.
func (h *histories) saveOver(c *workplace) error {
	by, old := playedNames[0], playedNames[1]
	if h.rand.IntN(2) == 0 {
		by, old = old, by
	}
	if v, err := c.repo.Tip(h.t.Context(), old); err != nil || v.Message.Status != handoff.Active {
		return nil
	}
	h.over = &old
	defer func() { h.over = nil }()
	return h.save(c, by)
}

// note records evidence on the commit that all have.
func (h *histories) note(c *workplace) error {
	h.texts++
	text := fmt.Sprintf("<run %d>", h.texts)
	h.noted = append(h.noted, text)
	h.tell("%s notes %s", filepath.Base(c.dir), text)
	return c.repo.RecordEvidence(h.t.Context(), git(h.t, c.dir, "rev-parse", "origin/main"), NoteLine{Verified: Pass, Command: text})
}

// moveBranch renames, deletes, makes, publishes or unpublishes a branch that is not main.
func (h *histories) moveBranch(c *workplace) error {
	branches := strings.Fields(git(h.t, c.dir, "for-each-ref", "--format=%(refname:short)", "refs/heads/side*"))
	if len(branches) == 0 {
		h.tell("%s makes side", filepath.Base(c.dir))
		git(h.t, c.dir, "branch", "side")
		return nil
	}
	branch, moved := branches[0], fmt.Sprint("side", h.rand.IntN(3))
	switch h.rand.IntN(5) {
	case 0:
		if branch != moved {
			h.tell("%s renames %s to %s", filepath.Base(c.dir), branch, moved)
			git(h.t, c.dir, "branch", "-M", branch, moved)
		}
	case 1:
		h.tell("%s deletes %s", filepath.Base(c.dir), branch)
		git(h.t, c.dir, "branch", "-D", branch)
	case 2:
		h.tell("%s unpublishes %s", filepath.Base(c.dir), branch)
		try(c.dir, "push", "-q", "origin", "--delete", branch)
	default:
		h.tell("%s publishes %s", filepath.Base(c.dir), branch)
		git(h.t, c.dir, "push", "-q", "-f", "origin", branch)
	}
	return nil
}

func (h *histories) tidy(c *workplace) (string, error) {
	t, err := c.repo.Tidy(h.t.Context(), TidyOptions{})
	if err != nil {
		return "", err
	}
	var words []string
	for _, j := range t.Journeys {
		if told := j.told(); told != "" {
			words = append(words, told)
		}
	}
	for _, closing := range t.Closings {
		words = append(words, fmt.Sprintf("%s %s %s (%s)", closing.Event, closing.Name, closing.By.Handoff, closing.Reason))
	}
	told := strings.Join(words, "; ")
	if told != "" {
		h.tell("%s resolve: %s", filepath.Base(c.dir), told)
	}
	return told, nil
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
		return &Change{Doc: d, Message: handoff.MessageOf(d, e).By(filepath.Base(c.dir), session), Replace: replace, When: when, Extra: h.supersede(c, n, d)}, nil
	})
	if v != nil {
		h.told = append(h.told, fmt.Sprintf("%s %s %s: %.8s", filepath.Base(c.dir), e, n, v.OID))
	}
	return err
}

// supersede is what else a save does that supersedes another handoff.
func (h *histories) supersede(c *workplace, n handoff.Name, d *handoff.Document) func(string) ([]RefChange, error) {
	if h.over == nil {
		return nil
	}
	old := *h.over
	if tip, err := c.repo.Tip(h.t.Context(), old); err == nil {
		d.Supersedes = []handoff.Link{{Handoff: old.String(), Version: tip.OID}}
	}
	return func(oid string) ([]RefChange, error) {
		return c.repo.Supersede(h.t.Context(), old, handoff.Link{Handoff: n.String(), Version: oid}, "named by its successor")
	}
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

// nothingLost looks for every item in what is on the remote and in the clones: a handoff may have another name by now.
func (h *histories) nothingLost() error {
	var all strings.Builder
	for _, dir := range []string{h.remote, h.clones[0].dir, h.clones[1].dir, h.clones[2].dir} {
		for line := range strings.Lines(git(h.t, dir, "for-each-ref", "--format=%(objectname)", "refs/handoff", "refs/handoff-archive")) {
			all.WriteString(git(h.t, dir, "show", strings.TrimSpace(line)+":handoff.yaml"))
		}
	}
	for text, n := range h.added {
		if !h.removed[text] && !strings.Contains(all.String(), text) {
			return fmt.Errorf("%s of %s is lost", text, n)
		}
	}
	for _, n := range playedNames[:2] {
		doc := try(h.remote, "show", n.Ref()+":handoff.yaml")
		for text, of := range h.added {
			if of == n && !h.removed[text] && !strings.Contains(doc, text) {
				return fmt.Errorf("%s of %s is lost:\n%s", text, n, doc)
			}
		}
	}
	return nil
}

// TestManyDiverged resolves and publishes hundreds of diverged handoffs: the number of children does not depend on how
// many there are, but for the two that list many refs and read their commits, before and after.
func TestManyDiverged(t *testing.T) {
	if few, many := countDiverged(t, 3), countDiverged(t, 150); many > few+4 {
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
