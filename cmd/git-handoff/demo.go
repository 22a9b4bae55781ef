package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"git-handoff/gitstore"
)

func demoCommand() *cli.Command {
	return &cli.Command{
		Name: "demo", Hidden: true,
		Usage: "play the whole story in a throwaway repository, and print what it does",
		Description: `Nothing outside the throwaway folder is touched.

Examples:
  git handoff demo
  git handoff demo --keep`,
		Flags: []cli.Flag{&cli.BoolFlag{Name: "keep", Usage: "leave the repositories, and say where they are"}},
		Action: func(c *cli.Context) error {
			dir, err := os.MkdirTemp("", "git-handoff-demo-")
			if err != nil {
				return err
			}
			if !c.Bool("keep") {
				defer os.RemoveAll(dir)
			} else {
				defer fmt.Fprintln(std(c).out, "\nthe repositories are in "+dir)
			}
			s, err := newStage(std(c), dir)
			if err != nil {
				return err
			}
			return s.play()
		},
	}
}

// A scene is one step of the demo: what it shows, and the commands, each run in the folder that is named before the
// colon. A command that must fail says so with a leading `!`.
type scene struct {
	tells    string
	commands []string
}

// A stage is where the demo plays: a folder with a home of its own, so that nothing of the user's configuration counts.
type stage struct {
	streams
	dir string
	env []string
}

func newStage(std streams, dir string) (*stage, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	bin := filepath.Join(dir, "bin")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		return nil, err
	}
	if err := placeProgram(self, filepath.Join(bin, "git-handoff"+filepath.Ext(self))); err != nil {
		return nil, err
	}
	config := "[user]\n\tname = Ada Example\n\temail = ada@example.invalid\n[init]\n\tdefaultBranch = main\n[advice]\n\tdetachedHead = false\n"
	if err := os.WriteFile(filepath.Join(dir, "gitconfig"), []byte(config), 0o644); err != nil {
		return nil, err
	}
	for _, e := range os.Environ() {
		if name, _, _ := strings.Cut(e, "="); strings.HasPrefix(name, "GIT_") || strings.HasPrefix(name, "HANDOFF_") {
			os.Unsetenv(name)
		}
	}
	env := []string{"HOME=" + dir, "USERPROFILE=" + dir, "GIT_CONFIG_GLOBAL=" + filepath.Join(dir, "gitconfig"), "GIT_CONFIG_NOSYSTEM=1",
		"PATH=" + bin + string(filepath.ListSeparator) + os.Getenv("PATH")}
	return &stage{streams: std, dir: dir, env: env}, nil
}

// placeProgram makes this program be found as git-handoff: by a link, or a copy where links are not to be had.
func placeProgram(self, as string) error {
	if os.Symlink(self, as) == nil {
		return nil
	}
	from, err := os.Open(self)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.OpenFile(as, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	if closeErr := to.Close(); err == nil {
		err = closeErr
	}
	return err
}

func (s *stage) play() error {
	for i, one := range demoScenes {
		fmt.Fprintf(s.out, "\n== %d. %s\n", i+1, one.tells)
		for _, command := range one.commands {
			if err := s.run(command); err != nil {
				return err
			}
		}
	}
	fmt.Fprintln(s.out, "\nThat was the story. Everything happened in a throwaway folder.")
	return nil
}

// run prints one command and runs it. Its errors come where its output does, as a reader at a terminal sees them.
func (s *stage) run(command string) error {
	command, mayFail := strings.CutPrefix(command, "!")
	folder, line, _ := strings.Cut(command, ": ")
	fmt.Fprintf(s.out, "\n%s$ %s\n", folder, line)
	dir := filepath.Join(s.dir, folder)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	result, err := gitstore.Command{Argv: []string{"sh", "-c", line}, Dir: dir, Env: s.env, Stdout: s.out, Stderr: s.out}.Run()
	if err != nil {
		return err
	}
	if (result.Exit != 0) != mayFail {
		return trouble(exitFailure, "the demo's command ended with status %d: %s", result.Exit, line)
	}
	return nil
}
