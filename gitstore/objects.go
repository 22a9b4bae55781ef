package gitstore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// ErrNoObject is an object that is not here.
var ErrNoObject = errors.New("no such object")

// objects reads and writes git objects. There are two: inProcess and catFile.
type objects interface {
	read(ctx context.Context, oid string) (kind string, data []byte, err error)
	write(ctx context.Context, kind string, data []byte) (oid string, err error)
	close() error
}

// object gives an object's kind (commit, tree, blob, tag) and content. Replace refs do not count.
func (r *Repo) object(ctx context.Context, oid string) (string, []byte, error) {
	if !isOID(oid) {
		return "", nil, fmt.Errorf("%w: %q is not a full object id", ErrNoObject, oid)
	}
	if b := batchOf(ctx); b != nil {
		if o, ok := b.get(oid); ok {
			return o.kind, o.data, nil
		}
	}
	return r.store.read(ctx, oid)
}

// writeObject stores an object and gives its id. One that is there already is fine.
func (r *Repo) writeObject(ctx context.Context, kind string, data []byte) (string, error) {
	if b := batchOf(ctx); b != nil {
		return b.add(kind, data), nil
	}
	return r.store.write(ctx, kind, data)
}

// engine chooses who reads and writes objects: this process where that is truthful, else git.
func (r *Repo) engine() objects {
	git := &catFile{repo: r}
	if r.place.ObjectFormat != "sha1" || r.place.RefFormat != "files" || ownObjectStore() {
		return git
	}
	own := &inProcess{commonDir: r.place.CommonDir, maxIndex: maxIndex}
	p := &preferred{own: own, git: git}
	p.gitWrites.Store(r.sharedObjects())
	return p
}

// ownObjectStore reports whether the environment moves the objects elsewhere, as git does while it receives a push.
func ownObjectStore() bool {
	for _, name := range []string{"GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH"} {
		if os.Getenv(name) != "" {
			return true
		}
	}
	return false
}

// maxIndex is about 36,000 packed objects, whose indexes take as long to read as a git child to start and answer.
const maxIndex = 1 << 20

// preferred asks our own engine first, and git for what that does not find: borrowed, promised or freshly packed.
type preferred struct {
	own *inProcess
	git *catFile
	// gitWrites is set where other users must be able to write beside us.
	gitWrites atomic.Bool
	// commits are some that were read, by their ids. Nobody changes what is in them.
	commits sync.Map
	kept    atomic.Int32
}

func (p *preferred) read(ctx context.Context, oid string) (string, []byte, error) {
	if data, ok := p.commits.Load(oid); ok {
		return "commit", data.([]byte), nil
	}
	kind, data, err := p.own.read(ctx, oid)
	if err != nil {
		return p.git.read(ctx, oid)
	}
	if kind == "commit" && p.kept.Add(1) <= maxCommits {
		p.commits.Store(oid, data)
	}
	return kind, data, nil
}

// maxCommits is how many commits are kept: a tip and its neighbours are looked at again and again.
const maxCommits = 64

func (p *preferred) write(ctx context.Context, kind string, data []byte) (string, error) {
	if p.gitWrites.Load() {
		return p.git.write(ctx, kind, data)
	}
	return p.own.write(ctx, kind, data)
}

func (p *preferred) close() error {
	return errors.Join(p.own.close(), p.git.close())
}

// shared reports whether core.sharedRepository asks for more than the umask (git-config(1)).
func (s settings) shared() bool {
	v, ok := s.last("core.sharedrepository")
	return ok && (v.bare || !slices.Contains([]string{"umask", "false", "no", "off", "0", ""}, strings.ToLower(v.value)))
}

// sharedObjects reports whether other users must be able to write beside us, which git alone knows how to arrange.
func (r *Repo) sharedObjects() bool {
	if r.local.shared() {
		return true
	}
	info, err := os.Stat(filepath.Join(r.place.CommonDir, "objects"))
	return err != nil || info.Mode()&os.ModeSetgid != 0
}
