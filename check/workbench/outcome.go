package workbench

import (
	"regexp"
	"strings"
	"sync"
)

// A result is what a report or a reviewer comes to.
type result int

const (
	unclear result = iota
	passed
	failed
)

const (
	passWords = "|true|yes|pass|passed|passes|passing|all passed|all passing|ok|success|successful|succeeded|green|approve|approved|accept|accepted|clean|" +
		"valid|verified|lgtm|soft pass|hard pass|ship|ship it|merge|go|allow|allowed|bestanden|erfolg|erfolgreich|réussi|réussie|succès|aprobado|" +
		"aprobada|éxito|aprovado|aprovada|sucesso|approvato|approvata|superato|goedgekeurd|geslaagd|godkendt|bestået|godkjent|bestått|godkänd|" +
		"hyväksytty|zaliczone|пройдено|пройден|успешно|одобрено|принято|通过|已通过|通過|合格|成功|承認|承認済み|통과|합격|성공|승인|" + commentedPass
	// commentedPass are the ways to pass with remarks, which the findings tell.
	commentedPass = "pass with warnings|passed with warnings|pass with comments|passed with comments|pass with notes|passed with notes|approve with comments|" +
		"approved with comments|approve with suggestions|approved with suggestions|approve with nits|approved with nits|lgtm with nits|" +
		"lgtm with comments|"
	failWords = "|false|no|fail|failed|fails|failure|failing|error|errors|errored|red|reject|rejected|hard fail|soft fail|block|blocked|deny|denied|no go|" +
		"not ok|nok|ko|invalid|stop ship|request changes|requested changes|requires changes|changes requested|changes required|needs work|" +
		"needs changes|needs fix|needs fixes|needs fixing|needs revision|needs rework|fix required|revise|not approved|not passed|not passing|" +
		"did not pass|does not pass|incomplete|timeout|timed out|cancelled|canceled|aborted|crashed|exception|nicht bestanden|fehlgeschlagen|" +
		"gescheitert|abgelehnt|échoué|échouée|échec|echec|rejeté|rejetée|refusé|fallido|fallida|fallo|falló|reprobado|rechazado|rechazada|falhou|" +
		"falha|reprovado|reprovada|rejeitado|fallito|fallita|respinto|afgekeurd|mislukt|afvist|avvist|underkänd|hylätty|niezaliczone|odrzucone|" +
		"провалено|провал|не пройдено|не пройден|ошибка|отклонено|неудача|未通过|未通過|不通过|不通過|不合格|失败|失敗|驳回|已驳回|打回|拒绝|却下|" +
		"差し戻し|否決|실패|불합격|반려|거절|"
	// neutralWords tell that a report is there, not what it comes to.
	neutralWords = "|done|complete|completed|finished|closed|final|active|current|submitted|published|"
)

// outcome tells what a value comes to. A mark counts as its word does; what follows a word may not take it back.
func outcome(v *node) result {
	if v == nil || v.kind != boolean && v.kind != text {
		return unclear
	}
	words, marks := splitMarks(v.text)
	byMark := map[Status]result{Done: passed, Open: failed, Blocked: failed}[markStatus(marks)]
	byWord := wordOutcome(words)
	switch {
	case plainWord(words) == "", byWord == unclear && byMark == failed:
		return byMark
	case byMark == unclear, byMark == byWord:
		return byWord
	}
	return unclear
}

func wordOutcome(s string) result {
	whole := plainWord(s)
	head, rest := cutDetail(s)
	switch word := plainWord(head); {
	case whole == "":
		return unclear
	case among(passWords, whole):
		return passed
	case among(failWords, whole), among(failWords, word):
		return failed
	case among(passWords, word) && !hedged(rest):
		return passed
	}
	return tallyOutcome(s)
}

// tallyForm is what test programs end with: 12 passed, 0 failed.
var tallyForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(\d+)\s+(?:tests?\s+|checks?\s+)?(?:(passed|passing)|failed|failing|failures?|errors?)\b`)
})

func tallyOutcome(s string) result {
	good, bad := false, false
	for _, m := range tallyForm().FindAllStringSubmatch(s, -1) {
		some := strings.Trim(m[1], "0") != ""
		good = good || some && m[2] != ""
		bad = bad || some && m[2] == ""
	}
	switch {
	case bad:
		return failed
	case good && !shareForm().MatchString(s):
		return passed
	}
	return unclear
}

// hedged reports whether what follows a word may take it back: "passed (2 of 3)", "done - but flaky".
func hedged(rest string) bool {
	rest = nothingWrong().ReplaceAllString(rest, "")
	for _, w := range strings.FieldsFunc(plainWord(rest), func(c rune) bool { return strings.ContainsRune(" .,;:()/", c) }) {
		if among("|not|but|except|only|fail|fails|failing|failures|skipped|pending|partial|partially|partly|condition|conditional|conditionally|if|unless|"+
			"until|without|todo|tbd|wip|needs|need|awaiting|waiting|missing|remaining|broken|almost|nearly|mostly|progress|aber|mais|pero|mas|ma|но|"+failWords, w) {
			return true
		}
	}
	for _, m := range shareForm().FindAllStringSubmatch(rest, -1) {
		if part, whole := m[1], m[2]; part != whole && m[3] == "" {
			return true
		}
	}
	return strings.ContainsAny(rest, "?❌✗✘")
}

// nothingWrong takes nothing back: no errors, 0 failures.
var nothingWrong = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:no|0|zero|without)\s+(?:issue|error|failure|failed|problem|warning|blocker|regression|finding)s?\b`)
})

// shareForm is 2/3 or 2 of 3; what goes on with a slash is a date.
var shareForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(\d+)\s*(?:/|of)\s*(\d+)(/?)`) })

func neutral(v *node) bool {
	return v != nil && v.kind == text && among(neutralWords, plainWord(v.text))
}
