package hooks

import (
	"os"
	"path/filepath"
	"time"

	"git-handoff/gitstore"
)

// A rest is a mark in the git directory that a branch (or, with an empty name, the repository) has nothing for the
// hooks to do, as far as packed-refs tells. The scripts read it: they have no cheap way to look into that file, and a
// loose ref they see for themselves. The mark holds while packed-refs is the file that it was: it consists of two empty
// files, one a second older and one a second newer than packed-refs. Whatever rewrites packed-refs later gives it a
// time that is not between the two.
//
// A mark that is missing or wrong costs time. One that holds when it should not would lose a refresh; so it is only
// made where packed-refs was read whole, by git, after it had come to rest.
type rest struct {
	folder string
	// packed is the time of packed-refs before the refs were listed.
	packed time.Time
}

func restFolder(repo *gitstore.Repo) string {
	return filepath.Join(repo.Place().CommonDir, "handoff", "rest")
}

// settled is how old packed-refs must be: a file system may give two versions within that time the same one.
const settled = 3 * time.Second

// prepareRest is called before the refs are listed. It is false where no mark is of use: there is no packed-refs, or it
// was written just now, or another format is in use.
func prepareRest(repo *gitstore.Repo, branch string) (rest, bool) {
	place := repo.Place()
	info, err := os.Stat(filepath.Join(place.CommonDir, "packed-refs"))
	if err != nil || place.RefFormat != "files" {
		return rest{}, false
	}
	// Where Feat and feat are one folder, a mark for one would speak for the other.
	if local, ok := repo.LocalConfig(); !ok || local.Is("core.ignorecase") {
		return rest{}, false
	}
	age := time.Since(info.ModTime())
	if age < settled {
		return rest{}, false
	}
	return rest{folder: filepath.Join(restFolder(repo), filepath.FromSlash(branch)), packed: info.ModTime()}, true
}

// mark makes the mark, once the refs were listed and none was found. That it cannot be made is no error.
func (r rest) mark() {
	if os.MkdirAll(r.folder, 0o777) != nil {
		return
	}
	for name, when := range map[string]time.Time{".older": r.packed.Add(-time.Second), ".newer": r.packed.Add(time.Second)} {
		file := filepath.Join(r.folder, name)
		f, err := os.OpenFile(file, os.O_CREATE|os.O_WRONLY, 0o666)
		if err != nil {
			return
		}
		f.Close()
		if os.Chtimes(file, when, when) != nil {
			os.Remove(file)
			return
		}
	}
}
