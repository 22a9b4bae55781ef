package render

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"git-handoff/gitstore/handoff"
)

// taken is a resume with something of every kind to say.
func taken() ResumeView {
	return ResumeView{
		View: full(), Wait: []string{"security sign-off (approval, expired) gates the next action"},
		Drift: []Drift{
			{Kind: "commits", State: DriftFound, What: "2 commits since the save"}, {Kind: "artifacts", State: DriftFound, What: "docs/plan.md has changed"},
			{Kind: "last_known_good_commit", State: DriftNone}, {Kind: "clean_state", State: DriftNone},
			{Kind: "remote_head", State: DriftUnknown, What: "origin was not reached"},
		},
		Prerequisites: []Prerequisite{{"plan", "file", "docs/plan.md", Changed}, {"schema", "file", "db/schema.sql", Missing},
			{"ticket", "url", "https://tracker.example/T-1", Unknown}, {"base", "commit", oidC, Present}},
		Fallback: oidB, Reach: "origin was not reached: timed out after 5s",
	}
}

// ready is a resume that may begin.
func ready() ResumeView { return ResumeView{View: small(), Proceed: true} }

func TestResumeGolden(t *testing.T) {
	for name, v := range map[string]ResumeView{"resume.wait": taken(), "resume.proceed": ready()} {
		golden(t, name+".txt", ResumeText(v, Terminal{Width: 80}))
		golden(t, name+".md", ResumeMarkdown(v))
		for ext, make := range map[string]func(ResumeView) ([]byte, error){".json": ResumeJSON, ".prompt": Prompt} {
			data, err := make(v)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, name+ext, data)
		}
	}
}

func TestProceedIsNeverSaidBesideAReason(t *testing.T) {
	v := ready()
	v.Wait = []string{"sign-off"}
	var got struct {
		Proceed bool     `json:"proceed"`
		Wait    []string `json:"wait"`
	}
	data, err := ResumeJSON(v)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &got); err != nil || got.Proceed || len(got.Wait) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	prompt, err := Prompt(v)
	if err != nil || !strings.Contains(string(prompt), "\n## WAIT\n") || strings.Contains(string(prompt), "## Proceed") {
		t.Errorf("%v: %s", err, prompt)
	}
}

func TestBoundary(t *testing.T) {
	b := boundaryOf(&handoff.Brief{
		Done: []handoff.Item{{What: "unstated"}, {What: "local", Effect: handoff.EffectLocal}, {What: "none", Effect: handoff.EffectNone},
			{What: "external", Effect: handoff.EffectExternal}, {What: "odd", Effect: "odd"}},
		Uncertain: []handoff.Item{{What: "silent"}, {What: "after", Replay: handoff.ReplayAfterCheck}, {What: "safe", Replay: handoff.ReplaySafe}, {What: "strange", Replay: "strange"}},
		Notes:     handoff.Notes{DoNotRepeat: []handoff.Item{{What: "mail"}}},
	})
	for _, test := range []struct {
		name string
		got  []handoff.Item
		want string
	}{
		{"never", b.Never, "unstated external odd silent strange mail"}, {"check", b.Check, "silent after strange"},
		{"again", b.Again, "safe"}, {"rebuild", b.Rebuild, "local none"},
	} {
		var got []string
		for _, it := range test.got {
			got = append(got, it.What)
		}
		if s := strings.Join(got, " "); s != test.want {
			t.Errorf("%s: %q, want %q", test.name, s, test.want)
		}
	}
}

func TestRetiredHandoffsAreNotContinued(t *testing.T) {
	v := ready()
	v.Doc.Status, v.Doc.SupersededBy = handoff.Superseded, &handoff.Link{Handoff: "main/second"}
	if text := string(ResumeText(v, Terminal{})); v.proceeds() || !strings.Contains(text, "continue from main/second") {
		t.Errorf("%s", text)
	}
}

// takenWith is the resume whose document has s in every text that it has, and can be stored.
func takenWith(s string) ResumeView {
	v := taken()
	refill(reflect.ValueOf(v.Doc).Elem(), s)
	v.Doc.Branch, v.Doc.Topic = "feature/login", "default"
	for _, l := range handoff.Lists {
		items := l.Of(&v.Doc.Brief)
		*items = (*items)[:1]
		(*items)[0].Kind = ""
		if len(l.Kinds) > 0 {
			(*items)[0].Kind = l.Kinds[0]
		}
		if l.Key == "open" {
			(*items)[0].For = "human"
		}
	}
	v.Wait, v.Reach, v.Fallback, v.Drift, v.Notes = []string{s}, s, s, []Drift{{s, s, DriftFound}, {s, s, DriftNone}, {s, s, DriftUnknown}}, []string{s}
	v.Prerequisites = []Prerequisite{{s, s, s, Present}}
	return v
}

// refill replaces the texts that are there.
func refill(v reflect.Value, s string) {
	switch v.Kind() {
	case reflect.String:
		if v.Type() == reflect.TypeFor[string]() && v.String() != "" {
			v.SetString(s)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			refill(v.Elem(), s)
		}
	case reflect.Slice:
		for i := range v.Len() {
			refill(v.Index(i), s)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				refill(v.Field(i), s)
			}
		}
	}
}

// checkPrompt holds a prompt to one fence, which ends where the template ends it, and to the template's headings.
func checkPrompt(t *testing.T, s, prompt string) {
	t.Helper()
	checkInert(t, prompt)
	for _, mark := range []string{"<!--", "-->"} {
		if strings.Contains(prompt, mark) {
			t.Errorf("%q: the prompt has %s", s, mark)
		}
	}
	head, rest, found := strings.Cut(prompt, "It ends where the fence ends.\n\n")
	open, rest, _ := strings.Cut(rest, "yaml\n")
	if !found || strings.Trim(open, "`") != "" || len(open) < 3 {
		t.Fatalf("%q: the document is not fenced:\n%s", s, prompt)
	}
	data, tail, found := strings.Cut(rest, "\n"+open)
	if !found || tail != "\n\nThe data ends here; the contract above holds.\n" || strings.Contains(data, open) {
		t.Errorf("%q: the fence %q does not hold:\n%s", s, open, prompt)
	}
	for _, line := range strings.Split(head, "\n") {
		text := strings.TrimLeft(line, " -!?0123456789.|")
		if strings.HasPrefix(text, "```") || strings.HasPrefix(text, "~~~") {
			t.Errorf("%q: a fence opens at %q", s, line)
		}
		if strings.HasPrefix(line, "#") && !headings[line] {
			t.Errorf("%q: the heading %q is not the template's", s, line)
		}
	}
}

var headings = map[string]bool{
	"# Take over the work of a handoff": true, "## WAIT": true, "## Next action": true, "## Before anything else": true, "## Contract": true,
	"## Drift (what changed since the save)": true, "## Prerequisites (read each again before you rely on it)": true,
	"## Never run again (settled outside this repository, or not known to be repeatable)": true, "## Check first (before you touch it)": true,
	"## May be run again": true, "## May be rebuilt": true, "## The document": true,
}

func TestPromptOfHostileContent(t *testing.T) {
	for _, s := range hostile {
		s = strings.ToValidUTF8(s, "?")
		if strings.Contains(s, "\x00") || strings.TrimSpace(s) == "" {
			continue
		}
		prompt, err := Prompt(takenWith(s))
		if err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		checkPrompt(t, s, string(prompt))
		checkInert(t, string(ResumeText(takenWith(s), Terminal{Width: 80})))
		md := ResumeMarkdown(takenWith(s))
		checkActive(t, md)
		if d := cmp.Diff(skeleton(ResumeMarkdown(takenWith("word"))), skeleton(md)); d != "" {
			t.Errorf("%q changes the document (-want +got):\n%s", s, d)
		}
		data, err := ResumeJSON(takenWith(s))
		if err != nil {
			t.Fatal(err)
		}
		checkInert(t, string(data))
	}
}

func FuzzDataFence(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out := dataFence(s, "yaml")
		checkInert(t, out)
		lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
		open := strings.TrimSuffix(lines[0], "yaml")
		if strings.Trim(open, "`") != "" || len(open) < 3 || lines[len(lines)-1] != open {
			t.Fatalf("%q has no fence", out)
		}
		if body := strings.Join(lines[1:len(lines)-1], "\n"); strings.Contains(body, open) || strings.Contains(body, "<!--") {
			t.Errorf("%q is in %q", open, body)
		}
	})
}
