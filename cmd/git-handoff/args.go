package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// reorder puts the options of a command line in front of its arguments, since urfave/cli stops looking for options at
// the first argument and would take the rest for arguments without a word. What follows `--` stays as it is.
func reorder(app *cli.App, args []string) ([]string, error) {
	globals := optionsOf(app.Flags)
	i := 1
	for i < len(args) && strings.HasPrefix(args[i], "-") && args[i] != "--" {
		if globals.takesValue(args[i]) {
			i++
		}
		i++
	}
	if i >= len(args) {
		return args, nil
	}
	command := app.Command(args[i])
	if command == nil || command.SkipFlagParsing {
		return args, nil
	}
	options, rest, err := split(optionsOf(command.Flags), args[i+1:])
	if err != nil {
		return nil, withHint(err, "git handoff "+command.Name+" -h")
	}
	command.Flags = needed(command.Flags, options)
	ordered := append(append([]string{}, args[:i+1]...), options...)
	return append(append(ordered, "--"), rest...), nil
}

// needed are the options of a command that a line names, and those that have a value without it. The library goes
// through all options for each of them, which takes longer than the work of a command that has sixty. Help shows all.
func needed(flags []cli.Flag, words []string) []cli.Flag {
	if slices.ContainsFunc(words, func(w string) bool { return w == "-h" || w == "--help" }) {
		return flags
	}
	var kept []cli.Flag
	for _, f := range flags {
		if d, ok := f.(cli.DocGenerationFlag); !ok || d.GetValue() != "" || len(d.GetEnvVars()) > 0 || isAny(f.Names(), words) {
			kept = append(kept, f)
		}
	}
	return kept
}

// isAny reports whether a word is an option of one of the names.
func isAny(names, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		name, _, _ := strings.Cut(strings.TrimLeft(w, "-"), "=")
		return slices.Contains(names, name)
	})
}

// split parts the words after a command's name into options with their values, and arguments.
func split(known options, words []string) (flags, arguments []string, err error) {
	for i := 0; i < len(words); i++ {
		word := words[i]
		switch {
		case word == "--":
			return flags, append(arguments, words[i+1:]...), nil
		case word == "-" || !strings.HasPrefix(word, "-"):
			arguments = append(arguments, word)
		case known.takesValue(word) && i+1 == len(words):
			return nil, nil, badUsage("option %s needs a value", word)
		case known.takesValue(word):
			flags = append(flags, word, words[i+1])
			i++
		default:
			flags = append(flags, word)
		}
	}
	return flags, arguments, nil
}

// options tells for each option's name whether it takes a value.
type options map[string]bool

func optionsOf(flags []cli.Flag) options {
	known := options{}
	for _, f := range flags {
		_, boolean := f.(*cli.BoolFlag)
		for _, name := range f.Names() {
			known[name] = !boolean
		}
	}
	return known
}

// takesValue reports whether the next word is the value of the option word.
func (o options) takesValue(word string) bool {
	return !strings.Contains(word, "=") && o[strings.TrimLeft(word, "-")]
}
