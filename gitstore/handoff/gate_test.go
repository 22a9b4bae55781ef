package handoff

import (
	"strings"
	"testing"
)

func TestGates(t *testing.T) {
	for _, test := range []struct {
		name string
		b    Brief
		want string
	}{
		{"nothing", Brief{NextAction: "deploy"}, ""},
		{"on is part of the next action", Brief{NextAction: "Deploy  the API", Pending: []Item{{What: "a", Kind: "task", On: "deploy the"}}}, "a"},
		{"the next action is part of on", Brief{NextAction: "deploy", Pending: []Item{{What: "a", On: "DEPLOY\n to staging"}}}, "a"},
		{"on names a later step", Brief{NextAction: "test", Next: []Item{{What: "deploy the API"}}, Pending: []Item{{What: "a", Kind: "approval", On: "deploy"}}}, ""},
		{"on names no present step", Brief{NextAction: "test", Next: []Item{{What: "deploy"}}, Pending: []Item{{What: "a", On: "publish"}}}, "a gone"},
		{"on names both", Brief{NextAction: "deploy the docs", Next: []Item{{What: "deploy the API"}}, Pending: []Item{{What: "a", On: "deploy"}}}, "a"},
		{"an approval without on", Brief{NextAction: "test", Pending: []Item{{What: "a", Kind: "approval"}}}, "a unnamed"},
		{"a blocker with a blank on", Brief{NextAction: "test", Pending: []Item{{What: "a", Kind: "blocker", On: " \t"}}}, "a unnamed"},
		{"a task or something external without on", Brief{NextAction: "test", Pending: []Item{{What: "a", Kind: "task"}, {What: "b", Kind: "external"}, {What: "c"}}}, ""},
		{"a question for a human", Brief{NextAction: "test", Open: []Item{{What: "q", For: "human", On: "test"}}}, "q"},
		{"a question for a human about a step that is gone", Brief{NextAction: "test", Open: []Item{{What: "q", For: "human", On: "deploy"}}}, "q gone"},
		{"questions for nobody and for an agent", Brief{NextAction: "test", Open: []Item{{What: "q", On: "test"}, {What: "r", For: "agent", On: "test"}}}, ""},
		{"a question for a human without on", Brief{NextAction: "test", Open: []Item{{What: "q", For: "human"}}}, ""},
		{"no next action", Brief{Pending: []Item{{What: "a", On: "deploy"}}}, "a gone"},
	} {
		var got []string
		for _, g := range test.b.Gates() {
			name := g.Item.What
			if g.Unnamed {
				name += " unnamed"
			}
			if g.Gone {
				name += " gone"
			}
			got = append(got, name)
		}
		if s := strings.Join(got, ", "); s != test.want {
			t.Errorf("%s: %q, want %q", test.name, s, test.want)
		}
	}
}
