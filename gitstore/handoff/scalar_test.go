package handoff

import "testing"

// What is told without the pattern is what the pattern says.
func FuzzLooksTyped(f *testing.F) {
	for _, s := range []string{"", "1", "+1_0", "-.5e3", "010", "0x1f", "0b1", "0b1a", "1b", "0o7", "12:30:45.5", ".inf", "-.NaN", "2026-11-29",
		"2026-11-29T20:45:09Z", "2026-1 x\ny", "2026-x", "4b55c6edb6eb6868f2839236bf573f818ef48aa1", "1e10", "5 apples", "0b0101 x", "1.2.3", "3f", "0e", "9e9f"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := looksTyped(s), typedPattern().MatchString(s); got != want {
			t.Errorf("%q: %v, the pattern says %v", s, got, want)
		}
	})
}
