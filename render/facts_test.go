package render

import (
	"testing"

	"git-handoff/gitstore/handoff"
)

func textOf(ph phrase) string { return flatten(ph).text }

func TestEvidenceInWords(t *testing.T) {
	tests := []struct {
		in   *handoff.Evidence
		want string
	}{
		{nil, "no evidence is recorded"},
		{&handoff.Evidence{Kind: handoff.Verified, Command: "make gate", Exit: ptr(0), By: "ada", At: at("2026-03-04T10:00:00Z")}, "verified with make gate, exit 0, by ada, 1 day ago"},
		{&handoff.Evidence{Kind: handoff.Verified}, "verified"},
		{&handoff.Evidence{Kind: handoff.Asserted, By: "ada", Why: "tried by hand"}, "asserted, by ada: tried by hand (no command has verified it)"},
		{&handoff.Evidence{Kind: handoff.Assumed}, "assumed: it is where the branch forked, and no commit since has evidence"},
		{&handoff.Evidence{Kind: "hoped"}, "hoped"},
	}
	p := page{View: small(), ages: true}
	for _, test := range tests {
		if got := textOf(p.evidence(test.in)); got != test.want {
			t.Errorf("%+v: %q, want %q", test.in, got, test.want)
		}
	}
}

func TestVerificationInWords(t *testing.T) {
	tests := []struct {
		passed *bool
		want   string
		risk   bool
	}{
		{ptr(true), "the verification passed: v.json", false}, {ptr(false), "the verification is failing: v.json", true},
		{nil, "the verification does not say that it passed: v.json", true},
	}
	for _, test := range tests {
		v := small()
		v.Doc.VerdictPointer = &handoff.VerdictPointer{Verification: &handoff.Verification{Path: "v.json", Passed: test.passed}}
		p := page{View: v}
		if got := textOf(p.verdicts().entries[0].text); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
		if risks := p.risks().entries; (len(risks) == 1) != test.risk {
			t.Errorf("%s: %d risks", test.want, len(risks))
		}
		v.Doc.Findings = []handoff.Finding{{What: "acceptance failed", Severity: handoff.Block, Source: "v.json"}}
		if risks := (page{View: v}).risks().entries; len(risks) != 1 || textOf(risks[0].text) != "block: acceptance failed" {
			t.Errorf("%s: a finding about the same file stands beside it: %d risks", test.want, len(risks))
		}
	}
}

func TestResultInWords(t *testing.T) {
	tests := []struct {
		in   handoff.Run
		want string
	}{
		{handoff.Run{Exit: ptr(int64(0))}, "exit 0"}, {handoff.Run{Exit: ptr(int64(-1))}, "exit -1"},
		{handoff.Run{Failed: "killed"}, "failed"}, {handoff.Run{}, "result unknown"},
	}
	for _, test := range tests {
		if got := result(test.in); got.text != test.want || (got.as == good) != (test.want == "exit 0") {
			t.Errorf("%+v: %+v, want %q", test.in, got, test.want)
		}
	}
}

func TestSummary(t *testing.T) {
	tests := []struct{ written, generated, title, want string }{
		{"written", "from commits", "", "written"}, {"", "from commits", "generated", "from commits"},
		{"3 commits (generated)", "other", "generated", "3 commits"}, {"", "", "generated", "2 commits on this branch, 1 file changed."},
	}
	for _, test := range tests {
		v := small()
		v.Summary, v.Doc.Summary, v.Doc.Commits, v.Doc.ChangedFiles.Total = test.generated, test.written, 2, 1
		s := page{View: v}.summary()
		if s.gloss != test.title || textOf(s.entries[0].text) != test.want {
			t.Errorf("%+v: (%s) %q", test, s.gloss, textOf(s.entries[0].text))
		}
	}
}
