package workbench

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"git-handoff/gitstore/handoff"
)

func yesNo(p *bool) string {
	switch {
	case p == nil:
		return "unknown"
	case *p:
		return "passed"
	}
	return "failed"
}

func TestVerificationOutcomes(t *testing.T) {
	for _, c := range []struct{ json, want string }{
		{`{"passed":true}`, "passed"},
		{`{"passed":false}`, "failed"},
		{`{"passed":"true"}`, "passed"},
		{`{"passed":"no"}`, "failed"},
		{`{"verdict":"PASS"}`, "passed"},
		{`{"status":"hard_fail"}`, "failed"},
		{`{"result":"❌"}`, "failed"},
		{`{"result":"✅"}`, "passed"},
		{`{"passed":true,"verdict":"approved","findings":[{"severity":"warn","detail":"x"}]}`, "passed"},
		{`{"verdict":{"passed":true,"by":"x"}}`, "passed"},
		{`{"gate":{"status":"failed"}}`, "failed"},
		{`{"passed":true,"verdict":"fail"}`, "unknown"},
		{`{"passed":true,"findings":[{"severity":"block","detail":"x"}]}`, "unknown"},
		{`{"passed":true,"checks":[{"name":"a","passed":true},{"name":"b","passed":false}]}`, "unknown"},
		{`{"passed":true,"checks":[{"name":"a","passed":true}],"exit_code":0}`, "passed"},
		{`{"passed":true,"exit_code":1}`, "unknown"},
		{`{"passed":true,"exit_code":"1"}`, "unknown"},
		{`{"passed":null}`, "unknown"},
		{`{"passed":1}`, "unknown"},
		{`{"passed":NaN}`, "unknown"},
		{`{"passed":"8/10"}`, "unknown"},
		{`{"passed":"maybe"}`, "unknown"},
		{`{"verdict":"frobbed","ok":true}`, "unknown"},
		{`{"passed":12,"failed":0,"total":12}`, "unknown"},
		{`{"passed":{"a":true}}`, "unknown"},
		{`{}`, "unknown"},
		{`{"status":"completed"}`, "unknown"},
		{`{"status":"completed","success":true}`, "passed"},
		{`{"status":"completed","passed":false}`, "failed"},
		{`{"overall_status":"✅ PASS"}`, "passed"},
		{`{"final_verdict":"FAIL"}`, "failed"},
		{`{"summary":{"status":"pass"},"violations":[]}`, "passed"},
		{`{"report":{"passed":false}}`, "failed"},
		{`{"verdict":{"decision":"PASS","confidence":0.9}}`, "passed"},
		{`{"verdict":"PASS with warnings"}`, "passed"},
		{`{"verdict":"PASS (2 warnings)"}`, "passed"},
		{`{"verdict":"PASS (9 of 12)"}`, "unknown"},
		{`{"verdict":"pass, but flaky"}`, "unknown"},
		{`{"verdict":"PASS: no blockers, 0 errors"}`, "passed"},
		{`{"verdict":"CONDITIONAL_PASS"}`, "unknown"},
		{`{"verdict":"FAIL: the gate is red"}`, "failed"},
		{`{"verdict":"approve | request_changes"}`, "unknown"},
		{`{"结果":"不通过"}`, "failed"},
		{`{"判定":"合格"}`, "passed"},
		{`{"результат":"не пройдено"}`, "failed"},
		{`{"ergebnis":"nicht bestanden"}`, "failed"},
		{`{"resultado":"aprobado"}`, "passed"},
		{`{"status":"실패"}`, "failed"},
		{`{"exit_code":0}`, "passed"},
		{`{"exit_code":2}`, "failed"},
		{`{"exit_code":null}`, "unknown"},
		{`{"summary":{"total":10,"passed":9,"failed":1}}`, "failed"},
		{`{"passed":true,"failed":3}`, "unknown"},
		{`{"passed":true,"failed":0,"errors":[]}`, "passed"},
		{`{"passed":true,"failed_checks":["lint"]}`, "unknown"},
		{`{"passed":true,"tests":{"passed":10,"failed":2}}`, "unknown"},
		{`{"passed":true,"checks":{"a":true,"b":false}}`, "unknown"},
		{`{"passed":true,"checks":{"a":{"passed":false}}}`, "unknown"},
		{`{"passed":true,"checks":[{"name":"a","passed":false,"required":false},{"name":"b","passed":false,"severity":"warn"}]}`, "passed"},
		{`{"passed":true,"results":{"tests":"passed","lint":"failed"}}`, "unknown"},
		{`{"passed":true,"results":{"cached":false,"fresh":"no"}}`, "passed"},
		{`{"passed":true,"results":[{"command":"make test","exit_code":1}]}`, "unknown"},
		{`{"commands":[{"command":"a","exit_code":0},{"command":"b","exit_code":2}]}`, "failed"},
		{`{"checks":[{"name":"a","status":"pass"},{"name":"b","status":"ok"}]}`, "passed"},
		{`{"checks":[{"name":"a","status":"pass"},{"name":"b","status":"skipped"}]}`, "unknown"},
		{`{"train":{"status":"PASS"},"load":{"status":"PASS"}}`, "passed"},
		{`{"train":{"status":"PASS"},"load":{"status":"FAIL"}}`, "failed"},
		{`[{"scenario":"a","status":"✅ PASS","code":200},{"scenario":"b","status":"✅ PASS"}]`, "passed"},
		{`[{"scenario":"a","status":"✅ PASS"},{"scenario":"b","status":"❌ FAIL"}]`, "failed"},
		{`[{"scenario":"a"}]`, "unknown"},
		{`{"passed":true,"score":0.4,"threshold":0.8}`, "unknown"},
		{`{"passed":true,"score":"9/10","threshold":"80%"}`, "passed"},
		{`{"passed":true,"blockers":["no database"]}`, "unknown"},
		{`{"criticalIssues":[{"component":"db","error":"a column is missing"}]}`, "failed"},
		{`{"passed":true,"acceptance":{"ran":true,"passed":false}}`, "unknown"},
		{`{"passed":true,"rules":[{"slug":"a","passed":true},{"slug":"b","passed":false}]}`, "unknown"},
		{`{"passed":true,"coverage":{"current":0.84,"previous":0.85},"strict":false,"findings":[]}`, "passed"},
		{`{"passed":true,"findings":[{"severity":"block","detail":"x","status":"resolved"},{"severity":"block","detail":"y","waived":true}]}`, "passed"},
		{`{"passed":true,"errors":{"count":0,"items":[]},"failures":"0","issues":"No issues found."}`, "passed"},
		{`{"passed":true,"errors":{"count":1,"items":["x"]}}`, "unknown"},
		{`{"result":{"exit_code":1}}`, "failed"},
		{`{"command":"make test","result":{"returncode":0}}`, "passed"},
		{`{"result":"12 passed, 0 failed"}`, "passed"},
		{`{"result":"12 passed, 1 failed"}`, "failed"},
		{`{"result":"12 of 15 passed"}`, "unknown"},
		{`{"passed":tru`, "unknown"},
		{`[true]`, "unknown"},
	} {
		w := read(t, tree(t, map[string]string{"outputs/verification/T-1.json": c.json}), Options{})
		if got := yesNo(w.Verification.Passed); got != c.want || !w.Verification.Present {
			t.Errorf("%s: %s, want %s", c.json, got, c.want)
		}
		if (len(w.Problems) == 0) != (c.want != "unknown") {
			t.Errorf("%s: problems %+v", c.json, w.Problems)
		}
	}
}

func TestReportsAgainstWhatIsDone(t *testing.T) {
	w := read(t, tree(t, map[string]string{
		"agent_state.json":               `{"active_task":"T-9"}`,
		"task_board.json":                `{"tasks":[{"id":"T-1","status":"done"},{"id":"T-2","status":"done"},{"id":"T-3","status":"todo"},{"id":"T-9","status":"done"},{"id":"T-4","status":"done"}]}`,
		"outputs/verification/T-1.json":  `{"passed":false}`,
		"outputs/verification/T-2.json":  `{"passed":true}`,
		"outputs/verification/T-3.json":  `{"passed":false}`,
		"outputs/verification/T-4.json":  `{broken`,
		"outputs/verification/T-9.json":  `{"passed":false}`,
		"outputs/review/T-2.review.json": `{"verdict":"hard_fail"}`,
	}), Options{})
	want := []Failure{{"T-1", "outputs/verification/T-1.json"}, {"T-2", "outputs/review/T-2.review.json"}}
	if !slices.Equal(w.Against, want) || len(w.Problems) != 0 {
		t.Errorf("%+v, want %+v; problems %+v", w.Against, want, w.Problems)
	}
}

func TestFindings(t *testing.T) {
	w := read(t, tree(t, map[string]string{"outputs/verification/T-1.json": `{"passed":false,"findings":["plain",{"code":"a.b","severity":"blocker","detail":"d"},
		{"rule":"r","level":"info"},{"message":"m","severity":"LOW"},{"description":"x","severity":"Critical"},{"code":"c","detail":"c says"},{},null,""]}`}), Options{})
	equal(t, "findings", w.Verification.Findings, []handoff.Finding{
		{What: "plain", Severity: handoff.Warn, Source: "outputs/verification/T-1.json"},
		{What: "a.b: d", Severity: handoff.Block, Source: "outputs/verification/T-1.json"},
		{What: "r", Severity: handoff.Info, Source: "outputs/verification/T-1.json"},
		{What: "m", Severity: handoff.Info, Source: "outputs/verification/T-1.json"},
		{What: "x", Severity: handoff.Block, Source: "outputs/verification/T-1.json"},
		{What: "c says", Severity: handoff.Warn, Source: "outputs/verification/T-1.json"},
	})
}

func TestReviewTotals(t *testing.T) {
	number := func(f *float64) any {
		if f == nil {
			return nil
		}
		return *f
	}
	for _, c := range []struct {
		json, verdict, total string
		score, assumptions   any
		passed               string
	}{
		{`{"verdict":"pass","total":8,"dimensions":[{"name":"assumptions","score":2}]}`, "pass", "8", 8.0, 2.0, "passed"},
		{`{"verdict":"approve","total":"8/10","scores":{"Assumptions documented":{"score":1}}}`, "approve", "8/10", nil, 1.0, "passed"},
		{`{"verdict":"hard_fail","total":NaN,"scores":{"assumptions":"x"}}`, "hard_fail", "", nil, nil, "failed"},
		{`{"decision":"changes requested","total_score":7.5,"scores":{"assumptions":0}}`, "changes requested", "7.5", 7.5, 0.0, "failed"},
		{`{"verdict":"hmm","score":{"value":3}}`, "hmm", "3", 3.0, nil, "unknown"},
		{`{"approved":true,"total":"9"}`, "true", "9", 9.0, nil, "passed"},
		{`{"final_verdict":"PASS","total":"4.5 / 5"}`, "PASS", "4.5 / 5", nil, nil, "passed"},
		{`{"verdict":{"decision":"approve"},"total":{"score":8,"max":10}}`, "approve", "8", 8.0, nil, "passed"},
		{`{"status":"completed","approved":false,"total":"85%"}`, "false", "85%", nil, nil, "failed"},
		{`{"verdict":"approve","passed":false,"total":8}`, "approve", "8", 8.0, nil, "unknown"},
		{`{"verdict":"pass","blocking_issues":["x"],"total":9}`, "pass", "9", 9.0, nil, "unknown"},
		{`{"verdict":"pass","total":"n/a"}`, "pass", "n/a", nil, nil, "passed"},
		{`{"verdict":"pass","total":"8,5","scores":{"assumptions":"2/2"}}`, "pass", "8,5", 8.5, nil, "passed"},
		{`{"review":{"verdict":"fail","total":3}}`, "fail", "3", 3.0, nil, "failed"},
		{`[{"task_id":"T-1","verdict":"fail","total":3}]`, "fail", "3", 3.0, nil, "failed"},
		{`{"评审结论":"通过","总分":9}`, "通过", "9", 9.0, nil, "passed"},
		{`{"recommendation":"merge","rating":"4/5"}`, "merge", "4/5", nil, nil, "passed"},
		{`{"total":Infinity}`, "", "", nil, nil, "unknown"},
		{`{}`, "", "", nil, nil, "unknown"},
	} {
		v := read(t, tree(t, map[string]string{"outputs/review/T-1.json": c.json}), Options{}).Review
		got := []any{v.Verdict, v.Total, number(v.Score), number(v.Assumptions()), yesNo(v.Passed)}
		equal(t, c.json, got, []any{c.verdict, c.total, c.score, c.assumptions, c.passed})
	}
}

func TestWhichReportCounts(t *testing.T) {
	state := `{"active_task_id":"T-2"}`
	for _, c := range []struct {
		name  string
		files map[string]string
		opt   Options
		want  string
	}{
		{"by name", map[string]string{"agent_state.json": state, "outputs/review/T-1.json": `{}`, "outputs/review/T-2.json": `{}`}, Options{}, "outputs/review/T-2.json"},
		{"by name and round", map[string]string{"agent_state.json": state, "outputs/review/T-2-1.json": `{}`, "outputs/review/T-2-2.json": `{}`, "outputs/review/T-22.json": `{}`}, Options{}, "outputs/review/T-2-2.json"},
		{"by the task in it", map[string]string{"agent_state.json": state, "outputs/review/a.json": `{"task_id":"T-1"}`, "outputs/review/b.json": `{"task_id":"T-2"}`}, Options{}, "outputs/review/b.json"},
		{"another task's does not", map[string]string{"agent_state.json": state, "outputs/review/T-1.json": `{"task_id":"T-1"}`}, Options{}, ""},
		{"by the board's active task", map[string]string{"task_board.json": `{"active":"T-2","tasks":[{"id":"T-2","status":"todo"}]}`, "outputs/review/T-1.json": `{}`, "outputs/review/T-2.json": `{}`}, Options{}, "outputs/review/T-2.json"},
		{"the newest by its time", map[string]string{"outputs/review/a.json": `{"at":"2026-03-02T09:00:00Z"}`, "outputs/review/b.json": `{"at":"2026-03-01T09:00:00Z"}`}, Options{}, "outputs/review/a.json"},
		{"a report alone", map[string]string{"review_report.json": `{}`}, Options{}, "review_report.json"},
		{"behind the name of the report", map[string]string{"agent_state.json": state, "review_report_T-1.json": `{}`, "review_report_T-2.json": `{}`}, Options{}, "review_report_T-2.json"},
		{"behind the name in the folder", map[string]string{"agent_state.json": state, "outputs/review/review_report_T-2.json": `{}`, "outputs/review/review_report_T-1.json": `{}`}, Options{}, "outputs/review/review_report_T-2.json"},
		{"a folder for each task", map[string]string{"agent_state.json": state, "outputs/review/T-1/report.json": `{}`, "outputs/review/T-2/1.json": `{}`, "outputs/review/T-2/2.json": `{}`}, Options{}, "outputs/review/T-2/2.json"},
		{"an old one is none", map[string]string{"agent_state.json": state, "outputs/review/archive/T-2.json": `{}`, "outputs/review/T-1.json": `{"task_id":"T-1"}`}, Options{}, ""},
		{"another task's behind the name", map[string]string{"agent_state.json": state, "review_report_T-1.json": `{"task_id":"T-1"}`}, Options{}, ""},
		{"a report alone of another task", map[string]string{"agent_state.json": state, "review_report.json": `{"task_id":"T-1"}`}, Options{}, ""},
		{"a file by setting", map[string]string{"agent_state.json": state, "x/r.json": `{"task_id":"T-1"}`}, Options{Review: "x/r.json"}, "x/r.json"},
		{"a folder by setting", map[string]string{"agent_state.json": state, "x/T-2.json": `{}`, "outputs/review/T-2.json": `{}`}, Options{Review: "x"}, "x/T-2.json"},
		{"a setting that leads out", map[string]string{"outputs/review/T-2.json": `{}`}, Options{Review: "/etc/passwd"}, ""},
		{"none", nil, Options{}, ""},
	} {
		w := read(t, tree(t, c.files), c.opt)
		if w.Review.Path != c.want || w.Review.Present != (c.want != "") {
			t.Errorf("%s: %+v, want %s", c.name, w.Review, c.want)
		}
	}
}

func TestNewestReportByFileTime(t *testing.T) {
	dir := tree(t, map[string]string{"outputs/verification/a.json": `{"passed":true}`, "outputs/verification/b.json": `{"passed":false}`})
	day := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	for name, at := range map[string]time.Time{"a": day.Add(time.Hour), "b": day} {
		if err := os.Chtimes(filepath.Join(dir, "outputs/verification", name+".json"), at, at); err != nil {
			t.Fatal(err)
		}
	}
	equal(t, "newest", read(t, dir, Options{}).Verification.Path, "outputs/verification/a.json")
}

func TestPassMarksOnTheScaleOfTheTotal(t *testing.T) {
	for _, c := range []struct {
		json string
		mark any
	}{
		{`{"total":6,"pass_mark":7}`, 7.0},
		{`{"total":"8/10","pass_mark":9}`, 9.0},
		{`{"total":"8/10","pass_mark":"70%"}`, 7.0},
		{`{"total":"8/10","pass_mark":70}`, 7.0},
		{`{"total":"8/10","pass_mark":0.9}`, 9.0},
		{`{"total":"85%","threshold":0.9}`, 90.0},
		{`{"total":0.85,"threshold":90}`, 0.9},
		{`{"score":8,"out_of":10,"passing_score":"90%"}`, 9.0},
		{`{"total":8,"pass_mark":"3/5"}`, nil},
		{`{"total":8,"pass_mark":"soon"}`, nil},
	} {
		v := read(t, tree(t, map[string]string{"outputs/review/T-1.json": c.json}), Options{}).Review
		var got any
		if v.PassMark != nil {
			got = *v.PassMark
		}
		equal(t, c.json, got, c.mark)
	}
}

func TestFindingsByTheirListsAndGrades(t *testing.T) {
	w := read(t, tree(t, map[string]string{"outputs/review/T-1.json": `{"verdict":"fail","total":1,"blockers":["a"],"warnings":["b"],"findings":{"critical":[{"msg":"c"}],"suggestions":["d"],"L2":["e"]},
		"review_issues":[{"issue_severity":"blocker","issue_description":"f"},{"file":"x.go","line":3}],"问题":[{"描述":"g","严重程度":"高"}],"comments":"h"}`}), Options{})
	var got []string
	for _, f := range w.Review.Findings {
		got = append(got, string(f.Severity)+" "+f.What)
	}
	equal(t, "findings", got, []string{"block a", "warn b", "block c", "info d", "warn e", "block f", "warn file: x.go, line: 3", "block g"})
}

func TestReportsOfSeveralTasksInOneFile(t *testing.T) {
	w := read(t, tree(t, map[string]string{
		"agent_state.json":         `{"active_task":"T-2"}`,
		"verification_report.json": `[{"task_id":"T-1","passed":false},{"task_id":"T-2","passed":false},{"task_id":"T-2","passed":true}]`,
	}), Options{})
	equal(t, "outcome", yesNo(w.Verification.Passed), "passed")
	equal(t, "task", w.Verification.Task, "T-2")
}
