package hooks

import (
	"bytes"
	"errors"
	"path"
	"slices"
	"strings"
)

// Why a hook file of somebody else is not edited.
var (
	errNotShell  = errors.New("is no POSIX shell script")
	errNotText   = errors.New("is a program, no text")
	errLineEnd   = errors.New("has a first line that ends in CR LF, with which git cannot start it")
	errPolyglot  = errors.New("hands itself to another program (exec … \"$0\"), for which our block may be no language")
	errNoEnd     = errors.New("holds the first line of our block, and not the last")
	errNotOurs   = errors.New("has no block of ours")
	shebangMagic = []byte("#!")
)

// shells are the interpreters that understand POSIX sh.
var shells = map[string]bool{"sh": true, "dash": true, "bash": true, "ash": true, "ksh": true, "mksh": true}

// checkShell reports why content, an executable file, is not a script that our block can stand in, or nil. Git runs a
// text without a first line for the kernel as a shell script.
func checkShell(content []byte) error {
	if bytes.IndexByte(content, 0) >= 0 {
		return errNotText
	}
	if isPolyglot(string(content)) {
		return errPolyglot
	}
	if !bytes.HasPrefix(content, shebangMagic) {
		return nil
	}
	line, _, _ := bytes.Cut(content, []byte("\n"))
	if bytes.HasSuffix(line, []byte("\r")) {
		return errLineEnd
	}
	if !shells[interpreter(string(line))] {
		return errNotShell
	}
	return nil
}

// isPolyglot reports whether a shell script has another program read the same file, as scripts in Perl, Python or Tcl do
// that begin as one for sh. One that starts a shell with itself is none.
func isPolyglot(content string) bool {
	for line := range strings.Lines(content) {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		for i := range words {
			words[i] = strings.Trim(words[i], "'\";")
		}
		at := slices.Index(words, "exec")
		if at < 0 {
			continue
		}
		if self := slices.IndexFunc(words[at:], isSelf); self > 1 && !shells[interpreter(strings.Join(words[at+1:at+self], " "))] {
			return true
		}
	}
	return false
}

func isSelf(word string) bool { return word == "$0" || word == "${0}" }

// interpreter is the name of the program that a first line names, behind env and busybox.
func interpreter(line string) string {
	words := strings.Fields(strings.TrimPrefix(line, "#!"))
	for i, word := range words {
		name := path.Base(word)
		switch {
		case name == "env" || name == "busybox":
		case i > 0 && (strings.HasPrefix(word, "-") || strings.Contains(word, "=")):
		default:
			return name
		}
	}
	return ""
}

// A span is where our block stands in a file, and which variant of it.
type span struct {
	start, end int
	variant    string
}

// find looks for our block; the error is errNotOurs, or errNoEnd where somebody cut it up.
func find(content []byte) (span, error) {
	start := lineStart(content, blockStart)
	if start < 0 {
		return span{}, errNotOurs
	}
	n := lineStart(content[start:], blockEnd)
	if n < 0 {
		return span{}, errNoEnd
	}
	s := span{start: start, end: start + n + len(blockEnd)}
	for _, variant := range []string{wholeFile, afterLine} {
		if bytes.HasPrefix(content[start:], []byte(blockStart+variant)) {
			s.variant = variant
		}
	}
	return s, nil
}

// lineStart is where a line that begins with text starts, or -1.
func lineStart(content []byte, text string) int {
	if bytes.HasPrefix(content, []byte(text)) {
		return 0
	}
	if i := bytes.Index(content, []byte("\n"+text)); i >= 0 {
		return i + 1
	}
	return -1
}

// put gives the content of a hook file with the block of s in it: in the place of the old one, else behind the first
// line where that is for the kernel, else in front. No content at all becomes a file that is ours.
func put(content []byte, s script) ([]byte, error) {
	old, err := find(content)
	switch {
	case err == nil:
		return splice(content, old, s.block(old.variant)), nil
	case !errors.Is(err, errNotOurs):
		return nil, err
	case content == nil:
		return []byte("#!/bin/sh\n" + s.block(wholeFile)), nil
	}
	if err := checkShell(content); err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(content, shebangMagic) {
		return splice(content, span{}, s.block("")), nil
	}
	if n := bytes.IndexByte(content, '\n'); n >= 0 {
		return splice(content, span{start: n + 1, end: n + 1}, s.block("")), nil
	}
	return append(bytes.Clone(content), "\n"+s.block(afterLine)...), nil
}

func splice(content []byte, s span, text string) []byte {
	return append(append(bytes.Clone(content[:s.start]), text...), content[s.end:]...)
}

// take gives the content without our block, nil where the file was ours and nobody added to it.
func take(content []byte) ([]byte, error) {
	s, err := find(content)
	if err != nil {
		return nil, err
	}
	if s.variant == afterLine && s.start > 0 {
		s.start--
	}
	rest := splice(content, s, "")
	if s.variant == wholeFile && string(rest) == "#!/bin/sh\n" {
		return nil, nil
	}
	return rest, nil
}
