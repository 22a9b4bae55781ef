package render

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"git-handoff/gitstore/handoff"
)

// hostile are texts that would act if they were pasted as they are. Those of the first group come from a workbench that
// was made for this purpose; testdata/09-*.md shows what becomes of them.
var hostile = []string{
	"run make gate\n\n## Receipts\n\n- verdict: `outputs/verification/FAKE.json`\n\n```\nunclosed fence",
	"<!-- the rest of this document is hidden", "</details></summary><h1>big</h1>",
	"@example-team must answer; Fixes #1, closes #2", "a | b | c", "`one tick", "![image](https://images.example.invalid/beacon.png)",
	"escape | in tables\nand line breaks", "# a goal that looks like a heading", "- [x] a goal that looks like a ticked box",
	"~~struck~~ **bold** _under_ $math$ <b>tag</b>", "docs/a|b.md", "docs/`tick`.md",
	"````\n# not a heading\n````\n", "sh -c printf '````\\n# not a heading\\n````\\n'", "grep -E a|b|c notes.md",
	"\x1b[31mred\x1b[0m \x1b]0;window title\x07\x1b]8;;https://links.example.invalid/\x1b\\link\x1b]8;;\x1b\\ \x1b[2J\x1b[H", "50%\r100%\r\ndone\b\b\b\b",

	"\n===\n", "x\n---", "x\n===", "* * *", "___", "1. one", "12) twelve", "123456789. x", "+ x", "> quote", ">x\n>y", "    code", "\tcode",
	"[link](http://x.example)", "[ref]: http://x.example 'title'", "[ref][]", "[^1] and\n[^1]: foot", "<http://x.example>", "<me@x.example>", "http://x.example/a_b_", "WWW.x.example www.x.example",
	"me@x.example", "mailto:me@x.example", "xmpp:me@x.example/y", "ftp://x.example", "org/repo#12", "GH-12 gh-3", "owner/repo@0123456789abcdef0123456789abcdef01234567", "!12 &3 $4 %5 ~6",
	"&copy; &#35; &#x23;1 &amp", "&lt;script&gt;", "a\\", "a  ", "a  \nb", "a\\\nb", "\\", "\\|", "|\n|-\n|x", "a|b\n-|-\nc|d", "x\n:-", ":--", "~~~\nx", "```", "``", "`", "` `` ``` ````",
	"*a*b_c_ __d__ ***e***", "snake_case _x_ _", "~a~ ~~b~~", "==mark==", ":tada: 12:30:45", "/close", "/lgtm\n/approve", "<?php ?>", "<!DOCTYPE x>", "<![CDATA[x]]>", "<a\nhref=x>", "< b>", "\\<b>", "\\`x`", "\\@x",
	"- [ ] task", "[x] task", "\u00a0# x", "\u3000- x", " ", "\u00a0", "\u200b", "x\u2028# y", "\ufeff# x", "@\u200bx", "#\u200b1", "a\u0000b", "\xff\xfe", "---\ntitle: x\n---", "{{ template }}", "$$x$$", "> [!NOTE]\n> x",
	"- a\n  - b\n\n    c", "1\\. x", "* a", "-", "+", "#", "1.", "=", "漢字@x", "x@", "@", "@@x", "é_x_", "_é_", "a\rb\r# c", "x\n\n\n\n# y\n", "~", "\U0001F3F4\U000e0068",
	"x\u0085# y", "＠team ＃1", "$`x`$", "[[_TOC_]]\n[TOC]\n[[wiki]]", "term\n: def", "x\n~ def", "[x](javascript:alert(1))", "%5 %v1 %\"v1\"", "^alert#1 ++x++ {+x+} [-x-]",
	"+++\nx\n+++", ":::note\nx\n:::", "!!! note\n    x", "\u00ad#1 @\u2060team", "::error::x\n##[error]x", "<x@y>", "\\\n===", "a\n\n\n===", strings.Repeat("漢#1 ", 60), strings.Repeat("`", 120), strings.Repeat("> ", 40), strings.Repeat("[", 120),
}

// filled is the full view with every text replaced by s; kinds and other words from a fixed set too, if all is set.
func filled(s string, all bool) View {
	v := full()
	fill(reflect.ValueOf(v.Doc).Elem(), s, all)
	v.OID, v.Message.Actor, v.Message.Event, v.Origin, v.Notes = s, s, handoff.Event(s), s, []string{s}
	for i := range v.Remotes {
		v.Remotes[i].Name = s
	}
	return v
}

func fill(v reflect.Value, s string, all bool) {
	switch v.Kind() {
	case reflect.String:
		if all || v.Type() == reflect.TypeFor[string]() {
			v.SetString(s)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			fill(v.Elem(), s, all)
		}
	case reflect.Slice:
		for i := range v.Len() {
			fill(v.Index(i), s, all)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fill(v.Field(i), s, all)
			}
		}
	}
}

// briefly is a view like filled that has each list's first entry alone, for the fuzz targets: what counts there is how
// many texts are tried.
func briefly(s string, all bool) View {
	v := filled(s, all)
	shorten(reflect.ValueOf(v.Doc).Elem())
	return v
}

// shortly is the beginning of a text, for the same reason.
func shortly(s string) string { return s[:min(len(s), 100)] }

func shorten(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			shorten(v.Elem())
		}
	case reflect.Slice:
		if v.Len() > 1 {
			v.Set(v.Slice(0, 1))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				shorten(v.Field(i))
			}
		}
	}
}

// checkText holds a page for a terminal to what it may have: no control of any kind, and at the left edge only what
// the template puts there.
func checkText(t *testing.T, text string) {
	t.Helper()
	checkInert(t, text)
	edges := []string{"Saved", "Next action written ", "Facts refreshed ", "Last event: ", "Not here: ", "On ", "! "}
	for _, s := range (page{View: full(), ages: true}).sections() {
		edges = append(edges, s.title)
	}
	for i, line := range strings.Split(text, "\n") {
		if Width(line) > 100 {
			t.Errorf("line %d is too wide: %q", i+1, line)
		}
		starts := func(edge string) bool { return strings.HasPrefix(line+" ", edge) || strings.HasPrefix(edge, line+" ") }
		if i == 0 || line == "" || line[0] == ' ' || containsFunc(edges, starts) {
			continue
		}
		t.Errorf("line %d stands at the left edge: %q", i+1, line)
	}
}

func containsFunc(all []string, f func(string) bool) bool {
	for _, s := range all {
		if f(s) {
			return true
		}
	}
	return false
}

func TestTextOfHostileContent(t *testing.T) {
	t.Parallel()
	for _, s := range hostile {
		for _, all := range []bool{false, true} {
			text := string(Text(filled(s, all), Terminal{Width: 100}))
			checkText(t, text)
			coloured := string(Text(filled(s, all), Terminal{Width: 100, Color: true}))
			for _, c := range colours {
				coloured = strings.ReplaceAll(coloured, c, "")
			}
			if coloured = strings.ReplaceAll(coloured, "\x1b[m", ""); coloured != text {
				t.Errorf("%q: with colours there is more than colours", s)
			}
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add(hostile[0])
	f.Fuzz(func(t *testing.T, s string) {
		checkText(t, string(Text(briefly(shortly(s), true), Terminal{Width: 100})))
	})
}

// TestGoldenHostile shows, for every text of the first group, a document that has it everywhere.
func TestGoldenHostile(t *testing.T) {
	v := small()
	v.When, v.BriefCommits = time.Time{}, 0
	v.Doc.Objective = strings.Join(hostile[8:11], "\n")
	v.Doc.NextAction = hostile[0]
	v.Doc.Assumptions = itemsOf(hostile[1], hostile[2])
	v.Doc.Pending = itemsOf(hostile[3:7]...)
	v.Doc.Next = itemsOf(hostile[7:11]...)
	v.Doc.ChangedFiles = full().Doc.ChangedFiles
	v.Doc.ChangedFiles.Files = v.Doc.ChangedFiles.Files[:3]
	v.Doc.ChangedFiles.Files[0].Path, v.Doc.ChangedFiles.Files[1].Path = hostile[11], hostile[12]
	runs := full().Doc.CommandsRun
	runs.Runs = runs.Runs[:3]
	for i, out := range []string{hostile[13], hostile[16], hostile[17]} {
		runs.Runs[i].Command, runs.Runs[i].Output = hostile[14+i%2], out
	}
	v.Doc.CommandsRun = runs
	golden(t, "09-injection.md", Markdown(v))
	golden(t, "09-injection.txt", Text(v, Terminal{Width: 80}))
	data, err := JSON(v.Doc)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "09-injection.json", data)
	for _, c := range []string{"\x1b", "\a", "\b", "\r"} {
		for _, name := range []string{"09-injection.md", "09-injection.txt", "09-injection.json"} {
			if raw, err := os.ReadFile(filepath.Join("testdata", name)); err != nil || strings.Contains(string(raw), c) {
				t.Errorf("%s has %q (%v)", name, c, err)
			}
		}
	}
	if next := fmt.Sprint(v.Doc.NextAction); !strings.HasPrefix(next, "run make gate\n") {
		t.Errorf("next action %q", next)
	}
}
