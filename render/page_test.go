package render

import "testing"

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
