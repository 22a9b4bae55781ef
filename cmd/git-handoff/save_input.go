package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"git-handoff/gitstore/handoff"
)

// input is what an author gave to a save, in the form in which a refused one is kept.
type input struct {
	Flags map[string][]string `json:"flags,omitempty"`
	File  string              `json:"file,omitempty"`
	Shape string              `json:"shape,omitempty"`
	Text  []byte              `json:"text,omitempty"`
	// Whole tells that Text, written in an editor, is the whole brief.
	Whole bool `json:"whole,omitempty"`

	edit bool
}

// given reports whether the author gave anything.
func (in input) given() bool { return len(in.Flags) > 0 || in.Text != nil }

// readInput collects what the command line names, without understanding it yet.
func readInput(c *cli.Context, d *desk) (input, error) {
	in := input{Flags: flagWords(c), Shape: c.String("from"), edit: c.Bool("edit")}
	if file := c.String("file"); c.IsSet("file") {
		var err error
		if in.File, in.Text, err = readFile(file, d.in); err != nil {
			return in, err
		}
	}
	if in.edit && in.Text != nil {
		return in, badUsage("--edit and -f both give the whole input; take one of them")
	}
	if c.Bool("retry") {
		return d.refused(c.Context, in)
	}
	return in, nil
}

// readFile reads a file of at most the size that a brief may have, and one byte more to tell that it is larger.
func readFile(name string, stdin io.Reader) (shown string, data []byte, err error) {
	from, shown := stdin, "standard input"
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return name, nil, badUsage("%s cannot be read: %s", name, cause(err)).hint("git handoff save -f FILE reads a brief in YAML or JSON")
		}
		defer f.Close()
		from, shown = f, name
	}
	data, err = io.ReadAll(io.LimitReader(from, handoff.MaxInput+1))
	if err != nil {
		return shown, nil, badUsage("%s cannot be read: %s", shown, cause(err))
	}
	return shown, data, nil
}

// cause is an error of a file without the name of the file, which the message has already.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// patch understands the input. A file comes first, then the options on top of it.
func (in *input) patch(ctx context.Context, s *saving) (*handoff.Patch, error) {
	if in.edit {
		if err := in.fromEditor(ctx, s); err != nil {
			return nil, err
		}
	}
	p := &handoff.Patch{}
	var fromFile error
	if in.Text != nil {
		if q, err := in.decode(s); err != nil {
			fromFile = err
		} else {
			p = q
		}
	}
	fromFlags, err := flagPatch(in.Flags)
	if err := joined(fromFile, err); err != nil {
		return nil, together(err, in.secrets(s.config).orNil())
	}
	p.Then(fromFlags)
	withoutHome(p, s.repo.Place().TopLevel)
	return p, guard(p, s.config)
}

// joined says what is wrong with the file and with the options in one go.
func joined(file, flags error) error {
	var a, b handoff.InputErrors
	if errors.As(file, &a) && errors.As(flags, &b) {
		return append(a, b...)
	}
	if file != nil {
		return file
	}
	return flags
}

func (in *input) decode(s *saving) (*handoff.Patch, error) {
	shape, err := handoff.ParseShape(in.Shape)
	if err != nil {
		return nil, badUsage("--from: %s", err)
	}
	if in.Shape == "" && !in.Whole {
		shape = handoff.DetectShape(in.Text)
	}
	if shape != handoff.ShapeBrief {
		p, untaken, err := handoff.DecodeShape(in.File, in.Text, shape)
		if len(untaken) > 0 {
			s.note("%s: not taken: %s", in.File, strings.Join(untaken, ", "))
		}
		return p, err
	}
	p, err := handoff.DecodeBrief(in.File, in.Text)
	if err == nil && p.IgnoredFacts {
		s.note("%s is a whole document; only its brief was taken, its facts were ignored", in.File)
	}
	return p, err
}

// note adds a line to what the save says when it is done.
func (s *saving) note(format string, args ...any) {
	s.notes = append(s.notes, fmt.Sprintf(format, args...))
}

// refusedFile holds the last refused input of this worktree, in its private git directory.
func (d *desk) refusedFile() string {
	return filepath.Join(d.repo.Place().GitDir, "handoff", "refused.json")
}

// keep stores the input of a save that was refused, so that --retry can give it again, and passes the error on. What
// held a secret is not kept.
func (s *saving) keep(_ context.Context, err error) error {
	if err == nil || !s.input.given() || holdsSecret(err) || len(s.input.secrets(s.config)) > 0 {
		return err
	}
	data, jsonErr := json.Marshal(s.input)
	if jsonErr != nil || os.MkdirAll(filepath.Dir(s.refusedFile()), 0o700) != nil {
		return err
	}
	if os.WriteFile(s.refusedFile(), data, 0o600) == nil {
		mend := "with options that mend it"
		if s.input.Text != nil {
			mend = "with --edit to mend it"
		}
		return withHint(err, "the input is kept: git handoff save --retry, "+mend)
	}
	return err
}

// forget removes the refused input that a later save made pointless.
func (s *saving) forget() { os.Remove(s.refusedFile()) }

// refused is the last refused input with what is given now on top: options of the same name replace the kept ones.
func (d *desk) refused(_ context.Context, now input) (input, error) {
	data, err := os.ReadFile(d.refusedFile())
	if err != nil {
		return now, badUsage("there is no refused input to save again")
	}
	var kept input
	if err := json.Unmarshal(data, &kept); err != nil {
		return now, badUsage("the refused input in %s cannot be read: %s", d.refusedFile(), err)
	}
	if now.Text != nil {
		kept.File, kept.Shape, kept.Text, kept.Whole = now.File, now.Shape, now.Text, false
	}
	if kept.Flags == nil {
		kept.Flags = map[string][]string{}
	}
	for name, values := range now.Flags {
		kept.Flags[name] = values
	}
	kept.edit = now.edit
	return kept, nil
}
