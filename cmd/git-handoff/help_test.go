package main

import (
	"bytes"
	"strings"
	"testing"
)

// TestHelpHasExamples asks every command that people call for its help.
func TestHelpHasExamples(t *testing.T) {
	t.Parallel()
	called := map[string]bool{"hook": true, "complete": true} // by installed hooks and completion scripts alone
	for _, c := range commands() {
		if called[c.Name] {
			continue
		}
		var out, err bytes.Buffer
		status := run(t.Context(), []string{"git-handoff", c.Name, "-h"}, streams{in: strings.NewReader(""), out: &out, err: &err})
		if status != exitOK || !strings.Contains(out.String(), "  git handoff "+c.Name) {
			t.Errorf("git handoff %s -h ends with %d and shows no example:\n%s%s", c.Name, status, &out, &err)
		}
	}
}
