package gitstore

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"git-handoff/gitstore/handoff"
)

// day0 is when the stories of these tests begin.
var day0 = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// storyOf makes a story of lines "MINUTES EVENT [SESSION] [KEY=VALUE]" for versions, "MINUTES commit" and "MINUTES pass".
func storyOf(t *testing.T, lines ...string) *Story {
	t.Helper()
	s := &Story{CommitsKnown: true}
	var saved handoff.Time
	for i, line := range lines {
		words := strings.Fields(line)
		minutes, err := time.ParseDuration(words[0] + "m")
		if err != nil {
			t.Fatal(err)
		}
		at := day0.Add(minutes)
		switch words[1] {
		case "commit":
			s.Commits = append(s.Commits, Commit{When: at})
			continue
		case "pass":
			s.Passes = append(s.Passes, at)
			continue
		case "save":
			saved = handoff.TimeOf(at)
		}
		v := Version{OID: fmt.Sprint("v", i), Committer: Ident{When: at}, Message: handoff.Message{Event: handoff.Event(words[1]), Saved: saved}}
		for _, word := range words[2:] {
			if key, value, ok := strings.Cut(word, "="); ok {
				v.Message.Trailers = append(v.Message.Trailers, handoff.Trailer{Key: key, Value: value})
			} else {
				v.Message.Session = word
			}
		}
		s.Versions = append(s.Versions, v)
	}
	return s
}

func TestResumptions(t *testing.T) {
	t.Parallel()
	const week = 7 * 24 * 60
	for _, test := range []struct {
		name  string
		lines []string
		now   int
		want  string
	}{
		{"a commit", []string{"0 save", "60 resume a", "75 commit"}, 80, "a after 60: a commit in 15 succeeded"},
		{"the first of several", []string{"0 save", "60 resume a", "90 commit", "75 pass", "80 save"}, 100, "a after 60: a passing verification in 15 succeeded"},
		{"a save", []string{"0 save", "60 resume a", "70 refresh", "80 save"}, 100, "a after 60: a save in 20 succeeded"},
		{"done", []string{"0 save", "60 resume a", "80 archive Handoff-Outcome=done"}, 100, "a after 60: the end of the work in 20 succeeded"},
		{"abandoned", []string{"0 save", "60 resume a", "80 archive Handoff-Outcome=abandoned"}, 60 + week + 1, "a after 60: failed"},
		{"still open", []string{"0 save", "60 resume a"}, 60 + week, "a after 60: undecided"},
		{"over", []string{"0 save", "60 resume a"}, 61 + week, "a after 60: failed"},
		{"too late", []string{"0 save", "60 resume a", fmt.Sprint(61+week, " commit")}, 62 + week, "a after 60: failed"},
		{"just in time", []string{"0 save", "60 resume a", fmt.Sprint(60+week, " commit")}, 62 + week, "a after 60: a commit in 10080 succeeded"},
		{"a commit before", []string{"0 save", "50 commit", "60 resume a"}, 70, "a after 60: undecided"},
		{"another resume first", []string{"0 save", "60 resume a", "70 resume b", "80 commit"}, 90, "a after 60: failed, b after 70: a commit in 10 succeeded"},
		{"the same twice", []string{"0 save", "60 resume a", "70 resume a", "80 commit"}, 90, "a after 60: a commit in 20 succeeded"},
		{"the same after another save", []string{"0 save", "60 resume a", "70 save", "80 resume a"}, 90, "a after 60: a save in 10 succeeded, a after 10: undecided"},
		{"a claim is no new brief", []string{"0 save", "60 resume a", "65 claim a", "70 resume a"}, 90, "a after 60: undecided"},
		{"a worktree is a holder too", []string{"0 save", "60 resume Handoff-Worktree=w1", "65 resume Handoff-Worktree=w2", "66 commit"}, 90, "w1 after 60: failed, w2 after 65: a commit in 1 succeeded"},
		{"wrong next", []string{"0 save", "60 resume a", "65 resume a Handoff-Report=wrong-next", "70 commit"}, 90, "a after 60: a commit in 10 failed wrong-next"},
		{"reports belong to their holder", []string{"0 save", "60 resume a", "61 commit", "65 resume b", "66 resume a Handoff-Report=duplicate", "67 resume b Handoff-Report=deep-read", "70 commit"}, 90,
			"a after 60: a commit in 1 succeeded duplicate, b after 65: a commit in 5 succeeded deep-read"},
		{"a report after the save of what came of it", []string{"0 save", "60 resume a", "70 save", "75 resume a Handoff-Report=wrong-next"}, 90, "a after 60: a save in 10 failed wrong-next"},
		{"a report of the last of several", []string{"0 save", "60 resume a", "70 save", "75 resume a", "80 save", "85 resume a Handoff-Report=duplicate"}, 90,
			"a after 60: a save in 10 succeeded, a after 5: a save in 5 succeeded duplicate"},
		{"a report of a resume that was not recorded", []string{"0 save", "60 resume a Handoff-Report=deep-read", "70 commit"}, 90, "a after 60: a commit in 10 succeeded deep-read"},
		{"nobody", []string{"0 save", "10 refresh", "20 claim a"}, 90, ""},
	} {
		var got []string
		for _, r := range storyOf(t, test.lines...).Resumptions(day0.Add(time.Duration(test.now) * time.Minute)) {
			one := fmt.Sprintf("%s after %.0f:", r.Holder, r.After.Minutes())
			if r.What != "" {
				one += fmt.Sprintf(" %s in %.0f", r.What, r.Productive.Sub(r.At).Minutes())
			}
			got = append(got, strings.Join(slices.Concat([]string{one, string(r.Outcome)}, r.Reports), " "))
		}
		if s := strings.Join(got, ", "); s != test.want {
			t.Errorf("%s: %q, want %q", test.name, s, test.want)
		}
	}
}

func TestResumptionsOfABranchThatIsGone(t *testing.T) {
	t.Parallel()
	s := storyOf(t, "0 save", "60 resume a")
	s.CommitsKnown = false
	if r := s.Resumptions(day0.Add(8 * 24 * time.Hour)); len(r) != 1 || r[0].Outcome != Unobserved {
		t.Errorf("%+v", r)
	}
	s = storyOf(t, "0 save", "60 resume a", "70 save")
	s.CommitsKnown = false
	if r := s.Resumptions(day0.Add(8 * 24 * time.Hour)); len(r) != 1 || r[0].Outcome != Succeeded {
		t.Errorf("%+v", r)
	}
}

func TestWaitsFollowPendingItems(t *testing.T) {
	t.Parallel()
	doc := func(items ...handoff.Item) *handoff.Document {
		return &handoff.Document{Ledger: handoff.Ledger{Status: handoff.Active}, Brief: handoff.Brief{Pending: items}}
	}
	at := func(hours int) handoff.Time { return handoff.TimeOf(day0.Add(time.Duration(hours) * time.Hour)) }
	var waits []Wait
	open := map[string]int{}
	for hour, d := range []*handoff.Document{
		doc(handoff.Item{What: "a", Expires: at(2)}, handoff.Item{What: "b", Expires: at(10)}, handoff.Item{What: "c"}),
		doc(handoff.Item{What: "a", Expires: at(2)}, handoff.Item{What: "b", Expires: at(20)}),
		doc(handoff.Item{What: "b", Expires: at(20)}),
		doc(handoff.Item{What: "b", Expires: at(20)}, handoff.Item{What: "a", Expires: at(30)}),
	} {
		waits = followWaits(waits, open, d, at(hour).Std())
	}
	var m Measures
	m.AddWaits(waits, time.Time{}, at(21).Std())
	// The first a ended as it expired, b has expired by now, the second a has not; c never had an expiry.
	if len(waits) != 4 || m.Expiring != 3 || m.Expired != 2 {
		t.Errorf("%d waits, %d of %d expired: %+v", len(waits), m.Expired, m.Expiring, waits)
	}
	m = Measures{}
	m.AddWaits(waits, at(3).Std(), at(21).Std())
	if m.Expiring != 2 || m.Expired != 1 {
		t.Errorf("since then, %d of %d expired", m.Expired, m.Expiring)
	}
}
