package gitstore

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// A HooksFolder is where git looks for hook files.
type HooksFolder struct {
	// Path is absolute.
	Path string
	// Configured is core.hooksPath as it is written, "" where it is not set. Scope is where it is: local, worktree,
	// global, system or command.
	Configured, Scope string
	// Off is set where core.hooksPath is empty: then git runs no hook files at all, and Path is where they would be.
	Off bool
}

// HooksFolder asks git for the folder of hook files. A relative core.hooksPath counts from the top of the worktree.
func (r *Repo) HooksFolder(ctx context.Context) (HooksFolder, error) {
	folder := HooksFolder{Path: filepath.Join(r.place.CommonDir, "hooks")}
	out, err := r.git(ctx, "config", "-z", "--show-scope", "--get", "core.hooksPath")
	if err != nil && !isStatus(err, 1) {
		return folder, err
	}
	if scope, value, ok := strings.Cut(string(out), "\x00"); ok {
		folder.Scope, folder.Configured = scope, strings.TrimSuffix(value, "\x00")
		folder.Off = folder.Configured == ""
	}
	if folder.Off {
		return folder, nil
	}
	out, err = call{dir: r.home(), args: []string{"rev-parse", "--path-format=absolute", "--git-path", "hooks"}}.output(ctx)
	folder.Path = path(string(out))
	return folder, err
}

// home is where git runs hooks: the top of the worktree, else the git directory.
func (r *Repo) home() string {
	if r.place.TopLevel != "" {
		return r.place.TopLevel
	}
	return r.place.GitDir
}

// isStatus reports whether err is a git command that ended with a status.
func isStatus(err error, status int) bool {
	var git *GitError
	return errors.As(err, &git) && git.Status == status
}

// RunsConfiguredHooks reports whether this git runs hooks that stand in its configuration (2.54 and newer). An older
// one does not know the question and says how it is used.
func (r *Repo) RunsConfiguredHooks(ctx context.Context) (bool, error) {
	_, err := r.git(ctx, "hook", "list", "pre-push")
	switch {
	case err == nil, isStatus(err, 1):
		return true, nil
	case isStatus(err, 129):
		return false, nil
	}
	return false, err
}

// ConfiguredHooks lists the hooks that this git runs from its configuration for an event, by their names; none where
// it runs no configured hooks.
func (r *Repo) ConfiguredHooks(ctx context.Context, event string) []string {
	out, err := r.git(ctx, "hook", "list", event)
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
}

// SetLocal sets a key of the repository's own configuration to one value.
func (r *Repo) SetLocal(ctx context.Context, key, value string) error {
	_, err := r.git(ctx, "config", "--local", "--replace-all", key, value)
	return err
}

// RemoveLocalSection takes a section out of the repository's own configuration. One that is not there is no error.
func (r *Repo) RemoveLocalSection(ctx context.Context, section string) error {
	_, err := r.git(ctx, "config", "--local", "--remove-section", section)
	if isStatus(err, 128) {
		if left, ok := r.LocalConfig(); ok && !left.HasSection(section) {
			return nil
		}
	}
	return err
}

// LocalConfig is the configuration of the repository, and of the worktree where it has its own, as it is now. It is
// false where only git can read it, as with includes.
func (r *Repo) LocalConfig() (Lines, bool) {
	own, err := readSettings(filepath.Join(r.place.CommonDir, "config"))
	if err != nil {
		return Lines{}, false
	}
	if _, ok := own.last("extensions.worktreeconfig"); ok {
		more, err := readSettings(filepath.Join(r.place.GitDir, "config.worktree"))
		if err != nil {
			return Lines{}, false
		}
		own = append(own, more...)
	}
	return Lines{own}, !own.includes()
}

// UserConfig is the configuration of the user and of the system, as far as it is read without git.
func UserConfig() Lines {
	var all settings
	for _, file := range userConfigFiles() {
		if s, err := readSettings(file); err == nil {
			all = append(all, s...)
		}
	}
	return Lines{all}
}

// userConfigFiles are where git looks (git-config(1), FILES), apart from a system file in a place of git's own.
func userConfigFiles() []string {
	var files []string
	if os.Getenv("GIT_CONFIG_NOSYSTEM") == "" {
		files = append(files, firstSet(os.Getenv("GIT_CONFIG_SYSTEM"), "/etc/gitconfig"))
	}
	if file, set := os.LookupEnv("GIT_CONFIG_GLOBAL"); set {
		return append(files, file)
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return files
	}
	xdg := firstSet(os.Getenv("XDG_CONFIG_HOME"), filepath.Join(home, ".config"))
	return append(files, filepath.Join(xdg, "git", "config"), filepath.Join(home, ".gitconfig"))
}

// Lines are configuration that was read without git.
type Lines struct{ settings settings }

// Get is the value of a key (section and variable in lower case), and whether there is one.
func (l Lines) Get(key string) (string, bool) {
	s, ok := l.settings.last(key)
	return s.value, ok
}

// Is reports whether a key is set to what git reads as true.
func (l Lines) Is(key string) bool {
	s, ok := l.settings.last(key)
	on, err := parseBool(s.value)
	return ok && (s.bare || err == nil && on)
}

// HasSection reports whether anything stands in a section, such as hook.NAME.
func (l Lines) HasSection(section string) bool {
	for _, s := range l.settings {
		if strings.HasPrefix(s.key, section+".") {
			return true
		}
	}
	return false
}

func (s settings) includes() bool {
	for _, e := range s {
		if strings.HasPrefix(e.key, "include.") || strings.HasPrefix(e.key, "includeif.") {
			return true
		}
	}
	return false
}

// Tracked reports whether git tracks anything under a path of the worktree, and else whether it ignores it.
func (r *Repo) Tracked(ctx context.Context, path string) (tracked, ignored bool, err error) {
	out, err := call{dir: r.home(), args: []string{"--literal-pathspecs", "ls-files", "-z", "--", path}}.output(ctx)
	if err != nil || len(out) > 0 {
		return len(out) > 0, false, err
	}
	_, err = call{dir: r.home(), args: []string{"check-ignore", "-q", "--", path}}.output(ctx)
	if isStatus(err, 1) {
		return false, false, nil
	}
	return false, err == nil, err
}

// HasLargeFiles reports whether the repository uses Git LFS: LFS keeps its objects in the git directory, else where
// lfs.storage says. storage is that other folder.
func (r *Repo) HasLargeFiles(ctx context.Context) (uses bool, storage string) {
	if config, err := r.Config(ctx); err == nil {
		storage = config.Get("lfs.storage")
	}
	if storage != "" && !filepath.IsAbs(storage) {
		storage = filepath.Join(r.place.CommonDir, storage)
	}
	return isDir(filepath.Join(r.place.CommonDir, "lfs")) || storage != "" && isDir(storage), storage
}

// InstallLargeFiles has Git LFS install its own hooks, where nothing stands in its way.
func (r *Repo) InstallLargeFiles(ctx context.Context) error {
	_, err := r.git(ctx, "lfs", "update")
	return err
}
