package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// scriptCommands are the words that stories have besides testscript's own.
func scriptCommands() map[string]func(*testscript.TestScript, bool, []string) {
	return map[string]func(*testscript.TestScript, bool, []string){
		"fsck":    fsck,
		"clock":   clock,
		"same":    same,
		"setvar":  setVariable,
		"replace": replace,
		"follows": follows,
		"there":   there,
	}
}

// fsck [DIR]: the repository has no fault that git can name.
func fsck(ts *testscript.TestScript, neg bool, args []string) {
	dir := "."
	if len(args) > 0 {
		dir = args[0]
	}
	ts.Check(ts.Exec("git", "-C", dir, "fsck", "--strict", "--no-dangling"))
	if out := ts.ReadFile("stdout") + ts.ReadFile("stderr"); out != "" {
		ts.Fatalf("git fsck says: %s", out)
	}
}

// clock +3h or clock 2026-03-02T10:00:00Z: sets the program's and git's clock.
func clock(ts *testscript.TestScript, neg bool, args []string) {
	now, err := time.Parse(time.RFC3339, ts.Getenv("GIT_HANDOFF_NOW"))
	ts.Check(err)
	if d, err := time.ParseDuration(args[0]); err == nil {
		now = now.Add(d)
	} else {
		now, err = time.Parse(time.RFC3339, args[0])
		ts.Check(err)
	}
	for _, name := range []string{"GIT_HANDOFF_NOW", "GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"} {
		ts.Setenv(name, now.UTC().Format(time.RFC3339))
	}
}

// same A B: two files are equal to the byte.
func same(ts *testscript.TestScript, neg bool, args []string) {
	if equal := ts.ReadFile(args[0]) == ts.ReadFile(args[1]); equal == neg {
		ts.Fatalf("%s and %s: equal is %v", args[0], args[1], equal)
	}
}

// setvar NAME: puts the trimmed standard output of the last command into a variable.
func setVariable(ts *testscript.TestScript, neg bool, args []string) {
	ts.Setenv(args[0], string(bytes.TrimSpace([]byte(ts.ReadFile("stdout")))))
}

// replace FILE PATTERN TEXT: rewrites what matches a regular expression.
func replace(ts *testscript.TestScript, neg bool, args []string) {
	re, err := regexp.Compile(args[1])
	ts.Check(err)
	path := ts.MkAbs(args[0])
	data, err := os.ReadFile(path)
	ts.Check(err)
	ts.Check(os.WriteFile(path, re.ReplaceAll(data, []byte(args[2])), 0o644))
}

// follows BRANCH [TOPIC]: the head that the handoff records is where the branch is.
func follows(ts *testscript.TestScript, neg bool, args []string) {
	topic := "default"
	if len(args) > 1 {
		topic = args[1]
	}
	ts.Check(ts.Exec("git", "rev-parse", "refs/heads/"+args[0]))
	tip := strings.TrimSpace(ts.ReadFile("stdout"))
	ts.Check(ts.Exec("git", "show", "refs/handoff/"+args[0]+"/"+topic+":handoff.yaml"))
	if recorded := strings.Contains(ts.ReadFile("stdout"), "\nhead: "+tip+"\n"); recorded == neg {
		ts.Fatalf("%s is at %s; the handoff says\n%s", args[0], tip, ts.ReadFile("stdout"))
	}
}

// there REPOSITORY BRANCH [TOPIC]: the repository, beside the present one, has the handoff as it is here.
func there(ts *testscript.TestScript, neg bool, args []string) {
	topic := "default"
	if len(args) > 2 {
		topic = args[2]
	}
	ref := "refs/handoff/" + args[1] + "/" + topic
	ts.Check(ts.Exec("git", "for-each-ref", "--format=%(objectname)", ref))
	here := ts.ReadFile("stdout")
	ts.Check(ts.Exec("git", "-C", filepath.Join(ts.Getenv("WORK"), args[0]), "for-each-ref", "--format=%(objectname)", ref))
	if same := here != "" && ts.ReadFile("stdout") == here; same == neg {
		ts.Fatalf("%s: here %q, in %s %q", ref, here, args[0], ts.ReadFile("stdout"))
	}
}
