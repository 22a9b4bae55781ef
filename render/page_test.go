package render

import (
	"strings"
	"testing"
)

func TestGolden(t *testing.T) {
	tests := []struct {
		name string
		view View
	}{{"full", full()}, {"small", small()}}
	for _, test := range tests {
		golden(t, test.name+".txt", Text(test.view, Terminal{Width: 80}))
		golden(t, test.name+".narrow.txt", Text(test.view, Terminal{Width: 44}))
		golden(t, test.name+".colour.txt", Text(test.view, Terminal{Width: 80, Color: true}))
		golden(t, test.name+".md", Markdown(test.view))
		data, err := JSON(test.view.Doc)
		if err != nil {
			t.Fatal(err)
		}
		golden(t, test.name+".json", data)
	}
}

// Even where hardly anybody reads, nothing goes over the edge but a word that is to be copied whole, alone behind its mark.
func TestPagesFitNarrowTerminals(t *testing.T) {
	for width := 18; width < 45; width++ {
		narrow := Terminal{Width: width}
		pages := map[string][]byte{"full": Text(full(), narrow), "list": List(rows(), now, narrow), "log": Log(story(), now, narrow)}
		for name, page := range pages {
			for _, line := range strings.Split(string(page), "\n") {
				words := strings.Fields(line)
				if Width(line) > width && (len(words) > 2 || len(words[len(words)-1]) < 12) {
					t.Errorf("%s in %d columns: %d in %q", name, width, Width(line), line)
				}
			}
		}
	}
}
