package main

import (
	"bufio"
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"git-handoff/hooks"
)

//go:embed ci
var ciFiles embed.FS

// A ciTemplate is one file of a host, and what it is made from.
type ciTemplate struct{ path, from string }

// ciHosts are the files that init --ci writes for each host.
var ciHosts = map[string][]ciTemplate{
	"github": {{".github/workflows/handoff-review.yml", "github.yml"}, {".github/workflows/handoff-review-fork.yml", "github-fork.yml"}},
	"gitlab": {{".gitlab/handoff-review.yml", "gitlab.yml"}},
}

// ciFlags are the options of init that are about workflow files.
func ciFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "ci", Usage: "write the workflow that reviews pull requests, for github or gitlab, and install no hooks"},
		&cli.StringFlag{Name: "ci-source", Usage: "with --ci, the repository and commit that git-handoff is built from there, `URL@COMMIT`"},
	}
}

// initCI writes the workflow files of a host, or takes them out. It asks before it overwrites what is there and differs.
func initCI(c *cli.Context, d *desk) error {
	mode := hooks.Mode(c.String("hooks"))
	if c.IsSet("agent") || mode == hooks.Write {
		return badUsage("--ci writes workflow files and nothing else").hint("git handoff init, without --ci, is for hooks and agents")
	}
	host := c.String("ci")
	templates, known := ciHosts[host]
	if !known {
		return badUsage("there is no workflow for %q", host).hint("--ci is one of %s", list(slices.Sorted(maps.Keys(ciHosts))))
	}
	source, err := parseSource(c.String("ci-source"))
	if err != nil {
		return err
	}
	top := d.repo.Place().TopLevel
	if top == "" {
		return trouble(exitFailure, "a bare repository has no place for a workflow").hint("run it in a worktree")
	}
	if c.Bool("undo") {
		return d.removeCI(top, templates)
	}
	files, err := composeAll(top, templates, source)
	if err != nil {
		return err
	}
	if mode == hooks.Print {
		return d.showCI(files)
	}
	if err := d.writeCI(files, d.confirm); err != nil {
		return err
	}
	d.adviseCI(host, top, source)
	return nil
}

// composeAll are the files of a host, to be written below top.
func composeAll(top string, templates []ciTemplate, source ciSource) ([]ciFile, error) {
	var files []ciFile
	for _, t := range templates {
		data, err := compose(t.from, source)
		if err != nil {
			return nil, err
		}
		files = append(files, ciFile{path: t.path, at: filepath.Join(top, filepath.FromSlash(t.path)), data: data})
	}
	return files, nil
}

// A ciSource is what git-handoff is built from on a runner; zero where variables of the host say it.
type ciSource struct{ url, commit string }

func parseSource(s string) (ciSource, error) {
	if s == "" {
		return ciSource{}, nil
	}
	i := strings.LastIndexByte(s, '@')
	if i < 0 || !isCommit(s[i+1:]) || !plainURL(s[:i]) {
		return ciSource{}, badUsage("--ci-source %s is not URL@COMMIT with a full commit id", s).
			hint("git handoff init --ci github --ci-source https://host/owner/git-handoff@$(git -C git-handoff rev-parse HEAD)")
	}
	return ciSource{s[:i], s[i+1:]}, nil
}

// plainURL reports whether a URL can stand between quotes in any file.
func plainURL(s string) bool {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._~:/@%+-"
	scheme, rest, ok := strings.Cut(s, "://")
	return ok && scheme != "" && rest != "" && s[0] != '-' && strings.Trim(s, plain) == ""
}

func isCommit(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}

// compose makes a workflow from its template: included files come with the indentation of the line that names them.
func compose(name string, source ciSource) ([]byte, error) {
	text, err := include(name, "")
	if err != nil {
		return nil, err
	}
	url, commit, variables := "${{ vars.GIT_HANDOFF_SOURCE }}", "${{ vars.GIT_HANDOFF_COMMIT }}", ""
	if source != (ciSource{}) {
		url, commit = "'"+source.url+"'", "'"+source.commit+"'"
		variables = "    GIT_HANDOFF_SOURCE: " + url + "\n    GIT_HANDOFF_COMMIT: " + commit + "\n"
	}
	return []byte(strings.NewReplacer("@SOURCE@", url, "@COMMIT@", commit, "@VARIABLES@\n", variables).Replace(text)), nil
}

func include(name, indent string) (string, error) {
	data, err := ciFiles.ReadFile("ci/" + name)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for line := range strings.Lines(string(data)) {
		trimmed := strings.TrimLeft(line, " ")
		if from, ok := strings.CutPrefix(strings.TrimSpace(trimmed), "@include "); ok {
			inner, err := include(from, indent+line[:len(line)-len(trimmed)])
			if err != nil {
				return "", err
			}
			b.WriteString(inner)
			continue
		}
		if strings.TrimSpace(line) != "" {
			b.WriteString(indent)
		}
		b.WriteString(line)
	}
	return b.String(), nil
}

// A ciFile is a workflow file on its way to be written, and what becomes of the one that is there.
type ciFile struct {
	path, at string
	data     []byte
	state    string
}

// writeCI writes the files, once all that differ may be overwritten.
func (d *desk) writeCI(files []ciFile, may func(question string) bool) error {
	var refused problems
	for i := range files {
		f := &files[i]
		old, err := os.ReadFile(f.at)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			f.state = "written"
		case err != nil:
			return err
		case bytes.Equal(old, f.data):
			f.state = "is as it was"
		case may(f.path + " is there and differs; overwrite it?"):
			f.state = "overwritten"
		default:
			refused = append(refused, trouble(exitRefused, "%s is there and differs, and was not overwritten", f.path).
				hint("git mv it away, or answer y at a terminal: git handoff init --ci …"))
		}
	}
	if err := refused.orNil(); err != nil {
		return err
	}
	for _, f := range files {
		if err := os.MkdirAll(filepath.Dir(f.at), 0o755); err != nil {
			return err
		}
		if err := writeWhole(f.at, f.data); err != nil {
			return err
		}
		fmt.Fprintf(d.out, "%s: %s\n", f.path, f.state)
	}
	return nil
}

// confirm asks at a terminal; anywhere else the answer is no.
func (d *desk) confirm(question string) bool {
	f, ok := d.in.(*os.File)
	if !ok || !isTerminal(f) {
		return false
	}
	fmt.Fprintf(d.err, "git-handoff: %s [y/N] ", question)
	answer, _ := bufio.NewReader(f).ReadString('\n')
	return slices.Contains([]string{"y", "yes"}, strings.ToLower(strings.TrimSpace(answer)))
}

// adviseCI says what has to be done besides.
func (d *desk) adviseCI(host, top string, source ciSource) {
	if source == (ciSource{}) {
		d.say("set the variables GIT_HANDOFF_SOURCE (a URL) and GIT_HANDOFF_COMMIT (a full commit id) on " + host +
			", or give both here: --ci-source URL@COMMIT")
	}
	if host != "gitlab" {
		return
	}
	const line = ".gitlab/handoff-review.yml"
	data, _ := os.ReadFile(filepath.Join(top, ".gitlab-ci.yml"))
	if !bytes.Contains(data, []byte(line)) {
		d.say("add this to .gitlab-ci.yml: include: [{local: " + line + "}]")
	}
	d.say("for a note on the merge request, set HANDOFF_TOKEN to a project access token: role Reporter, scope api")
}
