package handoff

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxFacts is how many bytes the facts of a document may take as they are stored.
const MaxFacts = 10 << 10

// MaxBriefTokens is how many tokens a brief should take at most, counted as four bytes each.
const MaxBriefTokens = 2000

// BriefTokens is about how many tokens the brief takes.
func (b *Brief) BriefTokens() int {
	data, err := EncodeBrief(b)
	if err != nil {
		return 0
	}
	return (len(data) + 3) / 4
}

// FactsSize is how many bytes the facts of a document take as they are stored.
func (d *Document) FactsSize() int {
	facts := *d
	facts.Brief = Brief{}
	data, err := encode(reflect.ValueOf(facts))
	if err != nil {
		return 0
	}
	return len(data)
}

// cuts are what is cut from the facts where they are too large, what is missed least first. Each takes about over
// bytes, if it finds so many. What is left out of a list is counted where the list has a count.
var cuts = []func(d *Document, over int){
	shortenOutputs, dropOutputs, dropPassing, dropUntracked, shortenFindings, dropFindings, dropModified, dropChanges, dropFailing,
}

// FitFacts cuts the facts to MaxFacts. It replaces what it cuts and changes nothing that the document shares with
// another one. Facts that fit stay as they are, so a second time changes nothing.
func (d *Document) FitFacts() {
	over := d.FactsSize() - MaxFacts
	if over <= 0 {
		return
	}
	d.ownFacts()
	for _, cut := range cuts {
		cut(d, over)
		if over = d.FactsSize() - MaxFacts; over <= 0 {
			return
		}
	}
}

// ownFacts makes copies of the lists that are cut.
func (d *Document) ownFacts() {
	if d.CommandsRun != nil {
		c := *d.CommandsRun
		c.Runs = slices.Clone(c.Runs)
		d.CommandsRun = &c
	}
	if d.Worktree != nil {
		w := *d.Worktree
		d.Worktree = &w
	}
	d.Findings = slices.Clone(d.Findings)
	d.ChangedFiles.Files = slices.Clone(d.ChangedFiles.Files)
	if d.Clean != nil {
		c := *d.Clean
		c.Issues = slices.Clone(c.Issues)
		d.Clean = &c
	}
}

func (d *Document) runs() []Run {
	if d.CommandsRun == nil {
		return nil
	}
	return d.CommandsRun.Runs
}

const (
	// leastOutput is what is left of an output before whole ones go.
	leastOutput = 300
	// leastText is what is left of a finding.
	leastText = 200
	// leastFiles is how many paths a list keeps.
	leastFiles = 10
	outputMark = "[… the beginning is cut …]\n"
)

// shortenOutputs takes from the longest output, again and again: the end of each tells most.
func shortenOutputs(d *Document, over int) {
	runs := d.runs()
	for over > 0 && len(runs) > 0 {
		i := longest(runs)
		n := len(runs[i].Output)
		if n <= leastOutput {
			return
		}
		runs[i].Output = lastPart(runs[i].Output, max(leastOutput, n-over-len(outputMark), n/2))
		over -= n - len(runs[i].Output)
	}
}

func longest(runs []Run) int {
	at := 0
	for i := range runs {
		if len(runs[i].Output) > len(runs[at].Output) {
			at = i
		}
	}
	return at
}

// lastPart is the end of a text in about n bytes with a mark before it: whole lines where there are several.
func lastPart(s string, n int) string {
	s = strings.TrimPrefix(s, outputMark)
	at := max(0, len(s)-(n-len(outputMark)))
	for at < len(s) && !utf8.RuneStart(s[at]) {
		at++
	}
	s = s[at:]
	if i := strings.IndexByte(s, '\n'); i >= 0 && i < len(s)/2 {
		s = s[i+1:]
	}
	return outputMark + s
}

func dropOutputs(d *Document, over int) {
	for i := range d.runs() {
		if over <= 0 {
			return
		}
		over -= len(d.runs()[i].Output)
		d.runs()[i].Output = ""
	}
}

// dropPassing leaves out runs that passed, the oldest first.
func dropPassing(d *Document, over int) {
	dropRuns(d, over, func(r Run) bool { return r.Failed == "" && (r.Exit == nil || *r.Exit == 0) })
}

func dropFailing(d *Document, over int) { dropRuns(d, over, func(Run) bool { return true }) }

func dropRuns(d *Document, over int, is func(Run) bool) {
	c := d.CommandsRun
	if c == nil {
		return
	}
	c.Runs = slices.DeleteFunc(c.Runs, func(r Run) bool {
		if over <= 0 || !is(r) {
			return false
		}
		over -= len(r.Command) + 40
		c.Omitted += max(1, r.Times)
		if r.Failed != "" || r.Exit != nil && *r.Exit != 0 {
			c.OmittedFailed += max(1, r.Times)
		}
		return true
	})
}

func dropUntracked(d *Document, over int) {
	if w := d.Worktree; w != nil {
		w.Untracked = first(w.Untracked, leastFiles, &w.Omitted)
		w.Stashes = first(w.Stashes, leastFiles, &w.Omitted)
	}
}

func dropModified(d *Document, over int) {
	if w := d.Worktree; w != nil {
		w.Modified = first(w.Modified, leastFiles, &w.Omitted)
		w.Unmerged = first(w.Unmerged, leastFiles, &w.Omitted)
	}
}

// first is the beginning of a list; what is left out is counted.
func first[T any](list []T, n int, omitted *int) []T {
	if len(list) <= n {
		return list
	}
	*omitted += len(list) - n
	return list[:n:n]
}

func shortenFindings(d *Document, over int) {
	for i := range d.Findings {
		d.Findings[i].What = truncate(d.Findings[i].What, leastText)
	}
	if d.Clean != nil {
		for i := range d.Clean.Issues {
			d.Clean.Issues[i].What = truncate(d.Clean.Issues[i].What, leastText)
		}
	}
}

// dropFindings leaves out findings and issues, the least grave of them, and says so in the last one.
func dropFindings(d *Document, over int) {
	rank := map[Severity]int{Block: 0, Warn: 1, Info: 2}
	slices.SortStableFunc(d.Findings, func(a, b Finding) int { return cmp.Compare(rank[a.Severity], rank[b.Severity]) })
	var omitted int
	if d.Findings = first(d.Findings, leastFiles, &omitted); omitted > 0 {
		d.Findings = append(d.Findings, Finding{What: "more was found than fits here", Severity: Info, Source: "git handoff check"})
	}
	if d.Clean != nil {
		d.Clean.Issues = first(d.Clean.Issues, leastFiles, &omitted)
	}
}

// dropChanges leaves out changed files; their total tells how many there are.
func dropChanges(d *Document, over int) {
	for files := d.ChangedFiles.Files; over > 0 && len(files) > leastFiles; files = d.ChangedFiles.Files {
		last := files[len(files)-1]
		over -= len(last.Path) + len(last.From) + 30
		d.ChangedFiles.Files = files[:len(files)-1]
	}
}
