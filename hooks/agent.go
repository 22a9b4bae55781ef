package hooks

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"git-handoff/gitstore"
)

// An agentFile is one file that an agent reads, with what makes it see handoffs. Both functions give the whole new text;
// put is given nil where there is no file, and take gives nil where the file was ours alone.
type agentFile struct {
	path string
	put  func(text []byte) ([]byte, error)
	take func(text []byte) ([]byte, error)
}

// agentFiles are the files of each agent that init knows.
var agentFiles = map[string][]agentFile{
	"claude-code": {
		{".claude/settings.json", putSettings, takeSettings},
		{"CLAUDE.md", block(claudeText).put, block(claudeText).take},
	},
	"agents-md": {
		{"AGENTS.md", block(agentsText).put, block(agentsText).take},
	},
}

// Agents are the agents that init knows, sorted.
func Agents() []string {
	var names []string
	for name := range agentFiles {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// AlreadyThere is what a step says that had nothing to do.
const AlreadyThere = "already there"

// AgentPlan names the files that InstallAgent would write or merge into.
func AgentPlan(agent string) []Step {
	var steps []Step
	for _, f := range agentFiles[agent] {
		steps = append(steps, Step{agent, "would be written", f.path})
	}
	return steps
}

// InstallAgent writes or merges what makes an agent see handoffs into the files of the worktree that it reads. Doing it
// again changes nothing. A file that cannot be merged with is named in the error; then none is written.
func InstallAgent(place gitstore.Place, agent string) ([]Step, error) {
	files, ok := agentFiles[agent]
	if !ok {
		return nil, fmt.Errorf("there is no agent %q", agent)
	}
	var changes []agentChange
	var failed []error
	for _, f := range files {
		c, err := f.plan(place)
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", f.path, err))
		}
		changes = append(changes, c)
	}
	if failed != nil {
		return nil, errors.Join(failed...)
	}
	var steps []Step
	for _, c := range changes {
		what, err := c.write(place)
		if err != nil {
			return steps, fmt.Errorf("%s: %w", c.path, err)
		}
		steps = append(steps, Step{agent, what, c.path})
	}
	return steps, nil
}

// UndoAgents takes out whatever InstallAgent put into the files of any agent. What others wrote is as it was.
func UndoAgents(place gitstore.Place) ([]Step, error) {
	var steps []Step
	var failed []error
	for _, agent := range Agents() {
		for _, f := range agentFiles[agent] {
			what, err := f.undo(place)
			if err != nil {
				failed = append(failed, fmt.Errorf("%s: %w", f.path, err))
			} else if what != "" {
				steps = append(steps, Step{agent, what, f.path})
			}
		}
	}
	return steps, errors.Join(append(failed, originalsOf(place).forget())...)
}

// An agentChange is what becomes of one file: its text, nil where there is no file, and the next one.
type agentChange struct {
	agentFile
	file       string
	text, next []byte
}

func (f agentFile) plan(place gitstore.Place) (agentChange, error) {
	file, text, err := f.read(place.TopLevel)
	if err != nil {
		return agentChange{}, err
	}
	next, err := f.put(text)
	return agentChange{f, file, text, next}, err
}

func (c agentChange) write(place gitstore.Place) (what string, err error) {
	if c.text != nil && bytes.Equal(c.next, c.text) {
		return AlreadyThere, nil
	}
	if err := os.MkdirAll(filepath.Dir(c.file), 0o755); err != nil {
		return "", err
	}
	if err := originalsOf(place).keep(c.agentFile, c.text, c.next); err != nil {
		return "", err
	}
	what = "merged"
	if c.text == nil {
		what = "written"
	}
	return what, writeFile(c.file, c.next, modeOf(c.file))
}

func (f agentFile) undo(place gitstore.Place) (what string, err error) {
	file, text, err := f.read(place.TopLevel)
	if err != nil || text == nil {
		return "", err
	}
	next, err := originalsOf(place).of(text)
	if err != nil {
		next, err = f.take(text)
	}
	switch {
	case err != nil:
		return "", err
	case next == nil:
		os.Remove(file)
		if dir := filepath.Dir(file); dir != filepath.Clean(place.TopLevel) {
			os.Remove(dir) // goes only if it is empty
		}
		return "removed", nil
	case bytes.Equal(next, text):
		return "", nil
	}
	return "taken out", writeFile(file, next, modeOf(file))
}

// read gives the file that is meant, through symbolic links within the repository, and its text; nil where there is none.
func (f agentFile) read(top string) (file string, text []byte, err error) {
	file = filepath.Join(top, filepath.FromSlash(f.path))
	if real, err := filepath.EvalSymlinks(file); err == nil {
		root, err := filepath.EvalSymlinks(top)
		if rel, relErr := filepath.Rel(root, real); err != nil || relErr != nil || !filepath.IsLocal(rel) {
			return "", nil, errors.New("it is a link to a file outside this repository")
		}
		file = real
	} else if info, err := os.Lstat(file); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return "", nil, errors.New("it is a link to nowhere")
	}
	text, err = os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return file, nil, nil
	}
	if text == nil {
		text = []byte{}
	}
	return file, text, err
}

func modeOf(file string) fs.FileMode {
	if info, err := os.Stat(file); err == nil {
		return info.Mode().Perm()
	}
	return 0o644
}

// newlineOf is how the lines of a text end.
func newlineOf(text []byte) string {
	if bytes.Contains(text, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// lines gives a text of ours the line ends of a file.
func lines(text, newline string) string { return strings.ReplaceAll(text, "\n", newline) }
