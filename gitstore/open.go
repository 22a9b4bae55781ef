package gitstore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// ErrNotRepository is returned by Open for a folder that is in no git repository.
var ErrNotRepository = errors.New("not in a git repository")

// A Repo is one repository as git finds it from a folder. Close it when done. It may be used by several goroutines.
type Repo struct {
	// dir is where git children run.
	dir   string
	place Place
	// local is the repository's own configuration where it was read in process, else nil.
	local settings

	store objects

	configOnce sync.Mutex
	config     *Config

	// evicted is what Edit had to make room with.
	evicted []Eviction
}

// Place says where and what a repository is. All paths are absolute.
type Place struct {
	// GitDir is the worktree's own git directory, CommonDir the one that all worktrees share.
	GitDir, CommonDir string
	// TopLevel is the top of the worktree; "" in a bare repository and inside a git directory.
	TopLevel string
	Bare     bool
	// ObjectFormat is sha1 or sha256, RefFormat files or reftable.
	ObjectFormat, RefFormat string
	// Shallow has a cut-off history; Partial fetches objects when they are needed.
	Shallow, Partial bool
}

// Open finds the repository that dir ("" is the current folder) is in, as git finds it: the environment counts, as in
// a hook. The error is ErrNotRepository, ErrNoGit or a *GitError, such as git's refusal of a folder that belongs to
// somebody else.
func Open(ctx context.Context, dir string) (*Repo, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	r := &Repo{dir: dir}
	if !r.recognise() {
		if err := r.discover(ctx); err != nil {
			return nil, err
		}
	}
	r.store = r.engine()
	return r, nil
}

// Place says where and what the repository is.
func (r *Repo) Place() Place { return r.place }

// Close ends the children that the repository keeps.
func (r *Repo) Close() error { return r.store.close() }

// mark is an option that rev-parse does not know and prints as it is, so that paths with line feeds can be told apart.
const mark = "--handoff-mark"

// discover asks git.
func (r *Repo) discover(ctx context.Context) error {
	if info, err := os.Stat(r.dir); err != nil || !info.IsDir() {
		return fmt.Errorf("%s: %w", r.dir, ErrNotRepository)
	}
	out, err := r.git(ctx, "rev-parse", "--path-format=absolute", "--git-dir", mark, "--git-common-dir", mark,
		"--show-cdup", mark, "--is-bare-repository", "--is-shallow-repository", "--show-object-format", "--show-ref-format")
	if err != nil {
		return discoveryError(err)
	}
	parts := strings.Split(string(out), mark+"\n")
	facts := strings.Fields(parts[len(parts)-1])
	if len(parts) != 4 || len(facts) != 4 {
		return fmt.Errorf("git rev-parse answered in an unknown form (git 2.31 or newer is needed): %q", out)
	}
	r.place = Place{GitDir: path(parts[0]), CommonDir: path(parts[1]), TopLevel: r.topLevel(parts[2]),
		Bare: facts[0] == "true", Shallow: facts[1] == "true", ObjectFormat: facts[2], RefFormat: facts[3]}
	if r.place.Bare {
		r.place.TopLevel = ""
	}
	if r.place.RefFormat == "--show-ref-format" {
		// A git that does not know the question knows one format.
		r.place.RefFormat = "files"
	}
	r.local, _ = readSettings(filepath.Join(r.place.CommonDir, "config"))
	r.place.Partial = r.local.partial()
	return nil
}

func path(line string) string { return filepath.FromSlash(strings.TrimSuffix(line, "\n")) }

// topLevel makes an absolute path of what --show-cdup says: nothing, an empty line, a way up or an absolute path.
func (r *Repo) topLevel(cdup string) string {
	switch up := path(cdup); {
	case cdup == "":
		return ""
	case filepath.IsAbs(up):
		return filepath.Clean(up)
	default:
		return filepath.Join(r.dir, up)
	}
}

func discoveryError(err error) error {
	var git *GitError
	if errors.As(err, &git) && strings.Contains(git.Stderr, "not a git repository") {
		return ErrNotRepository
	}
	return err
}
