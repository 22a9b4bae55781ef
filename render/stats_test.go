package render

import (
	"strings"
	"testing"
	"time"
)

func dashboard() Dashboard {
	rate := Figure{Name: "resume_success_rate", Unit: Share, Value: 0.75, Count: 3, Of: 4, Definition: "resumes that led to work, of all that are decided", Remarks: "1 not decided yet"}
	soon := Figure{Name: "time_to_productive_resume", Unit: Seconds, Value: 1500, Count: 3, Of: 3, Definition: "the median time to the first commit"}
	twice := Figure{Name: "duplicate_action_incidents", Unit: Number, Value: 0, Count: 0, Of: 5, Definition: "reports"}
	score := Figure{Name: "completeness", Unit: Points, Value: 82.5, Count: 2, Of: 2, Definition: "the mean score"}
	none := Figure{Name: "expired_pending_rate", Unit: Share, Definition: "pending items that expired"}
	return Dashboard{
		Now: now, Since: now.Add(-30 * 24 * time.Hour),
		All:      Scope{Handoffs: 3, Active: 2, Figures: []Figure{rate, soon, twice, score, none}},
		Branches: []Scope{{"feature/login", 1, 1, []Figure{rate, soon, none}}, {"odd\x1b[31m", 2, 1, []Figure{none}}},
	}
}

func TestStatsGolden(t *testing.T) {
	text := Stats(dashboard(), Terminal{Width: 80})
	golden(t, "stats.txt", text)
	if strings.Contains(string(text), "\x1b") {
		t.Error("a branch's name reached the terminal as it is")
	}
	data, err := StatsJSON(dashboard())
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "stats.json", data)
}

func TestStatsOfNothing(t *testing.T) {
	text := string(Stats(Dashboard{Now: now, All: Scope{Figures: []Figure{{Name: "x", Unit: Seconds}}}}, Terminal{}))
	if !strings.Contains(text, "x: not enough data") || strings.Contains(text, "0 seconds") {
		t.Errorf("%s", text)
	}
	data, err := StatsJSON(Dashboard{Now: now, All: Scope{Figures: []Figure{{Name: "x", Unit: Seconds}}}})
	if err != nil || !strings.Contains(string(data), `"value": null`) || !strings.Contains(string(data), `"branches": []`) {
		t.Errorf("%v: %s", err, data)
	}
}

func TestLogTellsWhatCameOfAResume(t *testing.T) {
	for _, test := range []struct {
		r    Resumed
		want string
	}{
		{Resumed{After: 3 * time.Hour, What: "a commit", In: 40 * time.Second, Outcome: "succeeded"}, "3 hours after the save; a commit followed 40 seconds later"},
		{Resumed{Outcome: "undecided"}, "nothing has come of it yet"},
		{Resumed{After: time.Minute, Outcome: "failed"}, "1 minute after the save; nothing came of it"},
		{Resumed{Outcome: "unknown"}, "what came of it is unknown, since the branch is not here"},
	} {
		if got := flatten(test.r.phrase()).text; got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}
