package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
)

// flagHelp is one option's line in the help: its names, what it takes, what it is for, and the default where there is
// one worth saying. urfave/cli's own repeats the name of an option that can be given more than once.
func flagHelp(f cli.Flag) string {
	doc, ok := f.(cli.DocGenerationFlag)
	if !ok {
		return ""
	}
	placeholder, usage := unquoted(doc.GetUsage())
	names := dashed(f.Names())
	if doc.TakesValue() {
		if placeholder == "" {
			placeholder = "VALUE"
		}
		names += " " + placeholder
	}
	if d := doc.GetDefaultText(); doc.TakesValue() && d != "" && d != "0" && d != `""` {
		usage += " (default: " + strings.Trim(d, `"`) + ")"
	}
	if _, many := f.(*cli.StringSliceFlag); many {
		usage += "; can be given again"
	}
	for _, env := range doc.GetEnvVars() {
		usage += fmt.Sprintf(" [$%s]", env)
	}
	return names + "\t" + usage
}

// unquoted takes the placeholder, which stands between backquotes, out of a usage.
func unquoted(usage string) (placeholder, text string) {
	before, rest, quoted := strings.Cut(usage, "`")
	inside, after, closed := strings.Cut(rest, "`")
	if !quoted || !closed {
		return "", usage
	}
	return inside, before + inside + after
}
