package hooks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// putFiles installs hook files, unless the folder is somebody else's.
func (i *installer) putFiles(ctx context.Context) error {
	if why := i.foreign(); why != "" {
		i.byHand(why, folderChange(i.folder.Path))
		return nil
	}
	m := i.manager()
	if m != nil && i.mode != Write {
		return i.showManager(*m)
	}
	shared, err := i.isShared(ctx, m)
	if err != nil {
		return err
	}
	edits := make([]edit, len(Events))
	for n, event := range Events {
		edits[n] = i.plan(m.file(i.folder.Path, i.place.TopLevel, event), i.script(event, shared))
	}
	if err := i.apply(edits); err != nil {
		return err
	}
	if m != nil {
		i.report.note("%s", m.warning)
	}
	return i.unconfigure(ctx)
}

// foreign says why the hooks folder is not this repository's own; "" if it is.
func (i *installer) foreign() string {
	if i.folder.Off {
		return fmt.Sprintf("core.hooksPath is empty (%s): git runs no hook files", i.folder.Scope)
	}
	path := i.folder.Path
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	ours := inside(i.place.CommonDir, path) || inside(i.place.TopLevel, path)
	switch scope := i.folder.Scope; {
	case scope == "global" || scope == "system" || scope == "command":
		return fmt.Sprintf("core.hooksPath is set for more than this repository (%s: %s)", scope, i.folder.Configured)
	case !ours:
		return fmt.Sprintf("the hooks folder %s is outside the repository", i.folder.Path)
	}
	return ""
}

// byHand reports that nothing was written, and what to do instead.
func (i *installer) byHand(why, change string) {
	i.report.NotInstalled = why
	i.report.Change = change
}

// isShared reports whether hook files that are made in the folder are seen by others: git tracks the folder, or might.
func (i *installer) isShared(ctx context.Context, m *manager) (bool, error) {
	folder := filepath.Dir(m.file(i.folder.Path, i.place.TopLevel, Events[0]))
	if i.place.TopLevel == "" || inside(i.place.CommonDir, folder) || !inside(i.place.TopLevel, folder) {
		return false, nil
	}
	tracked, ignored, err := i.repo.Tracked(ctx, folder)
	if err != nil || ignored {
		return false, err
	}
	if tracked {
		i.report.note("git tracks files in %s: commit the hooks there, or others do not get them", i.show(folder))
	} else {
		i.report.note("%s is part of the worktree, and git neither tracks nor ignores it: git status shows the hooks there", i.show(folder))
	}
	return true, nil
}

// An edit is what is to happen to one hook file.
type edit struct {
	event, file   string
	before, after []byte
	mode          fs.FileMode
	// what was done, for people; why is the reason for not doing it.
	what, why string
}

// plan looks at a hook file and decides; it changes nothing.
func (i *installer) plan(file string, s script) edit {
	e := edit{event: s.event, file: file, mode: 0o755}
	info, err := os.Lstat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.after, err = put(nil, s)
		e.what = "written"
	case err != nil:
	case info.Mode()&fs.ModeSymlink != 0:
		e.why = "is a symbolic link, and what it points to may be used elsewhere"
	case !info.Mode().IsRegular():
		e.why = "is no file"
	default:
		e.mode = info.Mode().Perm()
		e.before, err = os.ReadFile(file)
		if err == nil {
			e.rewrite(s, runs(info) || isHusky(file))
		}
	}
	if err != nil && e.why == "" {
		e.why = err.Error()
	}
	return e
}

// rewrite decides about a file that is there.
func (e *edit) rewrite(s script, on bool) {
	_, missing := find(e.before)
	after, err := put(e.before, s)
	switch {
	case calls(e.before, s.event) && missing != nil:
		e.what, e.after = "already called", e.before
	case !on && missing != nil:
		e.what, e.after = "off and left off: the file is not executable", e.before
	case err != nil:
		e.why = err.Error()
	case bytes.Equal(after, e.before):
		e.what, e.after = "already there", after
	case missing == nil:
		e.what, e.after = "brought up to date", after
	default:
		e.what, e.after = "put in front of what is there", after
	}
}

// runs reports whether git would start the file. Windows knows no such bit.
func runs(info fs.FileInfo) bool { return runtime.GOOS == "windows" || info.Mode()&0o111 != 0 }

// calls reports whether somebody has put a call of our hook into a text, by hand.
func calls(text []byte, event string) bool {
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		for _, call := range []string{"git-handoff hook ", "git handoff hook "} {
			if _, rest, ok := strings.Cut(line, call+event); ok && (rest == "" || !isWord(rest[0])) {
				return true
			}
		}
	}
	return false
}

func isWord(c byte) bool { return c == '-' || c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }

// apply makes the edits, all that can be made, and records them.
func (i *installer) apply(edits []edit) error {
	r := record{Mechanism: Files, Files: map[string]string{}}
	var left []string
	for _, e := range edits {
		if e.why != "" {
			i.report.step(e.event, "left alone", i.show(e.file)+" "+e.why)
			i.report.Change += fmt.Sprintf("# to be called by %s, with its arguments and input\n%s\n", i.show(e.file), script{event: e.event}.plainLine())
			left = append(left, e.event)
			continue
		}
		i.report.step(e.event, e.what, i.show(e.file))
		if _, err := find(e.after); err == nil {
			r.Files[e.event] = keep(i.place, e.file)
		}
		if err := i.write(e, &r); err != nil {
			return err
		}
	}
	if len(left) > 0 {
		i.report.NotInstalled = strings.Join(left, ", ") + ": somebody else's, and not edited"
	}
	i.report.Mechanism = Files
	return i.remember(r)
}

func (i *installer) write(e edit, r *record) error {
	if bytes.Equal(e.before, e.after) && e.before != nil {
		return nil
	}
	if i.mode == Print {
		s, err := find(e.after)
		if err == nil {
			i.report.Change += fmt.Sprintf("# %s\n%s", i.show(e.file), e.after[s.start:s.end])
		}
		return nil
	}
	made, err := makeFolders(filepath.Dir(e.file))
	for _, folder := range made {
		r.Folders = append(r.Folders, keep(i.place, folder))
	}
	if err != nil {
		return err
	}
	return writeFile(e.file, e.after, e.mode)
}

// makeFolders makes a folder and those above it, and lists what it made, the outer ones first.
func makeFolders(folder string) (made []string, err error) {
	if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if made, err = makeFolders(filepath.Dir(folder)); err != nil {
		return made, err
	}
	if err := os.Mkdir(folder, 0o777); err != nil {
		return made, err
	}
	return append(made, folder), nil
}
