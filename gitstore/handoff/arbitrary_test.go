package handoff

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// arbitraryDocument is a document with something in every field, most of it from small vocabularies so that two of
// them have much in common.
func arbitraryDocument(r *rand.Rand) *Document {
	d := &Document{Ledger: Ledger{Version: 1, Branch: "main", Topic: "default", Status: Active}}
	for range 12 {
		alterOnce(r, d)
	}
	for _, l := range Lists {
		for range r.IntN(5) {
			addItem(r, l, l.Of(&d.Brief))
		}
	}
	if d.NextAction == "" {
		d.NextAction = phrase(r)
	}
	return d
}

// alter is a copy of d with a few changes.
func alter(r *rand.Rand, d *Document) *Document {
	out := *d
	for range r.IntN(10) {
		alterOnce(r, &out)
	}
	return &out
}

// alterOnce changes one thing; it replaces what it changes and never writes into what d shares with another document.
func alterOnce(r *rand.Rand, d *Document) {
	switch r.IntN(4) {
	case 0:
		t := Texts[r.IntN(len(Texts))]
		*t.Of(&d.Brief) = textValue(r, t)
	case 1:
		alterFacts(r, d)
	default:
		l := Lists[r.IntN(len(Lists))]
		alterList(r, l, l.Of(&d.Brief))
	}
}

func textValue(r *rand.Rand, t Text) string {
	if t.Values != nil {
		return t.Values[r.IntN(len(t.Values))]
	}
	if r.IntN(6) == 0 && t.Key != "next_action" {
		return ""
	}
	return phrase(r)
}

func phrase(r *rand.Rand) string {
	words := []string{"write", "the", "tests", "for", "login", "and", "a", "refund", "no", "deploy", "ünïcode", "x\ny"}
	out := words[r.IntN(len(words))]
	for range r.IntN(4) {
		out += " " + words[r.IntN(len(words))]
	}
	return out
}

func alterList(r *rand.Rand, l List, items *[]Item) {
	*items = slices.Clone(*items)
	if len(*items) == 0 {
		addItem(r, l, items)
		return
	}
	i := r.IntN(len(*items))
	switch r.IntN(5) {
	case 0:
		addItem(r, l, items)
	case 1:
		*items = slices.Delete(*items, i, i+1)
		if len(*items) == 0 {
			*items = nil
		}
	case 2:
		(*items)[i] = subkeys(r, l, (*items)[i])
	case 3:
		r.Shuffle(len(*items), func(i, j int) { (*items)[i], (*items)[j] = (*items)[j], (*items)[i] })
	default:
		if what := (*items)[i].What + " again"; !hasItem(*items, what) {
			(*items)[i].What = what
		}
	}
}

func addItem(r *rand.Rand, l List, items *[]Item) {
	it := Item{What: phrase(r)}
	if r.IntN(3) > 0 {
		it = subkeys(r, l, it)
	}
	if !hasItem(*items, it.What) {
		*items = slices.Insert(slices.Clone(*items), r.IntN(len(*items)+1), it)
	}
}

func subkeys(r *rand.Rand, l List, it Item) Item {
	for _, key := range l.Subkeys {
		if r.IntN(2) == 0 {
			continue
		}
		value := fmt.Sprintf("%s %d", key, r.IntN(3))
		switch allowed := l.SubkeyValues(key); {
		case allowed != nil:
			value = allowed[r.IntN(len(allowed))]
		case key == "at", key == "since", key == "expires":
			value = fmt.Sprintf("2026-01-0%dT10:00:00Z", 1+r.IntN(4))
		}
		if err := it.SetSubkey(key, value); err != nil {
			panic(err)
		}
	}
	return it
}

// alterFacts changes one fact.
func alterFacts(r *rand.Rand, d *Document) {
	id := func() string { return fmt.Sprintf("%040x", r.IntN(5)) }
	at := TimeOf(mergeDay.AddDate(0, 0, r.IntN(5)))
	n := r.IntN(4)
	switch r.IntN(14) {
	case 0:
		d.Head, d.Base, d.Commits = id(), id(), n
	case 1:
		exit := n
		d.LastKnownGood, d.Evidence = id(), &Evidence{Kind: Verified, Command: phrase(r), Exit: &exit, At: at}
	case 2:
		d.ChangedFiles = ChangedFiles{Total: n, Files: arbitraryFiles(r, n)}
	case 3:
		d.Worktree = &Worktree{Operation: phrase(r), Modified: arbitraryFiles(r, n), Untracked: paths(r, n), Stashes: paths(r, 1)}
	case 4:
		d.CommandsRun = &CommandsRun{Total: n, Runs: arbitraryRuns(r, n), Log: &Log{Path: "log", Digest: id()}}
	case 5:
		pass := n > 1
		d.VerdictPointer = &VerdictPointer{Verification: &Verification{Path: "v.json", Digest: id(), Passed: &pass}}
	case 6:
		d.VerdictPointer = &VerdictPointer{Review: &Review{Path: "r.json", Digest: id(), Verdict: phrase(r)}}
	case 7:
		d.Findings = append(slices.Clone(d.Findings), Finding{What: phrase(r), Severity: Warn, Source: "review"})
	case 8:
		d.ArtifactDigests = map[string]string{fmt.Sprint("f", n): id(), "g": id()}
	case 9:
		d.Clean = &Clean{OK: n > 1, Issues: []CleanIssue{{Check: "tree", What: phrase(r), Severity: Block}}}
	case 10:
		d.Status = []Status{Active, Superseded, Archived}[r.IntN(3)]
	case 11:
		d.Claim = &Claim{By: phrase(r), At: at, Until: at}
	case 12:
		d.Supersedes = append(slices.Clone(d.Supersedes), Link{Handoff: fmt.Sprint("b/", len(d.Supersedes)), Version: id()})
		d.SupersededBy = &Link{Handoff: "b/y"}
	default:
		d.Worktree, d.CommandsRun, d.VerdictPointer, d.Findings, d.Clean, d.Claim, d.Evidence = nil, nil, nil, nil, nil, nil, nil
		d.Provenance = Provenance{Session: id(), Turns: n, SavedAt: at}
	}
}

func arbitraryFiles(r *rand.Rand, n int) []ChangedFile {
	var out []ChangedFile
	for _, p := range paths(r, n) {
		out = append(out, ChangedFile{Path: p, Change: []Change{Added, Modified, Deleted}[r.IntN(3)]})
	}
	return out
}

func paths(r *rand.Rand, n int) []string {
	var out []string
	for i := range n {
		if r.IntN(3) > 0 {
			out = append(out, fmt.Sprint("dir/f", i))
		}
	}
	return out
}

func arbitraryRuns(r *rand.Rand, n int) []Run {
	var out []Run
	for range n {
		exit := int64(r.IntN(2))
		out = append(out, Run{Command: phrase(r), Exit: &exit, MS: int64(r.IntN(100))})
	}
	return out
}
