package hooks

import (
	"encoding/json"
	"os"
	"path/filepath"

	"git-handoff/gitstore"
)

// A Mechanism is how git comes to run our hooks.
type Mechanism string

const (
	// Configuration hooks stand in the repository's configuration; git 2.54 and newer run them.
	Configuration Mechanism = "configuration"
	// Files are hook files in the folder where git looks for them; every git runs them.
	Files Mechanism = "files"
)

// A record is what init leaves in the git directory about the hooks that it installed.
type record struct {
	Mechanism Mechanism `json:"mechanism"`
	// Git is the git that was seen to run hooks from the configuration.
	Git identity `json:"git,omitzero"`
	// Files are the hook files by event: relative to the top of the worktree if they are in it, else to the shared git
	// directory if in that, else absolute.
	Files map[string]string `json:"files,omitempty"`
	// Unended is a configuration file whose last line had no line feed before git wrote to it.
	Unended bool `json:"unended,omitempty"`
	// Folders were made for them, the outer ones first.
	Folders []string `json:"folders,omitempty"`
}

// identity tells one program file from another, and from what an upgrade puts in its place.
type identity struct {
	Path string `json:"path,omitempty"`
	Size int64  `json:"size,omitempty"`
	Time int64  `json:"time,omitempty"`
}

func identify(path string) identity {
	info, err := os.Stat(path)
	if path == "" || err != nil {
		return identity{}
	}
	return identity{Path: path, Size: info.Size(), Time: info.ModTime().UnixNano()}
}

// same reports whether two paths lead to one program: run by git, ours finds git in git's own folder first.
func (i identity) same(other identity) bool {
	return i.Path != "" && i.Size == other.Size && i.Time == other.Time
}

func recordFile(repo *gitstore.Repo) string {
	return filepath.Join(repo.Place().CommonDir, "handoff", "hooks.json")
}

// readRecord gives what was installed; nil where nothing was, or where it cannot be read.
func readRecord(repo *gitstore.Repo) *record {
	data, err := os.ReadFile(recordFile(repo))
	if err != nil {
		return nil
	}
	var r record
	if json.Unmarshal(data, &r) != nil || r.Mechanism == "" {
		return nil
	}
	return &r
}

func (r *record) write(repo *gitstore.Repo) error {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	file := recordFile(repo)
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return writeFile(file, append(data, '\n'), 0o644)
}

// keep makes a path that survives a move of the repository; resolve is the way back.
func keep(place gitstore.Place, file string) string {
	for prefix, base := range map[string]string{"worktree:": place.TopLevel, "git:": place.CommonDir} {
		if rel, ok := within(base, file); ok && (prefix == "git:" || !inside(place.CommonDir, file)) {
			return prefix + filepath.ToSlash(rel)
		}
	}
	return file
}

func resolve(place gitstore.Place, kept string) string {
	for prefix, base := range map[string]string{"worktree:": place.TopLevel, "git:": place.CommonDir} {
		if len(kept) > len(prefix) && kept[:len(prefix)] == prefix {
			return filepath.Join(base, filepath.FromSlash(kept[len(prefix):]))
		}
	}
	return kept
}

func inside(base, file string) bool {
	_, ok := within(base, file)
	return ok
}

// within gives the path of file from base, if it is in it.
func within(base, file string) (string, bool) {
	if base == "" {
		return "", false
	}
	rel, err := filepath.Rel(base, file)
	return rel, err == nil && filepath.IsLocal(rel)
}

// writeFile puts a whole new file in the place of the old one, never a part of it.
func writeFile(file string, data []byte, mode os.FileMode) error {
	temp, err := os.CreateTemp(filepath.Dir(file), ".git-handoff-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(data)
	if err == nil {
		err = temp.Chmod(mode)
	}
	if closing := temp.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return err
	}
	return os.Rename(temp.Name(), file)
}
