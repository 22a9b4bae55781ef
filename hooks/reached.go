package hooks

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"git-handoff/gitstore"
)

// Status says whether the hooks that init installed are still reached.
type Status struct {
	// Installed is false where init never ran here, or was undone.
	Installed bool
	Mechanism Mechanism
	// Lost are the events whose hooks git no longer runs, and Why is the reason in words; both empty where all is well.
	Lost []string
	Why  string
}

// Hint is what to tell a person, in one line; "" where there is nothing to tell.
func (s Status) Hint() string {
	if len(s.Lost) == 0 {
		return ""
	}
	return fmt.Sprintf("%s: git no longer runs what init installed, since %s; git handoff init mends it or says how", strings.Join(s.Lost, ", "), s.Why)
}

// Reached looks whether git still comes to the hooks that were installed. It changes nothing, and starts a child only
// where another git than before is on PATH, or where the configuration cannot be read without git.
func Reached(ctx context.Context, repo *gitstore.Repo) Status {
	r := readRecord(repo)
	if r == nil {
		return Status{}
	}
	s := Status{Installed: true, Mechanism: r.Mechanism}
	if r.Mechanism == Configuration {
		s.lostConfiguration(ctx, repo, r)
	} else {
		s.lostFiles(ctx, repo, r)
	}
	return s
}

func (s *Status) lost(event, why string) {
	if s.Why == "" {
		s.Why = why
	}
	s.Lost = append(s.Lost, event)
}

func (s *Status) lostConfiguration(ctx context.Context, repo *gitstore.Repo, r *record) {
	if now := identify(gitstore.FindProgram("git")); !now.same(r.Git) {
		if ok, err := repo.RunsConfiguredHooks(ctx); err == nil && !ok {
			s.Lost, s.Why = Events, "this git does not run hooks from the configuration"
			return
		}
	}
	local, read := repo.LocalConfig()
	for _, event := range Events {
		command, there := local.Get(sectionOf(event) + ".command")
		on, _ := local.Get(sectionOf(event) + ".event")
		if read && (!there || !strings.Contains(command, "hook ") || on != event) {
			s.lost(event, "its section is gone from the configuration")
		}
	}
}

func (s *Status) lostFiles(ctx context.Context, repo *gitstore.Repo, r *record) {
	folder, known := hooksFolder(ctx, repo)
	for _, event := range Events {
		kept, ok := r.Files[event]
		if !ok {
			continue
		}
		file := resolve(repo.Place(), kept)
		if known && !inside(folder, file) && !isHusky(file) {
			s.lost(event, "core.hooksPath is another folder now")
			continue
		}
		if why := lostFile(file); why != "" && !passedOn(file) {
			s.lost(event, why)
		}
	}
}

// lostFile says why a hook file no longer does what it did.
func lostFile(file string) string {
	info, err := os.Stat(file)
	if err != nil {
		return filepath.Base(file) + " is gone"
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return filepath.Base(file) + " cannot be read"
	}
	if _, err := find(content); err != nil {
		return "something else was written to " + filepath.Base(file)
	}
	if !runs(info) && !isHusky(file) {
		return filepath.Base(file) + " is not executable"
	}
	return ""
}

// passedOn reports whether pre-commit has moved our hook aside, and calls it there.
func passedOn(file string) bool { return isPreCommit(file) && lostFile(file+legacy) == "" }

// hooksFolder is where git looks for hook files, found without git where the configuration allows.
func hooksFolder(ctx context.Context, repo *gitstore.Repo) (folder string, known bool) {
	place := repo.Place()
	local, read := repo.LocalConfig()
	path, set := local.Get("core.hookspath")
	if read && !set {
		path, set = gitstore.UserConfig().Get("core.hookspath")
	}
	switch {
	case !read || set && (path == "" || path[0] == '~'):
		asked, err := repo.HooksFolder(ctx)
		if asked.Off {
			return "", true
		}
		return asked.Path, err == nil
	case !set:
		return filepath.Join(place.CommonDir, "hooks"), true
	case filepath.IsAbs(path):
		return filepath.Clean(path), true
	case place.TopLevel != "":
		return filepath.Join(place.TopLevel, filepath.FromSlash(path)), true
	}
	return filepath.Join(place.GitDir, filepath.FromSlash(path)), true
}
