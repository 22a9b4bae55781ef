package workbench

import (
	"math"
	"strconv"
	"strings"
)

var (
	// checkKeys hold what a check of an item came to, passKeys whether it passed. They speak against the item alone: a
	// check that passed is not all of it.
	checkKeys = []string{"verification", "last_verification", "verification_status", "verification_result", "test_status", "test_result",
		"test_results", "tests", "qa", "qa_status", "review_status", "review_verdict", "verdict", "gate", "ci_status", "build_status"}
	passKeys     = []string{"tests_pass", "tests_passed", "tests_passing", "test_passes", "gate_passed", "verification_passed"}
	progressKeys = []string{"progress", "progress_percent", "progress_pct", "percent", "percentage", "percent_complete", "percent_done", "completion",
		"completion_percent", "completion_percentage", "进度", "進捗", "進捗率", "진행률", "progreso", "progresso", "fortschritt", "прогресс"}
)

// checks reads what the checks of an item came to: only those that failed count.
func (s *shape) checks(it *Item, n *node) {
	if it.Status == "" || it.Status == Unknown {
		return
	}
	for _, k := range checkKeys {
		if said := failedCheck(n.get(k)); said != "" {
			it.is(notDone, k+": "+said, false)
		}
	}
	for _, k := range passKeys {
		if v := n.get(k); outcome(v) == failed {
			it.is(notDone, k+": "+v.text, false)
		}
	}
}

// failedCheck tells how a check says that it failed; "" where it does not.
func failedCheck(v *node) string {
	switch {
	case v == nil || v.kind == boolean:
		return ""
	case v.kind == object && countFailed(v) != "":
		return countFailed(v)
	case v.kind == object:
		v = v.first(passedKeys...)
	}
	if outcome(v) == failed {
		return v.say()
	}
	return ""
}

// progress reads how far an item is: it tells where nothing else does, and against a status that is further.
func (s *shape) progress(it *Item, n *node) {
	p, ok := percent(n.first(progressKeys...))
	said := "progress: " + strconv.FormatFloat(p, 'f', -1, 64) + "%"
	switch {
	case !ok || it.Status != "" && (it.Status != Done || p == 100):
		return
	case it.Status == Done || p == 0:
		it.is(notDone, said, false)
	case p == 100:
		it.is(Done, said, false)
	default:
		it.is(InProgress, said, false)
	}
	s.signals++
}

// percent reads 40, "40%", 0.4 and "2/5". 1 may be one of a hundred or all of it: it is not read.
func percent(v *node) (float64, bool) {
	g, ok := gradeOf(v)
	switch {
	case !ok || g.of < 0 || g.value < 0:
		return 0, false
	case g.of > 0:
		g.value *= 100 / g.of
	case 0 < g.value && g.value < 1:
		g.value *= 100
	case g.value == 1:
		return 0, false
	}
	return math.Round(g.value), g.value <= 100
}

// blockers gives items the status of what they wait for: one that waits for something that is none of the items is
// blocked, one that waits for items depends on them.
func (s *shape) blockers() {
	ids := map[string]bool{}
	for _, it := range s.items {
		ids[it.ID] = it.ID != ""
	}
	for i := range s.items {
		it := &s.items[i]
		for _, on := range it.waits {
			id, _, _ := strings.Cut(strings.TrimPrefix(on, "#"), ":")
			switch {
			case ids[on] || ids[id]:
				it.DependsOn = append(it.DependsOn, on)
			case it.Status == Open || it.Status == InProgress:
				it.Status = Blocked
			}
		}
	}
}
