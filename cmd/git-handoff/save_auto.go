package main

import (
	"fmt"
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

// neverFail turns what kept an automatic save from saving into one line: whoever ends must not be held up.
func neverFail(std streams, err error) error {
	if err == nil {
		return nil
	}
	var whats []string
	for _, p := range explain(err) {
		whats = append(whats, p.what)
	}
	fmt.Fprintf(std.err, "git-handoff: not saved: %s\n", oneLine(strings.Join(whats, "; ")))
	return nil
}
