package workbench

import (
	"math"
	"strconv"
	"strings"

	"git-handoff/gitstore/handoff"
)

// Review is a reviewer's report. Verdict and Total are as written; Score is the total where it is a plain number, and
// PassMark what it should reach, where the report says. Passed is what the verdict comes to, nil where that is not clear.
type Review struct {
	File
	Task       string
	Verdict    string
	Total      string
	Score      *float64
	PassMark   *float64
	Passed     *bool
	Dimensions []Dimension
	Findings   []handoff.Finding
}

// A Dimension is one thing that a review scores. Score is nil where it is missing or no number.
type Dimension struct {
	Name  string
	Score *float64
	Note  string
}

// Assumptions is the score that the review gives to the assumptions; nil where it gives none.
func (v *Review) Assumptions() *float64 {
	for _, d := range v.Dimensions {
		if strings.Contains(strings.ToLower(d.Name), "assumption") {
			return d.Score
		}
	}
	return nil
}

func (r *reader) review(f File, tree *node) Review {
	v := Review{File: f}
	if tree == nil {
		return v
	}
	if tree.kind != object {
		v.Readable = false
		r.problem(f.Path, 0, "is no review: it holds no object")
		return v
	}
	v.Task = reportTask(tree)
	verdict := tree.first("verdict", "decision", "result", "outcome", "conclusion", "recommendation", "status")
	if verdict == nil {
		verdict = tree.first("passed", "approved")
	}
	v.Verdict = r.mask(verdict.say())
	switch outcome(verdict) {
	case passed:
		ok := true
		v.Passed = &ok
	case failed:
		v.Passed = new(bool)
	}
	r.score(&v, tree)
	v.Dimensions = r.dimensions(tree.first("dimensions", "scores", "rubric", "criteria", "categories", "ratings"))
	v.Findings = r.findings(f.Path, tree.first("findings", "issues", "comments", "problems", "concerns"))
	return v
}

func (r *reader) score(v *Review, tree *node) {
	total := tree.first("total", "total_score", "overall", "overall_score", "score", "points", "sum")
	if total != nil && total.kind == object {
		total = total.first("score", "value", "total", "points")
	}
	v.Score, v.PassMark = scoreOf(total), scoreOf(tree.first("pass_mark", "passmark", "threshold", "pass_threshold", "min_total", "minimum", "required"))
	switch {
	case total == nil:
		r.problem(v.Path, 0, "has no total")
	case v.Score == nil:
		r.problem(v.Path, 0, "has a total that is no plain number; it is not compared with a pass mark")
	}
	s := strings.TrimSpace(total.say())
	if f, err := strconv.ParseFloat(s, 64); err == nil && (math.IsNaN(f) || math.IsInf(f, 0)) || total != nil && total.kind == boolean {
		return
	}
	v.Total = r.mask(s)
}

// scoreOf reads a plain, finite number, also written as a text.
func scoreOf(n *node) *float64 {
	if n == nil || n.kind != number && n.kind != text {
		return nil
	}
	f, err := strconv.ParseFloat(strings.TrimSpace(n.text), 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return nil
	}
	return &f
}

// dimensions reads scores as a list of objects, or as an object from names to numbers or objects.
func (r *reader) dimensions(n *node) []Dimension {
	if n == nil {
		return nil
	}
	var all []Dimension
	for _, el := range n.items {
		name := el.first("name", "dimension", "id", "key", "criterion", "title", "category").say()
		all = append(all, r.dimension(name, el))
	}
	for _, m := range n.members {
		all = append(all, r.dimension(m.key, m.value))
	}
	return all
}

func (r *reader) dimension(name string, n *node) Dimension {
	d := Dimension{Name: r.mask(name), Score: scoreOf(n)}
	if n.kind == object {
		d.Score = scoreOf(n.first("score", "value", "points", "rating"))
		d.Note = r.mask(n.first("note", "comment", "reason", "detail", "rationale").say())
	}
	return d
}
