package gitstore

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// An AddedLine is one line that the worktree has and a commit has not. Line counts from 1 in the file as it is now.
type AddedLine struct {
	Path string
	Line int
	Text string
}

// How much of a difference is looked at: so many lines, and so much of each.
const (
	maxAddedLines = 20_000
	maxAddedLine  = 500
)

// errEnough ends the reading of a child's output.
var errEnough = errors.New("enough was read")

// AddedLines gives the lines that the worktree's tracked files have and base has not, renames followed, binary files
// left out. cut tells that there are more than are looked at. One child.
func (r *Repo) AddedLines(ctx context.Context, base string) (lines []AddedLine, cut bool, err error) {
	read := func(out io.Reader) error {
		lines, err = parseAdded(bufio.NewReaderSize(out, 64<<10), maxAddedLines)
		return err
	}
	err = r.gitPipe(ctx, read, "-C", r.Place().TopLevel, "-c", "core.quotePath=false", "diff", "--no-ext-diff", "--no-textconv", "--no-color",
		"--unified=0", "--inter-hunk-context=0", "--ignore-submodules=all", "--src-prefix=a/", "--dst-prefix=b/", renameLimit, r.renameDetection(), base, "--")
	if errors.Is(err, errEnough) {
		return lines, true, nil
	}
	return lines, false, err
}

// parseAdded reads a unified difference without context (git-diff(1), "generating patch text").
func parseAdded(in *bufio.Reader, limit int) ([]AddedLine, error) {
	var lines []AddedLine
	path, at, removed, added := "", 0, 0, 0
	for {
		line, err := shortLine(in)
		if err == io.EOF {
			return lines, nil
		}
		if err != nil {
			return lines, err
		}
		switch {
		case removed > 0 && strings.HasPrefix(line, "-"):
			removed--
		case added > 0 && strings.HasPrefix(line, "+"):
			if len(lines) == limit {
				return lines, errEnough
			}
			lines = append(lines, AddedLine{path, at, strings.TrimSuffix(line[1:], "\r")})
			at++
			added--
		case strings.HasPrefix(line, "+++ "):
			path = diffPath(line[4:])
		case strings.HasPrefix(line, "@@ "):
			removed, at, added = hunk(line)
		}
	}
}

// shortLine reads a line without its end and drops what is beyond maxAddedLine bytes.
func shortLine(in *bufio.Reader) (string, error) {
	var b strings.Builder
	for {
		part, more, err := in.ReadLine()
		if err != nil {
			return "", err
		}
		if room := maxAddedLine - b.Len(); room > 0 {
			b.Write(part[:min(room, len(part))])
		}
		if !more {
			return strings.ToValidUTF8(b.String(), "\ufffd"), nil
		}
	}
}

// hunk reads "@@ -12,3 +14,2 @@": how many lines go, where the new ones start and how many they are.
func hunk(line string) (removed, at, added int) {
	f := strings.Fields(line)
	if len(f) < 3 {
		return 0, 0, 0
	}
	_, removed = side(f[1])
	at, added = side(f[2])
	return removed, at, added
}

// side reads one side of a hunk's head; a missing count is 1.
func side(s string) (start, n int) {
	n = 1
	if _, err := fmt.Sscanf(s[1:], "%d,%d", &start, &n); err != nil && start == 0 {
		return 0, 0
	}
	return start, n
}

// diffPath reads the path of a file's new side, quoted where it has odd letters, with a tab behind it where it has
// blanks.
func diffPath(s string) string {
	s = strings.TrimSuffix(s, "\t")
	if strings.HasPrefix(s, `"`) {
		s = unquotePath(s)
	}
	return readablePath(strings.TrimPrefix(s, "b/"))
}

// unquotePath takes the quotes and the escapes of C off a path.
func unquotePath(s string) string {
	s = strings.TrimSuffix(s[1:], `"`)
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		if at := strings.IndexByte(`abtnvfr"\`, s[i]); at >= 0 {
			b.WriteByte("\a\b\t\n\v\f\r\"\\"[at])
			continue
		}
		var c byte
		for n := 0; n < 3 && i < len(s) && s[i] >= '0' && s[i] <= '7'; n++ {
			c = c<<3 | (s[i] - '0')
			i++
		}
		b.WriteByte(c)
		i--
	}
	return b.String()
}
