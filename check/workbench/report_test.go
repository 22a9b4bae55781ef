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
