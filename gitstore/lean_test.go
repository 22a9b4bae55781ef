package gitstore

import (
	"os/exec"
	"strings"
	"testing"
)

// Packages that would be loaded at every start, and cost more than the work itself.
func TestStartsLean(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Skipf("no go tool: %v", err)
	}
	for pkg := range strings.Lines(string(out)) {
		for _, heavy := range []string{"net/http", "crypto/tls", "golang.org/x/crypto", "openpgp", "go-git/v5/plumbing/object", "go-git/v5/plumbing/transport",
			"go-git/v5/storage", "go-git/v5/config", "encoding/gob"} {
			if strings.Contains(pkg, heavy) {
				t.Errorf("imports %s", pkg)
			}
		}
		if strings.TrimSpace(pkg) == "github.com/go-git/go-git/v5" {
			t.Error("imports the whole of go-git")
		}
	}
}
