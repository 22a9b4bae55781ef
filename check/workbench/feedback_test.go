package workbench

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func feedback(t *testing.T, log string) Feedback {
	t.Helper()
	return read(t, tree(t, map[string]string{"feedback_record.jsonl": log}), Options{}).Feedback
}

// outcomes are records and what becomes of them: ok, ? for unknown, or failed with its exit code or reason.
var outcomes = []struct{ record, want string }{
	{`{"cmd":"x","exit_code":0}`, "ok"},
	{`{"cmd":"x","exit_code":-0}`, "ok"},
	{`{"cmd":"x","exit_code":"0"}`, "ok"},
	{`{"cmd":"x","exit_code":" 0\n"}`, "ok"},
	{`{"cmd":"x","exit_code":0e0}`, "ok"},
	{`{"cmd":"x","exit_code":"exit status 0"}`, "ok"},
	{`{"cmd":"x","exit_status":0,"error":"warned"}`, "ok"},
	{`{"cmd":"x","status":0}`, "ok"},
	{`{"cmd":"x","result":{"returncode":0}}`, "ok"},
	{`{"cmd":"x","exit":{"code":0,"signal":null}}`, "ok"},
	{`{"cmd":"x","exit_code":null,"returncode":0}`, "ok"},
	{`{"cmd":"x","exit_code":2}`, "2"},
	{`{"cmd":"x","exit_code":2.0}`, "2"},
	{`{"cmd":"x","exit_code":"-9"}`, "-9"},
	{`{"cmd":"x","exit_code":"0x1"}`, "1"},
	{`{"cmd":"x","exit_code":"exit status 3"}`, "3"},
	{`{"cmd":"x","exit_code":"exited with 3"}`, "3"},
	{`{"cmd":"x","exit_code":3221225477}`, "3221225477"},
	{`{"cmd":"x","exit_code":0,"returncode":4}`, "4"},
	{`{"cmd":"x","exit_code":1,"exit_code":5}`, "5"},
	{`{"cmd":"x","status":7}`, "7"},
	{`{"cmd":"x","result":{"exit_code":6}}`, "6"},
	{`{"cmd":"x","exit":{"code":8}}`, "8"},
	{`{"cmd":"x","exit":{"code":null,"signal":"SIGTERM"}}`, "SIGTERM"},
	{`{"cmd":"x","exit_code":"SIGKILL"}`, "SIGKILL"},
	{`{"cmd":"x","exit_code":"timeout"}`, "timeout"},
	{`{"cmd":"x","exit_code":null,"signal":9}`, "signal 9"},
	{`{"cmd":"x","exit_code":null,"timed_out":true}`, "timed out"},
	{`{"cmd":"x","exit_code":0,"timed_out":true}`, "timed out"},
	{`{"cmd":"x","error":{"type":"E","message":"no such file"}}`, "no such file"},
	{`{"cmd":"x","error":"a\nb\tc"}`, "a b c"},
	{`{"cmd":"x","success":false}`, "failed, without an exit code"},
	{`{"cmd":"x","status":"failed"}`, "failed"},
	{`{"cmd":"x","exit_code":99999999999999999999999}`, "99999999999999999999999"},
	{`{"cmd":"x"}`, "?"},
	{`{"cmd":"x","exit_code":null}`, "?"},
	{`{"cmd":"x","exit_code":""}`, "?"},
	{`{"cmd":"x","exit_code":NaN}`, "?"},
	{`{"cmd":"x","exit_code":0.5}`, "?"},
	{`{"cmd":"x","exit_code":true}`, "?"},
	{`{"cmd":"x","exit_code":false}`, "?"},
	{`{"cmd":"x","exit_code":[]}`, "?"},
	{`{"cmd":"x","exit_code":"fine"}`, "?"},
	{`{"cmd":"x","success":true}`, "?"},
	{`{"cmd":"x","status":"ok"}`, "?"},
	{`{"cmd":"x","status":200.5,"error":"","signal":null,"timed_out":false,"timeout":30}`, "?"},
}

func TestOutcomes(t *testing.T) {
	for _, c := range outcomes {
		f := feedback(t, c.record)
		if f.Commands == nil || len(f.Commands.Runs) != 1 {
			t.Errorf("%s: %+v", c.record, f)
			continue
		}
		got, run := "?", f.Commands.Runs[0]
		switch {
		case run.Failed != "":
			got = run.Failed
		case run.Exit != nil && *run.Exit == 0:
			got = "ok"
		case run.Exit != nil:
			got = fmt.Sprint(*run.Exit)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.record, got, c.want)
		}
		want := []int{0, 0, 0}
		want[map[string]int{"ok": 0, "?": 2}[c.want]] = 1
		if c.want != "ok" && c.want != "?" {
			want = []int{0, 1, 0}
		}
		equal(t, c.record, []int{f.Passed, f.Failed, f.Unknown}, want)
	}
}

func TestCommands(t *testing.T) {
	for record, want := range map[string]string{
		`"command":"make test"`:                             "make test",
		`"command":["make","a b"]`:                          "make 'a b'",
		`"command":["it's",""]`:                             `'it'\''s' ''`,
		`"command":["A=1","B=2"]`:                           "'A=1' B=2",
		`"command":["bash","-lc",["echo","a b"]]`:           `bash -lc 'echo '\''a b'\'''`,
		`"command":["python","-c","\nprint('x')\n"]`:        `python -c $'\nprint(\'x\')\n'`,
		`"command":["printf","\u001b[31m"]`:                 `printf $'\033[31m'`,
		`"command":["sleep",5]`:                             "sleep 5",
		`"command":"make \\\n  -j 4 \\\n  test"`:            "make -j 4 test",
		`"command":"cd x\nmake 'y'"`:                        `eval $'cd x\nmake \'y\''`,
		`"command":"\n make x \n"`:                          "make x",
		`"command":"make","args":["x y"]`:                   "make 'x y'",
		`"cmd":"npm","argv":["npm","test"]`:                 "npm",
		`"argv":["npm","test"]`:                             "npm test",
		`"command":{"program":"npm","args":["run","a b"]}`:  "npm run 'a b'",
		`"command":null`:                                    unknownCommand,
		`"command":[]`:                                      unknownCommand,
		`"command":""`:                                      unknownCommand,
		`"command":["blåbær","日本語"]`:                        "blåbær 日本語",
		`"command":["` + strings.Repeat("ø", 1000) + `"]`:   strings.Repeat("ø", 500) + " [… 1000 bytes cut …]",
		`"command":["C:\\tools\\press.exe","D:\\my files"]`: `'C:\tools\press.exe' 'D:\my files'`,
		`"command":["a","~","*","$x","!"]`:                  `a '~' '*' '$x' '!'`,
	} {
		f := feedback(t, "{"+record+`,"exit_code":0}`)
		if f.Commands == nil || f.Commands.Runs[0].Command != want {
			t.Errorf("%s: %+v, want %q", record, f.Commands, want)
		}
	}
}

// A shell must part a line again as it was. $'…' is younger than some of them, so bash alone is asked.
func TestShellLineIsRead(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash here")
	}
	args := []string{"printf", `%s\0`, "a b", "it's", "", "$HOME", "`x`", "a\nb\tc\x01", `D:\work\my files`, "*", "~", "æ", "!x", "#y", "A=1"}
	out, err := exec.Command(bash, "-c", shellLine(args)).Output()
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "arguments", strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"), args[2:])
}

func TestOutputOfFailingRuns(t *testing.T) {
	numbered := func(from, to int) string {
		var lines []string
		for i := from; i <= to; i++ {
			lines = append(lines, fmt.Sprint("line ", i))
		}
		return strings.Join(lines, "\n")
	}
	jsonLines := func(from, to int) string { return strings.ReplaceAll(numbered(from, to), "\n", `\n`) }
	for record, want := range map[string]string{
		`"stdout_tail":"` + jsonLines(1, 30) + `\n\n"`: numbered(21, 30),
		`"stdout":"a","stderr":"b\n"`:                  "a\nb",
		`"stdout":["a","b\n"],"stderr":["c"]`:          "a\nb\nc",
		`"output":"both","stdout":"a","stderr":"b"`:    "both",
		`"stdout":null,"stderr":""`:                    "",
		`"stdout":"\u001b[31mred\u001b[0m 50%\r100%"`:  "\x1b[31mred\x1b[0m 50%\r100%",
		`"result":{"stdout":"inner"}`:                  "inner",
		`"stdout":"a\u2028b"`:                          "a\u2028b",
		`"stdout":"\ud83d\ude00 \ud83d"`:               "😀 \uFFFD",
	} {
		f := feedback(t, `{"cmd":"x","exit_code":1,`+record+`}`)
		if got := f.Commands.Runs[0].Output; got != want {
			t.Errorf("%.60s: %q, want %q", record, got, want)
		}
	}
	f := feedback(t, `{"cmd":"x","exit_code":1,"stdout":"`+strings.Repeat("ø", 3000)+`"}`)
	out := f.Commands.Runs[0].Output
	if len(out) > maxOutput || !utf8.ValidString(out) || !strings.Contains(out, fmt.Sprintf("[… %d bytes cut …]", 6000-2*strings.Count(out, "ø"))) {
		t.Errorf("%d bytes: %q", len(out), out)
	}
}

func TestPassingRunsKeepCommandAndExit(t *testing.T) {
	f := feedback(t, `{"cmd":"x","exit_code":0,"stdout":"a","started_at":1772442000,"duration_ms":5}`)
	run := f.Commands.Runs[0]
	if run.Output != "" || !run.At.IsZero() || run.MS != 0 || run.Command != "x" || *run.Exit != 0 {
		t.Errorf("%+v", run)
	}
}

func TestTimesAndDurations(t *testing.T) {
	for record, want := range map[string]string{
		`"started_at":1772442000.5`:                     "2026-03-02T09:00:00Z",
		`"ts":1772442000500`:                            "2026-03-02T09:00:00Z",
		`"time":1772442000500000`:                       "2026-03-02T09:00:00Z",
		`"time":1772442000500000000`:                    "2026-03-02T09:00:00Z",
		`"time":"1772442000"`:                           "2026-03-02T09:00:00Z",
		`"at":"2026-03-02T10:00:00+01:00"`:              "2026-03-02T09:00:00Z",
		`"at":"2026-03-02T09:00:00.123456Z"`:            "2026-03-02T09:00:00Z",
		`"timestamp":"2026-03-02T09:00:00.123456"`:      "2026-03-02T09:00:00Z",
		`"timestamp":"2026-03-02 09:00:00,123"`:         "2026-03-02T09:00:00Z",
		`"timestamp":"20260302T090000Z"`:                "2026-03-02T09:00:00Z",
		`"timestamp":"Mon, 02 Mar 2026 09:00:00 +0000"`: "2026-03-02T09:00:00Z",
		`"timestamp":"soon"`:                            "",
		`"timestamp":NaN`:                               "",
		`"timestamp":12`:                                "",
		`"timestamp":{}`:                                "",
	} {
		f := feedback(t, `{"cmd":"x","exit_code":1,`+record+`}`)
		if got := f.Commands.Runs[0].At.String(); got != want {
			t.Errorf("%s: %q, want %q", record, got, want)
		}
	}
	for record, want := range map[string]int64{`"duration_ms":1500`: 1500, `"seconds":1.5`: 1500, `"duration":"1.5s"`: 1500, `"duration_ms":NaN`: 0, `"duration_ms":-1`: 0} {
		f := feedback(t, `{"cmd":"x","exit_code":1,`+record+`}`)
		if got := f.Commands.Runs[0].MS; got != want {
			t.Errorf("%s: %d, want %d", record, got, want)
		}
	}
}

func TestSince(t *testing.T) {
	log := `{"cmd":"old","exit_code":1,"at":"2026-03-02T09:00:00Z"}
{"cmd":"same","exit_code":1,"at":"2026-03-02T10:00:00Z"}
{"cmd":"undated","exit_code":1}
{"cmd":"new","exit_code":1,"at":"2026-03-02T10:00:00.5Z"}
`
	dir := tree(t, map[string]string{"feedback_record.jsonl": log})
	f := read(t, dir, Options{Since: time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)}).Feedback
	equal(t, "failed", failedCommands(f), []string{"undated", "new"})
	equal(t, "counts", []int{f.Records, f.Older}, []int{2, 2})
	f = read(t, dir, Options{Since: time.Date(2027, 3, 2, 10, 0, 0, 0, time.UTC)}).Feedback
	equal(t, "counts of a later time", []int{f.Records, f.Older}, []int{1, 3})
}

func TestFoldingAndCap(t *testing.T) {
	var b strings.Builder
	for i := range 100 {
		fmt.Fprintf(&b, `{"cmd":"fail %d","exit_code":1,"stdout":"out %d"}`+"\n", i, i)
	}
	for range 3 {
		b.WriteString(`{"cmd":"fail 99","exit_code":1,"stdout":"latest"}` + "\n" + `{"cmd":"ok","exit_code":0}` + "\n")
	}
	b.WriteString(`{"cmd":"fail 99","exit_code":2}` + "\n")
	f := feedback(t, b.String())
	c := f.Commands
	equal(t, "totals", []int{c.Total, c.Failed, c.Unknown, len(c.Runs)}, []int{107, 104, 0, maxRuns})
	equal(t, "omitted", []int{c.Omitted, c.OmittedFailed}, []int{73, 72})
	last := c.Runs[maxRuns-3:]
	one := int64(1)
	equal(t, "the folded run", []any{last[0].Command, *last[0].Exit, last[0].Times, last[0].Output}, []any{"fail 99", one, 4, "latest"})
	equal(t, "the passing ones", []any{last[1].Command, last[1].Times}, []any{"ok", 2})
	equal(t, "another exit code", []any{last[2].Command, *last[2].Exit, last[2].Times}, []any{"fail 99", int64(2), 0})
}

func TestHugeLists(t *testing.T) {
	var b strings.Builder
	for i := range 400_000 {
		fmt.Fprintf(&b, `"line %d \"x\"",`, i)
	}
	f := feedback(t, `{"command":["make","big"],"nested":[[1,[2]],{"a":[3]}],"stdout_tail":[`+b.String()+`"END"],"exit_code":7}`+"\n"+`{"command":["make","after"],"exit_code":1}`+"\n")
	equal(t, "failed", failedCommands(f), []string{"make big", "make after"})
	out := f.Commands.Runs[0].Output
	if !strings.HasSuffix(out, "line 399998 \"x\"\nline 399999 \"x\"\nEND") || strings.Count(out, "\n") != 9 {
		t.Errorf("%q", out)
	}
	f = feedback(t, `{"command":["echo",`+b.String()+`"END"],"exit_code":7}`+"\n")
	if c := f.Commands.Runs[0].Command; !strings.HasPrefix(c, `echo 'line 0 "x"' 'line 1 "x"'`) || !strings.HasSuffix(c, "bytes cut …]") || *f.Commands.Runs[0].Exit != 7 {
		t.Errorf("%q", c)
	}
}

func TestFoldedRunsAreCountedOnce(t *testing.T) {
	line := `{"cmd":"x","exit_code":1}` + "\n"
	c := feedback(t, strings.Repeat(line, 50)).Commands
	equal(t, "runs", []int{len(c.Runs), c.Runs[0].Times, c.Total, c.Failed, c.Omitted, c.OmittedFailed}, []int{1, 50, 50, 50, 0, 0})
}

func TestRotatedLogs(t *testing.T) {
	line := func(name string) string { return `{"cmd":"` + name + `","exit_code":1}` + "\n" }
	dir := tree(t, map[string]string{
		"feedback_record.jsonl": line("d"), "feedback_record.jsonl.1": line("c"), "feedback_record.jsonl.2": "broken\n" + line("b"), "feedback_record.jsonl.10": line("a"),
		"feedback_record.jsonl-20260101": line("0"), "feedback_record.jsonl.3.gz": "x", "feedback_record.jsonl.bak": line("no"),
	})
	w := read(t, dir, Options{})
	equal(t, "order", failedCommands(w.Feedback), []string{"0", "a", "b", "c", "d"})
	equal(t, "problems", w.Problems, []Problem{
		{"feedback_record.jsonl.3.gz", 0, "is compressed and is not read"},
		{"feedback_record.jsonl.2", 1, "1 line is no record of a command and was skipped: line 1"},
	})
	equal(t, "log", w.Feedback.Commands.Log.Path, "feedback_record.jsonl")
}

func TestLogsInOddEncodings(t *testing.T) {
	log := "{\"cmd\":\"blåbær\",\"exit_code\":1}\r\n{\"cmd\":\"x\",\"exit_code\":0}\r\n"
	for _, text := range []string{
		log, "\xef\xbb\xbf" + log, inUTF16(log, binary.LittleEndian, true), inUTF16(log, binary.BigEndian, true), inUTF16(log, binary.LittleEndian, false),
		strings.ReplaceAll(log, "\r\n", "\r"), strings.ReplaceAll(log, "\r\n", ""), strings.TrimSuffix(log, "\r\n"), "\n\n" + log + "  \n\t\n",
	} {
		w := read(t, tree(t, map[string]string{"feedback_record.jsonl": text}), Options{})
		f := w.Feedback
		if f.Records != 2 || len(w.Problems) != 0 || f.Commands.Runs[0].Command != "blåbær" || f.Failed != 1 || f.Passed != 1 {
			t.Errorf("%q: %+v %+v", text, f, w.Problems)
		}
	}
}

func TestOddLines(t *testing.T) {
	log := "{\"cmd\":\"a\",\"exit_code\":1,\"stdout\":\"\xff\xfe\"}\n" + // no UTF-8
		"{\"cmd\":\"b\",\"exit_code\":1,\"stdout\":\"\x00\x01\t\"}\n" + // control characters as they are
		"{\"cmd\":\"c\",\"exit_code\":1\n" + // not closed
		"\x00\x00\x00\x00\n" +
		"{\"cmd\":\"d\",\"exit_code\":1} trailing\n" +
		"{\"event\":\"session_start\",\"session\":\"s-9\"}\n" +
		"{\"cmd\":\"e\",\"exit_code\":1,\"deep\":" + strings.Repeat("[", 500) + "}\n" +
		"{\"cmd\":\"f\",\"exit_code\":1,\"x\":{\"cmd\":\"inner\"}}\n"
	f := feedback(t, log)
	equal(t, "failed", failedCommands(f), []string{"a", "b", "d", "f"})
	equal(t, "skipped", lineNumbers(f.Skipped), []int{3, 4, 5, 7})
	equal(t, "others", []any{f.Others, f.Session}, []any{1, "s-9"})
	for _, run := range f.Commands.Runs {
		if !utf8.ValidString(run.Output) {
			t.Errorf("%q", run.Output)
		}
	}
}

func TestOwnLogs(t *testing.T) {
	own := filepath.Join(t.TempDir(), "runs.jsonl")
	os.WriteFile(own, []byte(`{"cmd":"own 1","exit_code":1,"at":"2026-03-02T09:00:00Z"}`+"\n"+`{"cmd":"own 2","exit_code":0,"at":"2026-03-02T09:02:00Z"}`+"\n"), 0o666)
	dir := tree(t, map[string]string{"feedback_record.jsonl": `{"cmd":"tree","exit_code":1,"at":"2026-03-02T09:01:00Z"}` + "\n"})
	var got []string
	w := read(t, dir, Options{Own: []string{own, filepath.Join(t.TempDir(), "none")}})
	for _, run := range w.Feedback.Commands.Runs {
		got = append(got, run.Command)
	}
	equal(t, "by time", got, []string{"own 1", "tree", "own 2"})
	w = read(t, t.TempDir(), Options{Own: []string{own}})
	if c := w.Feedback.Commands; c == nil || c.Total != 2 || c.Log != nil || w.Feedback.Present {
		t.Errorf("own log alone: %+v", w.Feedback)
	}
}

func TestALogWithoutCommandsIsSaid(t *testing.T) {
	w := read(t, tree(t, map[string]string{"feedback_record.jsonl": `{"type":"meta"}` + "\n" + `{"event":"note","data":{"command":"make"}}`}), Options{})
	if len(w.Problems) != 1 || w.Problems[0].What != "2 records tell of no command" || w.Feedback.Commands != nil {
		t.Errorf("problems %+v, commands %+v", w.Problems, w.Feedback.Commands)
	}
}

func TestALogThatWasJustRotated(t *testing.T) {
	w := read(t, tree(t, map[string]string{"feedback_record.jsonl.1": `{"command":"make b","exit_code":1}`, "feedback_record.jsonl.2": `{"command":"make a","exit_code":0}`}), Options{})
	if f := w.Feedback; len(w.Problems) != 0 || f.Path != "feedback_record.jsonl" || f.Passed != 1 || f.Failed != 1 {
		t.Errorf("%+v, problems %+v", f, w.Problems)
	}
}

func TestEmptyLog(t *testing.T) {
	w := read(t, tree(t, map[string]string{"feedback_record.jsonl": ""}), Options{})
	if f := w.Feedback; f.Commands != nil || !f.Present || !f.Readable || len(w.Problems) != 0 {
		t.Errorf("%+v %+v", f, w.Problems)
	}
}

func TestTheLogIsLeftAlone(t *testing.T) {
	log := `{"cmd":"x","exit_code":1}` + "\n" + `{"cmd":"cut`
	dir := tree(t, map[string]string{"feedback_record.jsonl": log})
	read(t, dir, Options{})
	now, err := os.ReadFile(filepath.Join(dir, "feedback_record.jsonl"))
	if err != nil || string(now) != log {
		t.Errorf("%q %v", now, err)
	}
}

// endless gives the same bytes again and again, up to a size.
type endless struct {
	text string
	left int
	at   int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	p = p[:min(len(p), e.left)]
	for n := 0; n < len(p); {
		k := copy(p[n:], e.text[e.at:])
		n, e.at = n+k, (e.at+k)%len(e.text)
	}
	e.left -= len(p)
	return len(p), nil
}

func walk(log io.Reader) *account {
	r := &reader{bench: &Workbench{}}
	a := newAccount(0)
	r.readLog("log", log, nil, a)
	return a
}

// The logs are 48 MiB of ordinary records, and 24 MiB that are a single line.
func TestMemoryDoesNotGrowWithTheLog(t *testing.T) {
	record := `{"command":["make","test"],"stdout_tail":"` + strings.Repeat(`ok \"flow\" 0.1s\n`, 40) + `","exit_code":1,"started_at":1772442000.5}` + "\n"
	words, line := `words and \"quotes\" \\ `, `,"words and \"quotes\" \\ "`
	for name, log := range map[string]io.Reader{
		"records":  &endless{text: record, left: 48 << 20 / len(record) * len(record)},
		"one line": io.MultiReader(strings.NewReader(`{"cmd":"big","stdout":"`), &endless{text: words, left: 24 << 20 / len(words) * len(words)}, strings.NewReader(`","exit_code":1}`)),
		"list":     io.MultiReader(strings.NewReader(`{"cmd":"big","stdout":["a"`), &endless{text: line, left: 24 << 20 / len(line) * len(line)}, strings.NewReader(`],"exit_code":1}`)),
		"no end":   &endless{text: "[1,2,3],", left: 24 << 20},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		a := walk(log)
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 16<<20 {
			t.Errorf("%s: %d MiB were allocated in all", name, used>>20)
		}
		if want := map[string]bool{"records": true, "one line": true, "list": true}[name]; a.failed > 0 != want {
			t.Errorf("%s: %d failed", name, a.failed)
		}
	}
}

func FuzzLog(f *testing.F) {
	for _, c := range outcomes {
		f.Add([]byte(c.record+"\n"), 40)
	}
	f.Add([]byte("{\"a\":\"\\ud83d\\ude00 \xff\"}\n{}{}\n[]"), 16)
	f.Fuzz(func(t *testing.T, log []byte, n int) {
		r := &reader{bench: &Workbench{}}
		a := newAccount(0)
		r.readLog("log", bytes.NewReader(log), nil, a)
		c := r.commandsRun([]*account{a})
		if a.passed+a.failed+a.unknown != a.total {
			t.Errorf("%+v", a)
		}
		if c == nil {
			return
		}
		shown := 0
		for _, run := range c.Runs {
			shown += max(1, run.Times)
			if !utf8.ValidString(run.Command+run.Failed+run.Output) || run.Command == "" || strings.Contains(run.Command, "\n") || len(run.Output) > maxOutput {
				t.Errorf("%+v", run)
			}
			if run.Exit != nil && run.Failed != "" {
				t.Errorf("an exit code and a reason: %+v", run)
			}
		}
		if shown+c.Omitted != c.Total || c.OmittedFailed > c.Omitted || len(c.Runs) > maxRuns {
			t.Errorf("%+v shows %d", c, shown)
		}
	})
}

// What a compactor leaves of JSON is JSON, and nothing is cut of what is short.
func FuzzCompactor(f *testing.F) {
	f.Add([]byte(`{"a":"\\\"x","b":[1,"ø"]}`), 3)
	f.Add([]byte(`{"a":[1, 2 ,[3],{"b":[ ]},"x"] }`), 2)
	f.Add([]byte(`{"a":[`+strings.Repeat(`[1,"ø"], `, 20000)+`2]}`), 1000)
	f.Add([]byte(`{"a":"`+strings.Repeat(`\\ø\"`, 30000)+`"}`), 1000)
	f.Fuzz(func(t *testing.T, data []byte, chunk int) {
		var c compactor
		c.reset()
		for rest := data; len(rest) > 0; {
			n := min(len(rest), max(1, chunk%4096))
			c.add(rest[:n])
			rest = rest[n:]
		}
		if len(data) < keptHead && !c.inString && c.listDepth == 0 && !bytes.Equal(c.out, data) {
			t.Errorf("%q became %q", data, c.out)
		}
		if _, err := parse(data); err == nil && len(data) < maxCompacted {
			if _, err := parse(c.out); err != nil && string(c.out) != "?" {
				t.Errorf("%.200q: %v", c.out, err)
			}
			if utf8.Valid(data) && !utf8.Valid(c.out) {
				t.Errorf("no UTF-8")
			}
		}
	})
}

func BenchmarkLog(b *testing.B) {
	record := `{"command":["make","test"],"agent_note":"","stdout_tail":"` + strings.Repeat(`ok \"flow\" 0.1s\n`, 40) + `","stderr_tail":"","exit_code":0,"started_at":1772442000.5,"duration_ms":12}` + "\n"
	size := 16 << 20 / len(record) * len(record)
	b.SetBytes(int64(size))
	for b.Loop() {
		walk(&endless{text: record, left: size})
	}
}

func BenchmarkHugeLine(b *testing.B) {
	size := 16 << 20
	b.SetBytes(int64(size))
	for b.Loop() {
		walk(io.MultiReader(strings.NewReader(`{"cmd":"big","stdout":"`), &endless{text: strings.Repeat("words ", 1000), left: size}, strings.NewReader(`","exit_code":1}`)))
	}
}
