package gitstore

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Environment variables of git that say nothing about where or what a repository is. Any other makes us ask git.
var harmlessEnv = []string{
	"GIT_ASKPASS", "GIT_CHERRY_PICK_HELP", "GIT_AUTHOR_DATE", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_NAME", "GIT_COMMITTER_DATE",
	"GIT_COMMITTER_EMAIL", "GIT_COMMITTER_NAME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_SYSTEM",
	"GIT_EDITOR", "GIT_EXEC_PATH", "GIT_INDEX_FILE", "GIT_MERGE_AUTOEDIT", "GIT_OPTIONAL_LOCKS", "GIT_PAGER",
	"GIT_PAGER_IN_USE", "GIT_PREFIX", "GIT_REFLOG_ACTION", "GIT_SEQUENCE_EDITOR", "GIT_SSH", "GIT_SSH_COMMAND",
	"GIT_SSH_VARIANT", "GIT_TEMPLATE_DIR", "GIT_TERMINAL_PROMPT",
}

// plainEnv reports whether the environment leaves git's discovery alone.
func plainEnv() bool {
	for _, kv := range os.Environ() {
		if name, _, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "GIT_") && !harmless(name) {
			return false
		}
	}
	return true
}

func harmless(name string) bool {
	for _, group := range []string{"GIT_HANDOFF_", "GIT_TRACE", "GIT_SSL_", "GIT_HTTP_", "GIT_CURL_", "GIT_PROXY_"} {
		if strings.HasPrefix(name, group) {
			return true
		}
	}
	return slices.Contains(harmlessEnv, name)
}

// recognise finds the ordinary repository without a child: a folder .git that belongs to us, on the same file system,
// with a plain HEAD and a configuration that changes nothing about it. It is false where git must be asked.
func (r *Repo) recognise() bool {
	if !plainEnv() {
		return false
	}
	top, ok := climb(r.dir)
	if !ok {
		return false
	}
	gitDir := filepath.Join(top, ".git")
	local, ok := ordinaryGitDir(gitDir)
	if !ok {
		return false
	}
	r.local = local
	r.place = Place{GitDir: gitDir, CommonDir: gitDir, TopLevel: top, ObjectFormat: "sha1", RefFormat: "files",
		Shallow: exists(filepath.Join(gitDir, "shallow")), Partial: local.partial()}
	return true
}

// climb finds the first folder, from dir upwards, that has a .git folder of ours. It gives up on whatever git might see
// differently: a .git that is no folder, a folder that may be a bare repository, another owner or file system.
func climb(dir string) (string, bool) {
	start, err := os.Stat(dir)
	if err != nil {
		return "", false
	}
	for {
		info, err := os.Lstat(dir)
		if err != nil || !sameDevice(start, info) || exists(filepath.Join(dir, "HEAD")) {
			return "", false
		}
		if git, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir, git.IsDir() && ours(git) && ours(info) && sameDevice(start, git)
		} else if !os.IsNotExist(err) {
			return "", false
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", false
		}
		dir = up
	}
}

// ordinaryGitDir reads the configuration of a git directory. The second result is false where anything in it would
// have git look further.
func ordinaryGitDir(dir string) (settings, bool) {
	if exists(filepath.Join(dir, "commondir")) || !isDir(filepath.Join(dir, "refs")) || !isDir(filepath.Join(dir, "objects")) {
		return nil, false
	}
	if _, err := readPlainHead(dir); err != nil {
		return nil, false
	}
	local, err := readSettings(filepath.Join(dir, "config"))
	return local, err == nil && local.ordinary()
}

// ordinary reports whether a local configuration leaves the repository an ordinary one.
func (s settings) ordinary() bool {
	if s.incomplete() {
		return false
	}
	for _, e := range s {
		section, _, _ := strings.Cut(e.key, ".")
		switch {
		case section == "extensions", e.key == "core.worktree":
			return false
		case e.key == "core.bare" && e.value != "false", e.key == "core.repositoryformatversion" && e.value != "0":
			return false
		}
	}
	return true
}

// incomplete reports whether settings may stand in other files of the repository too.
func (s settings) incomplete() bool {
	return slices.ContainsFunc(s, func(e setting) bool {
		section, _, _ := strings.Cut(e.key, ".")
		return section == "include" || section == "includeif" || e.key == "extensions.worktreeconfig"
	})
}

// partial reports whether objects may be missing until git fetches them.
func (s settings) partial() bool {
	return slices.ContainsFunc(s, func(e setting) bool {
		return e.key == "extensions.partialclone" || strings.HasPrefix(e.key, "remote.") && strings.HasSuffix(e.key, ".promisor")
	})
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil || !os.IsNotExist(err)
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
