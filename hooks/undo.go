package hooks

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"git-handoff/gitstore"
)

// Undo takes out whatever Install put in, by either mechanism. What others wrote is as it was, to the byte.
func Undo(ctx context.Context, repo *gitstore.Repo) (Report, error) {
	i, err := newInstaller(ctx, repo, Auto)
	if err != nil {
		return Report{}, err
	}
	err = errors.Join(i.unconfigure(ctx), i.takeFiles(ctx))
	if err != nil {
		return i.report, err
	}
	if i.before != nil {
		for _, folder := range slices.Backward(i.before.Folders) {
			// It goes only if nobody put anything there.
			os.Remove(resolve(i.place, folder))
		}
	}
	if len(i.report.Steps) == 0 {
		i.report.note("there are no hooks of git-handoff here")
	}
	return i.report, forget(repo)
}

// forget removes what we keep about the hooks in the git directory.
func forget(repo *gitstore.Repo) error {
	if err := os.Remove(recordFile(repo)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.RemoveAll(restFolder(repo)); err != nil {
		return err
	}
	// The folder goes only if nothing else is kept there.
	os.Remove(filepath.Dir(recordFile(repo)))
	return nil
}

// takeFiles takes our blocks out of every hook file that may have one.
func (i *installer) takeFiles(ctx context.Context) error {
	lost := false
	for _, event := range Events {
		for _, file := range i.files(event) {
			gone, err := i.takeFile(event, file)
			if err != nil {
				return err
			}
			lost = lost || gone && file == filepath.Join(i.folder.Path, "pre-push")
		}
	}
	if uses, _ := i.repo.HasLargeFiles(ctx); uses && lost && i.mode != Print {
		// Our file stood where Git LFS would have put its own.
		if err := i.repo.InstallLargeFiles(ctx); err != nil {
			i.report.note("Git LFS has no pre-push hook now: git lfs update")
		} else {
			i.report.note("Git LFS has its own hooks again (git lfs update)")
		}
	}
	return nil
}

// files are the places where a hook file of ours may be: where git looks now, where it looks by default, where a
// manager looks or moved it to, and where it was put.
func (i *installer) files(event string) []string {
	m := i.manager()
	all := []string{filepath.Join(i.folder.Path, event), filepath.Join(i.place.CommonDir, "hooks", event),
		m.file(i.folder.Path, i.place.TopLevel, event)}
	all = append(all, movedTo(i.folder.Path, event)...)
	if i.before != nil && i.before.Files[event] != "" {
		all = append(all, resolve(i.place, i.before.Files[event]))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// takeFile takes our block out of one file; gone means that the file was ours and went with it.
func (i *installer) takeFile(event, file string) (gone bool, err error) {
	info, err := os.Lstat(file)
	if err != nil || !info.Mode().IsRegular() {
		return false, nil
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return false, err
	}
	rest, err := take(content)
	switch {
	case errors.Is(err, errNotOurs):
		return false, nil
	case err != nil:
		i.report.step(event, "left alone", i.show(file)+" "+err.Error())
		return false, nil
	}
	i.report.step(event, "taken out", i.show(file))
	switch {
	case i.mode == Print:
		return false, nil
	case rest == nil:
		return true, os.Remove(file)
	}
	return false, writeFile(file, rest, info.Mode().Perm())
}
