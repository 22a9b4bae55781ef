// Package workbench reads the files that a session leaves in the tree: the state file, the task board, the reports of
// verification and review, and the log of commands. It reads every shape of them that is in use, writes none, and
// says with file and line what is there but cannot be read: that is never taken for absent.
//
// Files are looked for below the top of the worktree alone. A path, or a symbolic link, that leads out of it is not
// followed. Texts pass through Options.Mask before they are kept.
package workbench

import (
	"cmp"
	"os"
	"time"

	"git-handoff/gitstore/handoff"
)

// Options say where to look and what to leave out. A path that is empty means the usual places.
type Options struct {
	// State, Board, Verification, Review and Feedback are paths below the top of the worktree. A report's path may be a
	// file or a folder of them.
	State, Board, Verification, Review, Feedback string
	// Own are logs that the program itself keeps outside of the tree. They are read after the log of the tree.
	Own []string
	// Since leaves out the commands that the log dates at or before it; a record without a time is always taken.
	Since time.Time
	// Mask and MaskArgs take secrets out of a text and of the arguments of a command. Nil keeps them as they are.
	Mask     func(string) string
	MaskArgs func([]string) []string
}

// A Workbench is what was found. Problems are all that was there and could not be read as it should be, in the order
// of the files.
type Workbench struct {
	State        State
	Boards       []Board
	Verification Verification
	Review       Review
	// Against are the reports that speak against a task that a board has as done.
	Against  []Failure
	Feedback Feedback
	Problems []Problem
}

// A Problem is one thing that is wrong with a file. Line is 1-based, 0 where there is none.
type Problem struct {
	File string
	Line int
	What string
}

// A File says what became of a file that was looked for. Path is slash-separated, from the top of the worktree;
// Digest is the sha256 of its bytes in hex. A file that is Present and not Readable is empty or damaged.
type File struct {
	Path     string
	Present  bool
	Readable bool
	Digest   string
}

// Read reads the workbench below dir. It fails only if dir itself cannot be opened.
func Read(dir string, opt Options) (*Workbench, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	r := &reader{root: root, opt: opt, bench: &Workbench{}}
	r.readState()
	r.readBoards()
	r.readReports()
	r.readFeedback()
	return r.bench, nil
}

// reader holds what the readers of the single files share.
type reader struct {
	root  *os.Root
	opt   Options
	bench *Workbench
}

func (r *reader) problem(file string, line int, what string) {
	r.bench.Problems = append(r.bench.Problems, Problem{r.mask(file), line, r.mask(what)})
}

func (r *reader) mask(s string) string {
	if r.opt.Mask == nil || s == "" {
		return s
	}
	return r.opt.Mask(s)
}

func (r *reader) masks(list []string) []string {
	for i, s := range list {
		list[i] = r.mask(s)
	}
	return list
}

// Board is the board to go by: the one that has the active task, else the first that is one.
func (w *Workbench) Board() *Board {
	var first *Board
	for i := range w.Boards {
		b := &w.Boards[i]
		if b.Recognised && w.State.ActiveTask != "" && b.Find(w.State.ActiveTask) != nil {
			return b
		}
		if b.Recognised && first == nil {
			first = b
		}
	}
	return first
}

// ActiveTask is the task in hand, as the state file names it, else the board: by its id where it is on the board.
func (w *Workbench) ActiveTask() string {
	b := w.Board()
	if b == nil {
		return w.State.ActiveTask
	}
	name := cmp.Or(w.State.ActiveTask, b.Active)
	if it := b.Find(name); it != nil {
		return cmp.Or(it.ID, name)
	}
	return name
}

// VerdictPointer points to the reports that exist; nil where there is none.
func (w *Workbench) VerdictPointer() *handoff.VerdictPointer {
	p := &handoff.VerdictPointer{}
	if v := w.Verification; v.Present {
		p.Verification = &handoff.Verification{Path: v.Path, Digest: v.Digest, Passed: v.Passed}
	}
	if v := w.Review; v.Present {
		p.Review = &handoff.Review{Path: v.Path, Digest: v.Digest, Verdict: v.Verdict, Total: v.Total}
	}
	if p.Verification == nil && p.Review == nil {
		return nil
	}
	return p
}
