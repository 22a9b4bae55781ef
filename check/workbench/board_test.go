package workbench

import (
	"fmt"
	"strings"
	"testing"
)

// boards are shapes in use, each with what the items come to: id or title, and status.
var boards = []struct{ name, json, want string }{
	{"list", `[{"id":"T-1","goal":"a","status":"todo"},{"id":"T-2","goal":"b","status":"DONE"}]`, "T-1 open, T-2 done"},
	{"object with a list", `{"project":"x","tasks":[{"id":1,"title":"a","status":"In Progress"}]}`, "1 in_progress"},
	{"several lists", `{"features":[{"id":"F1","passes":true}],"bugs":[{"id":"B1","status":"open"}],"chores":[{"id":"C1","done":false}]}`, "F1 done, B1 open, C1 open"},
	{"numbered object", `{"1":{"title":"a","status":"done"},"2":{"title":"b","status":"todo"}}`, "1 done, 2 open"},
	{"ids as keys", `{"features":{"F001":{"description":"a","passes":true},"F002":{"description":"b","passes":false}}}`, "F001 done, F002 open"},
	{"board in an object", `{"board":{"items":[{"id":"a","state":"closed"}]}}`, "a done"},
	{"columns of strings", `{"todo":["write it","read it"],"done":["think"]}`, "write it open, read it open, think done"},
	{"columns under a key", `{"columns":{"To Do":[{"id":"a"}],"In Progress":[{"id":"b"}],"Done":[{"id":"c"}]}}`, "a open, b in_progress, c done"},
	{"columns in a list", `{"columns":[{"name":"To Do","tasks":[{"id":"a"}]},{"name":"Done","cards":[{"id":"b"}]}]}`, "a open, b done"},
	{"column of an unknown name", `{"todo":[{"id":"a","title":"a"}],"limbo":[{"id":"b","title":"b"}]}`, "a open, b unknown"},
	{"columns of numbered items", `{"done":{"1":{"title":"a"}},"todo":{"2":{"title":"b"}}}`, "1 done, 2 open"},
	{"columns under tasks", `{"tasks":{"todo":[{"id":"a"}],"done":[{"id":"b"}]}}`, "a open, b done"},
	{"columns that hold objects", `{"board":{"columns":{"todo":{"tasks":[{"id":"a"}]},"done":{"items":[{"id":"b"}]}}}}`, "a open, b done"},
	{"backlog is what a list is called", `{"backlog":[{"id":"a","status":"done"},{"id":"b","status":"todo"},{"id":"c"}]}`, "a done, b open, c open"},
	{"plan is what an object is called", `{"plan":{"tasks":[{"id":"a","status":"done"}]}}`, "a done"},
	{"lists by subject", `{"features":{"auth":[{"id":"a","passes":true}],"ui":[{"id":"b","passes":false}]}}`, "a done, b open"},
	{"ids in columns", `{"features":[{"id":"F1","name":"a"},{"id":"F2","name":"b"}],"completed":["F1"],"pending":["F2"]}`, "F1 done, F2 open"},
	{"table of statuses", `{"statuses":{"F1":"done","F2":"todo"},"features":[{"id":"F1"},{"id":"F2"}]}`, "F1 done, F2 open"},
	{"table alone", `{"F1":"done","F2":"in progress"}`, "F1 done, F2 in_progress"},
	{"table with a word that is unknown", `{"F1":"done","F2":"in progress","F3":"frobbed"}`, "F1 done, F2 in_progress, F3 unknown"},
	{"table of objects", `{"statuses":{"F1":{"status":"done"},"F2":{"status":"blocked"}}}`, "F1 done, F2 blocked"},
	{"legend", `{"statuses":{"G":"done","R":"todo"},"tasks":[{"id":"a","status":"G"},{"id":"b","status":"R"}]}`, "a done, b open"},
	{"legend of numbers", `{"status_legend":{"0":"open","1":"in progress","2":"done"},"tasks":[{"id":"a","status":2},{"id":"b","status":1}]}`, "a done, b in_progress"},
	{"legend as a list", `{"statuses":[{"id":"s1","name":"Doing"}],"tasks":[{"id":"a","status":"s1"}]}`, "a in_progress"},
	{"legend of known words", `{"statuses":{"todo":"not started yet","done":"verified by a person"},"tasks":[{"id":"a","status":"done"}]}`, "a done"},
	{"phases", `{"phases":[{"name":"Phase 1","status":"done","tasks":[{"id":"a","status":"done"},{"id":"b","status":"todo"}]}]}`, "a done, b open"},
	{"sub-items", `{"tasks":[{"id":"a","status":"in_progress","subtasks":[{"id":"a.1","done":true},{"id":"a.2","done":false}]}]}`, "a in_progress, a.1 done, a.2 open"},
	{"steps are no items", `[{"id":"a","passes":false,"steps":[{"description":"x","done":true}]}]`, "a open"},
	{"check boxes", `["[x] a","- [ ] b","✅ c","🚧 d"]`, "a done, b open, c done, d in_progress"},
	{"texts for flags", `[{"id":"a","passes":"true"},{"id":"b","passes":"no"},{"id":"c","passes":1},{"id":"d","passes":0},{"id":"e","completed":"2026-03-01"}]`, "a done, b open, c done, d open, e done"},
	{"no status", `[{"id":"a","status":"done"},{"id":"b"},{"id":"c","passes":null},{"id":"d","status":""}]`, "a done, b unknown, c unknown, d unknown"},
	{"status as an object", `[{"id":"a","status":{"name":"Done"}},{"id":"b","state":{"value":"todo"}}]`, "a done, b open"},
	{"unknown words", `[{"id":"a","status":"frobbed"},{"id":"b","status":"frobbed","passes":true},{"id":"c","status":"done?"}]`, "a unknown, b unknown, c unknown"},
	{"two words that disagree", `[{"id":"a","status":"done","state":"in_progress"},{"id":"b","done":true,"passes":false},{"id":"c","status":"done","verified":false}]`, "a contradictory, b contradictory, c contradictory"},
	{"two words that agree", `[{"id":"a","status":"complete","passes":true,"done":true},{"id":"b","status":"open","passes":false},{"id":"c","status":"blocked","passes":false},{"id":"d","implemented":true,"passes":false}]`, "a done, b open, c blocked, d open"},
	{"against the column", `{"done":[{"id":"a","status":"todo"}],"todo":[{"id":"b","status":"blocked"}]}`, "a contradictory, b blocked"},
	{"blocked flag", `[{"id":"a","status":"todo","blocked":true},{"id":"b","passes":false,"blocked":"waiting for x"},{"id":"c","passes":true,"blocked":true},{"id":"d","passes":true,"blocked":false}]`, "a blocked, b blocked, c contradictory, d done"},
	{"phase is no status", `[{"id":"a","status":"done","phase":"testing"},{"id":"b","passes":true,"stage":"2"},{"id":"c","phase":"done"}]`, "a done, b done, c done"},
	{"weak flags", `[{"id":"a","implemented":true},{"id":"b","implemented":false}]`, "a done, b open"},
	{"cancelled", `[{"id":"a","status":"cancelled"},{"id":"b","status":"wontfix"}]`, "a dropped, b dropped"},
	{"empty", `[]`, ""},
	{"empty object with a list", `{"features":[]}`, ""},
	{"history is no list of items", `{"features":[{"id":"a","passes":true}],"history":[{"date":"x","status":"done"}],"team":[{"name":"Ada","status":"active"}]}`, "a done"},
	{"other languages", `[{"id":"a","status":"erledigt"},{"id":"b","statut":"terminé"},{"id":"c","estado":"en progreso"},{"id":"d","状态":"已完成"},{"id":"e","статус":"в работе"},{"id":"f","status":"påbegyndt"},{"id":"g","status":"zablokowane"},{"id":"h","ステータス":"未着手"},{"id":"i","상태":"진행 중"}]`,
		"a done, b done, c in_progress, d done, e in_progress, f in_progress, g blocked, h open, i in_progress"},
	{"how far it is", `[{"id":"a","progress":100},{"id":"b","progress":"40%"},{"id":"c","completion":0},{"id":"d","progress":"2/5"},{"id":"e","percent":0.25},{"id":"f","progress":1},{"id":"g","progress":"soon"},{"id":"h","status":"in_progress","progress":100},{"id":"i","status":"done","progress":"50%"},{"id":"j","status":"done","progress":100},{"id":"k","status":"todo","progress":-5}]`,
		"a done, b in_progress, c open, d in_progress, e in_progress, f unknown, g unknown, h in_progress, i contradictory, j done, k open"},
	{"checks that failed", `[{"id":"a","status":"done","tests_passing":false},{"id":"b","status":"done","verification":{"status":"failed"}},{"id":"c","status":"done","tests":{"passed":9,"failed":2}},{"id":"d","status":"done","review_status":"changes requested"},{"id":"e","status":"done","last_verification":{"status":"pass"}},{"id":"f","status":"done","verification":["make test is green"],"tests":{"passed":9,"failed":0}},{"id":"g","passes":false,"verification":{"status":"failed"}},{"id":"h","verification":{"status":"pass"}}]`,
		"a contradictory, b contradictory, c contradictory, d contradictory, e done, f done, g open, h unknown"},
	{"a check that failed in a column", `{"done":[{"id":"a","qa":"failed"},{"id":"b","qa":"passed"}],"todo":[]}`, "a contradictory, b done"},
	{"blockers without a status of their own", `[{"id":"a","status":"todo","blocker":"no licence key"},{"id":"b","passes":false,"blocked_reason":"the API is down"},{"id":"c","status":"todo","blocked_by":["a"]},{"id":"d","status":"todo","blocked_by":["a","a vendor"]},{"id":"e","status":"todo","blockers":[]},{"id":"f","status":"todo","blocker":"none"},{"id":"g","status":"done","blocked_reason":"was waiting"},{"id":"h","status":"todo","is_blocked":true},{"id":"i","passes":true,"is_blocked":false},{"id":"j","status":"todo","blocked_by":"a: the key"}]`,
		"a blocked, b blocked, c open, d blocked, e open, f open, g done, h blocked, i done, j open"},
	{"states of a specification", `{"allowed_statuses":["pending","spec_ready","approved","in_progress","done"],"features":[{"id":"a","status":"spec_ready"},{"id":"b","status":"approved"},{"id":"c","status":"done"}]}`, "a open, b unknown, c done"},
	{"approved is the last state", `{"rules":{"valid_status":["todo","in_progress","approved","blocked"]},"features":[{"id":"a","status":"approved"}]}`, "a done"},
	{"states the other way round", `{"columns":["Done","In Progress","To Do"],"features":[{"id":"a","status":"done"}]}`, "a done"},
	{"keys in other languages", `{"任务":[{"编号":"T1","状态":"已完成"}],"задачи":[{"номер":"T2","Статус":"в работе"}],"tareas":[{"código":"T3","estado":"pendiente"}],"작업":[{"번호":"T4","상태":"⬜ 대기"}]}`, "T1 done, T2 in_progress, T3 open, T4 open"},
	{"columns in other languages", `{"Por hacer":["a"],"En curso":["b"],"Hecho":["c"]}`, "a open, b in_progress, c done"},
	{"what is no id", `[{"scenario":"a","title":"a","status":"done","code":200},{"title":"b","status":"todo","id":true},{"id":"","key":null,"no":3,"status":"todo"},{"code":"C-1","status":"todo","blocked_by":["#3"]}]`, "a done, b open, 3 open, C-1 open"},
	{"lists in a list", `{"tasks":[[{"id":"a","status":"done"}],[{"id":"b","status":"todo"}]]}`, "a done, b open"},
	{"keys that name a status and what lies there", `{"completed_tasks":["a"],"pendingTasks":["b"],"in-progress-items":[{"id":"c"}],"remaining_features":["d"],"completed_count":5}`, "a done, b open, c in_progress, d open"},
	{"columns that are only defined", `{"columns":[{"id":"c1","title":"To Do"},{"id":"c2","title":"Done"}],"cards":[{"id":"a","columnId":"c1"},{"id":"b","column":"c2"},{"id":"c","column":"c9"}]}`, "a open, b done, c unknown"},
	{"columns with the ids of their cards", `{"columns":[{"id":"c1","title":"To Do","cardIds":["a"]},{"id":"c2","title":"Done","cardIds":["b"]}],"cards":[{"id":"a","title":"x"},{"id":"b","title":"y"}]}`, "a open, b done"},
	{"fields within", `{"issues":[{"key":"AB-1","fields":{"status":{"name":"Done"},"summary":"x"}},{"key":"AB-2","fields":{"status":{"name":"To Do"}}}]}`, "AB-1 done, AB-2 open"},
	{"closed, and why", `[{"number":1,"state":"closed","state_reason":"completed"},{"number":2,"state":"closed","stateReason":"NOT_PLANNED"},{"number":3,"status":"Resolved","resolution":"Won't Do"},{"number":4,"state":"open","state_reason":null}]`, "1 done, 2 dropped, 3 dropped, 4 open"},
	{"flags of what is not to be done", `[{"id":"a","cancelled":true,"passes":false},{"id":"b","skipped":true,"status":"todo"},{"id":"c","skipped":false,"status":"todo"},{"id":"d","status":"done","deferred":true}]`, "a dropped, b dropped, c open, d done"},
	{"phases of check boxes", `{"phases":[{"name":"P1","tasks":["[x] a","[ ] b"]}]}`, "a done, b open"},
	{"a key that is there twice", `{"tasks":[{"id":"a","status":"done"}],"tasks":[{"id":"b","status":"todo"}]}`, "b open"},
	{"a sprint is no item", `{"sprint":{"name":"S1","status":"active","stories":[{"id":"a","status":"done"}]}}`, "a done"},
	{"the same twice", `[{"id":"a","status":"done"},{"id":"a","status":"todo"}]`, "a done, a open"},
}

func TestBoardShapes(t *testing.T) {
	for _, c := range boards {
		w := read(t, tree(t, map[string]string{"task_board.json": c.json}), Options{})
		b := w.Board()
		if b == nil {
			t.Errorf("%s: no board: %+v %+v", c.name, w.Boards, w.Problems)
			continue
		}
		var got []string
		for i, it := range b.Items {
			name := it.ID
			if name == "" {
				name = it.Title
			}
			got = append(got, name+" "+string(it.Status))
			if it.Position != i+1 || it.Line != 1 {
				t.Errorf("%s: position %d, line %d", c.name, it.Position, it.Line)
			}
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, s, c.want)
		}
	}
}

func TestNoBoards(t *testing.T) {
	for json, what := range map[string]string{
		`["bed_width","bed_length"]`: "a list of strings",
		`[1,2,3]`:                    "a list of values",
		`[{"name":"bed_width","dtype":"float","importance":0.3}]`: "a list whose entries have no status",
		`{"features":["bed_width","soil_ph"],"target":"yield"}`:   "an object without tasks",
		`{"features":[{"name":"bed_width","type":"float"}]}`:      "an object without tasks",
		`{"login":true,"dark_mode":false}`:                        "an object without tasks",
		`{"name":"x","version":"1.0"}`:                            "an object without tasks",
		`"done"`:                                                  "a single value",
		`null`:                                                    "a single value",
	} {
		w := read(t, tree(t, map[string]string{"feature_list.json": json}), Options{})
		if w.Board() != nil || len(w.Boards) != 1 || w.Boards[0].What != what || len(w.Problems) != 0 {
			t.Errorf("%s: %+v %+v", json, w.Boards, w.Problems)
		}
	}
}

func TestStraysAmongItemsAreSaid(t *testing.T) {
	w := read(t, tree(t, map[string]string{"task_board.json": "[{\"id\":\"a\",\"status\":\"done\"},\n\"stray\",5,null,[\"x\"],\"[ ] b\"]"}), Options{})
	if n := len(w.Boards[0].Items); n != 2 {
		t.Errorf("%d items, want 2", n)
	}
	if len(w.Problems) != 1 || w.Problems[0].Line != 2 || !strings.Contains(w.Problems[0].What, "4 entries among the items are none") {
		t.Errorf("problems %+v", w.Problems)
	}
}

func TestUnknownWordsAreListedOnce(t *testing.T) {
	w := read(t, tree(t, map[string]string{"task_board.json": "[\n{\"id\":\"a\",\"status\":\"frobbed\"},\n{\"id\":\"b\",\"status\":\"frobbed\"},\n{\"id\":\"c\",\"status\":\"half past\"}]"}), Options{})
	equal(t, "words", w.Board().UnknownWords, []string{"frobbed", "half past"})
	equal(t, "problems", w.Problems, []Problem{
		{"task_board.json", 2, `the status "frobbed" is no word that is known; the item is not counted as done`},
		{"task_board.json", 4, `the status "half past" is no word that is known; the item is not counted as done`},
	})
}

func TestBoardByActiveTaskAndSetting(t *testing.T) {
	files := map[string]string{
		"agent_state.json":     `{"active_task":{"id":"F2"}}`,
		"task_board.json":      `[{"id":"T-1","status":"todo"}]`,
		"feature_list.json":    `[{"id":"F2","passes":false}]`,
		"plans/my_board.json":  `[{"id":"P-1","status":"todo"}]`,
		"docs/TASK-BOARD.json": `[{"id":"D-1","status":"todo"}]`,
	}
	dir := tree(t, files)
	w := read(t, dir, Options{})
	equal(t, "by active task", w.Board().Path, "feature_list.json")
	equal(t, "all", len(w.Boards), 3)
	w = read(t, dir, Options{Board: "plans/my_board.json"})
	equal(t, "by setting", w.Board().Path, "plans/my_board.json")
	w = read(t, dir, Options{Board: "plans/none.json"})
	if w.Board() != nil || len(w.Problems) != 1 || w.Problems[0].File != "plans/none.json" {
		t.Errorf("a path that is not there: %+v", w)
	}
	w = read(t, dir, Options{Board: "../x.json"})
	if w.Board() != nil || len(w.Problems) != 1 || !strings.Contains(w.Problems[0].What, "leads out") {
		t.Errorf("a path that leads out: %+v", w)
	}
}

func TestStatusWords(t *testing.T) {
	for word, want := range map[string]Status{
		"Done": Done, "DONE ✅": Done, "✅": Done, "✔️ done": Done, "done (2026-03-01)": Done, "Completed - merged": Done, "[x]": Done, "`done`": Done, "done.": Done,
		"In-Progress": InProgress, "in_progress": InProgress, "inProgress": InProgress, "IN PROGRESS (50%)": InProgress, "🚧 WIP": InProgress, "[~]": InProgress, "In review": InProgress,
		"To-Do": Open, "TODO": Open, "toDo": Open, "not_started": Open, "❌": Open, "[ ]": Open, "Not Done": Open, "incomplete": Open, "pending": Open,
		"blocked: needs the key": Blocked, "On Hold": Blocked, "⛔": Blocked,
		"won’t fix": Dropped, "N/A": Dropped,
		"completed, pending deploy": Unknown, "done - but tests fail": Unknown, "Done: except docs": Unknown, "done (partial)": Unknown, "DONE, blocked on QA": Unknown, "✅ complete (needs review)": Unknown, "done (2/3)": Unknown, "done: 2 of 3": Unknown,
		"done (no errors)": Done, "completed - 0 failures": Done, "done, no tests": Unknown, "done (3/3)": Done, "done (28/08/2026)": Done, "done: merged in #12": Done, "100% done": Done, "80% complete": InProgress, "80%": Unknown, "１００％": Unknown,
		"ＤＯＮＥ": Done, "done\u200b": Done, "TERMINÉ": Done, "ГОТОВО": Done, "⏭️": Dropped, "⚠️": Unknown, "not yet done": Open, "almost complete": InProgress,
		"no hecho": Open, "nicht erledigt": Open, "non terminé": Open, "не выполнено": Open, "не готово": Open, "未实现": Open, "未実装": Open, "미구현": Open, "não feito": Open,
		"部分完成": InProgress, "teilweise erledigt": InProgress, "부분 완료": InProgress, "レビュー待ち": InProgress, "実装済み": Done, "구현 완료": Done, "bloqueado por API": Blocked, "wartet auf Antwort": Blocked,
		"blocked_by_vendor": Blocked, "Waiting for signature": Blocked, "awaiting_confirmation": Blocked, "needs clarification": Blocked, "waiting for review": InProgress,
		"Ready for QA": InProgress, "code_complete": InProgress, "needs_rework": Open, "spec_ready": Open, "unblocked": Open, "QA passed": Done,
		"completed_with_errors": Unknown, "done_with_concerns": Unknown, "implemented_unverified": Unknown, "at risk": Unknown, "done_candidate": Unknown,
		"": Unknown, "done?": Unknown, "almost": Unknown, "✅ not really": Unknown, "❌ done": Unknown, "✅❌": Unknown, "phase 1 done": Unknown, "undone-ish": Unknown, "2": Unknown, "?": Unknown,
	} {
		if got, _ := statusOf(word); got != want {
			t.Errorf("%q is %s, want %s", word, got, want)
		}
	}
	if _, rest := statusOf("blocked: needs the key"); rest != "needs the key" {
		t.Errorf("rest %q", rest)
	}
}

func TestNoStatusWordIsInTwoLists(t *testing.T) {
	seen := map[string]Status{}
	for status, words := range statusWords {
		for _, w := range strings.Split(words, "|") {
			if other, ok := seen[w]; ok && other != status {
				t.Errorf("%q is %s and %s", w, other, status)
			}
			seen[w] = status
			if got, _ := statusOf(w); got != status {
				t.Errorf("%q reads as %s, its list is %s", w, got, status)
			}
		}
	}
	if len(seen) < 500 {
		t.Errorf("only %d words", len(seen))
	}
}

func TestLabel(t *testing.T) {
	for want, it := range map[string]Item{"a: b": {ID: "a", Title: "b"}, "a": {ID: "a", Title: "a"}, "b": {Title: "b"}, "c": {ID: "c"}, "item 3": {Position: 3}} {
		if got := it.Label(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestLinesOfItems(t *testing.T) {
	var b strings.Builder
	b.WriteString("[\n")
	for i := range 1000 {
		fmt.Fprintf(&b, "{\"id\":\"%d\",\n\"status\":\"todo\"},\n", i)
	}
	b.WriteString("{\"id\":\"x\",\"status\":\"done\"}]")
	w := read(t, tree(t, map[string]string{"task_board.json": b.String()}), Options{})
	equal(t, "line", w.Board().Items[1000].Line, 2002)
}

func TestFindByWhatAnItemIsCalled(t *testing.T) {
	b := board(mustParse(t, `[{"id":"T-1","title":"write","status":"todo"},{"id":"T-12","title":"read","status":"todo"},{"title":"rest","status":"todo"},{"id":"2","status":"todo"}]`))
	for name, want := range map[string]int{"T-1": 1, "t-12": 2, "T-12: read": 2, "T-1 (write)": 1, "T-1 — write": 1, "write": 1, "rest": 3, "T-123": 0, "T-1x": 0, "": 0, "2": 4, "20": 0, "none": 0} {
		it := b.Find(name)
		if got := 0; it != nil {
			for i := range b.Items {
				if it == &b.Items[i] {
					got = i + 1
				}
			}
			if got != want {
				t.Errorf("%q is item %d, want %d", name, got, want)
			}
		} else if want != 0 {
			t.Errorf("%q is not found", name)
		}
	}
}

func mustParse(t *testing.T, s string) (*node, []byte) {
	t.Helper()
	n, err := parse([]byte(s))
	if err != nil {
		t.Fatal(err)
	}
	return n, []byte(s)
}

func TestActiveTaskIsTheIDOnTheBoard(t *testing.T) {
	w := read(t, tree(t, map[string]string{
		"agent_state.json":              `{"active_task":"T-1: write"}`,
		"task_board.json":               `[{"id":"T-1","title":"write","status":"todo"}]`,
		"outputs/verification/T-1.json": `{"passed":false}`,
	}), Options{})
	equal(t, "active task", w.ActiveTask(), "T-1")
	equal(t, "its report", w.Verification.Path, "outputs/verification/T-1.json")
}
