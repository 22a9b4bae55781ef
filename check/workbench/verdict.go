package workbench

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"git-handoff/gitstore/handoff"
)

var (
	// passedKeys say what a report comes to, or one check of it. What moreKeys say counts where it can be read.
	passedKeys = append(plainKeys[:len(plainKeys):len(plainKeys)], moreKeys...)
	plainKeys  = []string{"passed", "pass", "passes", "success", "ok", "verdict", "status", "result", "outcome", "gate", "conclusion", "decision", "approved"}
	moreKeys   = []string{"all_passed", "all_passing", "all_pass", "valid", "is_valid", "verified", "gate_passed", "gate_status", "verification_status", "recommendation", "state",
		"overall", "overall_status", "overall_result", "overall_verdict", "final_verdict", "final_status", "final_result",
		"结果", "结论", "评审结论", "判定", "状态", "結果", "ステータス", "결과", "상태", "판정", "результат", "статус", "вердикт", "ergebnis", "urteil",
		"resultado", "veredicto", "estado", "résultat", "statut", "risultato", "esito"}
	// reportKeys hold what a report says where its top does not.
	reportKeys = []string{"summary", "overall", "report", "verification", "review", "verdict", "gate", "result", "results", "final"}
	// countKeys say how many failed, listKeys which.
	countKeys = []string{"failed", "failures", "failing", "failed_count", "failure_count", "num_failed", "tests_failed", "failed_tests", "checks_failed",
		"failed_checks", "errors", "error_count", "num_errors"}
	// totalKeys hold counts, partKeys the single checks of a report. Those of strictKeys hold nothing else, so that a no
	// in them is a check that failed.
	totalKeys  = []string{"summary", "totals", "counts", "stats", "statistics", "tests", "results", "test_results"}
	strictKeys = []string{"checks", "gates", "criteria", "acceptance_criteria", "validation_results", "safety_checks", "check_results"}
	partKeys   = append(strictKeys[:len(strictKeys):len(strictKeys)], "tests", "test_cases", "results", "test_results", "steps", "commands", "runs",
		"rules", "rule_report", "rule_results", "acceptance", "acceptance_results", "assertions", "validations", "suites", "jobs", "scenarios", "stages",
		"sections")
)

// A weighing is what speaks for and against a report: the keys that say so. odd is one that cannot be read.
type weighing struct {
	yes, no, odd string
	// against is a check, a count or an exit code that says that something failed; exit is an exit code of 0.
	against string
	exit    bool
	// parts are how many single checks there are, and how many passed.
	parts, good int
}

// passed weighs all that a report says of its outcome. What it says in words that are not known, or both ways, is nil.
func (r *reader) passed(file string, w weighing, findings []handoff.Finding) *bool {
	for _, f := range findings {
		if f.Severity == handoff.Block {
			w.against = cmp.Or(w.against, "a blocking finding")
		}
	}
	fine := true
	switch {
	case w.yes != "" && w.no != "":
		r.problem(file, 0, "says by "+w.yes+" that it passed and by "+w.no+" that it did not; it is not taken for passed")
	case w.no != "":
		return new(bool)
	case w.yes != "" && w.against == "a blocking finding":
		r.problem(file, 0, "says that it passed and has a blocking finding; it is not taken for passed")
	case w.yes != "" && w.against != "":
		r.problem(file, 0, "says that it passed and by "+w.against+" that something failed; it is not taken for passed")
	case w.against != "":
		return new(bool)
	case w.yes != "" && (w.odd == "" || w.yes == "passed"):
		return &fine
	case w.odd != "":
		r.problem(file, 0, "has no "+w.odd+" that can be read as passed or failed")
	case w.exit, w.parts > 0 && w.good == w.parts:
		return &fine
	default:
		r.problem(file, 0, "does not say whether it passed")
	}
	return nil
}

// weigh looks at the top of a report and, where that says nothing, at what it holds.
func weigh(tree *node) weighing {
	var w weighing
	w.words(tree)
	for _, key := range reportKeys {
		if inner := tree.get(key); inner != nil && inner.kind == object && w.yes == "" && w.no == "" {
			w.words(inner)
		}
	}
	w.code(tree)
	for _, key := range []string{"result", "process", "execution", "run"} {
		w.code(tree.get(key))
	}
	w.counts(tree, "")
	for _, key := range totalKeys {
		w.counts(tree.get(key), key+".")
	}
	for _, key := range partKeys {
		w.part(tree.get(key), key, slices.Contains(strictKeys, key))
	}
	if w == (weighing{}) && onlyChecks(tree) {
		w.part(tree, "its checks", true)
	}
	return w
}

func (w *weighing) words(tree *node) {
	for _, key := range passedKeys {
		v := tree.get(key)
		if v != nil && v.kind == object {
			v = v.first("passed", "pass", "verdict", "decision", "status", "result", "outcome", "value", "ok", "success")
		}
		if v == nil || v.kind == list || v.kind == object || neutral(v) {
			continue
		}
		switch outcome(v) {
		case passed:
			w.yes = cmp.Or(w.yes, key)
		case failed:
			w.no = cmp.Or(w.no, key)
		default:
			if slices.Contains(plainKeys, key) {
				w.odd = cmp.Or(w.odd, key)
			}
		}
	}
}

// code reads an exit code.
func (w *weighing) code(tree *node) {
	for _, key := range []string{"exit_code", "exitcode", "returncode", "return_code", "exit_status", "rc"} {
		v := tree.get(key)
		if v == nil || v.kind != number && v.kind != text {
			continue
		}
		code, kind := exitText(strings.TrimSpace(v.text))
		w.exit = w.exit || kind == exitNumber && code == 0
		if kind == exitNumber && code != 0 || kind == exitFailure {
			w.against = cmp.Or(w.against, key)
		}
	}
}

func (w *weighing) counts(tree *node, within string) {
	if tree == nil {
		return
	}
	if said := countFailed(tree); said != "" {
		w.against = cmp.Or(w.against, within+said)
	}
}

// countFailed tells by which key, and how many, an object says that something failed; "" where it does not.
func countFailed(tree *node) string {
	for _, key := range countKeys {
		v := tree.get(key)
		switch {
		case v == nil:
		case v.kind == list && len(v.items) > 0:
			return key
		case v.kind == number:
			if n, err := strconv.ParseFloat(v.text, 64); err == nil && n > 0 {
				return key + " " + v.text
			}
		}
	}
	return ""
}

// part reads the single checks under a key: a list of objects, or an object from their names to what they came to.
func (w *weighing) part(v *node, key string, strict bool) {
	if v == nil {
		return
	}
	if v.kind == object && outcome(v.first(passedKeys...)) == failed {
		w.against = cmp.Or(w.against, key)
	}
	for _, el := range v.items {
		w.one(el, key, strict)
	}
	for _, m := range v.members {
		w.one(m.value, key, strict)
	}
}

// one reads a single check. One that need not pass does not count.
func (w *weighing) one(el *node, key string, strict bool) {
	said := el
	var inner weighing
	if el.kind == object {
		if need, known := truth(el.first("required", "blocking", "mandatory")); known && !need || el.first("severity", "level") != nil && severity(el) != handoff.Block {
			return
		}
		said = el.first(passedKeys...)
		inner.code(el)
	}
	if _, known := truth(el); known && !strict {
		return
	}
	w.parts++
	switch o := outcome(said); {
	case o == failed, inner.against != "":
		w.against = cmp.Or(w.against, key)
	case o == passed, said == nil && inner.exit:
		w.good++
	}
}

// onlyChecks reports whether a report is nothing but its checks: a list, or an object of them by their names.
func onlyChecks(tree *node) bool {
	for _, el := range tree.items {
		if el.kind != object || el.first(passedKeys...) == nil {
			return false
		}
	}
	for _, m := range tree.members {
		if m.value.kind != object || m.value.first(passedKeys...) == nil {
			return false
		}
	}
	return len(tree.items)+len(tree.members) > 0
}
