package gitstore

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// configEnv are the variables that name configuration files, which are heeded here. Any other GIT_CONFIG… adds settings,
// or moves them.
var configEnv = []string{"GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_SYSTEM"}

// configFiles reads the configuration as git does, file by file (git-config(1), "FILES"), which saves a child. It is
// false where only git can tell: an include, a syntax that releases do not agree on, a file that cannot be read, more
// in the environment, a system file whose place is not known, another system than Linux, where builds of git read
// further files.
func (r *Repo) configFiles() (settings, bool) {
	if runtime.GOOS != "linux" || r.local == nil || r.local.incomplete() || !plainConfigEnv() {
		return nil, false
	}
	files, ok := r.sharedConfigFiles()
	if !ok {
		return nil, false
	}
	var all settings
	for _, file := range files {
		some, err := readSettings(file)
		if err != nil || some.includes() {
			return nil, false
		}
		all = append(all, some.from(file)...)
	}
	return append(all, r.local.from(r.localConfigName())...), true
}

func plainConfigEnv() bool {
	return !slices.ContainsFunc(os.Environ(), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return strings.HasPrefix(name, "GIT_CONFIG") && !slices.Contains(configEnv, name)
	})
}

// sharedConfigFiles are the files of the system and of the user, in the order in which they count. They need not exist.
func (r *Repo) sharedConfigFiles() (files []string, known bool) {
	system, known := r.systemConfigFile()
	if !known {
		return nil, false
	}
	files = append(files, system)
	if global, set := os.LookupEnv("GIT_CONFIG_GLOBAL"); set {
		files = append(files, global)
	} else {
		home := os.Getenv("HOME")
		folder := os.Getenv("XDG_CONFIG_HOME")
		if folder == "" {
			folder = filepath.Join(home, ".config")
		}
		files = append(files, filepath.Join(folder, "git", "config"), filepath.Join(home, ".gitconfig"))
		if home == "" {
			return nil, false
		}
	}
	files = slices.DeleteFunc(files, func(f string) bool { return f == "" })
	return files, !slices.ContainsFunc(files, func(f string) bool { return !filepath.IsAbs(f) })
}

// systemConfigFile is the system's file, "" where it does not count.
func (r *Repo) systemConfigFile() (file string, known bool) {
	if off, err := parseBool(os.Getenv("GIT_CONFIG_NOSYSTEM")); off || err != nil {
		return "", err == nil
	}
	if file, set := os.LookupEnv("GIT_CONFIG_SYSTEM"); set {
		return file, true
	}
	return r.knownSystemConfig()
}

// localConfigName is the repository's file as git names it from the top of the worktree.
func (r *Repo) localConfigName() string {
	file := filepath.Join(r.place.CommonDir, "config")
	if rel, err := filepath.Rel(r.place.TopLevel, file); err == nil && filepath.IsLocal(rel) && r.place.TopLevel != "" {
		return rel
	}
	return file
}

// from marks settings with the file that they stand in.
func (s settings) from(file string) settings {
	named := slices.Clone(s)
	for i := range named {
		named[i].file = file
	}
	return named
}
