package hooks

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"git-handoff/gitstore"
)

// placeAt is a worktree in a folder, as far as agents' files go.
func placeAt(top string) gitstore.Place {
	return gitstore.Place{TopLevel: top, CommonDir: filepath.Join(top, ".git")}
}

// settingsCases are settings that people have.
var settingsCases = map[string]string{
	"empty object":      "{}\n",
	"no line end":       `{"model": "opus"}`,
	"one line":          `{ "model": "opus", "env": { "A": "1" } }` + "\n",
	"order and tabs":    "{\n\t\"zebra\": 1,\n\t\"permissions\": {\n\t\t\"allow\": [\"Bash(ls)\"]\n\t},\n\t\"alpha\": [1,2,   3]\n}\n",
	"four blanks":       "{\n    \"model\": \"opus\",\n\n    \"odd\"  :  { \"x\":null}\n}\n",
	"CRLF":              "{\r\n  \"model\": \"opus\"\r\n}\r\n",
	"byte order mark":   "\ufeff{\n  \"model\": \"opus\"\n}\n",
	"other hooks":       "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [{\"type\": \"command\", \"command\": \"make lint\"}]\n      }\n    ]\n  },\n  \"model\": \"opus\"\n}\n",
	"the same event":    "{\n  \"hooks\": {\n    \"SessionStart\": [\n      {\n        \"matcher\": \"startup\",\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"echo hi > /dev/null && true\"\n          }\n        ]\n      }\n    ]\n  }\n}\n",
	"all on one line":   `{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"echo hi"}]}],"PreCompact":[]   ,"x":[]}}`,
	"odd values":        "{\n  \"a\": \"}]\\\"{[,\\\\\",\n  \"b\": [\"\\u005d\", {}, [ ]],\n  \"c\": -1.5e3,\n  \"ünï\": true\n}\n",
	"hooks is not last": "{\n  \"hooks\": {\n    \"SessionEnd\": [\n      {\"hooks\": []}\n    ]\n  },\n  \"z\": {}\n}\n",
}

func TestSettingsComeAndGo(t *testing.T) {
	for name, text := range settingsCases {
		put, err := putSettings([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		checkSettings(t, name, text, string(put))
		again, err := putSettings(put)
		if err != nil || string(again) != string(put) {
			t.Errorf("%s: a second time changes it: %v\n%s", name, err, cmp.Diff(string(put), string(again)))
		}
		taken, err := takeSettings(put)
		want := strings.ReplaceAll(text, `"PreCompact":[]   ,`, "")
		if err != nil || string(taken) != want {
			t.Errorf("%s: undone: %v\n%s", name, err, cmp.Diff(want, string(taken)))
		}
	}
}

// checkSettings holds what was put to what a reader of the settings sees: all that was there, and our three hooks.
func checkSettings(t *testing.T, name, before, after string) {
	t.Helper()
	var was, is map[string]any
	if err := json.Unmarshal([]byte(strings.TrimPrefix(before, "\ufeff")), &was); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(strings.TrimPrefix(after, "\ufeff")), &is); err != nil {
		t.Errorf("%s: not JSON any more: %v\n%s", name, err, after)
		return
	}
	hooks := is["hooks"].(map[string]any)
	for _, e := range settingsEvents {
		groups := hooks[e.theirs].([]any)
		last, err := json.Marshal(groups[len(groups)-1])
		if err != nil || !strings.Contains(string(last), settingsMark+e.ours+`","timeout":30`) {
			t.Errorf("%s: %s: %s %v", name, e.theirs, last, err)
		}
		if groups = groups[:len(groups)-1]; len(groups) == 0 {
			delete(hooks, e.theirs)
		} else {
			hooks[e.theirs] = groups
		}
	}
	if theirs, ok := was["hooks"].(map[string]any); ok {
		delete(theirs, "PreCompact")
	} else {
		delete(is, "hooks")
	}
	if diff := cmp.Diff(was, is); diff != "" {
		t.Errorf("%s: something else changed: %s", name, diff)
	}
	if strings.Contains(before, "\r\n") && strings.Count(after, "\n") != strings.Count(after, "\r\n") {
		t.Errorf("%s: line ends are mixed: %q", name, after)
	}
}

func TestSettingsThatAreLeftAlone(t *testing.T) {
	for _, text := range []string{"", "[]", "// comment\n{}", "{\"hooks\": [], \"x\": 1}", "{\"hooks\": {\"SessionStart\": {}}}", "{\"a\": 1,}", "\"text\""} {
		if got, err := putSettings([]byte(text)); err == nil {
			t.Errorf("%q was edited: %s", text, got)
		}
	}
}

func TestSettingsAreRenewed(t *testing.T) {
	old := `{"hooks": {"SessionStart": [{"matcher": "x", "hooks": [{"type": "command", "command": "git-handoff hook agent-start --old"}, {"type": "command", "command": "mine"}]}]}}`
	put, err := putSettings([]byte(old))
	if err != nil || strings.Contains(string(put), "--old") || strings.Count(string(put), settingsMark) != 3 || !strings.Contains(string(put), `"mine"`) {
		t.Fatalf("%v: %s", err, put)
	}
	taken, err := takeSettings(put)
	if want := `{"hooks": {"SessionStart": [{"matcher": "x", "hooks": [{"type": "command", "command": "mine"}]}]}}`; err != nil || string(taken) != want {
		t.Errorf("%v: %s", err, taken)
	}
}

func FuzzSettings(f *testing.F) {
	for _, text := range settingsCases {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		put, err := putSettings([]byte(text))
		if err != nil {
			return
		}
		if !json.Valid([]byte(strings.TrimPrefix(string(put), "\ufeff"))) {
			t.Fatalf("%q became %q", text, put)
		}
		again, err := putSettings(put)
		if err != nil || string(again) != string(put) {
			t.Fatalf("%q: %v: put again gives %q", put, err, again)
		}
		taken, err := takeSettings(put)
		if err != nil || strings.Contains(string(taken), settingsMark) {
			t.Fatalf("%q: %v: taken out gives %q", put, err, taken)
		}
	})
}

func TestBlocksComeAndGo(t *testing.T) {
	b := block(agentsText)
	for _, text := range []string{"# Mine\n", "# Mine\n\ntext\n\n", "no line end", "\n", "a\r\nb\r\n", "a\r\nno line end", "a\r\nb\n", "a\nb\r\n", "a\rb\r", "a\r\nb\r", "<!-- other -->\n"} {
		put, err := b.put([]byte(text))
		if err != nil || !strings.HasPrefix(string(put), text) || strings.Count(string(put), agentEnd) != 1 {
			t.Errorf("%q: %v: %q", text, err, put)
		}
		if again, err := b.put(put); err != nil || string(again) != string(put) {
			t.Errorf("%q: a second time changes it: %v", text, err)
		}
		if newer, err := block("newer\n").put(put); err != nil || strings.Contains(string(newer), "plain git") || !strings.Contains(string(newer), "newer") {
			t.Errorf("%q: not renewed: %v: %q", text, err, newer)
		}
		if taken, err := b.take(put); err != nil || string(taken) != text {
			t.Errorf("%q: undone: %v: %q", text, err, taken)
		}
		more := string(put) + "added later\n"
		if taken, err := b.take([]byte(more)); err != nil || string(taken) != text+"added later\n" {
			t.Errorf("%q: undone with a later text: %v: %q", text, err, taken)
		}
	}
	for _, broken := range []string{"\xff\xfea\x00\n\x00", agentBegin + "\n", agentEnd + "\n" + agentBegin + "\n", agentBegin + "\n" + agentEnd + "\n" + agentEnd} {
		if got, err := b.put([]byte(broken)); err == nil {
			t.Errorf("%q was edited: %q", broken, got)
		}
	}
}

func TestInstallAgent(t *testing.T) {
	top := t.TempDir()
	if err := os.WriteFile(filepath.Join(top, "AGENTS.md"), []byte("# Ours\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("AGENTS.md", filepath.Join(top, "CLAUDE.md")); err != nil {
		t.Skip("no symbolic links here")
	}
	for _, agent := range Agents() {
		for range 2 {
			if steps, err := InstallAgent(placeAt(top), agent); err != nil || len(steps) == 0 {
				t.Fatalf("%s: %v %v", agent, steps, err)
			}
		}
	}
	if info, err := os.Lstat(filepath.Join(top, "CLAUDE.md")); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v", err)
	}
	if info, err := os.Stat(filepath.Join(top, "AGENTS.md")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the mode changed: %v %v", info, err)
	}
	if _, err := UndoAgents(placeAt(top)); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(top, "AGENTS.md"))
	if err != nil || string(data) != "# Ours\n" {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := os.Stat(filepath.Join(top, ".claude")); !os.IsNotExist(err) {
		t.Errorf("the folder is still there: %v", err)
	}
	if steps, err := UndoAgents(placeAt(top)); err != nil || len(steps) != 0 {
		t.Errorf("undone twice: %v %v", steps, err)
	}
}

// emptyFiles are files in which undo cannot see what was empty before.
var emptyFiles = map[string]string{
	"AGENTS.md":             "",
	"CLAUDE.md":             "",
	".claude/settings.json": "{\n  \"hooks\": { },\n  \"model\": \"opus\"\n}",
}

func TestAgentFilesAreAsTheyWere(t *testing.T) {
	cases := map[string]map[string]string{
		"empty files":         emptyFiles,
		"the file of init":    {".claude/settings.json": newSettings},
		"only an object":      {".claude/settings.json": "{}"},
		"an empty event":      {".claude/settings.json": "{\"hooks\": {\"PreCompact\": [ ], \"Stop\": []}}\r\n"},
		"keys that are twice": {".claude/settings.json": "{\"hooks\": {}, \"a\": 1, \"hooks\": {}, \"a\": 2}\n"},
	}
	for name, text := range settingsCases {
		cases[name] = map[string]string{".claude/settings.json": text}
	}
	for name, files := range cases {
		t.Run(name, func(t *testing.T) {
			top := t.TempDir()
			for file, text := range files {
				write(t, filepath.Join(top, file), text, 0o444)
			}
			before := snapshot(t, top)
			for range 2 {
				installAgents(t, top)
			}
			if _, err := UndoAgents(placeAt(top)); err != nil {
				t.Error(err)
			}
			os.Remove(filepath.Join(top, ".git"))
			compare(t, before, snapshot(t, top))
		})
	}
}

func installAgents(t *testing.T, top string) {
	t.Helper()
	for _, agent := range Agents() {
		if _, err := InstallAgent(placeAt(top), agent); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAgentFilesKeepLaterEdits holds that no original is put back over what somebody wrote after init.
func TestAgentFilesKeepLaterEdits(t *testing.T) {
	top := t.TempDir()
	for file, text := range emptyFiles {
		write(t, filepath.Join(top, file), text, 0o644)
	}
	installAgents(t, top)
	for file := range emptyFiles {
		path := filepath.Join(top, file)
		write(t, path, strings.Replace(read(t, path)+"\n", "opus", "sonnet", 1), 0o644)
	}
	if _, err := UndoAgents(placeAt(top)); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{"AGENTS.md": "\n", "CLAUDE.md": "\n", ".claude/settings.json": "{\n  \"model\": \"sonnet\"\n}\n"} {
		if got := read(t, filepath.Join(top, file)); got != want {
			t.Errorf("%s is %q, want %q", file, got, want)
		}
	}
}

func TestOneFileThatIsRefusedLeavesAllAlone(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	settings := filepath.Join(top, ".claude", "settings.json")
	if err := os.MkdirAll(filepath.Dir(settings), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(settings, []byte("// mine\n{}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if steps, err := InstallAgent(placeAt(top), "claude-code"); err == nil || len(steps) > 0 {
		t.Errorf("%v, %v", steps, err)
	}
	if _, err := os.Stat(filepath.Join(top, "CLAUDE.md")); !os.IsNotExist(err) {
		t.Errorf("CLAUDE.md is there: %v", err)
	}
}

func TestAgentFilesOutsideAreLeftAlone(t *testing.T) {
	top, other := t.TempDir(), filepath.Join(t.TempDir(), "AGENTS.md")
	if err := os.WriteFile(other, []byte("x\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other, filepath.Join(top, "AGENTS.md")); err != nil {
		t.Skip("no symbolic links here")
	}
	if _, err := InstallAgent(placeAt(top), "agents-md"); err == nil {
		t.Error("a file outside the repository was edited")
	}
	if _, err := InstallAgent(placeAt(top), "no-such"); err == nil {
		t.Error("an agent that nobody knows")
	}
}
