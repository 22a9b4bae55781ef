package render

import (
	"fmt"
	"math"
	"time"

	"git-handoff/gitstore/handoff"
)

// Age says how long before now a moment was, or how long after it will be, in one unit: "3 days ago", "in 2 hours".
func Age(now, then time.Time) string {
	d := now.Sub(then)
	switch {
	case d > -time.Minute && d < time.Minute:
		return "just now"
	case d < 0:
		return "in " + long(-max(d, -math.MaxInt64)) // the farthest that a Duration can hold has no positive counterpart
	}
	return long(d) + " ago"
}

const day = 24 * time.Hour

// long is a length of time in its largest unit, cut.
func long(d time.Duration) string {
	switch {
	case d < time.Hour:
		return count(int(d/time.Minute), "minute")
	case d < day:
		return count(int(d/time.Hour), "hour")
	case d < 31*day:
		return count(int(d/day), "day")
	case d < 365*day:
		return count(int(d/(30*day)), "month")
	}
	return count(int(d/(365*day)), "year")
}

// count is a number and what is counted, in the plural where that is due.
func count(n int, what string) string {
	if n == 1 {
		return fmt.Sprintf("1 %s", what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// moment is a time as people read it, to the minute, in UTC.
func moment(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

// past says whether t is there and not after now.
func past(t handoff.Time, now time.Time) bool {
	return !t.IsZero() && !now.IsZero() && !t.Std().After(now)
}
