package gitstore

import (
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/storage/filesystem"
	gogitsync "github.com/go-git/go-git/v5/utils/sync"
)

// inProcess reads and writes objects with go-git's storage on the common directory. It is opened with the first
// object. What it does not find may still be there: see preferred.
type inProcess struct {
	commonDir string
	// maxIndex is how many bytes of pack indexes may be read for one packed object. Past it, a git child is faster.
	maxIndex int64

	once    sync.Once
	mu      sync.Mutex
	storage *filesystem.Storage
	// packs says whether packed objects are read at all; it is set with the first that is not loose.
	packs, looked bool
}

// errLeft is an object that git is left to read.
var errLeft = errors.New("not read in process")

func (p *inProcess) open() *filesystem.Storage {
	p.once.Do(func() {
		// go-git takes its compressors from here. The usual level clears a megabyte of tables for two kilobytes of
		// document, which is most of what a hook would do itself; git compresses again when it packs.
		if z, err := zlib.NewWriterLevel(io.Discard, zlib.BestSpeed); err == nil {
			gogitsync.PutZlibWriter(z)
		}
		p.storage = filesystem.NewStorageWithOptions(osfs.New(p.commonDir), cache.NewObjectLRU(cache.MiByte),
			filesystem.Options{AlternatesFS: osfs.New("/")})
	})
	return p.storage
}

func (p *inProcess) read(_ context.Context, oid string) (string, []byte, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.loose(oid) && !p.fewPacks() {
		return "", nil, errLeft
	}
	obj, err := p.open().EncodedObject(plumbing.AnyObject, plumbing.NewHash(oid))
	if err != nil {
		return "", nil, err
	}
	in, err := obj.Reader()
	if err != nil {
		return "", nil, err
	}
	defer in.Close()
	data, err := io.ReadAll(in)
	if err == nil && int64(len(data)) != obj.Size() {
		err = io.ErrUnexpectedEOF
	}
	return obj.Type().String(), data, err
}

func (p *inProcess) write(_ context.Context, kind string, data []byte) (string, error) {
	t, err := plumbing.ParseObjectType(kind)
	if err != nil {
		return "", err
	}
	obj := &plumbing.MemoryObject{}
	obj.SetType(t)
	if _, err := obj.Write(data); err != nil {
		return "", err
	}
	oid := obj.Hash().String()
	if p.freshen(oid) {
		return oid, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return oid, p.store(obj, oid)
}

// store writes a loose object. A gc beside us removes folders that it finds empty, also the one that was just made for
// the object; like git, it is then made again.
func (p *inProcess) store(obj *plumbing.MemoryObject, oid string) error {
	const attempts = 16
	var err error
	for range attempts {
		written, failed := p.open().SetEncodedObject(obj)
		if failed == nil && written.String() != oid {
			return fmt.Errorf("object %s was stored as %s", oid, written)
		}
		if err = failed; !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if rename := (*os.LinkError)(nil); errors.As(err, &rename) {
			os.Remove(rename.Old)
		}
	}
	return err
}

func (p *inProcess) file(oid string) string {
	return filepath.Join(p.commonDir, "objects", oid[:2], oid[2:])
}

func (p *inProcess) loose(oid string) bool {
	_, err := os.Lstat(p.file(oid))
	return err == nil
}

// fewPacks reports whether the pack indexes, all of which go-git reads whole, are small enough for that.
func (p *inProcess) fewPacks() bool {
	if p.looked {
		return p.packs
	}
	var size int64
	packs, _ := os.ReadDir(filepath.Join(p.commonDir, "objects", "pack"))
	for _, e := range packs {
		if info, err := e.Info(); err == nil && filepath.Ext(e.Name()) == ".idx" {
			size += info.Size()
		}
	}
	p.packs, p.looked = size <= p.maxIndex, true
	return p.packs
}

// freshen reports whether a loose object is there, and makes it young, so that a gc beside us does not prune it.
func (p *inProcess) freshen(oid string) bool {
	now := time.Now()
	return os.Chtimes(p.file(oid), now, now) == nil
}

func (p *inProcess) close() error {
	if p.storage == nil {
		return nil
	}
	return p.storage.Close()
}
