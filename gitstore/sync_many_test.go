package gitstore

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"git-handoff/gitstore/handoff"
)

// many is how many handoffs the tests of many resolve: GIT_HANDOFF_TEST_MANY says so, such as 1000.
func many() int {
	if n, err := strconv.Atoi(os.Getenv("GIT_HANDOFF_TEST_MANY")); err == nil {
		return n
	}
	return 12
}

// TestResolveManyBranches resolves many handoffs at once, each of a branch of its own, in every way: the number of
// children does not depend on how many there are.
func TestResolveManyBranches(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(*manyBranches)
		want    func(*Tidying) int
	}{
		"diverged": {(*manyBranches).diverge, countMerged},
		"gone":     {func(m *manyBranches) { m.deleteBranches("") }, countClosings(handoff.EventArchive)},
		"merged": {func(m *manyBranches) {
			git(m.t, m.b, "merge", "-q", "-s", "ours", "-m", "all", m.tip)
			m.deleteBranches("")
		}, countClosings(handoff.EventArchive)},
		"squashed": {func(m *manyBranches) {
			git(m.t, m.b, "merge", "-q", "--squash", m.tip)
			git(m.t, m.b, "commit", "-q", "-m", "squashed")
			m.deleteBranches("")
		}, countClosings(handoff.EventArchive)},
		"renamed":    {func(m *manyBranches) { m.deleteBranches("new/") }, countClosings(handoff.EventRename)},
		"superseded": {func(m *manyBranches) { m.sameTask() }, countClosings(handoff.EventSupersede)},
	} {
		t.Run(name, func(t *testing.T) {
			count := func(n int) int {
				m := newManyBranches(t, n)
				c.prepare(m)
				opt := TidyOptions{Refresh: func(_ context.Context, branches []string) error {
					if len(branches) > maxRefreshed {
						t.Errorf("%d branches are refreshed, each with children of its own", len(branches))
					}
					return nil
				}}
				if name == "renamed" {
					for i := range n {
						opt.Renamed = append(opt.Renamed, Rename{Old: m.branch(i), New: "new/" + m.branch(i)})
					}
				}
				var tidied *Tidying
				children := countChildren(t, func() {
					var err error
					if tidied, err = open(t, m.b).Tidy(t.Context(), opt); err != nil {
						t.Fatal(err)
					}
				})
				if got := c.want(tidied); got != n {
					t.Errorf("%d of %d", got, n)
				}
				return children
			}
			few, all := count(3), count(many())
			t.Logf("%d handoffs take %d children", many(), all)
			if few != all {
				t.Errorf("3 handoffs take %d children, %d take %d", few, many(), all)
			}
		})
	}
}

func countMerged(tidied *Tidying) int {
	n := 0
	for _, j := range tidied.Journeys {
		for _, s := range j.Settled {
			if s.Action == MergeBoth && s.Err == nil {
				n++
			}
		}
	}
	return n
}

func countClosings(event handoff.Event) func(*Tidying) int {
	return func(tidied *Tidying) int {
		n := 0
		for _, c := range tidied.Closings {
			if c.Event == event {
				n++
			}
		}
		return n
	}
}

// manyBranches is a clone with many branches that nobody published, each with a handoff that is here and was on the
// remote.
type manyBranches struct {
	*traffic
	t    *testing.T
	n    int
	b    string
	base string
	// tip is the one commit that all branches stand at.
	tip string
}

func newManyBranches(t *testing.T, n int) *manyBranches {
	t.Helper()
	m := &manyBranches{traffic: newTraffic(t), t: t, n: n}
	m.b = m.clone("b")
	m.base = git(t, m.b, "rev-parse", "main")
	git(t, m.b, "checkout", "-q", "-b", "work")
	m.tip = commitFile(t, m.b, "work.txt", "1")
	git(t, m.b, "checkout", "-q", "main")
	git(t, m.b, "branch", "-q", "-D", "work")
	m.each(func(i int) RefChange { return RefChange{Ref: "refs/heads/" + m.branch(i), New: m.tip} })
	m.each(func(i int) RefChange { return m.version(i, handoff.EventSave, "", "first") })
	git(t, m.b, "push", "-q", "origin", "refs/handoff/*:refs/handoff/*")
	git(t, m.b, "fetch", "-q", "--no-tags", "origin", "+refs/handoff/*:refs/handoff-remotes/origin/heads/*")
	return m
}

func (m *manyBranches) branch(i int) string { return fmt.Sprint("work/", i) }

func (m *manyBranches) name(i int) handoff.Name {
	return handoff.Name{Branch: m.branch(i), Topic: "default"}
}

// each makes one change for each branch, all in one transaction.
func (m *manyBranches) each(change func(int) RefChange) {
	m.t.Helper()
	var moves []RefChange
	for i := range m.n {
		moves = append(moves, change(i))
	}
	if err := open(m.t, m.b).UpdateRefs(m.t.Context(), "test", moves...); err != nil {
		m.t.Fatal(err)
	}
}

// version is a version of the i-th handoff after another one.
func (m *manyBranches) version(i int, event handoff.Event, after, text string) RefChange {
	m.t.Helper()
	doc := &handoff.Document{Ledger: handoff.Ledger{Version: 1, Branch: m.branch(i), Topic: "default", Status: handoff.Active},
		Brief: handoff.Brief{NextAction: text}, Observed: handoff.Observed{Head: m.tip, Base: m.base}}
	var parents []string
	if after != "" {
		parents = []string{after}
	}
	oid, err := open(m.t, m.b).WriteVersion(m.t.Context(), doc, handoff.MessageOf(doc, event), parents, WriteOptions{When: time.Unix(1770000000, 0)})
	if err != nil {
		m.t.Fatal(err)
	}
	return RefChange{Ref: m.name(i).Ref(), Old: after, New: oid}
}

// diverge saves each handoff on the remote and here, here with a refresh on top.
func (m *manyBranches) diverge() {
	m.each(func(i int) RefChange { return m.version(i, handoff.EventSave, m.tipOf(i).OID, "theirs") })
	git(m.t, m.b, "push", "-q", "origin", "refs/handoff/*:refs/handoff/*")
	m.each(func(i int) RefChange {
		theirs := m.tipOf(i)
		ours := m.version(i, handoff.EventSave, theirs.Parents[0], "ours")
		ours.Old = theirs.OID
		return ours
	})
	m.each(func(i int) RefChange { return m.version(i, handoff.EventRefresh, m.tipOf(i).OID, "ours") })
}

func (m *manyBranches) tipOf(i int) *Version {
	v, err := open(m.t, m.b).Tip(m.t.Context(), m.name(i))
	if err != nil {
		m.t.Fatal(err)
	}
	return v
}

// deleteBranches deletes the branches, or gives them another name where a prefix is given.
func (m *manyBranches) deleteBranches(prefix string) {
	if prefix != "" {
		m.each(func(i int) RefChange { return RefChange{Ref: "refs/heads/" + prefix + m.branch(i), New: m.tip} })
	}
	m.each(func(i int) RefChange { return RefChange{Ref: "refs/heads/" + m.branch(i), Old: m.tip} })
}

// sameTask gives every branch a second handoff with the same task, which was saved later.
func (m *manyBranches) sameTask() {
	save := func(topic string, at int64) {
		m.each(func(i int) RefChange {
			doc := &handoff.Document{Ledger: handoff.Ledger{Version: 1, Branch: m.branch(i), Topic: topic, Status: handoff.Active},
				Brief: handoff.Brief{NextAction: topic, TaskID: "T"}}
			doc.Provenance.SavedAt = handoff.TimeOf(time.Unix(at, 0))
			oid, err := open(m.t, m.b).WriteVersion(m.t.Context(), doc, handoff.MessageOf(doc, handoff.EventSave), nil, WriteOptions{})
			if err != nil {
				m.t.Fatal(err)
			}
			return RefChange{Ref: handoff.Name{Branch: m.branch(i), Topic: topic}.Ref(), New: oid}
		})
	}
	save("one", 1770000000)
	save("two", 1770000100)
}
