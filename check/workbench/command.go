package workbench

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxCommand is how much of a command is kept, in bytes; the mark of the cut comes on top.
const maxCommand = 1000

// unknownCommand stands for a command that the log does not tell.
const unknownCommand = "(command not recorded)"

// command gives the command as one line that can be pasted into a POSIX shell. A list is quoted, a list within it is
// one argument. A script of several lines becomes eval $'…'; lines that a backslash continues are joined.
func (r *reader) command(rec *record) string {
	argv, args := rec.tree(fieldArgv), rec.tree(fieldArgs)
	cmd := rec.tree(fieldCommand)
	if cmd == nil || cmd.kind == text && strings.TrimSpace(cmd.text) == "" {
		cmd = argv
	}
	line := ""
	switch {
	case cmd == nil && args != nil:
		line = r.argvLine(arguments(args))
	case cmd == nil:
	case cmd.kind == text && args != nil && args.kind == list && len(args.items) > 0:
		line = r.argvLine(append([]string{cmd.text}, arguments(args)...))
	case cmd.kind == text:
		line = scriptLine(r.mask(cmd.text))
	case cmd.kind == list || cmd.kind == object:
		line = r.argvLine(arguments(cmd))
	default:
		line = cmd.text
	}
	if line == "" {
		return unknownCommand
	}
	return cutEnd(r.mask(line), maxCommand)
}

// arguments flattens a list into arguments; an object may name a program and its arguments.
func arguments(n *node) []string {
	switch n.kind {
	case list:
		var all []string
		for _, el := range n.items {
			all = append(all, argument(el))
		}
		return all
	case object:
		program := n.first("program", "command", "cmd", "executable", "argv", "name")
		all := arguments(n.first("args", "arguments").orEmpty())
		if program != nil && program.kind == list {
			return append(arguments(program), all...)
		}
		if program != nil {
			return append([]string{program.say()}, all...)
		}
		return all
	}
	if n.text == "" {
		return nil
	}
	return []string{n.text}
}

func (n *node) orEmpty() *node {
	if n == nil {
		return &node{kind: list}
	}
	return n
}

// argument gives one argument: a text as it is, a list as the line it makes.
func argument(n *node) string {
	switch n.kind {
	case list, object:
		return shellLine(arguments(n))
	case null:
		return ""
	}
	return n.text
}

func (r *reader) argvLine(args []string) string {
	if r.opt.MaskArgs != nil {
		args = r.opt.MaskArgs(args)
	}
	return shellLine(args)
}

// shellLine joins arguments so that a POSIX shell parts them again as they were.
func shellLine(args []string) string {
	quoted := make([]string, len(args))
	for i, a := range args {
		quoted[i] = shellWord(a)
		if i == 0 && quoted[i] == a && strings.Contains(a, "=") {
			quoted[i] = "'" + a + "'"
		}
	}
	return strings.Join(quoted, " ")
}

// shellWord quotes an argument where it needs it: in single quotes, or as $'…' (POSIX.1-2024) if it has control
// characters.
func shellWord(s string) string {
	plain, control := s != "", false
	for i := 0; i < len(s); i++ {
		c := s[i]
		control = control || c < ' ' || c == 0x7f
		plain = plain && ('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("_@%+=:,./-", c) >= 0 || c >= utf8.RuneSelf)
	}
	switch {
	case plain:
		return s
	case control:
		return dollarQuote(s)
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

func dollarQuote(s string) string {
	var b strings.Builder
	b.WriteString("$'")
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\t':
			b.WriteString(`\t`)
		case c == '\r':
			b.WriteString(`\r`)
		case c == '\\' || c == '\'':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('\'')
	return b.String()
}

// scriptLine writes a script on one line that does the same.
func scriptLine(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	var lines []string
	for _, l := range strings.Split(s, "\n") {
		if n := len(lines); n > 0 && strings.HasSuffix(lines[n-1], `\`) && !strings.HasSuffix(lines[n-1], `\\`) {
			lines[n-1] = strings.TrimRight(strings.TrimSuffix(lines[n-1], `\`), " \t") + " " + strings.TrimLeft(l, " \t")
			continue
		}
		lines = append(lines, l)
	}
	s = strings.TrimSpace(strings.Join(lines, "\n"))
	if strings.ContainsAny(s, "\n\r") {
		return "eval " + dollarQuote(s)
	}
	return s
}

// cutEnd shortens a text to at most n bytes, between letters, and marks the cut.
func cutEnd(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + " " + cutMark(len(s)-n)
}
