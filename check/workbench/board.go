package workbench

import (
	"fmt"
	"slices"
	"strings"

	"git-handoff/gitstore/handoff"
)

// A Board is a list of tasks or features with their status.
type Board struct {
	File
	// Recognised is false where the file is readable and no board: What says what it is instead.
	Recognised bool
	What       string
	Items      []Item
	// Active is the id of the item in hand, where the board names one.
	Active string
	// UnknownWords are the status words that are in no list, as written, each once.
	UnknownWords []string
	// strays are the lines of what lies among the items and is none.
	strays []int
}

// An Item is one task or feature. ID and Title may each be empty; Position counts from 1 over the whole board. Word is
// the status as written, Reason what the item says of why it is blocked, Conflict what contradicts what.
type Item struct {
	ID, Title string
	Position  int
	Line      int
	Status    Status
	Word      string
	Parent    string
	Reason    string
	Conflict  string
	Owner     string
	DependsOn []string
	// waits is what the item says that it waits for: ids of the board, or what is none of its items.
	waits []string
}

// maxLabel is how much of an item's text its label shows, in characters.
const maxLabel = 120

// Label names the item for a reader on one line: its id and title, or its position where it has neither.
func (it *Item) Label() string {
	switch {
	case it.ID != "" && it.Title != "" && it.ID != it.Title:
		return handoff.CleanLine(it.ID+": "+it.Title, maxLabel)
	case it.ID != "" || it.Title != "":
		return handoff.CleanLine(it.ID+strings.TrimPrefix(it.Title, it.ID), maxLabel)
	}
	return fmt.Sprintf("item %d", it.Position)
}

// Count is how many items have a status.
func (b *Board) Count(s Status) int {
	n := 0
	for i := range b.Items {
		if b.Items[i].Status == s {
			n++
		}
	}
	return n
}

// Find gives the first item that is called so: by its id, else by its title, else by its id and what follows that, as
// in "T-1: the title"; nil where there is none.
func (b *Board) Find(name string) *Item {
	for _, is := range []func(*Item) bool{
		func(it *Item) bool { return it.ID == name },
		func(it *Item) bool { return it.Title == name },
		func(it *Item) bool { return strings.EqualFold(it.ID, name) },
		func(it *Item) bool {
			rest, found := strings.CutPrefix(name, it.ID)
			return found && it.ID != "" && rest != "" && strings.ContainsRune(":：([ \t–—", []rune(rest)[0])
		},
	} {
		for i := range b.Items {
			if is(&b.Items[i]) && name != "" {
				return &b.Items[i]
			}
		}
	}
	return nil
}

func (r *reader) readBoards() {
	names := r.find("task_board.json", "feature_list.json")
	if r.opt.Board != "" {
		names = nil
		if name, ok := r.configured("handoff.board", r.opt.Board); ok {
			names = []string{name}
		}
	}
	for _, name := range names {
		r.bench.Boards = append(r.bench.Boards, r.readBoard(name))
	}
}

func (r *reader) readBoard(name string) Board {
	f, tree, text := r.load(name)
	if tree == nil {
		return Board{File: f}
	}
	b := board(tree, text)
	b.File, b.Active = f, r.mask(b.Active)
	if n := len(b.strays); n > 0 {
		r.problem(f.Path, b.strays[0], counted(n, "entry among the items is none and was left out", "entries among the items are none and were left out"))
	}
	for i := range b.Items {
		r.finish(&b, &b.Items[i], i)
	}
	return b
}

func counted(n int, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, several)
}

// board makes a board of what a file holds.
func board(tree *node, text []byte) Board {
	s := &shape{lines: liner{text: text}, legend: legend(tree), early: early(tree), columns: map[string]string{}}
	s.read(tree)
	if !s.recognised() {
		return Board{What: s.what(tree)}
	}
	return Board{Recognised: true, Items: s.items, Active: activeItem(tree), strays: s.strays}
}

// finish numbers an item, masks its texts and tells of words and contradictions.
func (r *reader) finish(b *Board, it *Item, i int) {
	it.Position = i + 1
	it.ID, it.Parent = r.mask(it.ID), r.mask(it.Parent)
	it.Title, it.Reason, it.Owner = r.text(it.Title), r.text(it.Reason), r.mask(it.Owner)
	it.Word, it.Conflict = r.mask(it.Word), r.mask(it.Conflict)
	if it.Status != Contradictory {
		it.Conflict = ""
	}
	if it.Status == Unknown && it.Word != "" && !slices.Contains(b.UnknownWords, it.Word) {
		b.UnknownWords = append(b.UnknownWords, it.Word)
		r.problem(b.Path, it.Line, fmt.Sprintf("the status %q is no word that is known; the item is not counted as done", it.Word))
	}
	if it.Status == Contradictory {
		r.problem(b.Path, it.Line, fmt.Sprintf("%s contradicts itself: %s; it is not counted as done", it.Label(), it.Conflict))
	}
}

var activeKeys = []string{"active_feature", "active_task", "active_task_id", "active_item", "active_id", "active", "current_task", "current_task_id",
	"current_feature", "current_item", "current", "in_progress_feature", "in_progress_task", "active_features", "active_tasks"}

// activeItem gives the id of the item in hand, from the top of the board or one object further in.
func activeItem(tree *node) string {
	if tree.kind != object {
		return ""
	}
	for _, key := range activeKeys {
		v := tree.get(key)
		if v == nil || v.kind == boolean {
			continue
		}
		if v.kind == list && len(v.items) > 0 {
			v = v.items[0]
		}
		if id := identity(v); id != "" {
			return id
		}
	}
	for _, m := range tree.members {
		if m.value.kind == object && (m.plain == "meta" || m.plain == "metadata" || m.plain == "board" || m.plain == "project" || m.plain == "state") {
			if id := activeItem(m.value); id != "" {
				return id
			}
		}
	}
	return ""
}
