package workbench

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

// inUTF16 writes a text as UTF-16, with or without a mark.
func inUTF16(s string, order binary.AppendByteOrder, mark bool) string {
	var b []byte
	if mark {
		b = order.AppendUint16(b, 0xfeff)
	}
	for _, u := range utf16.Encode([]rune(s)) {
		b = order.AppendUint16(b, u)
	}
	return string(b)
}

func TestStateFile(t *testing.T) {
	w := read(t, tree(t, map[string]string{"agent_state.json": `{"schema_version":1,"active_task":{"id":7},"next_steps":["first","second"],"blockers":{"b1":"waiting"},
		"assumptions":[{"text":"rates are per second","source":"x"},"",null],"touched_files":["a"],"session_id":"s-1","agent":"ada","turns":12,"branch":"feature/x","goal":"all"}`}), Options{})
	s := w.State
	equal(t, "state", []any{s.ActiveTask, s.NextAction, s.Next, s.Blockers, s.Assumptions, s.Touched, s.Session, s.Actor, s.Turns, s.Branch, s.Objective},
		[]any{"7", "first", []string{"second"}, []string{"waiting"}, []string{"rates are per second"}, []string{"a"}, "s-1", "ada", 12, "feature/x", "all"})
	equal(t, "problems", w.Problems, []Problem(nil))
}

func TestActiveTasks(t *testing.T) {
	for text, want := range map[string]string{
		`{"active_task":["T-1"]}`: "T-1", `{"active_task":[{"id":"T-1","title":"x"}]}`: "T-1", `{"active_tasks":[null,{"task_id":"T-1"}]}`: "T-1",
		`{"active_task":"","current_task":"T-1"}`: "T-1", `{"active_task":"none","current_task":"T-1"}`: "T-1", `{"active_task":{},"current_task":{"id":1}}`: "1",
		`{"当前任务":"T-1"}`: "T-1", `{"Текущая задача":"T-1"}`: "T-1", `{"tarea_actual":["T-1"]}`: "T-1", `{"session":{"current_task":"T-1"}}`: "T-1", `{"inProgressTaskId":"T-1"}`: "T-1",
		`{"active_task":[]}`: "", `{"active_task":true}`: "", `{"active_task":{}}`: "", `{"active_task":[[]]}`: "",
	} {
		w := read(t, tree(t, map[string]string{"agent_state.json": text}), Options{})
		if w.State.ActiveTask != want || len(w.Problems) != 0 {
			t.Errorf("%s: %q, want %q; problems %+v", text, w.State.ActiveTask, want, w.Problems)
		}
	}
	w := read(t, tree(t, map[string]string{"agent_state.json": `{"active_task":["T-1",{"id":"T-2"}]}`}), Options{})
	equal(t, "several", w.State.ActiveTask, "T-1")
	equal(t, "problems", w.Problems, []Problem{{"agent_state.json", 0, "names 2 active tasks; the first is taken"}})
}

func TestNextSteps(t *testing.T) {
	for text, want := range map[string]string{
		`{"next_action":"","next_steps":["a","b"]}`: "a|b", `{"next_action":[],"next":"a"}`: "a", `{"next_action":"n/a","next_steps":[{"priority":1,"action":"a"}]}`: "a",
		`{"next_steps":["[x] a","[ ] b"]}`: "[ ] b", `{"next_steps":[{"step":"a","done":true},{"step":"b","done":false},{"step":"c","status":"cancelled"}]}`: "b",
		`{"active_task":{"id":"T-1","next_action":"a"}}`: "a", `{"active_task":"T-1","handoff":{"next_step":"a"}}`: "a", `{"next_action":"a","handoff":{"next_step":"b"}}`: "a",
		`{"下一步":"a"}`: "a", `{"Nächster Schritt":"a"}`: "a", `{"próximos_pasos":["a","b"]}`: "a|b", `{"next_action":{"command":"make test"}}`: "make test", `{"next_action":false}`: "",
	} {
		s := read(t, tree(t, map[string]string{"agent_state.json": text}), Options{}).State
		if got := strings.Join(append([]string{s.NextAction}, s.Next...), "|"); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestBlockers(t *testing.T) {
	const unnamed = "the work is blocked, and why is not said"
	for text, want := range map[string]string{
		`{"blockers":[{"id":"B1","desc":"a"},{"component":"db","state_of":"down"}]}`:                                        "a|component: db, state_of: down",
		`{"blockers":["a","a"],"waiting_for":"b","open_blockers":["c"]}`:                                                    "a|c|b",
		`{"blockers":[{"text":"a","status":"resolved"},{"text":"b","status":"open"},{"text":"c","resolved":true},"[x] d"]}`: "b",
		`{"blockers":[["a","b"]]}`: "a|b", `{"blocked":true,"blocked_reason":"a"}`: "a", `{"blocked":"a"}`: "a", `{"is_blocked":true}`: unnamed, `{"blockers":true}`: unnamed,
		`{"status":"blocked","reason":"a"}`: "a", `{"status":"blocked: a"}`: "a", `{"status":"blocked"}`: unnamed, `{"status":"in_progress"}`: "", `{"status":"waiting"}`: "", `{"state":"HOLD"}`: "", `{"progress":{"done":3,"blocked":2}}`: "",
		`{"active_task":{"id":"T-1","status":"blocked","blocked_reason":"a"}}`: "a", `{"blockers":2}`: "2 blockers, which are not named",
		`{"blockers":1}`: "1 blocker, which is not named", `{"blockers":0}`: "", `{"blockers":[0]}`: "", `{"blocked":false}`: "", `{"blockers":"无"}`: "", `{"blockers":["keine"]}`: "", `{"blockers":"нет"}`: "", `{"blockers":"No blockers."}`: "", `{"blockers":"-"}`: "",
		`{"阻塞":["a"]}`: "a", `{"bloqueos":"a"}`: "a",
	} {
		s := read(t, tree(t, map[string]string{"agent_state.json": text}), Options{}).State
		if got := strings.Join(s.Blockers, "|"); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestAssumptionsThatAreSettledAreLeftOut(t *testing.T) {
	w := read(t, tree(t, map[string]string{"agent_state.json": `{"assumptions":[{"statement":"a","validated":true},{"statement":"b","validated":false},{"statement":"c","status":"confirmed"},{"statement":"d","status":"verified"}],"turns":12.0}`}), Options{})
	equal(t, "assumptions", w.State.Assumptions, []string{"b"})
	equal(t, "turns", w.State.Turns, 12)
}

func TestALargeStateFileIsCut(t *testing.T) {
	long := strings.Repeat("æ", 3000)
	w := read(t, tree(t, map[string]string{"agent_state.json": `{"next_action":"x` + long + `","assumptions":["` + strings.Join(strings.Fields(strings.Repeat("a ", 50)), `","`) + `"]}`}), Options{})
	if s := w.State.NextAction; len(s) > 1100 || !utf8.ValidString(s) || !strings.HasSuffix(s, " bytes cut …]") {
		t.Errorf("%d bytes: %q", len(s), s)
	}
	if len(w.State.Assumptions) != 20 || len(w.Problems) != 1 || w.Problems[0].What != "has 50 assumptions; the first 20 are taken" {
		t.Errorf("%d assumptions, problems %+v", len(w.State.Assumptions), w.Problems)
	}
}

func TestStateSpellings(t *testing.T) {
	for _, text := range []string{
		`{"activeTask":"T-1","nextAction":"go on","blockers":null}`,
		`{"current_task":"T-1","next_step":"go on","blockers":"none"}`,
		`{"Active-Task-Id":"T-1","next step":"go on","blockers":[]}`,
		`{"active_feature":{"feature_id":"T-1"},"next":{"action":"go on"},"blockers":["","n/a"]}`,
		`{"schema_version":1,"state":{"active_task_id":"T-1","next_action":"go on"}}`,
		"\xef\xbb\xbf{\"active_task_id\":\"T-1\",\r\n\t\"next_action\":\"go on\"}\r\n",
		inUTF16(`{"active_task_id":"T-1","next_action":"go on"}`, binary.LittleEndian, true),
		inUTF16(`{"active_task_id":"T-1","next_action":"go on"}`, binary.BigEndian, true),
		inUTF16(`{"active_task_id":"T-1","next_action":"go on"}`, binary.LittleEndian, false),
		inUTF16(`{"active_task_id":"T-1","next_action":"go on"}`, binary.BigEndian, false),
	} {
		w := read(t, tree(t, map[string]string{"agent_state.json": text}), Options{})
		if w.State.ActiveTask != "T-1" || w.State.NextAction != "go on" || w.State.Blockers != nil || !w.State.Readable || len(w.Problems) != 0 {
			t.Errorf("%q: %+v %+v", text, w.State, w.Problems)
		}
	}
}

func TestUnreadableStateIsSaid(t *testing.T) {
	for _, c := range []struct {
		text string
		line int
		what string
	}{
		{"", 0, "is there but empty"},
		{" \r\n\t", 0, "is there but empty"},
		{"\xef\xbb\xbf", 0, "is there but empty"},
		{"{\n\"next_action\": \"x\",\n}", 3, "is no valid JSON"},
		{"{\n\"next_action\": \"x", 2, "is no valid JSON: a string has no end"},
		{"{\"a\":1}\n{\"b\":2}", 2, "is no valid JSON: something follows"},
		{"{\"a\": bogus}", 1, "is no valid JSON: what stands here is no value"},
		{strings.Repeat("[", 300), 1, "is no valid JSON: it is nested"},
		{"[1]", 0, "is no state file"},
		{"<<<<<<< HEAD\n{}", 1, "is no valid JSON"},
		{"\x00\x00\x00\x00", 1, "is no valid JSON"},
	} {
		w := read(t, tree(t, map[string]string{"agent_state.json": c.text}), Options{})
		if w.State.Readable || !w.State.Present || w.State.NextAction != "" || len(w.Problems) != 1 {
			t.Errorf("%q: %+v %+v", c.text, w.State, w.Problems)
			continue
		}
		if p := w.Problems[0]; p.File != "agent_state.json" || p.Line != c.line && c.line != 2 || !strings.HasPrefix(p.What, c.what) {
			t.Errorf("%q: %+v", c.text, p)
		}
	}
}

func TestBytesThatAreNoUTF8(t *testing.T) {
	w := read(t, tree(t, map[string]string{"agent_state.json": "{\n\"next_action\":\"bak\xff br\xc3\xb8d\"}"}), Options{})
	equal(t, "next action", w.State.NextAction, "bak\uFFFD brød")
	equal(t, "problems", w.Problems, []Problem{{"agent_state.json", 2, "has bytes that are no UTF-8; they are shown as \uFFFD"}})
}

func TestTextsAreMasked(t *testing.T) {
	mask := func(s string) string { return strings.ReplaceAll(s, "sesame", "[masked]") }
	dir := tree(t, map[string]string{
		"agent_state.json":              `{"active_task_id":"T-1","next_action":"say sesame","blockers":["no sesame"],"assumptions":["sesame opens"]}`,
		"task_board.json":               `[{"id":"T-1","title":"try sesame","status":"blocked","blocked_reason":"sesame"}]`,
		"outputs/verification/T-1.json": `{"passed":false,"findings":["sesame leaked",{"code":"x","detail":"sesame"}]}`,
		"outputs/review/T-1.json":       `{"verdict":"fail","total":1,"dimensions":[{"name":"assumptions","score":1,"note":"sesame"}],"findings":["sesame"]}`,
		"feedback_record.jsonl":         `{"command":["open","sesame"],"exit_code":null,"error":"sesame refused","stdout":"sesame\nsesame"}`,
	})
	w := read(t, dir, Options{Mask: mask})
	all := strings.Join([]string{w.State.NextAction, w.State.Blockers[0], w.State.Assumptions[0], w.Board().Items[0].Title, w.Board().Items[0].Reason,
		w.Verification.Findings[0].What, w.Verification.Findings[1].What, w.Review.Dimensions[0].Note, w.Review.Findings[0].What,
		w.Feedback.Commands.Runs[0].Command, w.Feedback.Commands.Runs[0].Failed, w.Feedback.Commands.Runs[0].Output}, "|")
	if strings.Contains(all, "sesame") || strings.Count(all, "[masked]") != 13 {
		t.Errorf("%s", all)
	}
}

func TestLinksThatLeadOut(t *testing.T) {
	out := tree(t, map[string]string{"secret.json": `{"next_action":"from outside"}`, "log": `{"command":"x","exit_code":1}`})
	dir := tree(t, map[string]string{"state/real.json": `{"next_action":"from inside"}`})
	if err := os.Symlink(filepath.Join(out, "secret.json"), filepath.Join(dir, "agent_state.json")); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	os.Symlink(filepath.Join(out, "log"), filepath.Join(dir, "feedback_record.jsonl"))
	os.Symlink("nowhere", filepath.Join(dir, "task_board.json"))
	w := read(t, dir, Options{})
	if w.State.NextAction != "" || !w.State.Present || w.State.Readable || w.Feedback.Commands != nil || len(w.Problems) != 3 {
		t.Errorf("%+v", w)
	}
	for i, want := range []string{"leads out of the repository", "leads nowhere", "leads out of the repository"} {
		if !strings.Contains(w.Problems[i].What, want) {
			t.Errorf("problem %d: %+v, want %q", i, w.Problems[i], want)
		}
	}
	os.Remove(filepath.Join(dir, "agent_state.json"))
	os.Symlink("state/real.json", filepath.Join(dir, "agent_state.json"))
	equal(t, "a link within", read(t, dir, Options{}).State.NextAction, "from inside")
}

func TestFoldersInPlaceOfFiles(t *testing.T) {
	dir := tree(t, map[string]string{"agent_state.json/x": "", "feedback_record.jsonl/x": "", "outputs/review": "a file", "task_board.json": `[]`})
	w := read(t, dir, Options{})
	if w.State.Present || w.Feedback.Present || w.Review.Present || w.Board() == nil {
		t.Errorf("%+v", w)
	}
	folder := "is a folder, not a file, and is not read"
	equal(t, "problems", w.Problems, []Problem{{"agent_state.json", 0, folder}, {"feedback_record.jsonl", 0, folder}})
	w = read(t, dir, Options{State: "agent_state.json"})
	if len(w.Problems) != 2 || w.Problems[0].What != "is not a file" || w.State.Readable {
		t.Errorf("%+v %+v", w.State, w.Problems)
	}
}

func TestFoldersThatMayNotBeReadAreSaidOnce(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("everything may be read here")
	}
	dir := tree(t, map[string]string{"outputs/review/T-1.json": `{}`, "planning/task_board.json": `[]`})
	for _, name := range []string{"outputs/review", "planning"} {
		name = filepath.Join(dir, name)
		os.Chmod(name, 0)
		t.Cleanup(func() { os.Chmod(name, 0o700) })
	}
	equal(t, "problems", read(t, dir, Options{}).Problems, []Problem{
		{"planning", 0, "cannot be read: permission denied"}, {"outputs/review", 0, "cannot be read: permission denied"}})
}

func TestReadNeedsAFolder(t *testing.T) {
	if _, err := Read(filepath.Join(t.TempDir(), "none"), Options{}); err == nil {
		t.Error("no error")
	}
}

func FuzzParse(f *testing.F) {
	for _, b := range boards {
		f.Add([]byte(b.json))
	}
	for _, s := range []string{`{"a":"\ud83d\ude00\ud800x\u00e9\q\\"}`, `[NaN,-Infinity,1e5,-0.0]`, "{\"a\":\n1,\"a\":2}", "\xff\xfe{\x00}\x00", `"`, `{"a":}`, `[1,]`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		text, odd := decodeText(data)
		if odd > len(text)+1 {
			t.Errorf("odd byte at %d of %d", odd, len(text))
		}
		n, err := parse(text)
		if err != nil {
			if off := errorOffset(err); off < 0 || off > len(text) {
				t.Errorf("error at %d of %d", off, len(text))
			}
			return
		}
		n.duplicates(nil)
		r := &reader{bench: &Workbench{}}
		var s State
		if n.kind == object {
			s.read(r, n)
			r.verification(File{}, n)
			r.review(File{}, n)
		}
		b := board(n, text)
		if b.Recognised != (b.What == "") {
			t.Errorf("recognised %v, but %q", b.Recognised, b.What)
		}
		for _, it := range b.Items {
			if it.Status == "" || it.Status == notDone || it.Line < 1 {
				t.Errorf("item %+v", it)
			}
		}
	})
}
