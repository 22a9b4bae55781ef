package gitstore

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"git-handoff/gitstore/handoff"
)

// Outcome is what one line of evidence says.
type Outcome string

const (
	Pass     Outcome = "pass"
	Fail     Outcome = "fail"
	Asserted Outcome = "asserted"
)

// A NoteLine is one line of evidence in a note. It speaks about a tree: it counts for each commit that has this tree
// and for no other. Exit is nil where nothing was run; Why is an assertion's reason.
type NoteLine struct {
	Verified Outcome      `json:"verified"`
	Tree     string       `json:"tree"`
	Command  string       `json:"command,omitempty"`
	Exit     *int         `json:"exit,omitempty"`
	At       handoff.Time `json:"at"`
	By       string       `json:"by,omitempty"`
	Why      string       `json:"why,omitempty"`
}

// encode is the line as notes hold it, without the line break.
func (n NoteLine) encode() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(n); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'}), nil
}

// parseNoteLine reads one line of a note. The second result is false for a line that is no evidence: other people's
// text, or something that a later release writes.
func parseNoteLine(line []byte) (NoteLine, bool) {
	var n NoteLine
	if len(line) == 0 || line[0] != '{' || json.Unmarshal(line, &n) != nil {
		return NoteLine{}, false
	}
	known := n.Verified == Pass || n.Verified == Fail || n.Verified == Asserted
	return n, known && n.Tree != "" && !n.At.IsZero()
}

// noteLines are all lines of evidence of a note.
func noteLines(note []byte) []NoteLine {
	var lines []NoteLine
	for line := range bytes.Lines(note) {
		if n, ok := parseNoteLine(bytes.TrimSpace(line)); ok {
			lines = append(lines, n)
		}
	}
	return lines
}

// beats reports whether n decides where both speak about the same tree: what a command said before what a person
// said, so that an assertion never hides a failure; then the later; then, at the same moment, the failure.
func (n NoteLine) beats(o NoteLine) bool {
	if (n.Verified == Asserted) != (o.Verified == Asserted) {
		return o.Verified == Asserted
	}
	if !n.At.Std().Equal(o.At.Std()) {
		return n.At.Std().After(o.At.Std())
	}
	if (n.Verified == Fail) != (o.Verified == Fail) {
		return n.Verified == Fail
	}
	a, _ := n.encode()
	b, _ := o.encode()
	return bytes.Compare(a, b) > 0
}

// Evidence is the line that decides, for each tree that notes speak about.
type Evidence map[string]NoteLine

// add lets a line count.
func (e Evidence) add(n NoteLine) {
	if old, ok := e[n.Tree]; !ok || n.beats(old) {
		e[n.Tree] = n
	}
}

// Good reports whether a tree is known to work, and by which line.
func (e Evidence) Good(tree string) (NoteLine, bool) {
	n, ok := e[tree]
	return n, ok && n.Verified != Fail
}

// anyGood reports whether one of the commits is known to work.
func (e Evidence) anyGood(commits []Commit) bool {
	return slices.ContainsFunc(commits, func(c Commit) bool {
		_, ok := e.Good(c.Tree)
		return ok
	})
}

// Failed reports whether the verification failed on a tree.
func (e Evidence) Failed(tree string) bool { return e[tree].Verified == Fail }

// document is the line as a document shows it.
func (n NoteLine) document() *handoff.Evidence {
	kind := handoff.Verified
	if n.Verified == Asserted {
		kind = handoff.Asserted
	}
	return &handoff.Evidence{Kind: kind, Command: n.Command, Exit: n.Exit, At: n.At, By: n.By, Why: n.Why}
}

// lastKnownGood is the newest commit of a branch that is known to work, else the commit it forked from, which is
// assumed to, unless it is known not to. Newest comes first in commits.
func (e Evidence) lastKnownGood(commits []Commit, base Commit, told *recordedEvidence) (string, *handoff.Evidence) {
	for _, c := range append(commits[:len(commits):len(commits)], base) {
		if c.OID == "" {
			continue
		}
		if n, ok := e.Good(c.Tree); ok {
			return c.OID, n.document()
		}
		if told.about(c.Tree) && !e.Failed(c.Tree) {
			return c.OID, told.Evidence
		}
	}
	if base.OID == "" || e.Failed(base.Tree) {
		return "", nil
	}
	return base.OID, &handoff.Evidence{Kind: handoff.Assumed}
}

// recordedEvidence is what the document before says of a tree. Documents and notes travel apart: a note that is not
// here is no proof against what somebody else verified, and a note that says the opposite is.
type recordedEvidence struct {
	*handoff.Evidence
	tree string
}

func (t *recordedEvidence) about(tree string) bool { return t != nil && t.tree == tree }

// recorded is the evidence of an earlier observation, nil if it had none or if its commit is not here.
func (r *Repo) recorded(ctx context.Context, prev *handoff.Observed) *recordedEvidence {
	if prev.Evidence == nil || prev.Evidence.Kind == handoff.Assumed || prev.LastKnownGood == "" {
		return nil
	}
	tree, err := r.TreeOf(ctx, prev.LastKnownGood)
	if err != nil {
		return nil
	}
	return &recordedEvidence{prev.Evidence, tree}
}
