package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"
)

// unclean is the reason to save although the state is not clean; "" for none.
func unclean(c *cli.Context) (string, error) {
	why := strings.TrimSpace(c.String("allow-unclean"))
	switch {
	case why != "":
		return why, nil
	case c.IsSet("allow-unclean"):
		return "", badUsage("--allow-unclean needs the reason").hint("git handoff save --allow-unclean 'the test needs the database'")
	case c.Bool("auto"):
		return "auto", nil
	}
	return "", nil
}

// isAutoSave reports whether a command line asks for an automatic save, even one that is not understood.
func isAutoSave(args []string) bool {
	if i := slices.Index(args, "--"); i >= 0 {
		args = args[:i]
	}
	at := slices.Index(args, "save")
	return at > 0 && slices.ContainsFunc(args[at:], func(arg string) bool {
		name, value, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		off, err := strconv.ParseBool(value)
		return arg[:min(1, len(arg))] == "-" && name == "auto" && (err != nil || off)
	})
}

// neverFail turns what kept an automatic save from saving into one line: whoever ends must not be held up.
func neverFail(std streams, err error) error {
	if err == nil {
		return nil
	}
	var whats []string
	for _, p := range explain(err) {
		whats = append(whats, p.what)
	}
	fmt.Fprintf(std.err, "git-handoff: not saved: %s\n", masked(strings.Join(whats, "; ")))
	return nil
}
