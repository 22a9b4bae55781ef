package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sync"
)

// showCI tells what would be written, and writes nothing.
func (d *desk) showCI(files []ciFile) error {
	for _, f := range files {
		old, err := os.ReadFile(f.at)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			fmt.Fprintf(d.out, "%s: would be written\n\n%s\n", f.path, f.data)
		case err != nil:
			return err
		case bytes.Equal(old, f.data):
			fmt.Fprintf(d.out, "%s: is as it would be\n", f.path)
		default:
			fmt.Fprintf(d.out, "%s: is there and differs; would ask\n\n%s\n", f.path, f.data)
		}
	}
	fmt.Fprintln(d.out, "nothing was changed (--hooks print)")
	return nil
}

// removeCI takes out the files of a host that are as they were written. What somebody changed stays.
func (d *desk) removeCI(top string, templates []ciTemplate) error {
	for _, t := range templates {
		at := filepath.Join(top, filepath.FromSlash(t.path))
		old, err := os.ReadFile(at)
		if errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintf(d.out, "%s: is not there\n", t.path)
			continue
		}
		if err != nil {
			return err
		}
		written, err := compose(t.from, writtenSource(old))
		if err != nil {
			return err
		}
		if !bytes.Equal(old, written) {
			fmt.Fprintf(d.out, "%s: was changed since, and stays\n", t.path)
			continue
		}
		if err := os.Remove(at); err != nil {
			return err
		}
		fmt.Fprintf(d.out, "%s: taken out\n", t.path)
		removeEmpty(filepath.Dir(at), top)
	}
	return nil
}

// removeEmpty removes a folder and those above it, below top, that hold nothing any more.
func removeEmpty(dir, top string) {
	for dir != top && os.Remove(dir) == nil {
		dir = filepath.Dir(dir)
	}
}

// sourceLines are compiled where they are used: no other command needs them.
var sourceLines = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^ *GIT_HANDOFF_SOURCE: '(.*)'\n *GIT_HANDOFF_COMMIT: '(.*)'$`)
})

// writtenSource is the source that a workflow file was written with.
func writtenSource(file []byte) ciSource {
	m := sourceLines().FindSubmatch(file)
	if m == nil {
		return ciSource{}
	}
	source, err := parseSource(string(m[1]) + "@" + string(m[2]))
	if err != nil {
		return ciSource{}
	}
	return source
}
