package hooks

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"git-handoff/gitstore"
)

// Mode says what Install may do.
type Mode string

const (
	// Auto installs where nobody else is in charge of the hooks.
	Auto Mode = "auto"
	// Print changes nothing and tells what Auto would do.
	Print Mode = "print"
	// Write puts hook files in place, even in the folder of a hook manager.
	Write Mode = "write"
	// None installs no hooks.
	None Mode = "none"
)

// Modes are all modes.
var Modes = []Mode{Auto, Print, Write, None}

// A Report tells a person what was done.
type Report struct {
	// Mechanism is what is installed now; "" for none.
	Mechanism Mechanism
	Steps     []Step
	// Notes are remarks of one line each.
	Notes []string
	// Change is what to do by hand, in lines; "" for nothing.
	Change string
	// NotInstalled says why hooks that were asked for are not in place; "" where they are.
	NotInstalled string
}

// A Step is what was done about one hook: "post-commit", "written", "/repo/.git/hooks/post-commit".
type Step struct{ Event, What, Where string }

func (r *Report) step(event, what, where string) {
	r.Steps = append(r.Steps, Step{Event: event, What: what, Where: where})
}

func (r *Report) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

// Install installs the hooks, by the mechanism that this git has, and takes those of the other mechanism out. Done again
// it changes nothing. The error is for what should have worked; what may not be done is in the report.
func Install(ctx context.Context, repo *gitstore.Repo, mode Mode) (Report, error) {
	if mode == None {
		return Report{}, nil
	}
	i, err := newInstaller(ctx, repo, mode)
	if err != nil {
		return Report{}, err
	}
	configured, err := repo.RunsConfiguredHooks(ctx)
	if err != nil {
		return Report{}, err
	}
	if configured && mode != Write {
		err = i.configure(ctx)
	} else {
		err = i.putFiles(ctx)
	}
	return i.report, err
}

// An installer is one run of Install or Undo.
type installer struct {
	repo   *gitstore.Repo
	place  gitstore.Place
	folder gitstore.HooksFolder
	mode   Mode
	// before is what an earlier run left; nil for nothing.
	before  *record
	program string
	storage string
	report  Report
}

func newInstaller(ctx context.Context, repo *gitstore.Repo, mode Mode) (*installer, error) {
	folder, err := repo.HooksFolder(ctx)
	if err != nil {
		return nil, err
	}
	i := &installer{repo: repo, place: repo.Place(), folder: folder, mode: mode, before: readRecord(repo), program: programPath()}
	_, i.storage = repo.HasLargeFiles(ctx)
	return i, nil
}

// programPath is where this program stands: as PATH has it, if that is this program, since the name there survives an
// upgrade; else the file that runs.
func programPath() string {
	self, err := os.Executable()
	if err != nil {
		return ""
	}
	found := gitstore.FindProgram("git-handoff")
	a, errA := os.Stat(self)
	b, errB := os.Stat(found)
	if errA == nil && errB == nil && os.SameFile(a, b) {
		return found
	}
	return self
}

// script is the code for an event. In a file that others share, our path would be wrong for them.
func (i *installer) script(event string, shared bool) script {
	s := script{event: event, program: i.program, storage: i.storage, anywhere: shared || runtime.GOOS == "windows"}
	if shared {
		s.program, s.storage = "", ""
	}
	return s
}

// remember records what is installed now. Folders that were made for the hooks stay known.
func (i *installer) remember(r record) error {
	if i.mode == Print {
		return nil
	}
	if i.before != nil {
		r.Folders = append(i.before.Folders, r.Folders...)
	}
	return r.write(i.repo)
}

// show makes a path short for people: from the top of the worktree.
func (i *installer) show(file string) string {
	if rel, ok := within(i.place.TopLevel, file); ok {
		return rel
	}
	return filepath.Clean(file)
}
