package main

import (
	"context"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"git-handoff/gitstore"
	"git-handoff/gitstore/handoff"
)

//go:embed completion.bash
var bashCompletion string

//go:embed completion.zsh
var zshCompletion string

//go:embed completion.fish
var fishCompletion string

var completions = map[string]string{"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion}

func completionCommand() *cli.Command {
	return &cli.Command{
		Name: "completion", Hidden: true, Usage: "print the completion script of a shell", ArgsUsage: "bash|zsh|fish",
		Description: `The script completes git-handoff and, beside git's own completion, git handoff.

Examples:
  git handoff completion bash > ~/.local/share/bash-completion/completions/git-handoff
  git handoff completion zsh > "${fpath[1]}/_git-handoff"
  git handoff completion fish > ~/.config/fish/completions/git-handoff.fish`,
		Action: func(c *cli.Context) error {
			script, known := completions[c.Args().First()]
			if !known || c.NArg() != 1 {
				return badUsage("completion takes the name of a shell: bash, zsh or fish")
			}
			_, err := fmt.Fprint(std(c).out, script)
			return err
		},
	}
}

// completeCommand is what the completion scripts call with the words of the command line so far, the last one being
// the word at the cursor. It prints one candidate a line, and nothing on any trouble.
func completeCommand() *cli.Command {
	return &cli.Command{
		Name: "complete", Hidden: true, SkipFlagParsing: true,
		Action: func(c *cli.Context) error {
			words := c.Args().Slice()
			if len(words) > 0 && words[0] == "--" {
				words = words[1:]
			}
			for _, candidate := range candidatesFor(c, words) {
				fmt.Fprintln(std(c).out, candidate)
			}
			return nil
		},
	}
}

func candidatesFor(c *cli.Context, words []string) []string {
	if len(words) == 0 {
		words = []string{""}
	}
	last, before := atCursor(words)
	dir, before := skipGlobals(startFolder(c), before)
	if len(before) == 0 {
		return beginning(commandNames(c.App), last)
	}
	command := c.App.Command(before[0])
	if command == nil {
		return nil
	}
	known, option := optionsOf(command.Flags), before[len(before)-1]
	given, value, joined := strings.Cut(last, "=")
	switch {
	case strings.HasPrefix(option, "-") && known.takesValue(option):
		return beginning(valuesOf(c.Context, dir, command.Name, option), last)
	case joined && strings.HasPrefix(given, "-"):
		var whole []string
		for _, v := range beginning(valuesOf(c.Context, dir, command.Name, given), value) {
			whole = append(whole, given+"="+v)
		}
		return whole
	case strings.HasPrefix(last, "-"):
		return beginning(optionNames(command), last)
	case command.Name == "completion":
		return beginning(slices.Collect(maps.Keys(completions)), last)
	case strings.Contains(command.ArgsUsage, "HANDOFF"):
		return beginning(handoffNames(c.Context, dir), last)
	}
	return nil
}

// atCursor parts the word at the cursor from those before it. bash makes three words of --option=value.
func atCursor(words []string) (last string, before []string) {
	last, before = words[len(words)-1], words[:len(words)-1]
	switch n := len(before); {
	case last == "=" && n > 0:
		return "", before
	case n > 1 && before[n-1] == "=":
		return last, before[:n-1]
	}
	return last, before
}

// skipGlobals leaves out the options in front of the command, and follows -C.
func skipGlobals(dir string, words []string) (string, []string) {
	for len(words) > 0 && strings.HasPrefix(words[0], "-") {
		if words[0] == "-C" && len(words) > 1 {
			dir, words = words[1], words[1:]
		}
		words = words[1:]
	}
	return dir, words
}

// valuesOf are the values that an option may have, where they can be listed.
func valuesOf(ctx context.Context, dir, command, option string) []string {
	name := strings.TrimLeft(option, "-")
	for _, t := range handoff.Texts {
		if t.Flag == name && t.Values != nil {
			return slices.Clone(t.Values)
		}
	}
	switch name {
	case "format":
		return formatsOf(command)
	case "from":
		return []string{string(handoff.ShapePacket), string(handoff.ShapeRecord), string(handoff.ShapeDocument), string(handoff.ShapeBrief)}
	case "supersedes":
		return handoffNames(ctx, dir)
	case "clear":
		return briefKeys()
	}
	return nil
}

// briefKeys are the keys that an author writes.
func briefKeys() []string {
	keys := []string{"notes"}
	for _, t := range handoff.Texts {
		keys = append(keys, t.Key)
	}
	for _, l := range handoff.Lists {
		keys = append(keys, l.Key)
	}
	return keys
}

func beginning(all []string, with string) []string {
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(s string) bool { return !strings.HasPrefix(s, with) })
}

func commandNames(app *cli.App) []string {
	var names []string
	for _, c := range app.VisibleCommands() {
		names = append(names, c.Name)
	}
	return names
}

func optionNames(command *cli.Command) []string {
	var names []string
	for _, f := range command.Flags {
		for _, n := range f.Names() {
			if len(n) > 1 {
				names = append(names, "--"+n)
			}
		}
	}
	return names
}

func formatsOf(command string) []string {
	switch command {
	case "show":
		return []string{"text", "md", "json", "yaml", "packet", "record", "document"}
	case "resume":
		return []string{"prompt", "text", "md", "json"}
	case "diff":
		return []string{"text", "md", "json"}
	}
	return []string{"text", "json"}
}

// handoffNames are the handoffs here, each as BRANCH/TOPIC, and those of the current branch by topic alone too.
func handoffNames(ctx context.Context, dir string) []string {
	repo, err := gitstore.Open(ctx, dir)
	if err != nil {
		return nil
	}
	defer repo.Close()
	tips, err := repo.Tips(ctx)
	if _, err = gitstore.UnlessUnread(err); err != nil {
		return nil
	}
	head, _ := repo.Head(ctx)
	var names []string
	for _, v := range tips {
		if v.Message.Status != handoff.Active {
			continue
		}
		names = append(names, v.Name.String())
		if v.Name.Branch == head.WorkBranch() {
			names = append(names, v.Name.Topic)
		}
	}
	return names
}
