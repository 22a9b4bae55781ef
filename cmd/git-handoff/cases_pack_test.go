package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A packet is what the public workbench packs at the end of a session, and what show --format packet writes.
type packet struct {
	Summary        string       `json:"summary"`
	ChangedFiles   []string     `json:"changed_files"`
	CommandsRun    []string     `json:"commands_run"`
	FailedAttempts []string     `json:"failed_attempts"`
	OpenRisks      []packetRisk `json:"open_risks"`
	FeedbackTail   []struct {
		Command  string `json:"command"`
		ExitCode *int   `json:"exit_code"`
		Error    string `json:"error"`
	} `json:"feedback_tail"`
	Timestamp *float64 `json:"timestamp"`
}

type packetRisk struct {
	Severity string `json:"severity"`
	Detail   string `json:"detail"`
}

// failing are the commands that a reader learns to have failed: the pack's as lines, ours as records.
func (p packet) failing() []string {
	all := slices.Clone(p.FailedAttempts)
	for _, f := range p.FeedbackTail {
		if f.Error != "" || f.ExitCode != nil && *f.ExitCode != 0 {
			all = append(all, f.Command)
		}
	}
	return all
}

// packFaults are the faults of the public workbench's own packet that EXPECT.md of case 04 names. Each is found in that
// packet, so that the comparison can fail, and must not be found in ours.
var packFaults = []struct {
	name string
	has  func(packet) bool
}{
	{"commands are lists of another language", func(p packet) bool {
		return slices.ContainsFunc(append(p.CommandsRun, p.failing()...), func(s string) bool { return strings.HasPrefix(s, "['") })
	}},
	{"a command without an exit code is not among the failures", func(p packet) bool {
		all := strings.Join(p.failing(), "\n")
		return !strings.Contains(all, "no-such-tool-xyz") || !strings.Contains(all, "time.sleep(5)")
	}},
	{"every success is listed", func(p packet) bool { return len(p.CommandsRun) > 30 }},
	{"no changed files, although git has two", func(p packet) bool { return !slices.Equal(p.ChangedFiles, []string{"README.md", "lantern/flow.py"}) }},
	{"the gate is a flag in a sentence", func(p packet) bool { return strings.Contains(p.Summary, "gate=False") }},
	{"the risks do not say that the verification fails", func(p packet) bool {
		return !slices.ContainsFunc(p.OpenRisks, func(r packetRisk) bool {
			return strings.Contains(r.Detail, "the verification is failing")
		})
	}},
	{"a blocker only warns", func(p packet) bool {
		return slices.ContainsFunc(p.OpenRisks, func(r packetRisk) bool {
			return strings.Contains(r.Detail, "waiting for the rounding decision") && r.Severity != "block"
		})
	}},
	{"it differs each time, by the time it was made", func(p packet) bool { return p.Timestamp != nil }},
}

func TestCase04BesideThePack(t *testing.T) {
	s := newStory(t, "04-pack-run-failing")
	own := filepath.Join(s.dir, "outputs", "handoff", "pack-own", "handoff.json")
	before, err := os.ReadFile(own)
	if err != nil {
		t.Fatal(err)
	}
	s.save("--allow-unclean", "the test for a negative rate is not written")
	var theirs, ours packet
	if err := json.Unmarshal(before, &theirs); err != nil {
		t.Fatal(err)
	}
	text := s.show("packet")
	if err := json.Unmarshal([]byte(text), &ours); err != nil {
		t.Fatal(err)
	}
	for _, f := range packFaults {
		if !f.has(theirs) {
			t.Errorf("the pack's packet does not have the fault: %s", f.name)
		}
		if f.has(ours) {
			t.Errorf("ours has the fault: %s", f.name)
		}
	}
	if again := s.show("packet"); again != text {
		t.Error("the same handoff gives another packet")
	}
	md := s.show("md")
	for _, mark := range []string{"modified `tests/test_flow.py`", "gate=False"} {
		if strings.Contains(md, mark) {
			t.Errorf("the page says %q", mark)
		}
	}
	for _, want := range []string{"the verification is failing", "timeout after 1.0s", "No such file or directory", "modified `README.md`", "modified `lantern/flow.py`"} {
		if !strings.Contains(md, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if after, _ := os.ReadFile(own); string(after) != string(before) {
		t.Error("the pack's packet was written to")
	}
}
