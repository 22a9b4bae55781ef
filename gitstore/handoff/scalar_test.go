package handoff

import (
	"testing"

	"gopkg.in/yaml.v3"
)

// What is told without the pattern is what the pattern says.
func FuzzLooksTyped(f *testing.F) {
	for _, s := range []string{"", "1", "+1_0", "-.5e3", "010", "0x1f", "0b1", "0b1a", "1b", "0o7", "12:30:45.5", ".inf", "-.NaN", "2026-11-29",
		"2026-11-29T20:45:09Z", "2026-1 x\ny", "2026-x", "4b55c6edb6eb6868f2839236bf573f818ef48aa1", "1e10", "5 apples", "0b0101 x", "1.2.3", "3f", "0e", "9e9f",
		"0_x1", "0b-1", "2_026-1", "20260-1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		first := s != "" && s[0] != '_' // no number starts so
		if got, want := looksTyped(s), first && (matchesTyped(s) || startsLikeDate(s) && typedPattern().MatchString(s)); got != want {
			t.Errorf("%q: %v, the pattern says %v", s, got, want)
		}
	})
}

// Every short text over the characters that numbers are made of is read back as text where it is written plain.
func TestPlainIsText(t *testing.T) {
	t.Parallel()
	const length = 4
	var visit func(s string)
	visit = func(s string) {
		var node yaml.Node
		if s != "" && plainHolds(s) {
			if err := yaml.Unmarshal([]byte("k: "+s), &node); err != nil {
				t.Errorf("%q: %v", s, err)
			} else if v := node.Content[0].Content[1]; v.ShortTag() != "!!str" || v.Value != s {
				t.Errorf("%q is read as %s %q", s, v.ShortTag(), v.Value)
			}
		}
		if len(s) == length {
			return
		}
		for _, c := range "017+-._xobef:,~n#" {
			visit(s + string(c))
		}
	}
	visit("")
}
