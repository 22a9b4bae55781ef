package handoff

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A Time is a moment in UTC, to the second, as documents store it (RFC 3339). The zero Time is absent.
type Time struct{ t time.Time }

// TimeOf is the moment t, cut to the second, in UTC.
func TimeOf(t time.Time) Time {
	if t.IsZero() {
		return Time{}
	}
	return Time{t.UTC().Truncate(time.Second)}
}

// Std is the moment as the standard library has it.
func (t Time) Std() time.Time { return t.t }

// IsZero reports whether the time is absent.
func (t Time) IsZero() bool { return t.t.IsZero() }

// String is the time in RFC 3339, or "" if it is absent.
func (t Time) String() string {
	if t.IsZero() {
		return ""
	}
	return t.t.Format(time.RFC3339)
}

// ParseTime reads an RFC 3339 time with any offset, or a date; "" is the absent time.
func ParseTime(s string) (Time, error) {
	if s == "" {
		return Time{}, nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04Z07:00", time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil && t.Year() > 0 && t.UTC().Year() <= 9999 && t.UTC().Year() > 0 {
			return TimeOf(t), nil
		}
	}
	return Time{}, fmt.Errorf("%q is not a time; write it as 2006-01-02T15:04:05Z or, from now on, as +4h", s)
}

// ParseTimeAt reads what ParseTime reads and, as authors may write, an offset from now such as +4h, +30m, +2d or +1w.
func ParseTimeAt(s string, now time.Time) (Time, error) {
	rest, relative := strings.CutPrefix(s, "+")
	if !relative {
		return ParseTime(s)
	}
	if d, err := ParseDuration(rest); err == nil {
		return TimeOf(now.Add(d)), nil
	}
	return ParseTime(s)
}

// maxDuration keeps sums with it within what a time can hold.
const maxDuration = 100 * 365 * 24 * time.Hour

// ParseDuration reads a Go duration, or a whole number of days or weeks: 20s, 2h, 1h30m, 30d, 1w.
func ParseDuration(s string) (time.Duration, error) {
	d, err := parseDuration(s)
	if err != nil || d < 0 || d > maxDuration || strings.HasPrefix(s, "+") {
		return 0, fmt.Errorf("%q is not a duration; write it as 20s, 2h or 30d", s)
	}
	return d, nil
}

func parseDuration(s string) (time.Duration, error) {
	day := 24 * time.Hour
	if n, ok := strings.CutSuffix(s, "d"); ok {
		return times(n, day)
	}
	if n, ok := strings.CutSuffix(s, "w"); ok {
		return times(n, 7*day)
	}
	return time.ParseDuration(s)
}

func times(n string, unit time.Duration) (time.Duration, error) {
	count, err := strconv.ParseUint(n, 10, 16)
	if limit := uint64(maxDuration / unit); count > limit {
		count = limit + 1
	}
	return time.Duration(count) * unit, err
}

// MarshalText writes the time as documents and JSON have it.
func (t Time) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (t *Time) UnmarshalText(b []byte) (err error) {
	*t, err = ParseTime(string(b))
	return err
}
