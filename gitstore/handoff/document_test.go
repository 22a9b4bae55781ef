package handoff

import (
	"reflect"
	"strings"
	"testing"
	"time"
)

// richDocument has something under every key.
func richDocument() *Document {
	at := TimeOf(time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC))
	oid := strings.Repeat("4f", 20)
	one := 1
	three := int64(3)
	passed := false
	d := New(Name{"feat/login", "default"})
	d.Brief = Brief{
		Objective: "customers can sign in", Progress: InProgress,
		Summary:    "The form works.\n\n  - the mail is sent\nThe token is not checked yet 🚢.\n",
		NextAction: "check the token in login.go", Next: []Item{{What: "write the test"}, {What: "no"}},
		Constraints:    []Item{{What: "no new dependency"}},
		Decisions:      []Item{{What: "tokens live 10 minutes", Why: "support asked for it", At: at}},
		Rejected:       []Item{{What: "magic links", Why: "mail takes too long"}},
		Done:           []Item{{What: "sent the form to the translators", Effect: EffectExternal, Evidence: "ticket 12", By: "ann", At: at}},
		Uncertain:      []Item{{What: "refund submitted", Kind: "submitted", Why: "timed out", Check: "ask the ledger", Replay: ReplayNever, Ref: "r-1", Owner: "bob", At: at}},
		Pending:        []Item{{What: "approval of the text", Kind: "approval", Owner: "legal", Since: at, Expires: at, On: "write the test"}},
		Open:           []Item{{What: "which languages?", For: "human", On: "write the test"}},
		FailedAttempts: []Item{{What: "the old mailer", Why: "no TLS"}},
		OpenRisks:      []Item{{What: "rate limit", Severity: Warn}},
		Assumptions:    []Item{{What: "the clock is right"}},
		Artifacts:      []Item{{What: "plan", Kind: "file", Ref: "docs/plan.md", Required: true}},
		Notes: Notes{Interpretation: "a", BusinessContext: "b", EscalationReason: "c",
			DoNotRepeat: []Item{{What: "do not mail customers"}}, ReviewerGuidance: "d"},
		RunID: "r-7", CheckpointID: "1", TaskID: "T-1",
	}
	d.Observed = Observed{LastKnownGood: oid, Head: oid, Base: oid, Commits: 2,
		ChangedFiles: ChangedFiles{Total: 1, Files: []ChangedFile{{Path: "b.go", Change: Renamed, From: "a.go"}}},
		Evidence:     &Evidence{Kind: Verified, Command: "go test ./...", Exit: new(int), At: at, By: "ann"}}
	d.Recorded = Recorded{
		Worktree: &Worktree{Operation: "rebase", Onto: "main", Step: "1 of 3", Unmerged: []string{"x"}, Modified: []ChangedFile{{Path: "y", Change: Modified}},
			Untracked: []string{"z"}, Stashes: []string{"stash@{0}: wip"}, Omitted: 1},
		CommandsRun: &CommandsRun{Total: 9, Failed: 1, Unknown: 1, Omitted: 1, OmittedFailed: 1, Log: &Log{Path: "feedback_record.jsonl", Digest: "00"},
			Runs: []Run{{Command: "make", Exit: &three, At: at, MS: 5, Times: 2, Output: "x\ny\n"}, {Command: "sleep 9", Failed: "timeout"}}},
		VerdictPointer:  &VerdictPointer{Verification: &Verification{Path: "v", Digest: "0", Passed: &passed}, Review: &Review{Path: "r", Digest: "0", Verdict: "hard_fail", Total: "8/10"}},
		Findings:        []Finding{{What: "a gate failed", Severity: Block, Source: "v"}},
		ArtifactDigests: map[string]string{"docs/plan.md": "00", strings.Repeat("long/", 250): "01"},
		Clean:           &Clean{OK: false, Allowed: "auto", Issues: []CleanIssue{{Check: "tree", What: "y is modified", Severity: Block}}},
	}
	d.Evidence.Exit = &one
	d.Supersedes, d.SupersededBy = []Link{{Handoff: "a/default", Version: oid}}, &Link{Handoff: "b/default"}
	d.Claim = &Claim{By: "s-1", At: at, Until: at}
	d.Provenance = Provenance{Session: "s-1", ProducedBy: "ann", Turns: 3, SavedAt: at, RefreshedAt: at, Tool: "git-handoff 1.0"}
	return d
}

// TestRichDocumentIsRich keeps richDocument and the tables honest: every key of the document is in Keys, and is used.
func TestRichDocumentIsRich(t *testing.T) {
	t.Parallel()
	fields := fieldsOf(reflect.TypeFor[Document]())
	if len(fields) != len(Keys) {
		t.Errorf("the document has %d keys, the table %d", len(fields), len(Keys))
	}
	v := reflect.ValueOf(*richDocument())
	for i, f := range fields {
		if Keys[i].Name != f.key {
			t.Errorf("key %d is %s, in the table %s", i, f.key, Keys[i].Name)
		}
		if empty(v.FieldByIndex(f.index)) {
			t.Errorf("%s is empty", f.key)
		}
	}
}

// TestOwners holds the table's owners against the four structs.
func TestOwners(t *testing.T) {
	t.Parallel()
	for owner, part := range map[Owner]reflect.Type{
		OwnerLedger: reflect.TypeFor[Ledger](), OwnerObserved: reflect.TypeFor[Observed](),
		OwnerRecorded: reflect.TypeFor[Recorded](), OwnerBrief: reflect.TypeFor[Brief](),
	} {
		for _, f := range fieldsOf(part) {
			if k, _ := KeyOf(f.key); k.Owner != owner {
				t.Errorf("%s is %s's, in the table %s's", f.key, owner, k.Owner)
			}
		}
	}
}

func TestEncodeGolden(t *testing.T) {
	t.Parallel()
	data, err := Encode(richDocument())
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "rich.yaml", data)
}
