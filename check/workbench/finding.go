package workbench

import (
	"slices"
	"strings"

	"git-handoff/gitstore/handoff"
)

// findingKeys are what a report's findings are called, and how grave they are that do not say so themselves.
var findingKeys = []struct {
	severity handoff.Severity
	keys     []string
}{
	{handoff.Block, []string{"blockers", "blocking", "blocking_issues", "blocking_findings", "critical", "critical_issues", "must_fix", "failures", "failed_checks", "errors"}},
	{handoff.Warn, []string{"findings", "issues", "review_issues", "problems", "violations", "concerns", "warnings", "required_changes",
		"requested_changes", "findings_by_severity", "issues_by_severity", "issues_by_level",
		"问题", "問題", "指摘", "문제", "замечания", "проблемы", "probleme", "problemas", "problèmes", "hallazgos"}},
}

// allFindings reads every list of findings that a report has, in the order of the report. Comments count where it has
// no other.
func (r *reader) allFindings(file string, tree *node) []handoff.Finding {
	var all []handoff.Finding
	for _, m := range tree.members {
		for _, f := range findingKeys {
			if slices.Contains(f.keys, m.plain) && tree.get(m.plain) == m.value {
				all = append(all, r.findings(file, m.value, f.severity)...)
			}
		}
	}
	if all == nil {
		all = r.findings(file, tree.first("comments"), handoff.Warn)
	}
	return all
}

// findings reads a list of findings: texts, objects with a code, a severity and a detail, or such lists by their severity.
func (r *reader) findings(file string, n *node, otherwise handoff.Severity) []handoff.Finding {
	if n == nil {
		return nil
	}
	items := n.items
	var all []handoff.Finding
	switch {
	case n.kind == object && n.first(detailKeys...) != nil, n.kind == object && n.get("code") != nil, n.kind == text && !nothing(n.text):
		items = []*node{n}
	case n.kind == object:
		for _, m := range n.members {
			if m.value.kind == list {
				all = append(all, r.findings(file, m.value, gravity(m.plain, otherwise))...)
				continue
			}
			items = append(items, m.value)
		}
	}
	for _, item := range items {
		if item.kind == number || item.kind == boolean || settled(item) || nothing(item.text) && item.kind == text {
			continue
		}
		if what := r.mask(findingText(item)); what != "" && what != "0" {
			all = append(all, handoff.Finding{What: what, Severity: severityOr(item, otherwise), Source: file})
		}
	}
	return all
}

var detailKeys = []string{"detail", "message", "msg", "what", "description", "text", "title", "summary", "finding", "issue", "issue_description",
	"problem", "comment", "note", "reason", "error", "body", "explanation", "rationale", "描述", "说明", "内容", "説明", "설명", "описание",
	"descripción", "descrição", "beschreibung"}

func findingText(n *node) string {
	if n.kind != object {
		return n.say()
	}
	code := n.first("code", "rule", "id", "check").say()
	detail := n.first(detailKeys...).say()
	switch {
	case detail == "" && code == "":
		return n.outline()
	case detail == "":
		return code
	case code == "" || strings.Contains(detail, code):
		return detail
	}
	return code + ": " + detail
}

// severity reads how grave a finding is; one that does not say is a warning.
func severity(n *node) handoff.Severity { return severityOr(n, handoff.Warn) }

func severityOr(n *node, otherwise handoff.Severity) handoff.Severity {
	if n.kind != object {
		return otherwise
	}
	if yes, _ := truth(n.first("waived", "overridden", "suppressed", "ignored", "false_positive")); yes {
		return handoff.Info
	}
	return gravity(n.first("severity", "issue_severity", "level", "priority", "kind", "type", "严重程度", "严重性", "級別", "심각도", "серьёзность",
		"severidad", "severidade", "sévérité", "schweregrad").say(), otherwise)
}

// gravity tells what a word for a severity means; an unknown word means no more than none.
func gravity(word string, otherwise handoff.Severity) handoff.Severity {
	word = plainWord(word)
	switch {
	case among("|block|blocking|blocker|blockers|critical|high|error|errors|fatal|major|severe|must fix|p0|hard fail|fail|failed|failure|showstopper|"+
		"required|kritisch|hoch|schwer|critique|bloquant|élevé|crítico|crítica|alto|alta|bloqueante|critico|critica|критическая|критический|"+
		"критично|высокий|высокая|блокер|严重|致命|高|阻塞|重大|重要|심각|치명적|높음|", word):
		return handoff.Block
	case among("|info|information|informational|low|note|hint|notice|trivial|nit|nits|suggestion|suggestions|style|optional|cosmetic|p3|niedrig|faible|"+
		"bajo|baja|baixo|baixa|basso|bassa|низкий|низкая|低|提示|軽微|낮음|", word):
		return handoff.Info
	case among("|warn|warning|warnings|medium|moderate|minor|normal|p1|p2|mittel|moyen|medio|media|médio|média|средний|средняя|中|警告|보통|", word):
		return handoff.Warn
	}
	return otherwise
}
