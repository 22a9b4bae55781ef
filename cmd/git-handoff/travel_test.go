package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestTravel runs every story in testdata/travel over the file protocol, over HTTP as git's own server speaks it, on
// loopback alone, and over something that stands for ssh.
func TestTravel(t *testing.T) {
	for _, g := range gits(t) {
		for wire, lay := range map[string]func(*testing.T, *testscript.Env){"file": layFile, "http": layHTTP, "ssh": laySSH} {
			t.Run(g.name+"/"+wire, func(t *testing.T) {
				testscript.Run(t, testscript.Params{
					Dir:                 filepath.Join("..", "..", "testdata", "travel"),
					RequireExplicitExec: true,
					Setup: func(env *testscript.Env) error {
						if err := setUp(env, g); err != nil {
							return err
						}
						lay(t, env)
						return nil
					},
					Cmds:      scriptCommands(),
					Condition: g.condition,
				})
			})
		}
	}
}

func layFile(_ *testing.T, env *testscript.Env) { env.Setenv("REMOTES", "file://"+env.WorkDir) }

// laySSH puts a command in ssh's place that runs here what it is told to run there.
func laySSH(t *testing.T, env *testscript.Env) {
	command := filepath.Join(env.WorkDir, ".home", "ssh.sh")
	if err := os.WriteFile(command, []byte("for command; do :; done\nexec sh -c \"$command\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	env.Setenv("GIT_SSH_COMMAND", "sh "+command)
	env.Setenv("REMOTES", "ssh://example.invalid"+env.WorkDir)
}

// layHTTP serves the folder of a story. While it has a file named hangs, whatever is about handoffs is not answered.
func layHTTP(t *testing.T, env *testscript.Env) {
	out, err := exec.Command("git", "--exec-path").Output()
	backend := filepath.Join(strings.TrimSpace(string(out)), "git-http-backend")
	if _, missing := os.Stat(backend); err != nil || missing != nil {
		t.Skip("this git serves no HTTP: ", backend, " is not there")
	}
	git := &cgi.Handler{Path: backend, Root: "/", Env: []string{
		"GIT_PROJECT_ROOT=" + env.WorkDir, "GIT_HTTP_EXPORT_ALL=1", "PATH=" + env.Getenv("PATH"), "HOME=" + env.Getenv("HOME"),
		"GIT_CONFIG_GLOBAL=" + env.Getenv("GIT_CONFIG_GLOBAL"), "GIT_CONFIG_NOSYSTEM=1"}, Stderr: io.Discard}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		_, hangs := os.Stat(filepath.Join(env.WorkDir, "hangs"))
		if err != nil || hangs == nil && bytes.Contains(body, []byte("refs/handoff/")) {
			<-r.Context().Done()
			return
		}
		// CGI has a length, whatever the client sent.
		r.Body, r.ContentLength, r.TransferEncoding = io.NopCloser(bytes.NewReader(body)), int64(len(body)), nil
		git.ServeHTTP(w, r)
	}))
	env.Defer(server.Close)
	env.Setenv("REMOTES", server.URL)
}
