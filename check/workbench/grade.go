package workbench

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// A grade is a number of points and, where it says so, of how many; of is 0 where it does not.
type grade struct {
	value, of float64
}

var gradeForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([0-9.,]+)\s*(?:(%|％)|(?:/|of|out of|von|sur|de|su|van|av|из|中)\s*([0-9.,]+))?\s*(?:points?|pts|punkte|puntos|pontos|баллов|分|点|점)?$`)
})

// gradeOf reads 8, "8", 0.85, "8,5", "85%", "8/10", "4.5 / 5" and "8 out of 10".
func gradeOf(n *node) (grade, bool) {
	if n == nil || n.kind != number && n.kind != text {
		return grade{}, false
	}
	s := strings.ToLower(strings.TrimSpace(n.text))
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		return grade{value: f}, !math.IsNaN(f) && !math.IsInf(f, 0)
	}
	m := gradeForm().FindStringSubmatch(s)
	if m == nil {
		return grade{}, false
	}
	value, ok := decimal(m[1])
	switch {
	case m[2] != "":
		return grade{value, 100}, ok
	case m[3] == "":
		return grade{value: value}, ok
	}
	of, whole := decimal(m[3])
	return grade{value, of}, ok && whole && of > 0
}

// decimal reads a number that may have a comma for its point; 1,000 can be read two ways and is not read.
func decimal(s string) (float64, bool) {
	if whole, part, found := strings.Cut(s, ","); found {
		if len(part) == 3 || strings.ContainsAny(part, ",.") || strings.Contains(whole, ".") {
			return 0, false
		}
		s = whole + "." + part
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil
}

// on gives the grade, which may be a plain number, as points on the scale of another one; false where the two have no scale in
// common that is sure.
func (g grade) on(scale grade) (float64, bool) {
	switch {
	case g.of == 0 && scale.of == 0 && 0 < scale.value && scale.value < 1 && g.value >= 20:
		return g.value / 100, true
	case g.of == scale.of:
		return g.value, true
	case g.of > 0 && scale.of > 0:
		return g.value / g.of * scale.of, true
	case g.of > 0 && scale.value <= 1 && g.of > 1:
		return g.value / g.of, true
	case g.of > 0:
		return g.value, scale.value <= g.of
	case g.value > 0 && g.value < 1 && scale.of > 1:
		return g.value * scale.of, true
	case g.value <= scale.of:
		return g.value, true
	}
	return g.value / 100 * scale.of, g.value <= 100
}

// below reports whether a score is surely less than the mark that it should reach.
func below(score, mark *node) bool {
	g, ok := gradeOf(score)
	m, marked := gradeOf(mark)
	if !ok || !marked {
		return false
	}
	least, ok := m.on(g)
	return ok && g.value < least
}
