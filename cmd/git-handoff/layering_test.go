package main

import (
	"os/exec"
	"strings"
	"testing"
)

// allowed is the picture of the packages in README.md, "How to change the code": an arrow that is not here is a fault.
var allowed = map[string][]string{
	"git-handoff/gitstore/handoff": {},
	"git-handoff/gitstore":         {"git-handoff/gitstore/handoff"},
	"git-handoff/check/secrets":    {},
	"git-handoff/check/workbench":  {"git-handoff/gitstore/handoff"},
	"git-handoff/check":            {"git-handoff/check/workbench", "git-handoff/check/secrets", "git-handoff/gitstore/handoff"},
	"git-handoff/render":           {"git-handoff/gitstore/handoff"},
	"git-handoff/hooks":            {"git-handoff/gitstore", "git-handoff/gitstore/handoff", "git-handoff/check/secrets"},
}

const command = "git-handoff/cmd/git-handoff"

func TestLayering(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "git-handoff/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for line := range strings.Lines(string(out)) {
		pkg, imports := strings.Fields(line)[0], strings.Fields(line)[1:]
		may, known := allowed[pkg]
		if !known && pkg != command {
			t.Errorf("package %s is not in the picture", pkg)
		}
		seen++
		for _, i := range imports {
			if strings.HasPrefix(i, "git-handoff/") && pkg != command && !contains(may, i) {
				t.Errorf("%s imports %s, which the picture does not allow", pkg, i)
			}
			checkOutside(t, pkg, i)
		}
	}
	if seen < 5 {
		t.Errorf("go list names %d packages, the picture has %d", seen, len(allowed)+1)
	}
}

// checkOutside holds the libraries to the packages that may know them.
func checkOutside(t *testing.T, pkg, imported string) {
	t.Helper()
	owners := map[string][]string{
		"github.com/go-git/":    {"git-handoff/gitstore"},
		"gopkg.in/yaml.v3":      {"git-handoff/gitstore/handoff", "git-handoff/gitstore"},
		"github.com/urfave/cli": {command},
		"golang.org/x/term":     {command, "git-handoff/hooks"},
	}
	for prefix, may := range owners {
		if strings.HasPrefix(imported, prefix) && !contains(may, pkg) {
			t.Errorf("%s imports %s", pkg, imported)
		}
	}
	if imported == "github.com/go-git/go-git/v5" {
		t.Errorf("%s imports the top-level go-git package, which costs start-up", pkg)
	}
	if imported == "os/exec" && pkg != "git-handoff/gitstore" {
		t.Errorf("%s starts processes itself; gitstore does that", pkg)
	}
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
