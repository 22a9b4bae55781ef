package gitstore

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A knownGit is a git program and where it looks for the configuration of the system, which is built into it. Another
// program in its place has another size or time.
type knownGit struct {
	Path   string `json:"path"`
	Size   int64  `json:"size"`
	Time   int64  `json:"time"`
	System string `json:"system"`
}

// maxKnownGits is how many are remembered: the one on PATH, the one that git puts first on PATH for hooks, others.
const maxKnownGits = 6

// thisGit is the program that our children are, without its system file.
func thisGit() (knownGit, bool) {
	path := FindProgram("git")
	info, err := os.Stat(path)
	if path == "" || err != nil {
		return knownGit{}, false
	}
	return knownGit{Path: path, Size: info.Size(), Time: info.ModTime().UnixNano()}, true
}

func (g knownGit) same(other knownGit) bool {
	g.System = other.System
	return g == other
}

func (r *Repo) knownGitsFile() string {
	return filepath.Join(r.place.CommonDir, "handoff", "gits.json")
}

func (r *Repo) knownGits() []knownGit {
	var all []knownGit
	data, err := os.ReadFile(r.knownGitsFile())
	if err != nil || json.Unmarshal(data, &all) != nil {
		return nil
	}
	return all
}

// knownSystemConfig is the system's file of the git on PATH, if it was asked for before.
func (r *Repo) knownSystemConfig() (string, bool) {
	known := r.knownGits()
	if len(known) == 0 {
		return "", false
	}
	git, ok := thisGit()
	i := slices.IndexFunc(known, git.same)
	if !ok || i < 0 {
		return "", false
	}
	return known[i].System, true
}

// learnSystemConfig asks git for the system's file, so that the next command need not. It is called where the repository
// was just written, and only once for each git. A script in git's place may be another git at any time, so nothing is
// learned of it.
func (r *Repo) learnSystemConfig(ctx context.Context) {
	if _, known := r.systemConfigFile(); known {
		return
	}
	git, ok := thisGit()
	if !ok || !isELF(git.Path) {
		return
	}
	if git.System = r.askSystemConfig(ctx); git.System == "" {
		return
	}
	known := append([]knownGit{git}, slices.DeleteFunc(r.knownGits(), func(g knownGit) bool { return g.Path == git.Path })...)
	// A file that is half written is no JSON, and then git is asked.
	data, err := json.Marshal(known[:min(len(known), maxKnownGits)])
	if err == nil && os.MkdirAll(filepath.Dir(r.knownGitsFile()), 0o777) == nil {
		_ = os.WriteFile(r.knownGitsFile(), data, 0o666)
	}
}

// askSystemConfig has git name the file: as the origin of what stands in it, or as the one that it misses. "" where it
// did neither.
func (r *Repo) askSystemConfig(ctx context.Context) string {
	out, err := r.git(ctx, "config", "--system", "--list", "-z", "--show-origin")
	file := ""
	if git := (*GitError)(nil); errors.As(err, &git) {
		_, file, _ = strings.Cut(git.Stderr, "unable to read config file '")
		file, _, _ = strings.Cut(file, "': No such file")
	} else if err == nil {
		origin, _, _ := bytes.Cut(out, []byte{0})
		file, _ = strings.CutPrefix(string(origin), "file:")
	}
	if !filepath.IsAbs(file) {
		return ""
	}
	return file
}

func isELF(file string) bool {
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	magic := make([]byte, 4)
	_, err = io.ReadFull(f, magic)
	return err == nil && string(magic) == "\x7fELF"
}
