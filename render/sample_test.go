package render

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"git-handoff/gitstore/handoff"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares what was rendered with a file under testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (write it with go test ./render -update)", err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("%s is not what was rendered (-want +got):\n%s", path, d)
	}
}

var now = time.Date(2026, 3, 5, 10, 0, 0, 0, time.UTC)

func at(s string) handoff.Time {
	t, err := handoff.ParseTime(s)
	if err != nil {
		panic(err)
	}
	return t
}

func ptr[T any](v T) *T { return &v }

const (
	oidA = "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d"
	oidB = "b0b1b2b3b4b5b6b7b8b9babbbcbdbebfc0c1c2c3"
	oidC = "c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00"
)

// full is a view with something in every field of the document.
func full() View {
	return View{
		Doc: &handoff.Document{Ledger: fullLedger(), Observed: fullObserved(), Recorded: fullRecorded(), Brief: fullBrief()},
		OID: oidA, When: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC), Message: handoff.Message{Event: handoff.EventResume, Actor: "eve"}, Now: now, BriefCommits: 5,
		Notes: []string{"the branch has 2 commits more than this handoff knows"},
		Remotes: []Remote{
			{Name: "origin", State: Ahead, Ahead: 2}, {Name: "backup", State: NotPushed}, {Name: "fork", State: Diverged, Ahead: 1, Behind: 3},
			{Name: "mirror", State: There}, {Name: "old", State: Behind, Behind: 1}, {Name: "new", State: Unfetched},
		},
	}
}

func fullLedger() handoff.Ledger {
	return handoff.Ledger{
		Version: 1, Branch: "feature/login", Topic: "default", Status: handoff.Superseded,
		Supersedes:   []handoff.Link{{Handoff: "feature/login/spike", Version: oidB}},
		SupersededBy: &handoff.Link{Handoff: "feature/login/second-try", Version: oidC},
		Claim:        &handoff.Claim{By: "bob", At: at("2026-03-05T09:00:00Z"), Until: at("2026-03-05T11:00:00Z")},
		Provenance: handoff.Provenance{Session: "s-12", ProducedBy: "ada", Turns: 40, SavedAt: at("2026-03-02T09:00:00Z"),
			RefreshedAt: at("2026-03-04T10:00:00Z"), Tool: "git-handoff 1.0.0"},
	}
}

func fullObserved() handoff.Observed {
	return handoff.Observed{
		LastKnownGood: oidB, Head: oidA, Base: oidC, Commits: 5,
		ChangedFiles: handoff.ChangedFiles{Total: 7, Files: []handoff.ChangedFile{
			{Path: "auth/token.go", Change: handoff.Modified}, {Path: "new name.txt", Change: handoff.Renamed, From: "old name/file one.txt"},
			{Path: "blåbær/ærlig.txt", Change: handoff.Added}, {Path: "tab\there\nnewline|bar`tick", Change: handoff.Deleted},
			{Path: "run.sh", Change: handoff.ModeChanged},
		}},
		Evidence: &handoff.Evidence{Kind: handoff.Verified, Command: "make gate", Exit: ptr(0), At: at("2026-03-02T08:30:00Z"), By: "ada"},
	}
}

func fullRecorded() handoff.Recorded {
	return handoff.Recorded{
		Worktree: &handoff.Worktree{Operation: "rebase", Onto: "main", Step: "1 of 3", Unmerged: []string{"clock.txt"},
			Modified:  []handoff.ChangedFile{{Path: "auth/token.go", Change: handoff.Modified}},
			Untracked: []string{"HANDOFF.md"}, Stashes: []string{"On feature/login: half of the cache"}, Omitted: 2},
		CommandsRun: &handoff.CommandsRun{Total: 14, Failed: 3, Unknown: 1, Omitted: 8, OmittedFailed: 1,
			Log: &handoff.Log{Path: "feedback_record.jsonl", Digest: oidA},
			Runs: []handoff.Run{
				{Command: "make gate", Exit: ptr(int64(2)), At: at("2026-03-02T08:50:00Z"), MS: 1530, Times: 2, Output: "--- FAIL: TestToken\n    token_test.go:12: got 2, want 3\nFAIL"},
				{Command: "go test ./slow", Failed: "timed out after 10m"},
				{Command: "npm audit"},
				{Command: "go build ./...", Exit: ptr(int64(0)), MS: 900},
			}},
		VerdictPointer: &handoff.VerdictPointer{
			Verification: &handoff.Verification{Path: "outputs/verification/gate.json", Digest: oidA, Passed: ptr(false)},
			Review:       &handoff.Review{Path: "outputs/review.md", Digest: oidB, Verdict: "changes requested", Total: "7/10"}},
		Findings: []handoff.Finding{{What: "two acceptance checks were never run", Severity: handoff.Warn, Source: "outputs/review.md"},
			{What: "the state file names another branch", Severity: handoff.Block, Source: "agent_state.json"}},
		ArtifactDigests: map[string]string{"docs/plan.md": oidA},
		Clean: &handoff.Clean{Allowed: "the rebase needs a decision first", Issues: []handoff.CleanIssue{
			{Check: "temp", What: "debug print in auth/token.go:40", Severity: handoff.Warn},
			{Check: "tree", What: "a rebase is half done", Severity: handoff.Block}}},
	}
}

func fullBrief() handoff.Brief {
	return handoff.Brief{
		Objective: "Log in with tokens that expire.\n\nOld sessions have to go on working until the first of April.", Progress: handoff.Blocked,
		Summary: "The token type is there and tested; the store is half moved.", NextAction: "Run make gate and mend TestToken",
		Next:        []handoff.Item{{What: "move the store"}, {What: "write the migration"}},
		Constraints: []handoff.Item{{What: "no new dependency"}},
		Decisions:   []handoff.Item{{What: "tokens are opaque", Why: "they can be revoked", At: at("2026-03-01T12:00:00Z")}},
		Rejected:    []handoff.Item{{What: "JWT", Why: "cannot be revoked"}},
		Done: []handoff.Item{{What: "sent the announcement"}, {What: "token type", Effect: handoff.EffectLocal, Evidence: "go test ./auth", By: "ada", At: at("2026-03-01T15:00:00Z")},
			{What: "key rotated", Effect: handoff.EffectExternal}, {What: "read the old code", Effect: handoff.EffectNone}},
		Uncertain: []handoff.Item{{What: "refund 4711 submitted", Kind: "timed-out", Why: "the gateway closed the connection", Check: "ask the ledger for 4711", Ref: "idem-4711", Owner: "ada", At: at("2026-03-02T07:00:00Z")},
			{What: "index rebuilt", Kind: "submitted", Replay: handoff.ReplayAfterCheck, Check: "\\d tokens"},
			{What: "cache warmed", Replay: handoff.ReplaySafe}, {What: "mail queued", Replay: handoff.ReplayNever}},
		Pending: []handoff.Item{{What: "security sign-off", Kind: "approval", Owner: "sec-team", Since: at("2026-03-01T09:00:00Z"), Expires: at("2026-03-04T09:00:00Z")},
			{What: "staging database", Kind: "external", On: "write the migration", Expires: at("2026-03-05T12:00:00Z")}},
		Open:           []handoff.Item{{What: "keep the old cookie?", For: "human", On: "move the store"}, {What: "which hash?", For: "agent"}, {What: "logging?"}},
		FailedAttempts: []handoff.Item{{What: "in-memory store", Why: "two processes"}},
		OpenRisks:      []handoff.Item{{What: "clock skew"}, {What: "the vendor's API changes in April", Severity: handoff.Info}, {What: "data loss if the migration runs twice", Severity: handoff.Block}},
		Assumptions:    []handoff.Item{{What: "all clients send UTF-8"}},
		Artifacts:      []handoff.Item{{What: "plan", Kind: "file", Ref: "docs/plan.md", Required: true}, {What: "ticket", Kind: "url", Ref: "https://tracker.example/T-1"}, {What: "idea"}},
		Notes: handoff.Notes{Interpretation: "expire means server side", BusinessContext: "audit in May", EscalationReason: "more than a day lost",
			DoNotRepeat: []handoff.Item{{What: "the announcement"}}, ReviewerGuidance: "start with auth/token.go"},
		RunID: "r-1", CheckpointID: "c-9", TaskID: "T-003",
	}
}

// small is a view with as little as a document can have.
func small() View {
	return View{Doc: &handoff.Document{
		Ledger: handoff.Ledger{Version: 1, Branch: "main", Topic: "default", Status: handoff.Active},
		Brief:  handoff.Brief{NextAction: "write the first test"},
	}, Now: now, BriefCommits: -1}
}
