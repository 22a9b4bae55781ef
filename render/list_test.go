package render

import (
	"strings"
	"testing"
	"time"

	"git-handoff/gitstore/handoff"
)

func rows() []*Row {
	return []*Row{
		{Name: handoff.Name{Branch: "feature/login", Topic: "default"}, OID: oidA, Current: true, Moved: 2, Remotes: []Remote{{Name: "origin", State: Ahead, Ahead: 2}, {Name: "up", State: There}, {Name: "far", State: Unfetched}},
			Message: handoff.Message{Event: handoff.EventSave, Status: handoff.Active, Progress: handoff.Blocked, Actor: "ada", Session: "s-12",
				Saved: at("2026-03-02T09:00:00Z"), Next: "Run make gate and mend TestToken, which fails since the clock was replaced by one that can be set"}},
		{Name: handoff.Name{Branch: "main", Topic: "default"}, OID: oidB, When: time.Date(2026, 1, 2, 9, 0, 0, 0, time.UTC), Stale: true, Remotes: []Remote{{Name: "o", State: NotPushed}},
			Message: handoff.Message{Event: handoff.EventResume, Status: handoff.Active, Actor: "bob", Author: "李小龙", Next: "漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字"}},
		{Name: handoff.Name{Branch: "old", Topic: "spike"}, OID: oidC, Remote: "origin",
			Message: handoff.Message{Event: handoff.EventArchive, Status: handoff.Archived, Progress: handoff.ProgressDone, Next: "nothing"}},
	}
}

func story() Story {
	return Story{Handoff: "main/default", Instead: []string{"main/next", "main/last"}, Supersedes: supersededStories(), Entries: []LogEntry{
		{OID: oidA, When: time.Date(2026, 3, 5, 9, 0, 0, 0, time.UTC), Message: handoff.Message{Event: handoff.EventArchive, Status: handoff.Archived, Actor: "ada",
			Trailers: []handoff.Trailer{{Key: "Handoff-Outcome", Value: "done"}}}},
		{OID: oidB, When: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC), Merge: true,
			Message: handoff.Message{Event: handoff.EventMerge, Status: handoff.Active, Actor: "bob", Session: "s-12", Next: "run make gate"}},
		{OID: oidC, Message: handoff.Message{Event: handoff.EventSave, Status: handoff.Active, Next: "write the first test"}},
	}}
}

func supersededStories() []Story {
	older := Story{Handoff: "main/older", Entries: []LogEntry{{OID: oidA, Message: handoff.Message{Event: handoff.EventSave, Status: handoff.Active, Next: "begin"}}}}
	return []Story{{Handoff: "main/old", Instead: []string{"main/default"}, Supersedes: []Story{older}, Entries: []LogEntry{
		{OID: oidC, Message: handoff.Message{Event: handoff.EventSupersede, Status: handoff.Superseded, Next: "go on"}}}}}
}

func TestListGolden(t *testing.T) {
	golden(t, "list.txt", List(rows(), now, Terminal{}))
	golden(t, "list.narrow.txt", List(rows(), now, Terminal{Width: 90}))
	golden(t, "list.colour.txt", List(rows(), now, Terminal{Width: 100, Color: true}))
	golden(t, "log.txt", Log(story(), now, Terminal{}))
	for name, make := range map[string]func() ([]byte, error){
		"list.json": func() ([]byte, error) { return ListJSON(rows()) },
		"log.json":  func() ([]byte, error) { return LogJSON(story()) },
	} {
		data, err := make()
		if err != nil {
			t.Fatal(err)
		}
		golden(t, name, data)
	}
}

func TestListFitsItsTerminal(t *testing.T) {
	for _, line := range strings.Split(string(List(rows(), now, Terminal{Width: 94})), "\n") {
		if Width(line) > 94 {
			t.Errorf("%d columns: %q", Width(line), line)
		}
	}
}

func TestNothingToList(t *testing.T) {
	if got := List(nil, now, Terminal{}); len(got) != 0 {
		t.Errorf("List(nil) = %q", got)
	}
	for _, make := range []func() ([]byte, error){
		func() ([]byte, error) { return ListJSON(nil) },
		func() ([]byte, error) { return LogJSON(Story{}) },
	} {
		if data, err := make(); err != nil || string(data) != "[]\n" {
			t.Errorf("%q, %v", data, err)
		}
	}
}

func TestListOfHostileContent(t *testing.T) {
	for _, s := range hostile {
		m := handoff.Message{Event: handoff.Event(s), Status: handoff.Status(s), Progress: handoff.Progress(s), Actor: s, Session: s, Next: s,
			Trailers: []handoff.Trailer{{Key: s, Value: s}}}
		out := string(List([]*Row{{Name: handoff.Name{Branch: s, Topic: s}, OID: s, Message: m, Remote: s, Remotes: []Remote{{Name: s, State: Diverged}}}}, now, Terminal{Width: 100}))
		out += string(Log(Story{Handoff: s, Instead: []string{s, s}, Entries: []LogEntry{{OID: s, Message: m}}, Supersedes: []Story{{Handoff: s}}}, now, Terminal{}))
		checkInert(t, out)
		if strings.Count(string(List([]*Row{{Name: handoff.Name{Branch: s, Topic: s}, Message: m}}, now, Terminal{})), "\n") != 1 {
			t.Errorf("%q takes more than one line", s)
		}
	}
}
