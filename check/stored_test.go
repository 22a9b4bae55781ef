package check_test

import (
	"fmt"
	"strings"
	"testing"

	"git-handoff/check/secrets"
	"git-handoff/gitstore/handoff"
)

// TestSecretsInStoredBytes holds that what must not be pushed is found in a document as it is stored, wherever it
// stands and however YAML writes it.
func TestSecretsInStoredBytes(t *testing.T) {
	token := "gh" + "p_abcdEFGHijklMNOPqrstUVWXyz0123456789"
	var key strings.Builder
	for i := range 12 {
		fmt.Fprintf(&key, "%s%02d\n", strings.Repeat("Qx7Kd9LmZ2", 6), i)
	}
	pem := "-----BEGIN RSA PRIV" + "ATE KEY-----\n" + key.String() + "-----END RSA PRIV" + "ATE KEY-----"
	for name, secret := range map[string]string{
		"a token": token, "in a line": "export TOKEN=" + token + " && make", "behind a tab": "\t" + token + "\nb\n", "in quotes": `"` + token + `": '` + token + `'`,
		"a key": pem, "a key in a text": "the key is\n\n" + pem + "\n\nand more", "an address": "postgres://ada:" + "correcthorse9@db.example.org/x",
	} {
		t.Run(name, func(t *testing.T) {
			count := 0
			for place, put := range places {
				d := good()
				put(d, secret)
				data, err := handoff.Encode(d)
				if err != nil {
					t.Fatalf("%s: %v", place, err)
				}
				if hits := secrets.Find(string(data)); len(hits) == 0 {
					t.Errorf("%s: nothing is found in\n%s", place, data)
				}
				count++
			}
			if count < 12 {
				t.Errorf("only %d places were tried", count)
			}
		})
	}
	data, err := handoff.Encode(good())
	if err != nil {
		t.Fatal(err)
	}
	if hits := secrets.Find(string(data)); len(hits) > 0 {
		t.Errorf("found in a document without one: %+v", hits)
	}
}

// places put a text where a document can hold one.
var places = map[string]func(*handoff.Document, string){
	"next_action":  func(d *handoff.Document, s string) { d.NextAction = s },
	"summary":      func(d *handoff.Document, s string) { d.Summary = s },
	"a plain item": func(d *handoff.Document, s string) { d.Constraints = []handoff.Item{{What: s}} },
	"an item":      func(d *handoff.Document, s string) { d.Decisions[0].What = s },
	"a reason":     func(d *handoff.Document, s string) { d.Decisions[0].Why = s },
	"a ref":        func(d *handoff.Document, s string) { d.Uncertain[0].Ref = s },
	"an artifact":  func(d *handoff.Document, s string) { d.Artifacts = handoff.Artifacts{{What: s, Kind: "file"}} },
	"a note":       func(d *handoff.Document, s string) { d.Notes.DoNotRepeat = []handoff.Item{{What: s}} },
	"a command": func(d *handoff.Document, s string) {
		d.CommandsRun = &handoff.CommandsRun{Total: 1, Runs: []handoff.Run{{Command: s}}}
	},
	"an output": func(d *handoff.Document, s string) {
		d.CommandsRun = &handoff.CommandsRun{Total: 1, Runs: []handoff.Run{{Command: "make", Output: s}}}
	},
	"a finding": func(d *handoff.Document, s string) {
		d.Findings = []handoff.Finding{{What: s, Severity: handoff.Warn, Source: "x"}}
	},
	"a path": func(d *handoff.Document, s string) { d.Worktree = &handoff.Worktree{Untracked: []string{s}} },
	"a changed file": func(d *handoff.Document, s string) {
		d.ChangedFiles = handoff.ChangedFiles{Total: 1, Files: []handoff.ChangedFile{{Path: s, Change: handoff.Added}}}
	},
	"evidence":  func(d *handoff.Document, s string) { d.Evidence = &handoff.Evidence{Kind: handoff.Asserted, Why: s} },
	"allowed":   func(d *handoff.Document, s string) { d.Clean = &handoff.Clean{Allowed: s} },
	"a session": func(d *handoff.Document, s string) { d.Provenance.Session = s },
}
