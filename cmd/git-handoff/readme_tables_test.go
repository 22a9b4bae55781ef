package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"git-handoff/gitstore"
)

// TestReadmeTables holds what README.md lists to the code: commands, exit statuses, settings and packages.
func TestReadmeTables(t *testing.T) {
	data, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	app := newApp(streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard})
	for _, c := range app.VisibleCommands() {
		if !strings.Contains(page, "`"+c.Name+"`") {
			t.Errorf("README.md does not name the command %s", c.Name)
		}
		if c.Description == "" || !strings.Contains(c.Description, "git handoff "+c.Name) {
			t.Errorf("the help of %s has no example", c.Name)
		}
	}
	for code, meaning := range exitMeanings {
		first, _, _ := strings.Cut(meaning, ",")
		first, _, _ = strings.Cut(first, ":")
		if !strings.Contains(page, fmt.Sprintf("| %d | %s", code, first)) {
			t.Errorf("README.md does not say that %d is %q", code, first)
		}
	}
	for _, s := range gitstore.Settings() {
		if !strings.Contains(page, "`handoff."+s.Name+"`") {
			t.Errorf("README.md does not name the setting handoff.%s", s.Name)
		}
		for line := range strings.Lines(page) {
			if strings.HasPrefix(line, "| `handoff."+s.Name+"`") && strings.Contains(line, "* |") != s.Tracked {
				t.Errorf("README.md: whether handoff.%s may stand in .handoff.yaml is wrong", s.Name)
			}
		}
	}
	for pkg := range allowed {
		if !strings.Contains(page, "| `"+strings.TrimPrefix(pkg, "git-handoff/")+"` |") {
			t.Errorf("README.md does not name the package %s", pkg)
		}
	}
}
