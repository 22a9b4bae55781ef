package check

import (
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"git-handoff/gitstore/handoff"
)

func (l AddedLine) place() string { return l.Path + ":" + strconv.Itoa(l.Line) }

// A language is what has to be known of a programming language to find what was left behind in it.
type language struct {
	// comment starts a comment that goes to the end of the line.
	comment string
	// debug is what is only ever written to find a fault.
	debug *regexp.Regexp
}

// shout is the beginning of a text that somebody prints to find a fault.
const shout = `["'` + "`" + `](?i:\W*(?:debug|dbg|here|got here|reached|xxx+|foo|asdf|test\d*)\b|>>>|<<<|===|\*\*\*|---|!!!|###)`

// languages are found by the ending of a file's name.
var languages = sync.OnceValue(func() map[string]*language {
	table := map[string]*language{}
	for _, l := range []struct{ endings, comment, debug string }{
		{"py pyi", "#", `\b(?:breakpoint\(\)|(?:i?pdb|pudb|ipdb)\.set_trace\(|import (?:i?pdb|pudb)\b|ic\(|print\([rbfu]{0,2}` + shout + `|print\(f?["']\{\w+=\}|pprint\()`},
		{"js jsx ts tsx mjs cjs mts cts vue svelte", "//", `\b(?:console\.(?:log|debug|trace|dir)\(|debugger\b)|\balert\(` + shout},
		{"go", "//", `\b(?:spew\.(?:Dump|Printf)\(|(?:fmt|log)\.(?:Print|Printf|Println)\(` + shout + `|runtime\.Breakpoint\(|litter\.Dump\()|^\s*print(?:ln)?\(`},
		{"rs", "//", `\bdbg!\(|\be?println!\(` + shout},
		{"rb rake", "#", `\b(?:binding\.(?:pry|irb|break)|byebug|debugger)\b|^\s*(?:puts|p|pp)\s*\(?` + shout},
		{"php", "//", `\b(?:var_dump|print_r|dd|dump|xdebug_break)\(`},
		{"java kt kts scala groovy", "//", `\bprintStackTrace\(\)|\b(?:System\.(?:out|err)\.print(?:ln)?|println)\(` + shout},
		{"c h cc cpp cxx hpp hh m mm", "//", `\b(?:f?printf|puts|NSLog)\((?:stderr,\s*)?@?` + shout + `|\bqDebug\(`},
		{"cs", "//", `\b(?:Debugger\.(?:Break|Launch)\(|Console\.WriteLine\(\$?@?` + shout + `)`},
		{"swift dart", "//", `\b(?:debugPrint|dump)\(|\bprint\(` + shout},
		{"sh bash zsh", "#", `^\s*set -[a-z]*x[a-z]*\s*$|\becho ` + shout},
		{"lua sql hs elm", "--", `\bprint\(` + shout + `|\b(?:traceShow|Debug\.log)\b`},
		{"ex exs pl pm r jl", "#", `\bIEx\.pry\b|\bIO\.inspect\(|\bData::Dumper\b|\bbrowser\(\)`},
	} {
		one := &language{comment: l.comment, debug: regexp.MustCompile(l.debug)}
		for _, e := range strings.Fields(l.endings) {
			table[e] = one
		}
	}
	return table
})

// languageOf is nil for a file of no language that is known, such as documents and data.
func languageOf(file string) *language {
	return languages()[strings.ToLower(strings.TrimPrefix(path.Ext(file), "."))]
}

func debugPrints(s *State) []Issue {
	return s.places(handoff.Warn, "debug print", "debug prints", "take it out, or make it a log line", func(l AddedLine, lang *language) bool {
		return lang != nil && !strings.HasPrefix(strings.TrimSpace(l.Text), lang.comment) && lang.debug.MatchString(l.Text)
	})
}

// commentedCode finds code that was switched off instead of taken out.
func commentedCode(s *State) []Issue {
	return s.places(handoff.Warn, "line of commented-out code", "lines of commented-out code", "take it out: git keeps what was there", func(l AddedLine, lang *language) bool {
		if lang == nil {
			return false
		}
		text, isComment := strings.CutPrefix(strings.TrimSpace(l.Text), lang.comment)
		return isComment && isCode(strings.TrimSpace(text))
	})
}

var (
	// codeEnd is how lines of code end and sentences do not.
	codeEnd = lazily(`(?:[;{]|\)\s*\{|=>\s*\{?|\}\s*[,)]?)$`)
	// codeLine is a whole statement: an assignment, a call, a definition, a branch.
	codeLine = lazily(`^(?:(?:const|let|var|my|local|auto|final)\s+)?[A-Za-z_$][\w.$\[\]]*(?:,\s*[A-Za-z_]\w*)*\s*(?::=|[-+*/|&]?=)\s*[^=\s].*[\w)\]}"'` + "`" + `]$` +
		`|^(?:await\s+|return\s+|yield\s+|new\s+)?[A-Za-z_$][\w$]*(?:(?:\.|::|->)[A-Za-z_$][\w$]*)*\([^()]*(?:\([^()]*\)[^()]*)*\)$` +
		`|^(?:if|elif|for|while|with|def|class|try|except|else)\b.*:$|^(?:from\s+\S+\s+)?import\s+[\w.*, {}]+$|^(?:return|raise|throw)\s+[\w.("'\[{].*[)\]}"'\w]$`)
	// prose has words in a row that no statement has.
	prose = lazily(`(?i)^(?:[a-z']+ ){3,}[a-z']+|\b(?:the|is|are|was|that|this|which|should|must|because|see|note|e\.g\.|i\.e\.)\b`)
)

// isCode reports whether the text of a comment is code. What reads as a sentence, an annotation or a directive is not.
func isCode(text string) bool {
	if len(text) < 4 || strings.HasPrefix(text, "!") || strings.HasPrefix(text, "@") || strings.HasPrefix(text, "/") || prose().MatchString(text) {
		return false
	}
	return codeEnd().MatchString(text) || codeLine().MatchString(text)
}
