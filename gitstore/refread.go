package gitstore

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"syscall"
)

// ref gives what one ref, by its full name, points to; "" where there is none. With loose refs it starts no child, and
// a race with pack-refs is harmless: the loose file goes only after the packed one is there.
func (r *Repo) ref(ctx context.Context, name string) (string, error) {
	if r.place.RefFormat == "files" && shared(name) {
		if oid, err := readRef(r.place.CommonDir, name); err == nil {
			return oid, nil
		}
	}
	oid, err := r.askRef(ctx, name)
	if file := filepath.Join(r.place.CommonDir, filepath.FromSlash(name)); err == nil && oid == "" && holdsFile(file) {
		return "", &BrokenRefError{Ref: name, File: file}
	}
	return oid, err
}

// A BrokenRefError is a ref whose file holds nothing that git can read: a crash of the machine left it so. Git neither
// lists such a ref nor writes over it.
type BrokenRefError struct{ Ref, File string }

func (e *BrokenRefError) Error() string {
	return fmt.Sprintf("the file of %s is damaged: git cannot read it", e.Ref)
}

func holdsFile(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode().IsRegular()
}

// shared reports whether all worktrees see the same ref of that name.
func shared(name string) bool {
	for _, own := range []string{"refs/bisect/", "refs/worktree/", "refs/rewritten/"} {
		if strings.HasPrefix(name, own) {
			return false
		}
	}
	return strings.HasPrefix(name, "refs/") && !strings.Contains(name, "..")
}

func (r *Repo) askRef(ctx context.Context, name string) (string, error) {
	out, err := r.git(ctx, "rev-parse", "-q", "--verify", "--end-of-options", name)
	var git *GitError
	if errors.As(err, &git) && git.Status == 1 {
		return "", nil
	}
	return strings.TrimSpace(string(out)), err
}

// readRef reads a loose ref, else a packed one. An error means that git must be asked.
func readRef(commonDir, name string) (string, error) {
	data, err := os.ReadFile(filepath.Join(commonDir, filepath.FromSlash(name)))
	switch {
	case err == nil:
		oid := strings.TrimSuffix(string(data), "\n")
		if !isOID(oid) {
			return "", errNotPlain
		}
		return oid, nil
	case os.IsNotExist(err), errors.Is(err, syscall.EISDIR), errors.Is(err, syscall.ENOTDIR):
		return readPackedRef(commonDir, name)
	}
	return "", err
}

// readPackedRef finds a ref in packed-refs; "" where it is not there. The file is only ever replaced whole.
func readPackedRef(commonDir, name string) (string, error) {
	f, err := os.Open(filepath.Join(commonDir, "packed-refs"))
	if os.IsNotExist(err) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	if size := info.Size(); size <= smallPackedRefs {
		data, err := io.ReadAll(f)
		return scanPackedRefs(bytes.NewReader(data), name), err
	} else {
		return searchPackedRefs(f, size, name)
	}
}

// smallPackedRefs is the size up to which packed-refs is read whole.
const smallPackedRefs = 64 << 10

// scanPackedRefs reads lines up to the one with the name.
func scanPackedRefs(in io.Reader, name string) string {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		if oid, ref, ok := strings.Cut(lines.Text(), " "); ok && ref == name && isOID(oid) {
			return oid
		}
	}
	return ""
}

// scanSorted reads sorted lines, the first of them perhaps cut, until they are past the name.
func scanSorted(in io.Reader, name string) string {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		oid, ref, ok := strings.Cut(lines.Text(), " ")
		switch {
		case !ok || !isOID(oid):
		case ref == name:
			return oid
		case ref > name:
			return ""
		}
	}
	return ""
}

// searchPackedRefs halves a large file that says it is sorted, and reads from just before the name.
func searchPackedRefs(f *os.File, size int64, name string) (string, error) {
	start, sorted, err := sortedStart(f, size, name)
	if err != nil || !sorted {
		return scanPackedRefs(io.NewSectionReader(f, 0, size), name), err
	}
	return scanSorted(io.NewSectionReader(f, start, size-start), name), nil
}

// sortedStart is where to start reading a large file for the name, or what comes after it, if it says it is sorted.
func sortedStart(f *os.File, size int64, name string) (start int64, sorted bool, err error) {
	first, err := lineAt(f, 0, size)
	if err != nil || !strings.HasPrefix(first, "# pack-refs with:") || !strings.Contains(first+" ", " sorted ") {
		return 0, false, err
	}
	const block = 4 << 10
	n := int(size / block)
	// The first block whose first whole ref is past the name: the name, if it is there, stands before that ref.
	i := sort.Search(n, func(i int) bool {
		ref, refErr := refAfter(f, int64(i)*block, size)
		if refErr != nil {
			err = refErr
		}
		return ref == "" || ref > name
	})
	return int64(max(0, i-1)) * block, true, err
}

// refAfter is the name on the first whole ref line that starts after off.
func refAfter(f *os.File, off, size int64) (string, error) {
	window := make([]byte, min(2<<10, size-off))
	if _, err := f.ReadAt(window, off); err != nil && err != io.EOF {
		return "", err
	}
	_, rest, _ := bytes.Cut(window, []byte("\n"))
	for line := range bytes.Lines(rest) {
		oid, ref, ok := strings.Cut(strings.TrimSuffix(string(line), "\n"), " ")
		if ok && isOID(oid) {
			return ref, nil
		}
	}
	return "", nil
}

func lineAt(f *os.File, off, size int64) (string, error) {
	line, err := bufio.NewReader(io.NewSectionReader(f, off, size-off)).ReadString('\n')
	return strings.TrimSuffix(line, "\n"), err
}
