package render

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"git-handoff/gitstore/handoff"
)

func itemsOf(what ...string) []handoff.Item {
	var items []handoff.Item
	for _, w := range what {
		items = append(items, handoff.Item{What: w})
	}
	return items
}

var gfm = goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote, extension.DefinitionList))

func parse(source []byte) ast.Node { return gfm.Parser().Parse(text.NewReader(source)) }

// skeleton is what a document is made of, without its texts and without paragraphs and line breaks, which content may
// have.
func skeleton(source []byte) []string {
	var kinds []string
	_ = ast.Walk(parse(source), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text, *ast.String, *ast.Paragraph, *ast.TextBlock:
		case *ast.Heading:
			kinds = append(kinds, fmt.Sprintf("h%d %s", n.Level, plainText(n, source)))
		case *ast.Emphasis:
			kinds = append(kinds, fmt.Sprintf("emphasis %d %s", n.Level, plainText(n, source)))
		default:
			kinds = append(kinds, n.Kind().String())
		}
		return ast.WalkContinue, nil
	})
	return kinds
}

// plainText is what a reader sees of a node outside code, entities and escapes resolved. A piece of code is one
// object replacement character.
func plainText(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.CodeSpan:
			b.WriteString("\ufffc")
			return ast.WalkSkipChildren, nil
		case *ast.Text:
			b.WriteString(resolved(n.Segment.Value(source)))
			if n.HardLineBreak() || n.SoftLineBreak() {
				b.WriteByte('\n')
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

var escape = regexp.MustCompile(`\\[!-/:-@\[-\x60{-~]|&#?\w+;`)

// resolved is Markdown's text with escapes and entities resolved, each once.
func resolved(raw []byte) string {
	return string(escape.ReplaceAllFunc(raw, func(m []byte) []byte {
		if m[0] == '\\' {
			return m[1:]
		}
		return []byte(html.UnescapeString(string(m)))
	}))
}

// active is what hosts make something of after they have rendered the Markdown.
var active = regexp.MustCompile(`(?i)@[\w-]|#\d|!\d|&\d|gh-\d|://|www\.|:[a-z_+-][\w+-]*:`)

// checkActive looks for what hosts act upon in all texts outside code.
func checkActive(t *testing.T, source []byte) {
	t.Helper()
	_ = ast.Walk(parse(source), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering && n.Type() == ast.TypeBlock && n.FirstChild() != nil && n.FirstChild().Type() == ast.TypeInline {
			seen := plainText(n, source)
			if found := active.FindString(seen); found != "" {
				t.Errorf("%q is active in %q", found, seen)
			}
		}
		return ast.WalkContinue, nil
	})
	// Bots read commands from the source, where a backslash is enough.
	if m := regexp.MustCompile(`(?m)^/`).Find(source); m != nil {
		t.Errorf("a line starts with a slash in %q", source)
	}
}

func TestInline(t *testing.T) {
	tests := []struct{ in, want string }{
		{"plain text, with (brackets) and snake_case; 1.5 > 1", "plain text, with (brackets) and snake_case; 1.5 > 1"},
		{"# h", `\# h`}, {"1. x", `1\. x`}, {"- [x] y", `\- \[x\] y`}, {"a | b", `a \| b`}, {"`x`", "\\`x\\`"},
		{"#1", `\#` + nothing + "1"}, {"@team", "@" + nothing + "team"}, {"Fixes #1", "Fixes #" + nothing + "1"}, {"o/r#12", "o/r#" + nothing + "12"}, {"GH-1", "GH-" + nothing + "1"},
		{"http://x.y", "http:" + nothing + "//x.y"}, {"www.x.y", "www" + nothing + ".x.y"}, {"me@x.y", "me@" + nothing + "x.y"},
		{"a & b &amp; AT&T &3", `a & b \&amp; AT\&T &` + nothing + "3"}, {"_x_", `\_x\_`}, {"<b>", `\<b>`}, {"a\\", `a\\`}, {":tada: 12:30", `\:` + nothing + "tada: 12:30"},
		{"  a \n b\t", "a b"}, {"\x1b[2J", `\\x1b\[2J`}, {"/close", `\/close`}, {"", ""},
		{`%5 %v1 %"a b" 50% of 100%5 a%2Fb`, `\%5 \%v1 \%"a b" 50% of 100%5 a%2Fb`},
	}
	for _, test := range tests {
		if got := inline(test.in); got != test.want {
			t.Errorf("inline(%q) = %q, want %q", test.in, got, test.want)
		}
	}
}

// checkInline holds one text to: alone, in a list, in a cell and as a span it shows as written and is nothing else.
func checkInline(t *testing.T, s string) {
	t.Helper()
	in := inline(s)
	want := Folded(s)
	if want == "" {
		return
	}
	source := []byte(in + "\n")
	if kinds := skeleton(source); !slices.Equal(kinds, []string{"Document"}) {
		t.Errorf("inline(%q) = %q, which is %q", s, in, kinds)
	}
	if got := strings.ReplaceAll(plainText(parse(source), source), "\u200b", ""); got != want {
		t.Errorf("inline(%q) = %q, which shows %q", s, in, got)
	}
	checkActive(t, source)
	checkCells(t, s)
	code := []byte("x " + codeSpan(s) + " y\n")
	if kinds := skeleton(code); InertLine(s) != "" && strings.TrimSpace(InertLine(s)) != "" && !slices.Equal(kinds, []string{"Document", "CodeSpan"}) {
		t.Errorf("codeSpan(%q) = %q, which is %q", s, codeSpan(s), kinds)
	}
}

// checkCells puts a text into two cells of a table, which has to stay one of two columns.
func checkCells(t *testing.T, s string) {
	t.Helper()
	source := []byte("| a | b |\n|---|---|\n| " + cell(s) + " | " + codeCell(s) + " |\n| x | y |\n")
	var cells int
	_ = ast.Walk(parse(source), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			switch n.Kind() {
			case extast.KindTableCell:
				cells++
			case ast.KindDocument, extast.KindTable, extast.KindTableHeader, extast.KindTableRow, ast.KindText, ast.KindCodeSpan:
			default:
				t.Errorf("a cell of %q has %s: %q", s, n.Kind(), source)
			}
		}
		return ast.WalkContinue, nil
	})
	if cells != 6 {
		t.Errorf("a table with %q has %d cells, want 6: %q", s, cells, source)
	}
}

func FuzzInline(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(checkInline)
}

var (
	harmlessTexts = sync.OnceValue(func() []string { return skeleton(Markdown(filled("word", false))) })
	harmlessAll   = sync.OnceValue(func() []string { return skeleton(Markdown(filled("word", true))) })
	harmlessBrief = sync.OnceValue(func() []string { return skeleton(Markdown(briefly("word", true))) })
)

// harmless is the skeleton of the document that has a word everywhere.
func harmless(all bool) []string {
	if all {
		return harmlessAll()
	}
	return harmlessTexts()
}

// checkMarkdown compares a document that has s everywhere with one that has a word everywhere.
func checkMarkdown(t *testing.T, s string) {
	t.Helper()
	for _, all := range []bool{false, true} {
		checkSkeleton(t, s, Markdown(filled(s, all)), harmless(all))
	}
}

func checkSkeleton(t *testing.T, s string, got []byte, want []string) {
	t.Helper()
	if s == "" {
		return
	}
	checkInert(t, string(got))
	checkActive(t, got)
	if d := cmp.Diff(want, skeleton(got)); d != "" && strings.TrimSpace(Folded(s)) != "" {
		t.Fatalf("%q changes the document (-want +got):\n%s", s, d)
	}
}

func TestMarkdownOfHostileContent(t *testing.T) {
	t.Parallel()
	for _, s := range hostile {
		checkMarkdown(t, s)
	}
}

func FuzzMarkdown(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		s = shortly(s)
		checkSkeleton(t, s, Markdown(briefly(s, true)), harmlessBrief())
	})
}

func TestFence(t *testing.T) {
	for _, s := range hostile {
		source := []byte("- x\n\n" + fence(s, "text", "  ") + "\ny\n")
		if kinds := skeleton(source); !slices.Equal(kinds, []string{"Document", "List", "ListItem", "FencedCodeBlock"}) {
			t.Errorf("fence(%q) = %q, which is %q", s, source, kinds)
		}
	}
}
