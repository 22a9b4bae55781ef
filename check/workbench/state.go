package workbench

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// State is what the state file says about the work in hand.
type State struct {
	File
	ActiveTask string
	NextAction string
	// Next is the queue after NextAction, where the file gives several steps.
	Next        []string
	Objective   string
	Summary     string
	Blockers    []string
	Assumptions []string
	// Touched are the files that the session says it changed: a claim, git knows better.
	Touched []string
	Session string
	Actor   string
	Turns   int
	Branch  string
	RunID   string
}

func (r *reader) readState() {
	name, ok := r.one("handoff.state", r.opt.State, "agent_state.json")
	if !ok {
		return
	}
	f, tree, _ := r.load(name)
	s := State{File: f}
	switch {
	case tree == nil:
	case tree.kind != object:
		s.Readable = false
		r.problem(name, 0, "is no state file: it holds no object")
	default:
		s.read(r, tree)
	}
	r.bench.State = s
}

// taskKeys and nextStepKeys are what the task in hand and the next step are called.
var (
	taskKeys = []string{"active_task_id", "active_task", "current_task_id", "current_task", "active_feature", "current_feature", "active_item",
		"active_tasks", "current_tasks", "active_features", "in_progress_task_id", "in_progress_task", "in_progress_feature", "task_id",
		"当前任务", "現在のタスク", "현재_작업", "текущая_задача", "tarea_actual", "tarea_activa", "tarea_en_curso", "tarefa_atual", "tâche_active",
		"tâche_en_cours", "aktuelle_aufgabe", "aktive_aufgabe", "attività_attuale"}
	nextStepKeys = []string{"next_action", "next_step", "next_safe_step", "next_safe_action", "recommended_next_step", "recommended_next_action",
		"immediate_next_step", "next_actions", "next_steps", "next", "next_up", "next_priority_tasks", "next_tasks", "next_task",
		"下一步", "次のステップ", "次のアクション", "다음_단계", "다음_작업", "следующий_шаг", "следующее_действие", "siguiente_paso", "próximo_paso",
		"próximos_pasos", "próxima_acción", "próximo_passo", "próxima_ação", "prochaine_étape", "prochaine_action", "nächster_schritt", "nächste_schritte",
		"prossimo_passo", "volgende_stap", "næste_skridt", "nästa_steg"}
	waitKeys = []string{"blockers", "blocked_by", "blocker", "blocked_on", "blocking", "open_blockers", "current_blockers", "active_blockers",
		"blocking_issues", "blocked_reason", "block_reason", "blocking_reason", "waiting_on", "waiting_for", "impediments", "blocked", "is_blocked",
		"阻塞", "阻塞项", "ブロッカー", "블로커", "блокеры", "bloqueos", "bloqueadores", "bloqueantes", "bloqueurs", "blocages", "blockaden", "blocker_liste", "blocchi"}
	assumptionKeys = []string{"assumptions", "assumption", "assumptions_to_validate", "open_assumptions", "假设", "前提", "가정", "допущения",
		"предположения", "supuestos", "suposiciones", "suposições", "premissas", "hypothèses", "annahmen", "ipotesi"}
)

// stateParts are the objects that may say what is in hand where the top of the file does not.
var stateParts = []string{"agent_state", "state", "current_state", "current", "session", "current_session", "agent", "handoff", "resume",
	"next_session", "progress", "work", "context"}

// parts are the objects of a state file that say what is in hand: its top, those below it, and the task in hand.
type parts []*node

// said gives what they say under the first of the keys.
func (p parts) said(keys ...string) *node {
	for _, part := range p {
		if v := part.said(keys...); v != nil {
			return v
		}
	}
	return nil
}

func partsOf(tree *node) parts {
	p := parts{tree}
	for _, key := range stateParts {
		if inner := tree.get(key); inner != nil && inner.kind == object {
			p = append(p, inner)
		}
	}
	if task := first(p.said(taskKeys...)); task != nil && task.kind == object {
		p = append(p, task)
	}
	return p
}

// first gives of a list the first element that says something, else the value itself.
func first(v *node) *node {
	if v == nil || v.kind != list {
		return v
	}
	i := slices.IndexFunc(v.items, func(el *node) bool { return identity(el) != "" })
	if i < 0 {
		return nil
	}
	return v.items[i]
}

func (s *State) read(r *reader, tree *node) {
	p := partsOf(tree)
	s.ActiveTask = r.mask(r.taskInHand(s.Path, p))
	steps := r.entries(s.Path, "next steps", unsettled(p.said(nextStepKeys...)))
	if len(steps) > 0 {
		s.NextAction, s.Next = steps[0], steps[1:]
	}
	s.Objective = r.text(p.said("objective", "goal", "task_goal", "current_goal", "目标", "目標", "목표", "цель", "objetivo", "objectif", "ziel", "obiettivo").say())
	s.Summary = r.text(p.said("summary", "session_summary").say())
	s.Blockers = r.masks(p.blockers())
	s.Assumptions = r.entries(s.Path, "assumptions", unsettled(p.said(assumptionKeys...)))
	s.Touched = r.masks(p.said("touched_files", "files_touched", "changed_files", "modified_files", "touched").strings())
	s.Session = cmp.Or(identity(p.said("session_id")), identity(p.said("session")))
	s.Actor = p.said("actor", "agent", "produced_by", "author", "model").say()
	s.Turns = count(p.said("turns", "turn", "turn_count", "iterations"))
	s.Branch = p.said("branch", "working_branch", "git_branch").say()
	s.RunID = r.mask(p.said("run_id").say())
}

// taskInHand gives the id of the task in hand, of several the first.
func (r *reader) taskInHand(file string, p parts) string {
	task := p.said(taskKeys...)
	if task == nil || task.kind == boolean {
		return ""
	}
	named := slices.DeleteFunc(slices.Clone(task.items), func(el *node) bool { return identity(el) == "" })
	if n := len(named); n > 1 {
		r.problem(file, 0, fmt.Sprintf("names %d active tasks; the first is taken", n))
	}
	return identity(first(task))
}

// blockers are all that the work waits for, each once. One that is settled is none.
func (p parts) blockers() []string {
	var all []string
	blocked := false
	for _, part := range p {
		for _, key := range waitKeys {
			all = append(all, waits(part.get(key), key)...)
		}
		for _, key := range []string{"blocked", "is_blocked", "blockers"} {
			yes, _ := truth(part.get(key))
			blocked = blocked || yes
		}
		if status, why := statusOf(cmp.Or(part.get("status"), part.get("state")).say()); status == Blocked && saysBlocked(part) {
			blocked = true
			all = append(all, (&node{kind: text, text: why}).strings()...)
		}
	}
	if len(all) == 0 && blocked {
		all = append(all, cmp.Or(p.said("reason", "status_reason").say(), "the work is blocked, and why is not said"))
	}
	var once []string
	for _, what := range all {
		if !slices.Contains(once, what) {
			once = append(once, what)
		}
	}
	return once
}

// saysBlocked reports whether a status says blocked in so many words: what waits, or is on hold, may be as it should be.
func saysBlocked(part *node) bool {
	word := plainWord(cmp.Or(part.get("status"), part.get("state")).say())
	return slices.ContainsFunc([]string{"block", "bloq", "bloc", "blok", "блок", "stuck", "阻", "ブロック", "차단", "막힘"}, func(s string) bool { return strings.Contains(word, s) })
}

// waits gives what a value says that is waited for. A number of blockers only counts them.
func waits(v *node, key string) []string {
	if v != nil && v.kind == number {
		if n := count(v); n > 0 && strings.Contains(key, "blocker") {
			return []string{counted(n, "blocker, which is not named", "blockers, which are not named")}
		}
		return nil
	}
	if _, flag := truth(v); flag {
		return nil
	}
	return unsettled(v)
}

// unsettled gives a value as a list of texts without the entries that say of themselves that they are settled.
func unsettled(v *node) []string {
	if v == nil || v.kind != list && v.kind != object {
		return v.strings()
	}
	open := *v
	open.items = slices.DeleteFunc(slices.Clone(v.items), func(el *node) bool { return settled(el) || el.kind == number })
	open.members = slices.DeleteFunc(slices.Clone(v.members), func(m member) bool { return settled(m.value) })
	if settled(v) {
		return nil
	}
	return open.strings()
}

func settled(el *node) bool {
	if el.kind == text {
		status, _, ok := checkBox(el.text)
		return ok && status == Done
	}
	if el.kind != object {
		return false
	}
	if yes, known := truth(el.first("resolved", "validated", "verified", "confirmed", "cleared", "done", "closed", "fixed", "passed")); known && yes {
		return true
	}
	word := el.first("status", "state", "状态", "estado", "statut", "статус").say()
	status, _ := statusOf(word)
	return status == Done || status == Dropped || among("|confirmed|validated|invalidated|disproved|refuted|true|false|", plainWord(word))
}

// maxText is how many bytes of a text of the state file are taken, maxEntries how many entries of a list: a document
// that it alone fills is read by nobody.
const maxText, maxEntries = 1000, 20

// text is a text as the document takes it: masked, and cut where it is a whole page.
func (r *reader) text(s string) string { return cutEnd(r.mask(s), maxText) }

// entries are the first of a list as the document takes them; that there are more is told.
func (r *reader) entries(file, what string, list []string) []string {
	if len(list) > maxEntries {
		r.problem(file, 0, fmt.Sprintf("has %d %s; the first %d are taken", len(list), what, maxEntries))
		list = list[:maxEntries]
	}
	for i, s := range list {
		list[i] = r.text(s)
	}
	return list
}

// identity gives an id that may stand alone or in an object.
func identity(n *node) string {
	id := n.say()
	if n != nil && n.kind == object {
		id = n.first("id", "task_id", "feature_id", "key", "name", "title").say()
	}
	if nothing(id) {
		return ""
	}
	return id
}

// count gives a whole number that is not negative, 0 for anything else.
func count(n *node) int {
	if n == nil || n.kind != number && n.kind != text {
		return 0
	}
	f, err := strconv.ParseFloat(n.text, 64)
	if err != nil || f < 0 || f > math.MaxInt32 || f != math.Trunc(f) {
		return 0
	}
	return int(f)
}
