package workbench

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxFile is the largest state, board or report that is read, in bytes.
const maxFile = 8 << 20

// load reads a small file and parses it. The tree and its text are nil where there is nothing to read; what is there and cannot be
// read is a problem, and the File says so.
func (r *reader) load(name string) (File, *node, []byte) {
	f := File{Path: name}
	data, err := r.bytes(name)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil, nil
	}
	f.Present = true
	if err != nil {
		r.problem(name, 0, err.Error())
		return f, nil, nil
	}
	sum := sha256.Sum256(data)
	f.Digest = hex.EncodeToString(sum[:])
	text, odd := decodeText(data)
	if len(bytes.TrimSpace(text)) == 0 {
		r.problem(name, 0, "is there but empty")
		return f, nil, nil
	}
	if odd > 0 {
		r.problem(name, lineAt(text, odd-1), "has bytes that are no UTF-8; they are shown as \uFFFD")
	}
	tree, err := parse(text)
	if err != nil {
		r.problem(name, lineAt(text, errorOffset(err)), "is no valid JSON: "+err.Error())
		return f, nil, nil
	}
	f.Readable = true
	r.duplicates(name, text, tree)
	return f, tree, text
}

// maxDuplicates is how many keys that come twice are told for one file.
const maxDuplicates = 10

func (r *reader) duplicates(name string, text []byte, tree *node) {
	for i, d := range tree.duplicates(nil) {
		if i == maxDuplicates {
			r.problem(name, 0, "more keys are there twice")
			return
		}
		r.problem(name, lineAt(text, d.off), fmt.Sprintf("the key %q is there twice; the last one counts", d.key))
	}
}

// bytes reads a whole file. An error that is not fs.ErrNotExist is a sentence that can follow the file's name.
func (r *reader) bytes(name string) ([]byte, error) {
	info, err := r.root.Stat(filepath.FromSlash(name))
	switch {
	case errors.Is(err, fs.ErrNotExist) || err != nil && strings.Contains(err.Error(), "not a directory"):
		if _, err := r.root.Lstat(filepath.FromSlash(name)); err == nil {
			return nil, errors.New("is a symbolic link that leads nowhere")
		}
		return nil, fs.ErrNotExist
	case err != nil:
		return nil, unreadable(err)
	case !info.Mode().IsRegular():
		return nil, errors.New("is not a file")
	case info.Size() > maxFile:
		return nil, fmt.Errorf("is larger than the %d MiB that are read", maxFile>>20)
	}
	f, err := r.root.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, unreadable(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return nil, unreadable(err)
	}
	return data, nil
}

// unreadable says why a file could not be opened, without the path that the error repeats.
func unreadable(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	if strings.Contains(err.Error(), "escapes") {
		return errors.New("leads out of the repository and is not read")
	}
	return fmt.Errorf("cannot be read: %w", err)
}

// inside cleans a configured path. A path that leads out of the tree is a problem.
func (r *reader) inside(setting, configured string) (string, bool) {
	name := path.Clean(strings.ReplaceAll(filepath.ToSlash(configured), `\`, "/"))
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		r.problem(configured, 0, "leads out of the repository and is not read ("+setting+")")
		return "", false
	}
	return name, true
}

// places are the folders where workbench files are kept, the top first.
var places = []string{".", "outputs", "workbench", ".workbench", ".agent", ".agents", ".claude", ".harness", "harness", "memory", "state", "docs", "planning"}

// find gives the files that have one of the names, in the order of the names and places. Case and the choice between
// dash and underscore do not matter.
func (r *reader) find(names ...string) []string {
	var found []string
	for _, dir := range places {
		entries := r.entriesOf(dir)
		for _, want := range names {
			for _, e := range entries {
				switch name := path.Join(dir, e.Name()); {
				case plainName(e.Name()) != want:
				case e.IsDir():
					r.problem(name, 0, "is a folder, not a file, and is not read")
				default:
					found = append(found, name)
				}
			}
		}
	}
	return found
}

// entriesOf lists a folder. One that is there and may not be read is a problem, told once.
func (r *reader) entriesOf(dir string) []fs.DirEntry {
	entries, err := fs.ReadDir(r.root.FS(), dir)
	if errors.Is(err, fs.ErrPermission) {
		p := Problem{r.mask(dir), 0, unreadable(err).Error()}
		if !slices.Contains(r.bench.Problems, p) {
			r.bench.Problems = append(r.bench.Problems, p)
		}
	}
	return entries
}

func plainName(s string) string { return strings.ReplaceAll(strings.ToLower(s), "-", "_") }

// one gives the path of a file: the configured one, else the first that is found; ok is false where there is none.
func (r *reader) one(setting, configured string, names ...string) (string, bool) {
	if configured != "" {
		return r.configured(setting, configured)
	}
	if found := r.find(names...); len(found) > 0 {
		return found[0], true
	}
	return "", false
}

func (r *reader) configured(setting, configured string) (string, bool) {
	name, ok := r.inside(setting, configured)
	if !ok {
		return "", false
	}
	if _, err := r.root.Lstat(filepath.FromSlash(name)); errors.Is(err, fs.ErrNotExist) {
		r.problem(name, 0, "is not there, although "+setting+" names it")
		return "", false
	}
	return name, true
}

// A liner tells lines of offsets that mostly grow, without counting from the top each time.
type liner struct {
	text      []byte
	off, line int
}

func (l *liner) at(off int) int {
	if off < l.off {
		l.off, l.line = 0, 0
	}
	l.line += bytes.Count(l.text[l.off:off], []byte("\n"))
	l.off = off
	return 1 + l.line
}

// lineAt gives the line, from 1, of an offset.
func lineAt(text []byte, off int) int {
	return 1 + bytes.Count(text[:min(max(off, 0), len(text))], []byte("\n"))
}

// decodeText gives the text of a file as UTF-8 without a byte-order mark, from UTF-8 or UTF-16. odd is one more than
// the offset of the first byte that is no UTF-8, 0 where all are.
func decodeText(data []byte) (text []byte, odd int) {
	if order := byteOrder(data); order != nil {
		text, _ = io.ReadAll(newUTF16(bytes.NewReader(data), order))
	} else {
		text = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	}
	if utf8.Valid(text) {
		return text, 0
	}
	for i := 0; i < len(text); {
		c, n := utf8.DecodeRune(text[i:])
		if c == utf8.RuneError && n == 1 {
			return slices.Clip(text), i + 1
		}
		i += n
	}
	return text, 0
}
