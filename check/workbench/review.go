package workbench

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"git-handoff/gitstore/handoff"
)

// Review is a reviewer's report. Verdict and Total are as written; Score is the total where it is a plain number, and
// PassMark what it should reach on the same scale, where the report says. Passed is what the verdict comes to, nil where that is not clear.
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

var verdictKeys = []string{"verdict", "final_verdict", "overall_verdict", "decision", "result", "outcome", "conclusion", "recommendation", "status",
	"state", "overall_status", "passed", "approved", "success",
	"评审结论", "结论", "判定", "结果", "結果", "결과", "판정", "вердикт", "результат", "ergebnis", "urteil", "veredicto", "resultado", "résultat", "esito"}

func (r *reader) review(f File, tree *node) Review {
	v := Review{File: f}
	if tree == nil {
		return v
	}
	if tree = innerReport(r.ofTask(tree)); tree.kind != object {
		v.Readable = false
		r.problem(f.Path, 0, "is no review: it holds no object")
		return v
	}
	v.Task = reportTask(tree)
	verdict := verdictOf(tree)
	v.Verdict = r.mask(verdict.say())
	r.score(&v, tree)
	v.Dimensions = r.dimensions(tree.first("dimensions", "scores", "rubric", "criteria", "categories", "ratings", "评分", "評価", "점수"))
	v.Findings = r.allFindings(f.Path, tree)
	v.Passed = r.reviewed(&v, tree, verdict)
	return v
}

// verdictOf gives what the review calls its verdict: the first that is more than that it is there.
func verdictOf(tree *node) *node {
	var first *node
	for _, key := range verdictKeys {
		v := tree.get(key)
		if v != nil && v.kind == object {
			v = v.first(verdictKeys...)
		}
		if v.say() == "" || v.kind == list {
			continue
		}
		if !neutral(v) {
			return v
		}
		first = cmp.Or(first, v)
	}
	return first
}

// reviewed weighs a review by its verdict. That it has none that is known is no problem of the file.
func (r *reader) reviewed(v *Review, tree, verdict *node) *bool {
	w := weigh(tree)
	if outcome(verdict) != unclear {
		w.odd = ""
	}
	if w.yes == "" && w.no == "" && w.against == "" {
		return nil
	}
	return r.passed(v.Path, w, v.Findings)
}

// scoreKeys hold what a report scores in all, markKeys what it should.
var (
	scoreKeys = []string{"total", "total_score", "overall", "overall_score", "score", "quality_score", "points", "sum", "rating", "总分", "得分", "合計",
		"총점", "итого", "puntuación", "puntaje", "pontuação", "gesamt", "gesamtpunktzahl", "note"}
	markKeys = []string{"pass_mark", "passmark", "passing_score", "pass_score", "threshold", "pass_threshold", "min_total", "min_score", "minimum", "required"}
)

func (r *reader) score(v *Review, tree *node) {
	total := cmp.Or(tree.said(scoreKeys...), tree.first(scoreKeys...))
	of := tree.first("max_score", "max_total", "total_max", "max_points", "maximum", "max", "out_of", "possible", "total_possible")
	if total != nil && total.kind == object {
		of = total.first("max", "out_of", "of", "maximum", "possible")
		total = total.first("score", "value", "total", "points")
	}
	mark := tree.said(markKeys...)
	r.compare(v, total, of, mark)
	s := strings.TrimSpace(total.say())
	if f, err := strconv.ParseFloat(s, 64); err == nil && (math.IsNaN(f) || math.IsInf(f, 0)) || total != nil && total.kind == boolean {
		return
	}
	v.Total = r.mask(s)
}

// compare reads the total and brings the pass mark on its scale.
func (r *reader) compare(v *Review, total, of, mark *node) {
	g, _ := gradeOf(total)
	v.Score = scoreOf(total)
	m, marked := gradeOf(mark)
	if whole, ok := gradeOf(of); ok && g.of == 0 && whole.value >= g.value {
		g.of = whole.value
	}
	switch {
	case total.say() == "":
		r.problem(v.Path, 0, "has no total")
	case v.Score == nil:
		r.problem(v.Path, 0, "has a total that is no plain number; it is not compared with a pass mark")
	}
	if !marked {
		return
	}
	on, ok := m.on(g)
	if v.Score != nil && !ok {
		r.problem(v.Path, 0, "has a pass mark on another scale than its total; they are not compared")
		return
	}
	v.PassMark = &on
}

// scoreOf reads a plain, finite number; a fraction such as 8/10 is none.
func scoreOf(n *node) *float64 {
	g, ok := gradeOf(n)
	if !ok || g.of > 0 {
		return nil
	}
	return &g.value
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
