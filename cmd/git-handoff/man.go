package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
)

func manCommand() *cli.Command {
	return &cli.Command{
		Name: "man", Hidden: true, Usage: "print the manual page",
		Description: `Once it is installed, git handoff --help shows it.

Examples:
  git handoff man | man -l -
  git handoff man > ~/.local/share/man/man1/git-handoff.1`,
		Action: func(c *cli.Context) error {
			_, err := fmt.Fprint(std(c).out, manual(c.App))
			return err
		},
	}
}

// manual is the manual page, in the man macros (groff_man(7)), made from the commands themselves.
func manual(app *cli.App) string {
	var b strings.Builder
	b.WriteString(".TH GIT-HANDOFF 1\n.SH NAME\ngit-handoff \\- " + troff(app.Usage) + "\n")
	b.WriteString(".SH SYNOPSIS\n.B git handoff\n[\\-C DIR] COMMAND [OPTIONS] [HANDOFF]\n.SH DESCRIPTION\n" + paragraphs(app.Description))
	b.WriteString(".SH COMMANDS\n")
	for _, c := range app.VisibleCommands() {
		fmt.Fprintf(&b, ".SS git handoff %s %s\n%s.\n.PP\n%s", troff(c.Name), troff(c.ArgsUsage), troff(capital(c.Usage)), paragraphs(c.Description))
		for _, f := range c.VisibleFlags() {
			fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", troff(dashed(f.Names())), troff(flagUsage(f)))
		}
	}
	b.WriteString(".SH EXIT STATUS\n")
	for code, meaning := range exitMeanings {
		fmt.Fprintf(&b, ".TP\n.B %d\n%s\n", code, troff(meaning))
	}
	return b.String()
}

// exitMeanings are what the exit statuses mean, by number.
var exitMeanings = []string{
	"done",
	"failure, or findings of check, or a difference, or not ready with --exit-code",
	"usage or bad input",
	"no such handoff, or an ambiguous name",
	"refused: unclean, a secret, an unknown format, a held claim",
	"conflict",
	"cannot tell: nothing here, and the remote was never fetched or not reached",
}

func dashed(names []string) string {
	var all []string
	for _, n := range names {
		if len(n) == 1 {
			all = append(all, "-"+n)
		} else {
			all = append(all, "--"+n)
		}
	}
	return strings.Join(all, ", ")
}

func flagUsage(f cli.Flag) string {
	if d, ok := f.(cli.DocGenerationFlag); ok {
		return strings.ReplaceAll(d.GetUsage(), "`", "")
	}
	return ""
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// troff makes text inert for the formatter of manual pages.
func troff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
	var lines []string
	for line := range strings.SplitSeq(s, "\n") {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			line = `\&` + line
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// paragraphs sets a description: lines indented by two are examples and stay as they are.
func paragraphs(s string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(s, "\n") {
		switch {
		case strings.HasPrefix(part, "  "):
			b.WriteString(".nf\n" + troff(part) + "\n.fi\n")
		case part == "":
			b.WriteString(".PP\n")
		default:
			b.WriteString(troff(part) + "\n")
		}
	}
	return b.String()
}
