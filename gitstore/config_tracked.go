package gitstore

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"gopkg.in/yaml.v3"
)

// TrackedConfig is the file at the top of the worktree that a team may share settings in. Whoever can push can change
// it, so it only holds options that are marked as tracked, and its paths stay inside the worktree.
const TrackedConfig = ".handoff.yaml"

const maxTrackedConfig = 64 << 10

// applyTracked takes the settings of the tracked file. What it may not set is a warning, since it comes from others.
func (c *Config) applyTracked(top string) []error {
	file := filepath.Join(top, TrackedConfig)
	info, err := os.Lstat(file)
	if top == "" || os.IsNotExist(err) {
		return nil
	}
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxTrackedConfig {
		c.Warnings = append(c.Warnings, TrackedConfig+" is not read: it is not a plain file of at most 64 KiB")
		return nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return []error{err}
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return []error{fmt.Errorf("%s: %w", TrackedConfig, err)}
	}
	if len(doc.Content) == 0 {
		return nil
	}
	return c.applyMapping(doc.Content[0])
}

func (c *Config) applyMapping(m *yaml.Node) []error {
	if m.Kind != yaml.MappingNode {
		return []error{fmt.Errorf("%s:%d: it is a list of `setting: value`", TrackedConfig, m.Line)}
	}
	var bad []error
	for i := 0; i+1 < len(m.Content); i += 2 {
		key, value := m.Content[i], m.Content[i+1]
		o, known := optionOf(key.Value)
		switch {
		case !known:
			c.Warnings = append(c.Warnings, fmt.Sprintf("%s:%d: %q is no setting of git-handoff", TrackedConfig, key.Line, key.Value))
		case !o.tracked:
			c.Warnings = append(c.Warnings, fmt.Sprintf("%s:%d: %s counts in git's configuration alone, not in a file that others can change", TrackedConfig, key.Line, o.name))
		default:
			bad = append(bad, c.applyNode(o, value)...)
		}
	}
	return bad
}

// applyNode takes one value, or a list of them.
func (c *Config) applyNode(o option, n *yaml.Node) []error {
	values := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		values = n.Content
	}
	var bad []error
	for _, v := range values {
		err := checkTracked(o, v)
		if err == nil {
			err = o.set(c, v.Value)
		}
		if err != nil {
			bad = append(bad, &ConfigError{Key: o.name, Value: v.Value, File: TrackedConfig, Line: v.Line, Why: err.Error()})
		}
	}
	return bad
}

// workbenchPaths are the options whose files are read into documents that travel.
var workbenchPaths = " feedback board state verification review "

func checkTracked(o option, v *yaml.Node) error {
	if v.Kind != yaml.ScalarNode {
		return fmt.Errorf("it is a text, a number or a list of texts")
	}
	if strings.Contains(workbenchPaths, " "+o.name+" ") && v.Value != "" && !filepath.IsLocal(filepath.FromSlash(v.Value)) {
		return fmt.Errorf("it is a path inside the worktree")
	}
	return nil
}
