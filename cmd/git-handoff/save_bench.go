package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"git-handoff/check"
	"git-handoff/check/secrets"
	"git-handoff/check/workbench"
	"git-handoff/gitstore"
	"git-handoff/gitstore/handoff"
)

// A masker takes secrets and home folders out of texts and counts what it masked.
type masker struct {
	on     bool
	allow  secrets.Allowed
	home   string
	masked int
}

func newMasker(config *gitstore.Config) *masker {
	m := &masker{on: config.Secrets, allow: secrets.Allowed{}}
	for _, f := range config.AllowSecret {
		m.allow[f] = true
	}
	m.home, _ = os.UserHomeDir()
	return m
}

// text is a text that may be stored. A NUL, which no document can hold, becomes a mark too.
func (m *masker) text(s string) string {
	s = strings.ReplaceAll(secrets.Home(s, m.home), "\x00", "\uFFFD")
	if !m.on {
		return s
	}
	s, n := secrets.Mask(s, m.allow)
	m.masked += n
	return s
}

// issues masks what issues say and how they are mended.
func (m *masker) issues(list []check.Issue) {
	for i := range list {
		list[i].What, list[i].Place = m.text(list[i].What), m.text(list[i].Place)
		list[i].Mend = slices.Clone(list[i].Mend)
		for j, mend := range list[i].Mend {
			list[i].Mend[j] = m.text(mend)
		}
	}
}

func (m *masker) args(list []string) []string {
	clean := make([]string, len(list))
	for i, s := range list {
		clean[i] = strings.ReplaceAll(secrets.Home(s, m.home), "\x00", "\uFFFD")
	}
	if !m.on {
		return clean
	}
	clean, n := secrets.MaskArgs(clean, m.allow)
	m.masked += n
	return clean
}

// said is what people are told of it; "" if nothing was masked.
func (m *masker) said() string {
	switch m.masked {
	case 0:
		return ""
	case 1:
		return "1 value that looks like a secret was masked"
	}
	return fmt.Sprintf("%d values that look like secrets were masked", m.masked)
}

// benchOptions say where the workbench lies, and keep secrets out of what is read of it.
func (d *desk) benchOptions(config *gitstore.Config, m *masker, since time.Time) workbench.Options {
	return workbench.Options{
		State: config.State, Board: config.Board, Verification: config.Verification, Review: config.Review, Feedback: config.Feedback,
		Own: d.ownLogs(), Since: since, Mask: m.text, MaskArgs: m.args,
	}
}

// bench reads the workbench of this worktree.
func (d *desk) bench(config *gitstore.Config, m *masker, since time.Time) (*workbench.Workbench, error) {
	return workbench.Read(d.repo.Place().TopLevel, d.benchOptions(config, m, since))
}

// fillAuthor takes from the state file what nobody told about who saves.
func (s *saving) fillAuthor() error {
	if !s.here || s.who.session != "" && s.who.actor != "" && s.who.turns != 0 {
		return nil
	}
	m := newMasker(s.config)
	state, err := workbench.ReadState(s.repo.Place().TopLevel, s.benchOptions(s.config, m, time.Time{}))
	if err != nil {
		return err
	}
	session := m.text(state.Session)
	if s.who.session == "" || s.who.session == session {
		s.who.session = session
		if s.who.turns == 0 {
			s.who.turns = state.Turns
		}
	}
	if s.who.actor == "" {
		s.who.actor = m.text(state.Actor)
	}
	return nil
}

// readBench reads the workbench for the version that follows prev. Edit may ask for several; only a log that is read
// from another moment on is read again.
func (s *saving) readBench(ctx context.Context, prev *gitstore.Version) error {
	if !s.here {
		return nil
	}
	since, err := s.othersLastSave(ctx, prev)
	if err != nil || s.workbench != nil && since.Equal(s.since) {
		return err
	}
	s.masks = newMasker(s.config)
	s.since = since
	s.workbench, err = s.bench(s.config, s.masks, since)
	return err
}

// othersLastSave is when another session than this one last wrote the brief: the commands up to then are its. Zero where
// that is not known, as where either of the two has no name.
func (s *saving) othersLastSave(ctx context.Context, prev *gitstore.Version) (time.Time, error) {
	if s.who.session == "" || prev == nil {
		return time.Time{}, nil
	}
	history, err := s.history(ctx, prev)
	if err != nil {
		return time.Time{}, err
	}
	for _, v := range history {
		m := v.Message
		if m.Event == handoff.EventSave && m.Session != "" && m.Session != s.who.session {
			if !m.Saved.IsZero() {
				return m.Saved.Std(), nil
			}
			return v.Committer.When, nil
		}
	}
	return time.Time{}, nil
}

// history are the latest versions up to prev, newest first.
func (s *saving) history(ctx context.Context, prev *gitstore.Version) ([]gitstore.Version, error) {
	const enough = 50
	if prev == nil {
		return nil, nil
	}
	if s.past == nil || s.past[0].OID != prev.OID {
		past, err := s.repo.History(ctx, prev.OID, enough)
		if err != nil {
			return nil, err
		}
		s.past = past
	}
	return s.past, nil
}

// sayBench says what is wrong with the workbench, with file and line, and what was masked, whatever became of the save.
func (s *saving) sayBench() {
	if s.workbench == nil {
		return
	}
	for _, line := range benchProblems(s.workbench) {
		s.say(line)
	}
	if said := s.masks.said(); said != "" {
		s.say(said)
	}
}

// maxProblems is how many problems of the workbench are told one by one.
const maxProblems = 20

// benchProblems are the problems of a workbench, one line each, and the files that only look like boards.
func benchProblems(w *workbench.Workbench) []string {
	var lines []string
	for _, p := range w.Problems {
		where := filepath.ToSlash(p.File)
		if p.Line > 0 {
			where = fmt.Sprintf("%s:%d:", where, p.Line)
		}
		lines = append(lines, where+" "+p.What)
	}
	for _, b := range w.Boards {
		if b.Readable && !b.Recognised {
			lines = append(lines, b.Path+" is no board that is known ("+b.What+"); it was left out")
		}
	}
	if more := len(lines) - maxProblems; more > 0 {
		lines = append(lines[:maxProblems], fmt.Sprintf("and %d more problems of the workbench: git handoff check lists them", more))
	}
	return lines
}
