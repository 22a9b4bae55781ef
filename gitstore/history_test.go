package gitstore

import (
	"slices"
	"strings"
	"testing"
	"time"

	"git-handoff/gitstore/handoff"
)

// Both sides of a merge are in its history, once, and parents come after their children.
func TestHistoryOfAMerge(t *testing.T) {
	t.Parallel()
	r := open(t, newRepo(t))
	at := func(minute int, next string, parents ...string) string {
		doc := handoff.New(testName)
		doc.NextAction = next
		oid, err := r.WriteVersion(t.Context(), doc, handoff.MessageOf(doc, handoff.EventSave), parents,
			WriteOptions{Identity: AsProgram, When: time.Date(2025, 1, 1, 0, minute, 0, 0, time.UTC)})
		if err != nil {
			t.Fatal(err)
		}
		return oid
	}
	root := at(0, "root")
	left := at(1, "left", root)
	right := at(2, "right", at(1, "right first", root))
	merge := at(2, "merge", left, right)
	next := func(limit int) (list []string) {
		history, err := r.History(t.Context(), merge, limit)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range history {
			list = append(list, v.Message.Next)
		}
		return list
	}
	if got := strings.Join(next(0), ", "); got != "merge, right, left, right first, root" {
		t.Errorf("history: %s", got)
	}
	if got := next(2); !slices.Equal(got, []string{"merge", "right"}) {
		t.Errorf("limited: %s", got)
	}
	if again := at(2, "merge", left, right); again != merge {
		t.Errorf("the same version has the ids %s and %s", merge, again)
	}
}
