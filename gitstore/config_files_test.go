package gitstore

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What is put together from the files is what git lists, origins too, or is left to git.
func TestConfigFiles(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the files are only read here on Linux")
	}
	const user = "[user]\n\tname = Ada\n[handoff]\n\ttopic = theirs\n"
	for _, test := range []struct {
		name string
		// files by path below the home folder, REPO for the repository; env beside HOME.
		files map[string]string
		env   map[string]string
		left  bool
	}{
		{name: "nothing"},
		{name: "user", files: map[string]string{".gitconfig": user}},
		{name: "both of the user", files: map[string]string{".gitconfig": user, ".config/git/config": "[user]\nname = Xdg\nemail = x@x\n"}},
		{name: "moved", files: map[string]string{"xdg/git/config": user, ".config/git/config": "[a]\nb = c\n"}, env: map[string]string{"XDG_CONFIG_HOME": "HOME/xdg"}},
		{name: "named", files: map[string]string{".gitconfig": user, "mine": "[user]\nname = Mine\n"}, env: map[string]string{"GIT_CONFIG_GLOBAL": "HOME/mine"}},
		{name: "none of the user", files: map[string]string{".gitconfig": user}, env: map[string]string{"GIT_CONFIG_GLOBAL": ""}},
		{name: "named relative", files: map[string]string{"mine": user}, env: map[string]string{"GIT_CONFIG_GLOBAL": "mine"}, left: true},
		{name: "system", files: map[string]string{"etc": "[handoff]\n\tbase = dev\n"}, env: map[string]string{"GIT_CONFIG_SYSTEM": "HOME/etc", "GIT_CONFIG_NOSYSTEM": "0"}},
		{name: "no system", files: map[string]string{"etc": "[handoff]\n\tbase = dev\n"}, env: map[string]string{"GIT_CONFIG_SYSTEM": "HOME/etc"}},
		{name: "system not known", env: map[string]string{"GIT_CONFIG_NOSYSTEM": "no"}, left: true},
		{name: "include", files: map[string]string{".gitconfig": "[include]\n\tpath = more\n", "more": user}, left: true},
		{name: "conditional include", files: map[string]string{".gitconfig": "[includeIf \"gitdir:~/\"]\n\tpath = more\n", "more": user}, left: true},
		{name: "include here", files: map[string]string{"REPO/.git/config": "[include]\n\tpath = ../../more\n", "more": user}, left: true},
		{name: "odd syntax", files: map[string]string{".gitconfig": "[a]\nb = c \\\n  d\n"}, left: true},
		{name: "a folder", files: map[string]string{".gitconfig/file": ""}, left: true},
		{name: "more in the environment", env: map[string]string{"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "a.b", "GIT_CONFIG_VALUE_0": "c"}, left: true},
		{name: "more from a command line", env: map[string]string{"GIT_CONFIG_PARAMETERS": "'a.b=c'"}, left: true},
		{name: "without a home", env: map[string]string{"HOME": ""}, left: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			home := t.TempDir()
			t.Setenv("HOME", home)
			t.Setenv("XDG_CONFIG_HOME", "")
			t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			t.Setenv("GIT_CONFIG_GLOBAL", "")
			os.Unsetenv("GIT_CONFIG_GLOBAL")
			repo := filepath.Join(home, "REPO")
			if out, err := exec.Command("git", "init", "-q", repo).CombinedOutput(); err != nil {
				t.Fatalf("%v %s", err, out)
			}
			for name, text := range test.files {
				write(t, filepath.Join(home, name), text)
			}
			for name, value := range test.env {
				t.Setenv(name, strings.Replace(value, "HOME", home, 1))
			}
			r := &Repo{dir: repo, place: Place{CommonDir: filepath.Join(repo, ".git"), TopLevel: repo}}
			r.local, _ = readSettings(filepath.Join(repo, ".git", "config"))
			got, ok := r.configFiles()
			if ok == test.left {
				t.Fatalf("read here: %v, want %v", ok, !test.left)
			}
			if !ok {
				return
			}
			out, err := r.git(t.Context(), "config", "--list", "-z", "--show-origin")
			if diff := cmp.Diff(parseConfigList(string(out)), got, cmp.AllowUnexported(setting{})); diff != "" || err != nil {
				t.Errorf("%v, git and we:\n%s", err, diff)
			}
		})
	}
}

// The system's file is asked for once, by the first version that is written, and again for another git.
func TestSystemConfigIsLearned(t *testing.T) {
	if git, ok := thisGit(); runtime.GOOS != "linux" || !ok || !isELF(git.Path) {
		t.Skip("nothing is learned of this git")
	}
	dir := newRepo(t)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "")
	save(t, open(t, dir), testName, "one")
	want, _ := exec.Command("git", "-C", dir, "var", "GIT_CONFIG_SYSTEM").Output()
	n := countChildren(t, func() {
		r := open(t, dir)
		file, known := r.systemConfigFile()
		if !known || len(want) > 0 && file != strings.TrimSpace(string(want)) {
			t.Errorf("the system's file is %q, %v; git says %q", file, known, want)
		}
		if _, err := r.Config(t.Context()); err != nil {
			t.Error(err)
		}
	})
	if _, includes := os.Stat("/etc/gitconfig"); n != 0 && includes != nil {
		t.Errorf("%d children", n)
	}
	other := filepath.Join(t.TempDir(), "git")
	if err := os.Link(FindProgram("git"), other); err != nil {
		write(t, other, "#!/bin/sh\n")
		os.Chmod(other, 0o755)
	}
	t.Setenv("PATH", filepath.Dir(other)+string(filepath.ListSeparator)+os.Getenv("PATH"))
	if file, known := open(t, dir).systemConfigFile(); known {
		t.Errorf("another git has the same file, %q", file)
	}
}

func TestSystemConfigOfAScript(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no shell scripts")
	}
	git := FindProgram("git")
	script := filepath.Join(t.TempDir(), "git")
	write(t, script, "#!/bin/sh\nexec '"+git+"' \"$@\"\n")
	if err := os.Chmod(script, 0o755); err != nil {
		t.Fatal(err)
	}
	dir := newRepo(t)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "")
	t.Setenv("PATH", filepath.Dir(script)+string(filepath.ListSeparator)+os.Getenv("PATH"))
	r := open(t, dir)
	save(t, r, testName, "one")
	if known := r.knownGits(); known != nil {
		t.Errorf("learned %v of a script", known)
	}
}
