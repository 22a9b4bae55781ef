package workbench

import (
	"cmp"

	"git-handoff/gitstore/handoff"
)

// Verification is a gate's report. Passed is nil where it does not say, or says both.
type Verification struct {
	File
	Task     string
	Passed   *bool
	Findings []handoff.Finding
}

func (r *reader) verification(f File, tree *node) Verification {
	v := Verification{File: f}
	if tree == nil {
		return v
	}
	if tree = r.ofTask(tree); tree.kind != object && !onlyChecks(tree) {
		v.Readable = false
		r.problem(f.Path, 0, "is no report: it holds no object")
		return v
	}
	v.Task = r.mask(reportTask(tree))
	v.Findings = r.allFindings(f.Path, innerReport(tree))
	w := weigh(tree)
	if score, mark := tree.first(scoreKeys...), tree.first(markKeys...); below(score, mark) {
		w.against = cmp.Or(w.against, "its score "+score.say())
	}
	v.Passed = r.passed(f.Path, w, v.Findings)
	return v
}

// ofTask gives the part of a list of reports that is about the task in hand: of several the one written last. A list
// that is about no tasks stays as it is.
func (r *reader) ofTask(tree *node) *node {
	active := r.bench.ActiveTask()
	for i := len(tree.items) - 1; i >= 0 && active != ""; i-- {
		if el := tree.items[i]; el.kind == object && reportTask(el) == active {
			return el
		}
	}
	if len(tree.items) == 1 && tree.items[0].kind == object {
		return tree.items[0]
	}
	return tree
}

// innerReport gives the object that has the findings: the top, or the one object below it where the top has nothing
// else.
func innerReport(tree *node) *node {
	if len(tree.members) == 1 && tree.members[0].value.kind == object && among("|report|verification|review|", tree.members[0].plain) {
		return tree.members[0].value
	}
	return tree
}
