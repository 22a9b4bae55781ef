package workbench

import (
	"errors"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// rotated gives the files that were rotated from a log, oldest first: dated ones by date, then numbered ones from the
// highest number down.
func (r *reader) rotated(name string) []string {
	type part struct {
		name string
		age  int64
	}
	var parts []part
	for _, e := range r.entriesOf(path.Dir(name)) {
		suffix, ok := strings.CutPrefix(e.Name(), path.Base(name))
		if !ok || len(suffix) < 2 || strings.IndexByte(".-", suffix[0]) < 0 {
			continue
		}
		full := path.Join(path.Dir(name), e.Name())
		digits := strings.NewReplacer("-", "", "T", "", "_", "").Replace(suffix[1:])
		n, err := strconv.ParseInt(digits, 10, 62)
		switch {
		case strings.HasSuffix(suffix, ".gz"), strings.HasSuffix(suffix, ".zst"), strings.HasSuffix(suffix, ".bz2"), strings.HasSuffix(suffix, ".xz"):
			r.problem(full, 0, "is compressed and is not read")
		case err != nil:
		case len(digits) >= 8:
			parts = append(parts, part{full, 1<<62 - n})
		default:
			parts = append(parts, part{full, n})
		}
	}
	slices.SortFunc(parts, func(a, b part) int {
		if a.age != b.age {
			return int(max(-1, min(1, b.age-a.age)))
		}
		return strings.Compare(a.name, b.name)
	})
	var names []string
	for _, p := range parts {
		names = append(names, p.name)
	}
	return names
}

// readTreeLog reads one file of the tree into an account; it tells 1 if that could be read.
func (r *reader) readTreeLog(name string, sum hash.Hash, a *account) int {
	info, err := r.root.Stat(filepath.FromSlash(name))
	if err != nil {
		r.problem(name, 0, unreadable(err).Error())
		return 0
	}
	if !info.Mode().IsRegular() {
		r.problem(name, 0, "is not a file")
		return 0
	}
	file, err := r.root.Open(filepath.FromSlash(name))
	if err != nil {
		r.problem(name, 0, unreadable(err).Error())
		return 0
	}
	defer file.Close()
	r.readLog(name, file, sum, a)
	return 1
}

func (r *reader) readOwnLog(name string, a *account) {
	file, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		r.problem(name, 0, unreadable(err).Error())
		return
	}
	defer file.Close()
	r.readLog(name, file, nil, a)
}

// A sumReader adds what is read through it to a sum.
type sumReader struct {
	src io.Reader
	sum hash.Hash
}

func newSumReader(src io.Reader, sum hash.Hash) io.Reader { return &sumReader{src, sum} }

func (s *sumReader) Read(p []byte) (int, error) {
	n, err := s.src.Read(p)
	s.sum.Write(p[:n])
	return n, err
}
