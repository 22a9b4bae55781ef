package render

import (
	"testing"
	"time"
)

func TestAge(t *testing.T) {
	tests := []struct {
		ago  time.Duration
		want string
	}{
		{0, "just now"}, {59 * time.Second, "just now"}, {-30 * time.Second, "just now"}, {time.Minute, "1 minute ago"}, {119 * time.Minute, "1 hour ago"},
		{23*time.Hour + 59*time.Minute, "23 hours ago"}, {3 * day, "3 days ago"}, {30 * day, "30 days ago"}, {31 * day, "1 month ago"}, {364 * day, "12 months ago"},
		{365 * day, "1 year ago"}, {800 * day, "2 years ago"}, {-2 * time.Hour, "in 2 hours"}, {-day, "in 1 day"},
	}
	for _, test := range tests {
		if got := Age(now, now.Add(-test.ago)); got != test.want {
			t.Errorf("Age of %v = %q, want %q", test.ago, got, test.want)
		}
	}
}

func TestAgeOfWhatIsTooFarAway(t *testing.T) {
	far := time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)
	if got, want := Age(now, far), "in 292 years"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := Age(far, now), "292 years ago"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestBriefAge(t *testing.T) {
	tests := []struct {
		commits int
		when    time.Time
		want    string
	}{
		{5, now.Add(-3 * day), "Next action written 5 commits, 3 days ago"}, {1, now.Add(-time.Hour), "Next action written 1 commit, 1 hour ago"},
		{0, now.Add(-3 * day), "Next action written 3 days ago, no commit since"}, {-1, now.Add(-3 * day), "Next action written 3 days ago"},
		{2, time.Time{}, "Next action written 2 commits ago"}, {0, time.Time{}, ""},
	}
	for _, test := range tests {
		v := small()
		v.When, v.BriefCommits = test.when, test.commits
		if got := flatten(page{View: v, ages: true}.briefAge()).text; got != test.want {
			t.Errorf("%d commits, %v: %q, want %q", test.commits, test.when, got, test.want)
		}
	}
}
