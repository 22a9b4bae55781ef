package handoff

import (
	"fmt"
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

// ParseDuration reads a Go duration, or a whole number of days or weeks: 20s, 2h, 30d, 1w.
func ParseDuration(s string) (time.Duration, error) {
	for unit, hours := range map[string]int{"d": 24, "w": 7 * 24} {
		var n int
		if digits, ok := strings.CutSuffix(s, unit); ok {
			if _, err := fmt.Sscanf(digits+"|", "%d|", &n); err == nil && n >= 0 && n < 100_000 {
				return time.Duration(n*hours) * time.Hour, nil
			}
		}
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("%q is not a duration; write it as 20s, 2h or 30d", s)
	}
	return d, nil
}

// MarshalText writes the time as documents and JSON have it.
func (t Time) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (t *Time) UnmarshalText(b []byte) (err error) {
	*t, err = ParseTime(string(b))
	return err
}
