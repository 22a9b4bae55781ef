package workbench

import (
	"fmt"
	"strings"
	"testing"
)

// wildRecords are lines in use, each with how many runs of it passed, failed and have no result.
var wildRecords = map[string][3]int{
	`[{"command":"a","exit_code":1},{"command":"b","exit_code":0}]`:                      {1, 1, 0},
	"[\n{\"command\":\"a\",\"exit_code\":1},\n{\"command\":\"b\",\"exit_code\":0}\n]\n":  {1, 1, 0},
	"[{\"command\":\"a\",\"exit_code\":1},\n {\"command\":\"b\",\"exit_code\":2}]":       {0, 2, 0},
	"{\"command\":\"a\",\"exit_code\":1},\n{\"command\":\"b\",\"exit_code\":0},\n":       {1, 1, 0},
	"\x1e{\"command\":\"a\",\"exit_code\":1}\n\x1e{\"command\":\"b\",\"exit_code\":0}\n": {1, 1, 0},
	"{\"command\":\"a\",\"exit_code\":1}\n\ufeff{\"command\":\"b\",\"exit_code\":0}\n":   {1, 1, 0},
	"{\"command\":\"a\",\"exit_code\":1}\r{\"command\":\"b\",\"exit_code\":1}\r":         {0, 2, 0},
	`{"tool":"shell","input":{"command":"a"},"exit_code":1}`:                             {0, 1, 0},
	`{"tool_input":{"command":"a"},"tool_response":{"stdout":"x","stderr":""}}`:          {0, 0, 1},
	`{"event":"command","payload":{"cmd":"a","exitCode":2}}`:                             {0, 1, 0},
	`{"command":"a","exit_code":1,"data":{"exit_code":0}}`:                               {0, 1, 0},
	`{"command":"a","result":"failed"}`:                                                  {0, 1, 0},
	`{"command":"a","result":"passed"}`:                                                  {0, 0, 1},
	`{"command":"a","status":"❌"}`:                                                       {0, 1, 0},
	`{"command":"a","status":"失败"}`:                                                      {0, 1, 0},
	`{"command":"a","success":"false"}`:                                                  {0, 1, 0},
	`{"command":"a","success":"true"}`:                                                   {0, 0, 1},
	`{"command":"a","exit_code":0,"timed_out":"true"}`:                                   {0, 1, 0},
	`{"command":"a","exit_code":0,"timeout":30}`:                                         {1, 0, 0},
	`{"command":"a","exit_code":"1 (failed)"}`:                                           {0, 1, 0},
	`{"command":"a","exit_code":"0 (ok)"}`:                                               {1, 0, 0},
	`{"command":"a","exit_code":"0 (timeout)"}`:                                          {0, 0, 1},
	`{"command":"a","exit_code":"n/a"}`:                                                  {0, 0, 1},
	`{"命令":"a","退出码":1}`:                                                                 {0, 1, 0},
}

func TestRecordsInOtherShapes(t *testing.T) {
	for text, want := range wildRecords {
		w := read(t, tree(t, map[string]string{"feedback_record.jsonl": text}), Options{})
		f := w.Feedback
		if got := [3]int{f.Passed, f.Failed, f.Unknown}; got != want || len(w.Problems) != 0 {
			t.Errorf("%q: %v, want %v; problems %+v", text, got, want, w.Problems)
		}
	}
}

func TestListsThatHoldNoRecordsAreSkipped(t *testing.T) {
	for _, text := range []string{"[]\n", `[["a",1]]`, `[1,{"command":"a","exit_code":1}]`, `{"command":"a","exit_code":1},5`, ",\n", "]]\n"} {
		f := read(t, tree(t, map[string]string{"feedback_record.jsonl": text}), Options{}).Feedback
		if f.SkippedTotal != 1 {
			t.Errorf("%q: skipped %+v", text, f.Skipped)
		}
	}
}

func TestALogThatIsOneListIsStreamed(t *testing.T) {
	var records, spread []string
	for i := range 2000 {
		records = append(records, fmt.Sprintf(`{"command":"run %d","exit_code":%d,"stdout":"%s"}`, i, i%2, strings.Repeat("a\\\"}],[{", 100)))
		spread = append(spread, fmt.Sprintf("  {\n    \"command\": [\n      \"run\",\n      \"%d\"\n    ],\n    \"exit_code\": %d\n  }", i, i%2))
	}
	for name, text := range map[string]string{
		"on one line":     "[" + strings.Join(records, ",") + "]",
		"spread":          "[\n" + strings.Join(spread, ",\n") + "\n]\n",
		"spread, no list": strings.ReplaceAll(strings.Join(spread, "\n")+"\n", "\n  ", "\n")[2:],
	} {
		w := read(t, tree(t, map[string]string{"feedback_record.jsonl": text}), Options{})
		if f := w.Feedback; f.Passed != 1000 || f.Failed != 1000 || len(w.Problems) != 0 {
			t.Errorf("%s: %d passed, %d failed, problems %+v", name, f.Passed, f.Failed, w.Problems)
		}
	}
}

func TestLinesOfASpreadLog(t *testing.T) {
	w := read(t, tree(t, map[string]string{"feedback_record.jsonl": "[\n  {\n    \"command\": \"a\",\n    \"exit_code\": 1\n  },\n  5,\n  {\n    \"command\": \"b\",\n    \"exit_code\": 2\n  }\n]\n"}), Options{})
	equal(t, "failed at", w.Feedback.FailedAt, []Line{{"feedback_record.jsonl", 2}, {"feedback_record.jsonl", 7}})
	equal(t, "skipped", w.Feedback.Skipped, []Line{{"feedback_record.jsonl", 6}})
}

func TestARecordThatIsCutOffTakesNoOtherWithIt(t *testing.T) {
	w := read(t, tree(t, map[string]string{"feedback_record.jsonl": "{\n  \"command\": \"cut\",\n{\"command\":\"a\",\"exit_code\":1}\n{\n  \"command\": \"b\",\n  \"exit_code\": 2\n}\n"}), Options{})
	equal(t, "failed at", w.Feedback.FailedAt, []Line{{"feedback_record.jsonl", 3}, {"feedback_record.jsonl", 4}})
	equal(t, "skipped", w.Feedback.SkippedTotal, 1)
}
