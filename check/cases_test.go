package check_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"git-handoff/check/secrets"
	"git-handoff/check/workbench"
)

// masked reads a workbench as a save does: everything masked, home folders shortened, and what was masked counted.
func masked(t *testing.T, dir string) (*workbench.Workbench, int) {
	t.Helper()
	n := 0
	w, err := workbench.Read(dir, workbench.Options{
		Mask: func(s string) string {
			s, k := secrets.Mask(s, nil)
			n += k
			return secrets.Home(s, "")
		},
		MaskArgs: func(args []string) []string {
			args, k := secrets.MaskArgs(args, nil)
			n += k
			return args
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return w, n
}

// The tokens are put together here, so that no file holds one.
func TestCaseSecrets(t *testing.T) {
	a36, sha := "abcdEFGHijklMNOPqrstUVWXyz0123456789", "1f0c5a2e9b"+strings.Repeat("4d", 15)
	fill := strings.NewReplacer("@GHP@", "gh"+"p_"+a36, "@AKIA@", "AK"+"IAIOSFODNN7EXAMPLE", "@SK@", "s"+"k-proj-"+a36,
		"@XOX@", "xo"+"xb-111111111111-222222222222-abcdefABCDEF", "@SHA@", sha)
	dir := t.TempDir()
	for _, name := range []string{"agent_state.json", "feedback_record.jsonl"} {
		text, err := os.ReadFile(filepath.Join("testdata", "12-secrets", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(fill.Replace(string(text))), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	w, n := masked(t, dir)
	all, err := json.MarshalIndent(w, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"p_abcdEFGHijkl", "IOSFODNN7EXAMPLE", "hunter2-example", "-proj-abcdEFGH", "b-111111111111", "/home/mette"} {
		if strings.Contains(string(all), secret) {
			t.Errorf("%s is left in %s", secret, all)
		}
	}
	for _, kept := range []string{sha, "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
		"docs/GATE-DOCTRINE-2026.md", "replace [masked:github-token] in the key store, then run make upload", "AWS_ACCESS_KEY_ID=[masked:aws-access-key] make upload",
		"Authorization: Bearer [masked:github-token]", "401 for token [masked:github-token]", `~/work/gate/gate.txt`} {
		if !strings.Contains(string(all), kept) {
			t.Errorf("%s is not in %s", kept, all)
		}
	}
	if w.Feedback.Failed != 6 || n != 7 {
		t.Errorf("%d commands failed, %d values were masked", w.Feedback.Failed, n)
	}
}
