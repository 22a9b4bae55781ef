package gitstore

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/adler32"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/format/idxfile"
	"github.com/go-git/go-git/v5/plumbing/format/objfile"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
)

// inProcess reads and writes the objects of the common directory with go-git's formats. Its storage over them is not
// used: it brings the configuration and half a millisecond to every start, and looks up every folder on the way to a
// file. What is not found may still be there, borrowed or promised: see preferred.
type inProcess struct {
	commonDir string
	// maxIndex is how many bytes of pack indexes may be read for one packed object. Past it, a git child is faster.
	maxIndex int64

	mu     sync.Mutex
	packs  []pack
	looked bool
}

// errLeft is an object that git is left to read.
var errLeft = errors.New("not read in process")

func (p *inProcess) read(_ context.Context, oid string) (string, []byte, error) {
	kind, data, err := p.readLoose(oid)
	if !os.IsNotExist(err) {
		return kind, data, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.fewPacks() {
		return "", nil, errLeft
	}
	for _, pack := range p.packs {
		obj, err := pack.Get(plumbing.NewHash(oid))
		if err == nil {
			return content(obj)
		}
	}
	return "", nil, errLeft
}

// readLoose reads an object in a file of its own, and holds it against its id.
func (p *inProcess) readLoose(oid string) (string, []byte, error) {
	f, err := os.Open(p.file(oid))
	if err != nil {
		return "", nil, err
	}
	defer f.Close()
	in, err := objfile.NewReader(f)
	if err != nil {
		return "", nil, err
	}
	defer in.Close()
	kind, size, err := in.Header()
	if err != nil {
		return "", nil, err
	}
	data, err := io.ReadAll(in)
	if err == nil && (int64(len(data)) != size || in.Hash().String() != oid) {
		err = io.ErrUnexpectedEOF
	}
	return kind.String(), data, err
}

func content(obj plumbing.EncodedObject) (string, []byte, error) {
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
	oid := plumbing.ComputeHash(t, data).String()
	if p.freshen(oid) {
		return oid, nil
	}
	return oid, p.writeLoose(oid, t, data)
}

// writeLoose writes a file beside its place and moves it there, so that whoever looks sees all of it or nothing.
func (p *inProcess) writeLoose(oid string, kind plumbing.ObjectType, data []byte) error {
	f, err := createBeside(p.file(oid))
	if err != nil {
		return err
	}
	err = encodeLoose(f, kind, data)
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(f.Name(), p.file(oid))
	}
	if err == nil {
		return nil
	}
	os.Remove(f.Name())
	if p.loose(oid) {
		return nil // somebody else was faster, on a system that replaces no file that is read-only
	}
	return err
}

// createBeside creates a file in the folder of an object. What a crash leaves of it has the name that git's own gc clears
// away. A gc beside us removes folders that it finds empty, also the one that was just made for the object; like git, it
// is then made again.
func createBeside(object string) (f *os.File, err error) {
	const attempts = 16
	folder := filepath.Dir(object)
	temp := filepath.Join(folder, fmt.Sprintf("tmp_obj_%08x%08x", rand.Uint32(), os.Getpid()))
	for range attempts {
		if err := os.Mkdir(folder, 0o777); err != nil && !os.IsExist(err) {
			return nil, err
		}
		if f, err = os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o444); !os.IsNotExist(err) {
			break
		}
	}
	return f, err
}

// maxStored is the size up to which compressing saves no block of the disk, and costs more than all the rest.
const maxStored = 4000

// encodeLoose writes the content of a loose object: a header and the data, as one zlib stream.
func encodeLoose(out io.Writer, kind plumbing.ObjectType, data []byte) error {
	if len(data) <= maxStored {
		_, err := out.Write(storedZlib(fmt.Appendf(nil, "%s %d\x00%s", kind, len(data), data)))
		return err
	}
	w := objfile.NewWriter(out)
	if err := w.WriteHeader(kind, int64(len(data))); err != nil {
		return err
	}
	if _, err := w.Write(data); err != nil {
		return err
	}
	return w.Close()
}

// storedZlib is a zlib stream (RFC 1950) of one block that is stored as it is (RFC 1951, 3.2.4).
func storedZlib(data []byte) []byte {
	n := uint16(len(data))
	out := []byte{0x78, 0x01, 1}
	out = binary.LittleEndian.AppendUint16(out, n)
	out = binary.LittleEndian.AppendUint16(out, ^n)
	return binary.BigEndian.AppendUint32(append(out, data...), adler32.Checksum(data))
}

func (p *inProcess) file(oid string) string {
	return filepath.Join(p.commonDir, "objects", oid[:2], oid[2:])
}

func (p *inProcess) loose(oid string) bool {
	_, err := os.Lstat(p.file(oid))
	return err == nil
}

// freshen reports whether a loose object is there, and makes it young, so that a gc beside us does not prune it.
func (p *inProcess) freshen(oid string) bool {
	now := time.Now()
	return os.Chtimes(p.file(oid), now, now) == nil
}

// A pack is a pack that is open, with its index in memory.
type pack struct {
	*packfile.Packfile
	file *os.File
}

// fewPacks opens the packs with the first packed object, if their indexes, all of which are read whole, are small enough
// for that.
func (p *inProcess) fewPacks() bool {
	if p.looked {
		return p.packs != nil
	}
	p.looked = true
	var size int64
	folder := filepath.Join(p.commonDir, "objects", "pack")
	indexes, _ := filepath.Glob(filepath.Join(folder, "pack-*.idx"))
	for _, index := range indexes {
		if info, err := os.Stat(index); err == nil {
			size += info.Size()
		}
	}
	if size > p.maxIndex {
		return false
	}
	objects := cache.NewObjectLRU(cache.MiByte)
	for _, index := range indexes {
		if pack, err := openPack(index, objects); err == nil {
			p.packs = append(p.packs, pack)
		}
	}
	return p.packs != nil
}

func openPack(index string, objects cache.Object) (pack, error) {
	in, err := os.Open(index)
	if err != nil {
		return pack{}, err
	}
	defer in.Close()
	known := idxfile.NewMemoryIndex()
	if err := idxfile.NewDecoder(bufio.NewReader(in)).Decode(known); err != nil {
		return pack{}, err
	}
	file, err := os.Open(strings.TrimSuffix(index, ".idx") + ".pack")
	if err != nil {
		return pack{}, err
	}
	return pack{packfile.NewPackfileWithCache(known, nil, readOnly{file}, objects, 0), file}, nil
}

// readOnly is a file as the pack reader wants it. Nobody locks a pack.
type readOnly struct{ *os.File }

func (readOnly) Lock() error   { return nil }
func (readOnly) Unlock() error { return nil }

func (p *inProcess) close() (err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, pack := range p.packs {
		err = errors.Join(err, pack.file.Close())
	}
	p.packs, p.looked = nil, false
	return err
}
