package check_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"git-handoff/check"
	"git-handoff/check/secrets"
	"git-handoff/gitstore/handoff"
)

var moment = time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)

// good is a document in which no rule finds anything.
func good() *handoff.Document {
	d := handoff.New(handoff.Name{Branch: "topic", Topic: "default"})
	d.Objective, d.NextAction = "refunds without double payments", "run the refund test against staging"
	d.Next = []handoff.Item{{What: "write the runbook"}}
	d.Decisions = []handoff.Item{{What: "one key a refund", Why: "the bank folds equal keys"}}
	d.Rejected = []handoff.Item{{What: "AWS DMS", Why: "no support for our ENUM types"}}
	d.Uncertain = []handoff.Item{{What: "refund 88 submitted", Check: "ask the ledger for 88"}}
	d.Pending = []handoff.Item{{What: "sign-off", Kind: "approval", On: "the Refund  test", Expires: handoff.TimeOf(moment.Add(time.Hour))}}
	d.Done = []handoff.Item{{What: "the schema is migrated", Effect: handoff.EffectExternal, Evidence: "job 4711"}}
	return d
}

func findSecrets(text string) (rules []string) {
	for _, h := range secrets.Find(text) {
		rules = append(rules, h.Rule)
	}
	return rules
}

func TestDocumentRules(t *testing.T) {
	item := func(what string) []handoff.Item { return []handoff.Item{{What: what}} }
	token := "gh" + "p_abcdEFGHijklMNOPqrstUVWXyz0123456789"
	for name, test := range map[string]struct {
		change func(*handoff.Document)
		want   string // severity, rule and place
	}{
		"nothing":              {func(d *handoff.Document) {}, ""},
		"no next action":       {func(d *handoff.Document) { d.NextAction, d.Pending = " ", nil }, "block next-action.missing next_action"},
		"a vague one":          {func(d *handoff.Document) { d.NextAction, d.Pending = "Continue working on the remaining tasks.", nil }, "warn next-action.vague next_action"},
		"a decision":           {func(d *handoff.Document) { d.Decisions = append(d.Decisions, handoff.Item{What: "use sqlite"}) }, "warn reason.decision decisions[2]"},
		"a rejection":          {func(d *handoff.Document) { d.Rejected[0].Why = "  " }, "warn reason.rejected rejected[1]"},
		"a conversation":       {func(d *handoff.Document) { d.Constraints = item("keep the format as discussed") }, "warn text.conversation constraints[1]"},
		"in a reason":          {func(d *handoff.Document) { d.Rejected[0].Why = "see above" }, "warn text.conversation rejected[1].why"},
		"twenty lines":         {func(d *handoff.Document) { d.Summary = strings.Repeat("a line\n", 20) }, "warn text.log summary"},
		"nineteen lines":       {func(d *handoff.Document) { d.Summary = strings.Repeat("a line\n", 19) }, ""},
		"times":                {func(d *handoff.Document) { d.Summary = "12:00:01 a\n12:00:02 b\n[2026-03-02T12:00:03] c" }, "warn text.log summary"},
		"prompts":              {func(d *handoff.Document) { d.Summary = "$ make\n$ make test\n$ git push" }, "warn text.log summary"},
		"levels":               {func(d *handoff.Document) { d.Summary = "INFO a\nERROR b\nINFO c" }, "warn text.log summary"},
		"messages":             {func(d *handoff.Document) { d.Summary = `[{"role": "user", "content": "hi"}]` }, "warn text.runtime summary"},
		"a tool call":          {func(d *handoff.Document) { d.Done[0].Evidence = "toolu_01A09q90qw90lq917835lq9" }, "warn text.runtime done[1].evidence"},
		"a model":              {func(d *handoff.Document) { d.Constraints = item("use gpt-4o for the summaries of the tests") }, "warn text.runtime constraints[1]"},
		"a model as a subject": {func(d *handoff.Document) { d.Objective = "compare prices of gpt-4o" }, ""},
		"a home":               {func(d *handoff.Document) { d.Notes.ReviewerGuidance = "see /home/ada/x.txt" }, "warn text.home notes.reviewer_guidance"},
		"a secret":             {func(d *handoff.Document) { d.OpenRisks = item("the token " + token + " is out") }, "block text.secret open_risks[1]"},
		"a secret in the facts": {func(d *handoff.Document) {
			d.CommandsRun = &handoff.CommandsRun{Total: 1, Runs: []handoff.Run{{Command: "x"}, {Command: "curl", Output: token}}}
		}, "block text.secret commands_run.runs[2]"},
		"a person":         {func(d *handoff.Document) { d.Pending[0].Owner = "mette@example.org" }, "info text.personal pending[1].owner"},
		"no check":         {func(d *handoff.Document) { d.Uncertain[0].Check = "" }, "warn uncertain.check uncertain[1]"},
		"expired":          {func(d *handoff.Document) { d.Pending[0].Expires = handoff.TimeOf(moment) }, "warn pending.expired pending[1]"},
		"an expired task":  {func(d *handoff.Document) { d.Pending[0].Expires, d.Pending[0].Kind = handoff.TimeOf(moment), "task" }, ""},
		"a step in next":   {func(d *handoff.Document) { d.Pending[0].On = "runbook" }, ""},
		"no step":          {func(d *handoff.Document) { d.Pending[0].On = "" }, "warn pending.gate pending[1]"},
		"another step":     {func(d *handoff.Document) { d.Pending[0].On = "the deployment" }, "warn pending.gate pending[1]"},
		"a missing file":   {func(d *handoff.Document) {}, "block artifact.missing artifacts"},
		"too long a brief": {func(d *handoff.Document) { d.Summary = strings.Repeat("words and words. ", 500) }, "warn budget.brief brief"},
		"too many facts": {func(d *handoff.Document) {
			d.Findings = []handoff.Finding{{What: strings.Repeat("x", handoff.MaxFacts), Severity: handoff.Info}}
		}, "warn budget.facts facts"},
	} {
		t.Run(name, func(t *testing.T) {
			s := check.Subject{Doc: good(), Now: moment, Secret: findSecrets}
			test.change(s.Doc)
			if name == "a missing file" {
				s.Missing = []string{"data.csv"}
			}
			var got []string
			for _, i := range check.Document(s) {
				got = append(got, string(i.Severity)+" "+i.Rule+" "+i.Place)
				if i.What == "" || len(i.Mend) == 0 {
					t.Errorf("no text or no mend: %+v", i)
				}
				if strings.Contains(i.What+strings.Join(i.Mend, ""), token) {
					t.Errorf("tells the secret: %+v", i)
				}
			}
			if strings.Join(got, "; ") != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestVague(t *testing.T) {
	for next, want := range map[string]bool{
		"continue": true, "Continue.": true, "keep going": true, "fix bugs": true, "Fix the remaining issues": true, "finish the implementation": true, "work on the project": true,
		"TBD": true, "tests": true, "weitermachen": true, "继续": true, "see above": true, "continue with the rest of the tasks": true, "improve the code": true,
		"run make test": false, "fix the rounding in ledger.go": false, "make": true, "ledger_test.go:41": false, "continue with T-004 in board.go": false, "ask Mette for the key": false,
		"add a test for a negative rate in tests/test_flow.py, then run python3 -m unittest -q": false, "test the importer with dump 12": false, "./run.sh": false,
		"bake one test loaf and note the weight": false, "go on": true, "review PR 12": false,
	} {
		if got := check.Vague(next); got != want {
			t.Errorf("%q: vague is %v", next, got)
		}
	}
}

func TestCompleteness(t *testing.T) {
	full := good()
	full.LastKnownGood, full.Evidence = "0123", &handoff.Evidence{Kind: handoff.Verified, Command: "make test"}
	full.CommandsRun, full.Clean = &handoff.CommandsRun{Total: 1}, &handoff.Clean{OK: true}
	s := check.Completeness(full)
	of := 0
	for _, i := range s.Items {
		of += i.Of
		if i.Missing != "" {
			t.Errorf("of a full document %s: %s", i.Name, i.Missing)
		}
	}
	if s.Total != 100 || of != 100 {
		t.Errorf("a full document has %d of %d", s.Total, of)
	}
	empty := check.Completeness(handoff.New(handoff.Name{Branch: "b", Topic: "default"}))
	if empty.Total > 15 {
		t.Errorf("an empty document has %d", empty.Total)
	}
	for _, i := range empty.Items {
		if i.Points < i.Of && i.Missing == "" {
			t.Errorf("%s does not say what is missing", i.Name)
		}
	}
	full.Decisions = append(full.Decisions, handoff.Item{What: "x"}, handoff.Item{What: "y"})
	if got := check.Completeness(full).Total; got != 95 {
		t.Errorf("half of the decisions have a reason: %d, want 95", got)
	}
}

func TestCold(t *testing.T) {
	var questions []string
	for _, a := range check.Cold(good()) {
		questions = append(questions, a.Question)
		if !a.Answered() {
			t.Errorf("%s is unanswered", a.Question)
		}
	}
	if want := []string{"where", "settled", "waiting", "risky", "next"}; !slices.Equal(questions, want) {
		t.Errorf("questions: %q", questions)
	}
	for _, a := range check.Cold(handoff.New(handoff.Name{Branch: "b", Topic: "default"})) {
		if a.Answered() {
			t.Errorf("an empty document answers %s with %+v", a.Question, a.Fields)
		}
	}
}

func TestAdvice(t *testing.T) {
	for percent, want := range map[float64]string{0: "go on", 49.9: "go on", 50: "wrap up", 74: "wrap up", 75: "save now", 120: "save now"} {
		if got := check.Advice(percent); got != want {
			t.Errorf("%v: %s", percent, got)
		}
	}
}

// FuzzDocument holds that no text makes a rule fail, and that no issue tells more than a line.
func FuzzDocument(f *testing.F) {
	for _, s := range []string{"continue", "as above\n$ x\n$ y\n$ z", "use claude-3 with /home/x/y", "\x00\xff", strings.Repeat("(", 300)} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, next, what string) {
		d := handoff.New(handoff.Name{Branch: "b", Topic: "default"})
		d.NextAction = next
		d.Decisions, d.Uncertain = []handoff.Item{{What: what}}, []handoff.Item{{What: what}}
		for _, i := range check.Document(check.Subject{Doc: d, Now: moment, Secret: findSecrets}) {
			if strings.Contains(i.What, "\n") {
				t.Errorf("%s tells %q", i.Rule, i.What)
			}
		}
		check.Clean(&check.State{Added: added("a.py", next, what), Untracked: []string{"x" + next, "y" + what}})
	})
}
