package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"git-handoff/gitstore/handoff"
)

// briefFlags are the options that give the brief, made from the tables that describe the format.
func briefFlags() []cli.Flag {
	const category = "The brief"
	var flags []cli.Flag
	for _, t := range handoff.Texts {
		if t.Flag != "" {
			flags = append(flags, &cli.StringFlag{Name: t.Flag, Usage: textUsage(t), Category: category})
		}
	}
	for _, l := range handoff.Lists {
		flags = append(flags,
			&cli.StringSliceFlag{Name: l.Flag, KeepSpace: true, Usage: listUsage(l), Category: category},
			&cli.StringSliceFlag{Name: "add-" + l.Flag, KeepSpace: true, Usage: "append `TEXT` to " + l.Key, Category: category})
	}
	return append(flags,
		&cli.StringSliceFlag{Name: "note", KeepSpace: true, Usage: "a note, as `KEY=TEXT`", Category: category},
		&cli.StringSliceFlag{Name: "finish", KeepSpace: true, Usage: "move the item that `TEXT` names to done", Category: category},
		&cli.StringSliceFlag{Name: "drop", KeepSpace: true, Usage: "remove the item that `KEY=TEXT` names", Category: category},
		&cli.StringSliceFlag{Name: "clear", Usage: "empty the field `KEY`", Category: category},
	)
}

func textUsage(t handoff.Text) string {
	if t.Values != nil {
		return t.Key + ": " + strings.Join(t.Values, ", ")
	}
	return "`TEXT` of " + t.Key
}

func listUsage(l handoff.List) string {
	if len(l.Subkeys) == 0 {
		return "`TEXT` of one entry of " + l.Key
	}
	return fmt.Sprintf("`TEXT` of one entry of %s; may have %s", l.Key, strings.Join(l.Subkeys, ", "))
}

// flagWords are the brief's options of a command line as they were given, in a form that can be kept: the name of each
// option and its values.
func flagWords(c *cli.Context) map[string][]string {
	words := map[string][]string{}
	given := c.LocalFlagNames() // asked once: for each name, the library goes through all options
	for _, f := range briefFlags() {
		name := f.Names()[0]
		if !slices.Contains(given, name) {
			continue
		}
		if _, many := f.(*cli.StringSliceFlag); many {
			words[name] = c.StringSlice(name)
		} else {
			words[name] = []string{c.String(name)}
		}
	}
	return words
}

// flagPatch makes a patch of the brief's options. All that is wrong with them is said in one go.
func flagPatch(words map[string][]string) (*handoff.Patch, error) {
	p := &handoff.Patch{}
	var wrong handoff.InputErrors
	give := func(set func(string) error, values []string) {
		for _, v := range values {
			if err := set(v); err != nil {
				wrong = append(wrong, asInputError(err))
			}
		}
	}
	for _, t := range handoff.Texts {
		give(func(v string) error { return p.SetText(t.Key, v) }, words[t.Flag])
	}
	give(p.Clear, words["clear"])
	for _, l := range handoff.Lists {
		if given := words[l.Flag]; len(given) == 1 && given[0] == "" {
			give(p.Clear, []string{l.Key})
		} else {
			give(func(v string) error { return p.Replace(l.Key, v) }, given)
		}
		give(func(v string) error { return p.Add(l.Key, v) }, words["add-"+l.Flag])
	}
	give(p.SetNote, words["note"])
	give(p.FinishItem, words["finish"])
	give(p.DropItem, words["drop"])
	if wrong != nil {
		return nil, wrong
	}
	return p, nil
}

func asInputError(err error) *handoff.InputError {
	if e, ok := err.(*handoff.InputError); ok {
		return e
	}
	return &handoff.InputError{Msg: err.Error()}
}
