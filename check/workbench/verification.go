package workbench

import (
	"cmp"
	"strings"

	"git-handoff/gitstore/handoff"
)

// Verification is a gate's report. Passed is nil where it does not say, or says both.
type Verification struct {
	File
	Task     string
	Passed   *bool
	Findings []handoff.Finding
}

var passedKeys = []string{"passed", "pass", "passes", "success", "ok", "verdict", "status", "result", "outcome", "gate", "conclusion"}

func (r *reader) verification(f File, tree *node) Verification {
	v := Verification{File: f}
	if tree == nil {
		return v
	}
	if tree.kind != object {
		v.Readable = false
		r.problem(f.Path, 0, "is no report: it holds no object")
		return v
	}
	v.Task = r.mask(reportTask(tree))
	v.Findings = r.findings(f.Path, tree.first("findings", "issues", "failures", "errors", "problems", "violations"))
	v.Passed = r.passed(f.Path, tree)
	if v.Passed != nil && *v.Passed {
		for _, x := range v.Findings {
			if x.Severity == handoff.Block {
				r.problem(f.Path, 0, "says that it passed and has a blocking finding; it is not taken for passed")
				v.Passed = nil
				break
			}
		}
	}
	return v
}

// passed weighs all that a report says of its outcome. What it says in words that are not known, or both ways, is nil.
func (r *reader) passed(file string, tree *node) *bool {
	var yes, no, odd string
	for _, key := range passedKeys {
		v := tree.get(key)
		if v != nil && v.kind == object {
			v = v.first("passed", "pass", "verdict", "status", "value", "ok")
		}
		if v == nil || v.kind == list || v.kind == object {
			continue
		}
		switch outcome(v) {
		case passed:
			yes = cmp.Or(yes, key)
		case failed:
			no = cmp.Or(no, key)
		default:
			odd = cmp.Or(odd, key)
		}
	}
	switch {
	case yes != "" && failing(tree) != "":
		r.problem(file, 0, "says that it passed and by "+failing(tree)+" that something failed; it is not taken for passed")
	case yes != "" && no != "":
		r.problem(file, 0, "says by "+yes+" that it passed and by "+no+" that it did not; it is not taken for passed")
	case no != "":
		return new(bool)
	case yes != "" && (odd == "" || yes == "passed"):
		ok := true
		return &ok
	case odd != "":
		r.problem(file, 0, "has no "+odd+" that can be read as passed or failed")
	default:
		r.problem(file, 0, "does not say whether it passed")
	}
	return nil
}

// failing gives the key under which a report has an exit code or a single check that failed; "" where it has none.
func failing(tree *node) string {
	for _, key := range []string{"exit_code", "returncode", "exit_status", "rc"} {
		if v := tree.get(key); v != nil && v.kind >= number {
			if code, kind := exitCode([]byte(v.text)); kind == exitNumber && code != 0 {
				return key
			}
		}
	}
	for _, key := range []string{"checks", "tests", "results", "gates", "criteria", "steps", "commands"} {
		v := tree.get(key)
		if v == nil || v.kind != list {
			continue
		}
		for _, el := range v.items {
			if el.kind == object && outcome(el.first(passedKeys...)) == failed {
				return key
			}
		}
	}
	return ""
}

// A result is what a report or a reviewer comes to.
type result int

const (
	unclear result = iota
	passed
	failed
)

const (
	passWords = "|true|yes|pass|passed|passes|ok|success|successful|succeeded|green|approve|approved|accept|accepted|clean|lgtm|soft pass|hard pass|ship|ship it|done|complete|completed|bestanden|réussi|aprobado|aprovado|approvato|goedgekeurd|godkendt|godkjent|godkänd|zaliczone|пройдено|通过|合格|통과|"
	failWords = "|false|no|fail|failed|fails|failure|failing|error|errors|red|reject|rejected|hard fail|soft fail|block|blocked|request changes|changes requested|needs work|needs changes|revise|not approved|not passed|incomplete|timeout|timed out|cancelled|nicht bestanden|échoué|fallido|falhou|fallito|afgekeurd|afvist|avvist|underkänd|niezaliczone|провалено|未通过|不合格|실패|"
)

func outcome(v *node) result {
	if v == nil {
		return unclear
	}
	switch word := plainWord(v.text); {
	case v.kind != boolean && v.kind != text, word == "":
		return unclear
	case among(passWords, word):
		return passed
	case among(failWords, word):
		return failed
	}
	status, _ := statusOf(v.text)
	if words, marks := splitMarks(v.text); words == "" && marks != "" {
		return map[Status]result{Done: passed, Open: failed}[status]
	}
	return unclear
}

// findings reads a list of findings: texts, or objects with a code, a severity and a detail.
func (r *reader) findings(file string, n *node) []handoff.Finding {
	if n == nil {
		return nil
	}
	items := n.items
	switch {
	case n.kind == object && n.first("detail", "message", "what", "description", "code") != nil, n.kind == text && !nothing(n.text):
		items = []*node{n}
	case n.kind == object:
		for _, m := range n.members {
			items = append(items, m.value)
		}
	}
	var all []handoff.Finding
	for _, item := range items {
		if what := r.mask(findingText(item)); what != "" {
			all = append(all, handoff.Finding{What: what, Severity: severity(item), Source: file})
		}
	}
	return all
}

func findingText(n *node) string {
	if n.kind != object {
		return n.say()
	}
	code := n.first("code", "rule", "id", "check").say()
	detail := n.first("detail", "message", "what", "description", "text", "title", "summary", "finding", "issue", "comment", "note").say()
	switch {
	case detail == "":
		return code
	case code == "" || strings.Contains(detail, code):
		return detail
	}
	return code + ": " + detail
}

// severity reads how grave a finding is; one that does not say is a warning.
func severity(n *node) handoff.Severity {
	word := ""
	if n.kind == object {
		word = plainWord(n.first("severity", "level", "priority", "kind", "type").say())
	}
	switch {
	case among("|block|blocking|blocker|critical|high|error|fatal|major|severe|must fix|p0|hard fail|fail|", word):
		return handoff.Block
	case among("|info|information|informational|low|note|hint|notice|trivial|nit|suggestion|style|p3|", word):
		return handoff.Info
	}
	return handoff.Warn
}
