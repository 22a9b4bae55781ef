package gitstore

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"git-handoff/gitstore/handoff"
)

// peerOf is the peer that a clone's branch main travels to, fetched from just now.
func peerOf(t testing.TB, r *Repo) *Peer {
	t.Helper()
	config, err := r.Config(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p, ok := config.BranchPeer("main")
	if !ok {
		t.Fatal("no peer")
	}
	if _, err := r.Fetch(t.Context(), p, FetchOptions{}); err != nil {
		t.Fatal(err)
	}
	return &p
}

func claiming(holder string, p *Peer) Claiming {
	return Claiming{Holder: holder, Session: holder, Actor: "actor of " + holder, TTL: time.Hour, Peer: p}
}

func TestOfManyClaimsOneIsAccepted(t *testing.T) {
	t.Parallel()
	w := newTraffic(t)
	first := w.clone("first")
	saveIn(t, first, testName, nil)
	syncIn(t, first, TravelOptions{})
	const n = 4
	var clones [n]*Repo
	var peers [n]*Peer
	for i := range clones {
		clones[i] = open(t, w.clone("clone"))
		peers[i] = peerOf(t, clones[i])
	}
	var all sync.WaitGroup
	var errs [n]error
	for i, r := range clones {
		all.Go(func() { _, errs[i] = r.Claim(t.Context(), testName, claiming(string(rune('a'+i)), peers[i])) })
	}
	all.Wait()
	winner := ""
	for i, err := range errs {
		var held *HeldError
		switch {
		case err == nil && winner == "":
			winner = string(rune('a' + i))
		case !errors.As(err, &held):
			t.Errorf("%d: %v", i, err)
		case held.Remote != "origin":
			t.Errorf("%d: the refusal does not say who accepted it: %v", i, err)
		}
	}
	syncIn(t, first, TravelOptions{})
	doc := documentIn(t, open(t, first), testName)
	if winner == "" || doc.Claim == nil || doc.Claim.By != winner {
		t.Errorf("%q won, and the remote has %+v", winner, doc.Claim)
	}
	for i, r := range clones {
		if claim := documentIn(t, r, testName).Claim; errs[i] != nil && (claim == nil || claim.By != winner) {
			t.Errorf("%d has %+v", i, claim)
		}
	}
}

func documentIn(t testing.TB, r *Repo, name handoff.Name) *handoff.Document {
	t.Helper()
	v, err := r.Tip(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := r.Document(t.Context(), v)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestClaimIsNotMadeWhereItIsNotAccepted(t *testing.T) {
	t.Parallel()
	w := newTraffic(t)
	dir := w.clone("first")
	saveIn(t, dir, testName, nil)
	syncIn(t, dir, TravelOptions{})
	r := open(t, dir)
	p := peerOf(t, r)
	before := git(t, dir, "for-each-ref")
	hook := filepath.Join(w.remote, "hooks", "pre-receive")
	write(t, hook, "#!/bin/sh\nexit 1\n")
	if err := os.Chmod(hook, 0o755); err != nil {
		t.Fatal(err)
	}
	var refused *RefusedError
	if _, err := r.Claim(t.Context(), testName, claiming("a", p)); !errors.As(err, &refused) {
		t.Errorf("refused by a hook: %v", err)
	}
	c := claiming("a", p)
	c.Scan = func([]byte) []string { return []string{"a rule"} }
	if _, err := r.Claim(t.Context(), testName, c); !errors.As(err, &refused) || !strings.Contains(err.Error(), "a rule") {
		t.Errorf("a secret: %v", err)
	}
	if err := os.RemoveAll(w.remote); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Claim(t.Context(), testName, claiming("a", p)); !errors.Is(err, ErrUnreached) {
		t.Errorf("without the remote: %v", err)
	}
	if after := git(t, dir, "for-each-ref"); after != before {
		t.Errorf("a ref moved:\n%s\n%s", before, after)
	}
}

func TestClaimsEndWithTheirHolder(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	commitFile(t, dir, "a", "1")
	r := open(t, dir)
	save(t, r, testName, "go")
	v, err := r.Claim(t.Context(), testName, claiming("a", nil))
	if err != nil {
		t.Fatal(err)
	}
	doc := documentIn(t, r, testName)
	if who, remote := r.Claimant(t.Context(), v, *doc.Claim); who != "actor of a" || remote != "" {
		t.Errorf("%q, %q", who, remote)
	}
	var held *HeldError
	if _, err := r.Claim(t.Context(), testName, claiming("b", nil)); !errors.As(err, &held) || !strings.Contains(err.Error(), "actor of a (a)") {
		t.Errorf("%v", err)
	}
	if _, err := r.Claim(t.Context(), testName, claiming("a", nil)); err != nil {
		t.Errorf("the holder renews: %v", err)
	}
	over := claiming("b", nil)
	over.Takeover = true
	if _, err := r.Claim(t.Context(), testName, over); err != nil || documentIn(t, r, testName).Claim.By != "b" {
		t.Errorf("a takeover: %v", err)
	}
	claim := documentIn(t, r, testName).Claim
	for holder, stays := range map[string]bool{"a": true, "b": false, "": true} {
		if got := ClaimAfter(claim, holder); (got != nil) != stays {
			t.Errorf("after a save of %q: %v", holder, got)
		}
	}
	if _, err := r.Claim(t.Context(), handoff.Name{Branch: "main", Topic: "none"}, claiming("a", nil)); !errors.Is(err, ErrNoHandoff) {
		t.Errorf("no handoff: %v", err)
	}
}

func TestHoldersAreSessionsElseWorktrees(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	commitFile(t, dir, "a", "1")
	git(t, dir, "worktree", "add", "-q", "-b", "second", filepath.Join(dir, "..", "second"))
	r, other := open(t, dir), open(t, filepath.Join(dir, "..", "second"))
	if h := r.Holder("s"); h != "s" {
		t.Errorf("%q", h)
	}
	if h := r.Holder(""); h != "" {
		t.Errorf("a worktree that was never asked for its id: %q", h)
	}
	one, err := r.MakeHolder("")
	two, otherErr := other.MakeHolder("")
	if err != nil || otherErr != nil || one == two || !worktreeIDPattern().MatchString(one) {
		t.Errorf("%q %v, %q %v", one, err, two, otherErr)
	}
	if again, err := r.MakeHolder(""); err != nil || again != one || r.Holder("") != one {
		t.Errorf("%q, %v", again, err)
	}
	write(t, r.worktreeIDFile(), "damaged\n")
	if h, err := r.MakeHolder(""); err != nil || !worktreeIDPattern().MatchString(h) || h == one {
		t.Errorf("%q, %v", h, err)
	}
}

func TestEffectiveIsReadNotWritten(t *testing.T) {
	t.Parallel()
	w := newTraffic(t)
	a, b := w.clone("a"), w.clone("b")
	saveIn(t, a, testName, nil)
	syncIn(t, a, TravelOptions{})
	syncIn(t, b, TravelOptions{})
	saveIn(t, a, testName, adds("constraints", "of a"))
	syncIn(t, a, TravelOptions{})
	r := open(t, b)
	p := peerOf(t, r)
	e, err := r.Effective(t.Context(), testName, p.Track)
	if err != nil || e.Action != FastForward || !e.Written() || e.Version.OID != e.Fetched || len(e.Doc.Constraints) != 1 {
		t.Fatalf("behind: %+v, %v", e, err)
	}
	saveIn(t, b, testName, adds("constraints", "of b"))
	refs := git(t, b, "for-each-ref")
	e, err = r.Effective(t.Context(), testName, p.Track)
	if err != nil || e.Action != MergeBoth || e.Written() || len(e.Doc.Constraints) != 2 || len(e.Version.Parents) != 2 {
		t.Fatalf("diverged: %+v, %v", e, err)
	}
	if after := git(t, b, "for-each-ref"); after != refs {
		t.Errorf("a ref moved:\n%s\n%s", refs, after)
	}
	saved, err := r.SavedVersion(t.Context(), e.Version)
	if err != nil || saved != e.Version {
		t.Errorf("a merge brings a brief: %+v, %v", saved, err)
	}
	if _, err := r.Effective(t.Context(), handoff.Name{Branch: "main", Topic: "none"}, p.Track); !errors.Is(err, ErrNoHandoff) {
		t.Errorf("%v", err)
	}
}

func TestRecordResume(t *testing.T) {
	t.Parallel()
	w := newTraffic(t)
	a, b := w.clone("a"), w.clone("b")
	saveIn(t, a, testName, nil)
	syncIn(t, a, TravelOptions{})
	r := open(t, b)
	p := peerOf(t, r)
	note := func(holder, report string) bool {
		t.Helper()
		written, err := r.RecordResume(t.Context(), testName, Taking{Holder: holder, Session: holder, Report: report, Peer: p})
		if err != nil {
			t.Fatal(err)
		}
		return written
	}
	for i, test := range []struct {
		holder, report string
		want           bool
	}{{"s", "", true}, {"s", "", false}, {"s", "duplicate", true}, {"s", "duplicate", false}, {"s", "deep-read", true}, {"t", "", true}, {"s", "", false}} {
		if got := note(test.holder, test.report); got != test.want {
			t.Errorf("%d: %+v: %v", i, test, got)
		}
	}
	if _, err := r.Claim(t.Context(), testName, claiming("s", nil)); err != nil {
		t.Fatal(err)
	}
	if note("s", "") {
		t.Error("a claim is no new brief")
	}
	saveIn(t, b, testName, adds("constraints", "x"))
	if !note("s", "") {
		t.Error("another brief may be resumed again")
	}
	if git(t, b, "rev-parse", testName.Ref()+"^{tree}") != git(t, b, "rev-parse", testName.Ref()+"~1^{tree}") {
		t.Error("a resume changed the document")
	}
}

// TestSessionsOfOneCloneClaimAtOnce has them share what was fetched: what one of them fetched after another has read the
// handoff is no lease for that one's claim.
func TestSessionsOfOneCloneClaimAtOnce(t *testing.T) {
	t.Parallel()
	w := newTraffic(t)
	dir := w.clone("one")
	saveIn(t, dir, testName, nil)
	syncIn(t, dir, TravelOptions{})
	const n = 6
	for round := range 3 {
		var all sync.WaitGroup
		var errs [n]error
		for i := range n {
			r := open(t, dir)
			peer := peerOf(t, r)
			c := claiming(fmt.Sprintf("round %d of %d", round, i), peer)
			all.Go(func() { _, errs[i] = r.Claim(t.Context(), testName, c) })
		}
		all.Wait()
		won := 0
		for _, err := range errs {
			if err == nil {
				won++
			}
		}
		if won != 1 {
			t.Fatalf("round %d: %d of %d have claimed it: %v", round, won, n, errs)
		}
		saveIn(t, dir, testName, func(d *handoff.Document) { d.Claim = nil })
		syncIn(t, dir, TravelOptions{})
	}
}
