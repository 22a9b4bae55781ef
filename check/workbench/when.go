package workbench

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// timeLayouts are how logs write times, most common first. A time without an offset is taken as UTC.
var timeLayouts = []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999 -0700 MST",
	"2006-01-02 15:04:05.999999999 -0700", "2006-01-02 15:04:05.999999999", "2006-01-02T15:04:05-0700", "2006-01-02T15:04Z07:00", "2006-01-02 15:04",
	"20060102T150405Z07:00", "20060102T150405", time.DateOnly, time.RFC1123Z, time.RFC1123, time.ANSIC, time.UnixDate}

// parseTime reads a time in any common form: RFC 3339 and its relatives, or a number since 1970 in seconds,
// milliseconds, microseconds or nanoseconds, which its size tells apart.
func parseTime(s string) (time.Time, bool) {
	s = strings.TrimSpace(s)
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		return epoch(f)
	}
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, s); err == nil && t.Year() > 1 && t.Year() < 9999 {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}

// epoch reads a number of seconds, or of thousandths of them as often as it takes to come near our time.
func epoch(f float64) (time.Time, bool) {
	if math.IsNaN(f) || math.IsInf(f, 0) || f < 1e8 {
		return time.Time{}, false
	}
	for f >= 1e11 {
		f /= 1000
	}
	sec, frac := math.Modf(f)
	return time.Unix(int64(sec), int64(frac*1e9)).UTC(), true
}
