package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"git-handoff/gitstore"
	"git-handoff/gitstore/handoff"
)

const editorHelp = `# The whole brief of %s. What you delete here is gone from the handoff.
# Lines that start with '#' are comments. An empty file saves nothing.
# Keys: objective, progress (in_progress, blocked, done), summary, next_action (required), next,
# constraints, decisions, rejected, done, uncertain, pending, open, failed_attempts, open_risks,
# assumptions_to_validate, artifacts, notes, run_id, checkpoint_id, task_id.

`

// fromEditor has the user write the whole brief, starting from the kept input or from the brief as it is.
func (in *input) fromEditor(ctx context.Context, s *saving) error {
	text := in.Text
	if text == nil {
		in.Whole = true
		var err error
		if text, err = s.briefText(ctx); err != nil {
			return err
		}
	}
	path := filepath.Join(s.repo.Place().GitDir, "HANDOFF_EDIT.yaml")
	start := append([]byte(strings.ReplaceAll(editorHelp, "%s", s.name.String())), text...)
	if err := os.WriteFile(path, start, 0o600); err != nil {
		return err
	}
	defer os.Remove(path)
	editor, err := s.repo.Editor(ctx, path)
	if err != nil {
		return err
	}
	result, err := gitstore.Command{Argv: editor, Stdin: s.in, Stdout: s.out, Stderr: s.err, Shared: true}.Run()
	if err != nil || result.Exit != 0 {
		return trouble(exitFailure, "the editor ended with status %d; nothing was saved", result.Exit)
	}
	return in.take(path, start)
}

// take reads what the editor left.
func (in *input) take(path string, start []byte) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if len(bytes.TrimSpace(uncommented(data))) == 0 {
		return trouble(exitFailure, "the brief was left empty; nothing was saved")
	}
	in.File, in.Text, in.Shape = "the edited brief", data, ""
	return nil
}

func uncommented(data []byte) []byte {
	var kept []byte
	for line := range bytes.Lines(data) {
		if !bytes.HasPrefix(line, []byte("#")) {
			kept = append(kept, line...)
		}
	}
	return kept
}

// briefText is the brief as it is, in YAML; a skeleton where there is none.
func (s *saving) briefText(ctx context.Context) ([]byte, error) {
	tip, err := s.repo.Tip(ctx, s.name)
	if errors.Is(err, gitstore.ErrNoHandoff) {
		return []byte("next_action: ''\n"), nil
	}
	if err != nil {
		return nil, err
	}
	doc, err := s.repo.Document(ctx, tip)
	if err != nil || doc.Status == handoff.Archived {
		return []byte("next_action: ''\n"), err
	}
	return handoff.EncodeBrief(&doc.Brief)
}
