package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"git-handoff/render"
)

// ciCommand reads what the interfaces of hosts answer, for the shell steps that init --ci writes: a runner need not have
// another program for that.
func ciCommand() *cli.Command {
	return &cli.Command{
		Name:   "ci",
		Usage:  "read a host's answers, for the steps that init --ci writes",
		Hidden: true,
		Description: `ci get [--where KEY=VALUE]… [NAME=]KEY… prints lines VALUE, or NAME=VALUE, from the JSON on standard input, of
the first object that fits if it is a list. A KEY is a path such as head.repo.full_name.

ci last-comment --by LOGIN prints the number of LOGIN's comment that git handoff review made, and its
marker, from lists of comments.`,
		ArgsUsage: "get|last-comment",
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "where", Usage: "only the object whose `KEY=VALUE`"},
			&cli.StringFlag{Name: "by", Usage: "the comment's author"},
		},
		Action: ciAction,
	}
}

func ciAction(c *cli.Context) error {
	in := bufio.NewReader(std(c).in)
	switch c.Args().First() {
	case "get":
		return ciGet(std(c).out, in, c.StringSlice("where"), c.Args().Tail())
	case "last-comment":
		return ciLastComment(std(c).out, in, c.String("by"))
	}
	return badUsage("ci is get or last-comment").hint("git handoff ci -h")
}

// ciGet prints values of the first object that fits; nothing where none does.
func ciGet(out io.Writer, in io.Reader, where, wanted []string) error {
	objects, err := readObjects(in)
	if err != nil {
		return err
	}
	for _, o := range objects {
		fits, err := o.fits(where)
		if err != nil {
			return err
		}
		if fits {
			return o.print(out, wanted)
		}
	}
	return nil
}

// An answer is one JSON object of a host's.
type answer map[string]any

// readObjects reads objects and lists of objects, one after another, as a host's pages come.
func readObjects(in io.Reader) ([]answer, error) {
	var all []answer
	for d := json.NewDecoder(in); ; {
		d.UseNumber()
		var raw json.RawMessage
		if err := d.Decode(&raw); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, trouble(exitFailure, "what the host answered is no JSON: %s", err)
		}
		var many []answer
		if err := decodeNumbers(raw, &many); err != nil {
			var one answer
			if err := decodeNumbers(raw, &one); err != nil {
				return nil, trouble(exitFailure, "what the host answered is neither an object nor a list of objects")
			}
			many = []answer{one}
		}
		all = append(all, many...)
	}
}

func decodeNumbers(raw json.RawMessage, into any) error {
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.UseNumber()
	return d.Decode(into)
}

// value is what stands under a path of keys; false where nothing does, or no plain value.
func (o answer) value(path string) (string, bool) {
	var at any = map[string]any(o)
	for key := range strings.SplitSeq(path, ".") {
		object, ok := at.(map[string]any)
		if !ok {
			return "", false
		}
		at = object[key]
	}
	switch v := at.(type) {
	case string:
		return v, true
	case json.Number:
		return v.String(), true
	case bool:
		return strconv.FormatBool(v), true
	}
	return "", false
}

func (o answer) fits(where []string) (bool, error) {
	for _, w := range where {
		key, want, ok := strings.Cut(w, "=")
		if !ok {
			return false, badUsage("--where %s is not KEY=VALUE", w)
		}
		if got, there := o.value(key); !there || got != want {
			return false, nil
		}
	}
	return true, nil
}

// print writes a line for each value. A value that is not one line would be read as something else by what follows.
func (o answer) print(out io.Writer, wanted []string) error {
	var b strings.Builder
	for _, w := range wanted {
		name, key, named := strings.Cut(w, "=")
		if !named {
			key = name
		}
		value, there := o.value(key)
		if !there {
			return trouble(exitFailure, "the host's answer has no %s", key)
		}
		if strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return trouble(exitFailure, "%s in the host's answer is not one line: %q", key, value)
		}
		if named {
			value = name + "=" + value
		}
		b.WriteString(value + "\n")
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// ciLastComment prints the number and the marker of the last comment of ours that an author has.
func ciLastComment(out io.Writer, in io.Reader, by string) error {
	comments, err := readObjects(in)
	if err != nil {
		return err
	}
	for i := len(comments) - 1; i >= 0; i-- {
		author, ok := comments[i].value("user.login")
		if !ok {
			author, _ = comments[i].value("author.username")
		}
		body, _ := comments[i].value("body")
		marker, _, _ := strings.Cut(strings.ReplaceAll(body, "\r\n", "\n"), "\n")
		if author != by || !strings.HasPrefix(marker, render.MarkerPrefix) {
			continue
		}
		id, ok := comments[i].value("id")
		if !ok {
			return trouble(exitFailure, "the host's answer has a comment without a number")
		}
		_, err := fmt.Fprintf(out, "%s\n%s\n", id, marker)
		return err
	}
	return nil
}
