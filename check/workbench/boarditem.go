package workbench

import (
	"cmp"
	"strings"
)

var (
	idKeys = []string{"id", "key", "task_id", "feature_id", "item_id", "issue_id", "ticket", "number", "no", "nr", "index", "code", "slug", "编号",
		"番号", "번호", "номер", "número", "numéro", "nummer", "código"}
	titleKeys = []string{"title", "name", "description", "goal", "summary", "task", "feature", "text", "label", "subject", "what", "content", "story",
		"objective", "titre", "titel", "beschreibung", "titulo", "título", "nombre", "nome", "标题", "名称", "描述", "タイトル", "名前", "제목", "название",
		"задача", "описание", "任务", "功能", "タスク", "内容", "작업", "내용", "tarea", "tarefa", "tâche", "aufgabe", "titolo", "intitulé", "headline",
		"desc", "details", "user_visible_behavior", "behavior"}
	wordKeys = []string{"status", "state", "column", "lane", "progress", "stage", "phase", "condition", "task_status", "current_status", "column_id",
		"list_id", "id_list", "list", "lane_id", "status_id", "state_id", "statut", "état", "etat", "zustand", "stand", "estado", "situação", "situacao",
		"stato", "tilstand", "tila", "stan", "статус", "состояние", "状态", "狀態", "ステータス", "状態", "상태", "durum", "trạng_thái"}
	flagKeys = []string{"passes", "passed", "passing", "pass", "done", "completed", "complete", "is_done", "is_complete", "is_completed", "finished",
		"closed", "resolved", "terminé", "fertig", "erledigt", "hecho", "feito", "fatto", "完成", "已完成", "完了", "완료"}
	// stepKeys are flags of one step on the way: on, they tell only where nothing else does.
	stepKeys = []string{"implemented", "verified", "tested", "checked"}
	// blockerKeys tell what an item waits for, reasonKeys why it stands where it stands.
	blockerKeys = []string{"blocked_reason", "block_reason", "blocking_reason", "blocked_by", "blocker", "blockers", "blocked_on", "waiting_on",
		"waiting_for", "motivo_bloqueo", "blockiert_durch", "阻塞原因"}
	reasonKeys = append(blockerKeys[:len(blockerKeys):len(blockerKeys)], "reason", "status_reason")
)

// hasSignal reports whether an object says anything of where it stands.
func hasSignal(n *node) bool {
	for _, keys := range [][]string{wordKeys[:2], flagKeys, stepKeys, wordKeys[8:]} {
		if v := n.first(keys...); v != nil && v.kind != list {
			return true
		}
	}
	return n.get("passes") != nil || n.get("status") != nil
}

func anySignal(n *node) bool {
	for _, el := range n.items {
		if el.kind == object && hasSignal(el) {
			return true
		}
	}
	return false
}

// item reads one item. key is its key in a numbered object, which is its id if it has none of its own.
func (s *shape) item(n *node, key string, g group) Item {
	n = withFields(n)
	it := Item{
		ID:     cmp.Or(itemID(n), key),
		Title:  oneOf(n, titleKeys),
		Line:   s.lines.at(n.off),
		Parent: cmp.Or(identity(n.first("parent", "parent_id", "epic", "belongs_to")), g.parent),
		Reason: strings.Join(n.first(reasonKeys...).strings(), "; "),
		Owner:  identity(n.first("owner", "assignee", "assigned_to", "claimed_by")),
		waits:  n.first(blockerKeys...).strings(),
	}
	it.DependsOn = n.first("depends_on", "dependencies", "requires", "prerequisites", "after").strings()
	for _, k := range wordKeys {
		s.word(&it, n.get(k), k)
	}
	for _, k := range flagKeys {
		s.flag(&it, n.get(k), k)
	}
	for _, k := range stepKeys {
		if yes, known := truth(n.get(k)); known && !yes || it.Status == "" {
			s.flag(&it, n.get(k), k)
		}
	}
	s.blocked(&it, n.first("blocked", "is_blocked"))
	if g.column != "" && (!g.vague || it.Status == "") {
		s.signals++
		it.add(s, g.column, true)
	}
	s.checks(&it, n)
	s.dropped(&it, n)
	s.progress(&it, n)
	it.settle()
	return it
}

// itemID gives what an item calls itself: a text or a number, but no code that is a number, which tells how a request went.
func itemID(n *node) string {
	for _, k := range idKeys {
		v := n.get(k)
		if v != nil && (v.kind == text || v.kind == number && k != "code") && v.say() != "" {
			return v.say()
		}
	}
	return ""
}

// withFields gives an item whose status lies in an object within, beside its id: what it says itself counts before that.
func withFields(n *node) *node {
	inner := n.first("fields", "attributes", "properties")
	if inner == nil || inner.kind != object || hasSignal(n) {
		return n
	}
	return &node{kind: object, off: n.off, members: append(inner.members[:len(inner.members):len(inner.members)], n.members...)}
}

var (
	dropKeys = []string{"cancelled", "canceled", "skipped", "deferred", "wontfix", "wont_fix", "deleted", "obsolete", "removed"}
	endKeys  = []string{"state_reason", "resolution", "close_reason", "closed_reason"}
)

// dropped reads flags of an item that is not to be done, and the reason why one was closed.
func (s *shape) dropped(it *Item, n *node) {
	for _, k := range dropKeys {
		if yes, known := truth(n.get(k)); known && yes && it.Status != Done && it.Status != Unknown {
			s.signals++
			it.Status = Dropped
		}
	}
	if status, _ := s.status(n.first(endKeys...).say()); status == Dropped && it.Status == Done {
		it.Status = Dropped
	}
}

// blocked reads a flag that is on, or that is the reason itself.
func (s *shape) blocked(it *Item, v *node) {
	yes, known := truth(v)
	if v == nil || nothing(v.say()) || known && !yes {
		return
	}
	if !known {
		it.Reason = cmp.Or(it.Reason, v.say())
	}
	s.signals++
	it.add(s, "blocked", false)
}

func oneOf(n *node, keys []string) string {
	for _, k := range keys {
		if v := n.get(k); v != nil && v.kind != list {
			if t := v.say(); t != "" {
				return t
			}
		}
	}
	return ""
}

// word takes a status from a value: a text, a number that a legend explains, or an object with a name. Keys that may
// mean something else (phase, progress) count only where no other word stands, and only if theirs is known.
func (s *shape) word(it *Item, v *node, key string) {
	if v != nil && v.kind == object {
		v = v.first("name", "state", "status", "value", "label", "current", "type", "category", "key")
	}
	switch {
	case v == nil || v.kind == null || v.kind == list || v.kind == object:
		return
	case v.kind == boolean:
		s.flag(it, v, key)
		return
	}
	w := strings.TrimSpace(v.text)
	vague := among("|column|lane|column_id|list_id|id_list|list|lane_id|status_id|state_id|progress|stage|phase|condition|stand|stan|", key)
	if status, _ := s.status(w); w == "" || vague && (status == Unknown || it.Status != "") {
		return
	}
	s.signals++
	it.add(s, w, false)
}

// flag takes a yes or no from a value; a date says yes.
func (s *shape) flag(it *Item, v *node, key string) {
	if v == nil {
		return
	}
	yes, known := truth(v)
	switch {
	case v.kind == null:
		s.signals++
	case !known && v.kind == text && v.text != "":
		s.signals++
		it.add(s, v.text, false)
	case known && yes:
		s.signals++
		it.is(Done, key+": "+v.text, false)
	case known:
		s.signals++
		it.is(notDone, key+": "+v.text, false)
	}
}

// notDone is what a flag says that is off: open, unless a word says more.
const notDone Status = "not done"

func truth(v *node) (yes, known bool) {
	if v == nil {
		return false, false
	}
	switch v.kind {
	case boolean:
		return v.text == "true" || v.text == "True", true
	case number:
		return v.text == "1", v.text == "1" || v.text == "0"
	case text:
		if t, ok := parseTime(v.text); ok && !t.IsZero() && strings.Contains(v.text, "-") {
			return true, true
		}
		switch plainWord(v.text) {
		case "true", "yes", "y", "1", "oui", "ja", "sí", "si", "sim", "да", "是", "はい", "✅":
			return true, true
		case "false", "no", "n", "0", "non", "nein", "nej", "nei", "não", "nee", "нет", "否", "いいえ", "❌":
			return false, true
		}
	}
	return false, false
}

// status tells what a word means on this board: by its legend if that explains it, else by the lists.
func (s *shape) status(word string) (Status, string) {
	status, rest := statusOf(word)
	if s.early[plainWord(word)] {
		return Unknown, rest
	}
	if meaning, ok := s.legend[word]; ok && status == Unknown {
		return statusOf(meaning)
	}
	return status, rest
}

// add takes one more word for the status. A column's word gives way to the item's own.
func (it *Item) add(s *shape, word string, column bool) {
	status, rest := s.status(word)
	if status == Blocked && it.Reason == "" {
		it.Reason = rest
	}
	if it.Word == "" {
		it.Word = word
	}
	it.is(status, word, column)
}

// is weighs one more signal against those before it. Done beside anything that is not done is a contradiction; an
// unknown word stays unknown whatever stands beside it.
func (it *Item) is(next Status, said string, column bool) {
	now := it.Status
	switch {
	case now == "" || now == next:
		it.Status = next
	case now == Contradictory:
	case now == Done && next != Unknown || next == Done && now != Unknown:
		it.Status = Contradictory
	case now == Unknown || next == Unknown && !column:
		it.Status = Unknown
	case now == notDone || next == Blocked:
		it.Status = next
	}
	if it.Conflict != "" {
		it.Conflict += ", "
	}
	it.Conflict += said
}

// stands weighs the word of a column or table that has the item's id, after all else.
func (it *Item) stands(s *shape, word string) {
	if it.Status == Unknown && it.Word == "" {
		it.Status = ""
	}
	if it.Status == Open && it.Word == "" {
		it.Status = notDone
	}
	it.add(s, word, true)
	it.settle()
}

// settle ends the weighing.
func (it *Item) settle() {
	switch it.Status {
	case notDone:
		it.Status = Open
	case "":
		it.Status = Unknown
	}
}
