package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"git-handoff/check/secrets"
	"git-handoff/gitstore/handoff"
)

// A story is one repository of testdata/cases, built anew, and the program at work in it.
type story struct {
	t    *testing.T
	dir  string
	env  []string
	want map[string]any
	doc  *handoff.Document
	// out and err are what the last command said.
	out, err string
}

// newStory builds a case. What is expected of it stands in its EXPECT.md, as JSON.
func newStory(t *testing.T, name string) *story {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the cases are built by POSIX shell on a file system that keeps names as they are")
	}
	t.Parallel()
	from := filepath.Join("..", "..", "testdata", "cases", name)
	top := t.TempDir()
	s := &story{t: t, dir: filepath.Join(top, "repo")}
	s.env = append(withoutGit(os.Environ()), "HOME="+top, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.invalid",
		"GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.invalid", "GIT_HANDOFF_NOW=2026-12-01T10:00:00Z", "NO_COLOR=1", "TZ=UTC", "LC_ALL=C")
	if out, err := exec.Command("sh", filepath.Join(from, "setup.sh"), s.dir).CombinedOutput(); err != nil {
		t.Fatalf("setup.sh: %v\n%s", err, out)
	}
	text, err := os.ReadFile(filepath.Join(from, "EXPECT.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, facts, _ := strings.Cut(string(text), "```json\n")
	facts, _, _ = strings.Cut(facts, "```")
	if err := json.Unmarshal([]byte(facts), &s.want); err != nil {
		t.Fatal(err)
	}
	return s
}

func withoutGit(env []string) (kept []string) {
	for _, e := range env {
		if !strings.HasPrefix(e, "GIT_") && !strings.HasPrefix(e, "HANDOFF_") {
			kept = append(kept, e)
		}
	}
	return kept
}

// run runs a program in the repository and gives its exit status.
func (s *story) run(args ...string) int { return s.runIn(s.env, args...) }

func (s *story) runIn(env []string, args ...string) int {
	s.t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Env = s.dir, env
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	s.out, s.err = out.String(), errs.String()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		s.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode()
}

func (s *story) git(args ...string) string {
	s.t.Helper()
	if code := s.run(append([]string{"git"}, args...)...); code != 0 {
		s.t.Fatalf("git %s: %d %s", strings.Join(args, " "), code, s.err)
	}
	return s.out
}

// save saves the work of the case, reads the document, and holds what is true of every case.
func (s *story) save(args ...string) {
	s.t.Helper()
	status := s.git("status", "--porcelain", "-z")
	save := append([]string{"git-handoff", "save"}, args...)
	if code := s.run(append(save, "--dry-run")...); code != 0 {
		s.t.Fatalf("%q: %d\n%s", save, code, s.err)
	}
	preview := s.out
	s.runIn(append(s.env, "TZ=Asia/Tokyo", "LC_ALL=tr_TR.UTF-8", "LANG=de_DE.UTF-8"), append(save, "--dry-run")...)
	if s.out != preview {
		s.t.Errorf("another zone and locale give another document:\n%s", cmp.Diff(preview, s.out))
	}
	if code := s.run(save...); code != 0 {
		s.t.Fatalf("%q: %d\n%s", save, code, s.err)
	}
	said := s.err
	if s.run(append(save, "--actor", "")...); !strings.Contains(s.out, "is as it was") {
		s.t.Errorf("the second save wrote a version: %s", s.out)
	}
	s.err = said
	s.readBack(preview)
	if after := s.git("status", "--porcelain", "-z"); after != status {
		s.t.Errorf("git status says %q, and said %q before", after, status)
	}
	s.err = said
}

// readBack reads what was stored and holds every form of it to be clean text within its budget.
func (s *story) readBack(preview string) {
	s.t.Helper()
	branch := strings.TrimSpace(s.git("for-each-ref", "--format=%(refname)", "refs/handoff"))
	if stored := s.git("show", branch+":handoff.yaml"); stored != preview {
		s.t.Errorf("stored and shown before:\n%s", cmp.Diff(preview, stored))
	}
	if n := len(s.out); n > 64<<10 {
		s.t.Errorf("the document takes %d bytes", n)
	}
	if hits := secrets.Find(s.out); len(hits) > 0 {
		s.t.Errorf("a push would find secrets in it: %+v", hits)
	}
	doc, err := handoff.Decode([]byte(s.out))
	if err != nil {
		s.t.Fatal(err)
	}
	if n := doc.FactsSize(); n > handoff.MaxFacts {
		s.t.Errorf("the facts take %d bytes", n)
	}
	s.doc = doc
	for _, format := range []string{"text", "md", "json", "yaml", "packet", "record", "document"} {
		text := s.show(format)
		if !utf8.ValidString(text) || strings.ContainsAny(text, "\x00\x07\x08\x1b") {
			s.t.Errorf("%s has bytes that are no text", format)
		}
	}
	if code := s.run("git-handoff", "check", "--round-trip"); code != 0 {
		s.t.Errorf("round trip: %s", s.out)
	}
}

// show is the handoff in a format.
func (s *story) show(format string) string {
	s.t.Helper()
	if code := s.run("git-handoff", "show", strings.TrimPrefix(s.target(), "refs/handoff/"), "--format", format); code != 0 {
		s.t.Fatalf("show --format %s: %d %s", format, code, s.err)
	}
	return s.out
}

func (s *story) target() string {
	return s.doc.Name().Ref()
}

// expect holds a fact that was computed against the one that is expected.
func (s *story) expect(fact string, got any) {
	s.t.Helper()
	want, ok := s.want[fact]
	if !ok {
		s.t.Fatalf("no fact %q is expected", fact)
	}
	data, err := json.Marshal(got)
	if err != nil {
		s.t.Fatal(err)
	}
	var plain any
	_ = json.Unmarshal(data, &plain)
	if d := cmp.Diff(want, plain); d != "" {
		s.t.Errorf("%s (-want +got):\n%s", fact, d)
	}
}

// says holds that what the program said on standard error has the texts.
func (s *story) says(texts ...string) {
	s.t.Helper()
	for _, text := range texts {
		if !strings.Contains(s.err, text) {
			s.t.Errorf("it says nothing of %q:\n%s", text, s.err)
		}
	}
}

// findings are the findings from a source, of a severity, "" for any.
func (s *story) findings(source string, severity handoff.Severity) []string {
	found := []string{}
	for _, f := range s.doc.Findings {
		if file, _, _ := strings.Cut(f.Source, ":"); file == source && (severity == "" || f.Severity == severity) {
			found = append(found, f.What)
		}
	}
	return found
}

// tally reads the counts of the board out of the document.
func (s *story) tally(file string) map[string]int {
	s.t.Helper()
	counts := map[string]int{}
	for _, line := range s.findings(file, handoff.Info) {
		for _, m := range regexp.MustCompile(`(\d+) (of (\d+) items done|in progress|open|blocked|contradictory|unknown)`).FindAllStringSubmatch(line, -1) {
			word, n := m[2], m[1]
			if m[3] != "" {
				counts["items"], _ = strconv.Atoi(m[3])
				word = "done"
			}
			counts[strings.ReplaceAll(word, " ", "_")], _ = strconv.Atoi(n)
		}
	}
	return counts
}

// alive is what Markdown acts on: without fenced code, code spans and what is escaped. No fence may stay open.
func (s *story) alive(md string) string {
	s.t.Helper()
	var b strings.Builder
	fence := ""
	for line := range strings.Lines(md) {
		mark := regexp.MustCompile("^ *(`{3,})").FindStringSubmatch(line)
		switch {
		case fence != "" && strings.TrimSpace(line) == fence:
			fence = ""
		case fence == "" && mark != nil && !strings.Contains(strings.TrimSpace(line)[len(mark[1]):], "`"):
			fence = mark[1]
		case fence == "":
			b.WriteString(line)
		}
	}
	if fence != "" {
		s.t.Errorf("the fence %s stays open", fence)
	}
	text := regexp.MustCompile(`(?s)\\.`).ReplaceAllString(b.String(), "")
	return regexp.MustCompile("`+[^`\n]*(?:`[^`\n]+)*`+").ReplaceAllString(text, "")
}

// failedRuns are the commands that the document lists as failed.
func (s *story) failedRuns() []handoff.Run {
	var failed []handoff.Run
	for _, r := range s.doc.CommandsRun.Runs {
		if r.Failed != "" || r.Exit != nil && *r.Exit != 0 {
			failed = append(failed, r)
		}
	}
	return failed
}

func commandsOf(runs []handoff.Run) []string {
	names := []string{}
	for _, r := range runs {
		names = append(names, r.Command)
	}
	return names
}

func TestCase01BoardOfPasses(t *testing.T) {
	s := newStory(t, "01-board-list-passes")
	if code := s.run("git-handoff", "save"); code != exitUsage {
		t.Errorf("without a next action: exit %d", code)
	}
	s.says("there is no next action")
	s.save("--next-action", "make the parallel timers independent")
	n := s.tally("feature_list.json")
	for fact, word := range map[string]string{"board_items": "items", "done": "done", "open": "open", "in_progress": "in_progress", "blocked": "blocked", "unknown": "unknown"} {
		s.expect(fact, n[word])
	}
	first := regexp.MustCompile(`first open, number (\d+): `).FindStringSubmatch(s.findings("feature_list.json", handoff.Info)[0])
	position, _ := strconv.Atoi(first[1])
	s.expect("first_open_position", position)
	for _, format := range []string{"text", "md", "json"} {
		if m := regexp.MustCompile(`undefined|<nil>|%!|null`).FindString(s.show(format)); m != "" {
			t.Errorf("%s shows %q", format, m)
		}
	}
}

func TestCase02Columns(t *testing.T) {
	s := newStory(t, "02-board-columns")
	s.save("--next-action", "écrire la page d'aide")
	n := s.tally("task_board.json")
	s.expect("board_items", n["items"])
	s.expect("done", n["done"])
	s.expect("open", n["open"])
	s.expect("in_progress", n["in_progress"])
	inHand := regexp.MustCompile(`in hand: (\w+)`).FindStringSubmatch(s.findings("task_board.json", handoff.Info)[0])
	s.expect("in_progress_ids", inHand[1:])
	if !strings.Contains(s.show("json"), "écrire la page d'aide") {
		t.Error("the letters did not stay as written")
	}
}

func TestCase03NotABoard(t *testing.T) {
	s := newStory(t, "03-not-a-board-strings")
	s.save("--next-action", "train the model on dump 12")
	s.says("feature_list.json is no board that is known (a list of strings)")
	n := s.tally("feature_list.json")
	s.expect("board_items", n["items"])
	s.expect("board_recognised", len(s.findings("feature_list.json", "")) > 0)
	s.expect("fatal", false) // save has checked the exit status
	if md := s.show("md"); regexp.MustCompile(`(?i)\b11 (?:open|features|items)|of 11`).MatchString(md) {
		t.Errorf("it is shown as a board:\n%s", md)
	}
}

func TestCase04PackRun(t *testing.T) {
	s := newStory(t, "04-pack-run-failing")
	if code := s.run("git-handoff", "save"); code != exitRefused {
		t.Errorf("with changes in the worktree: exit %d", code)
	}
	s.says("2 uncommitted files: README.md, lantern/flow.py")
	s.save("--allow-unclean", "the test for a negative rate is not written")
	c := s.doc.CommandsRun
	s.expect("records", c.Total)
	s.expect("exit_zero", c.Total-c.Failed-c.Unknown)
	nulls := 0
	for _, r := range s.failedRuns() {
		if r.Exit == nil {
			nulls++
		}
	}
	s.expect("null_exits", nulls)
	if want := len(s.want["failed_record_numbers"].([]any)); c.Failed != want || c.OmittedFailed != 0 {
		t.Errorf("%d failed and %d not shown, want %d and none", c.Failed, c.OmittedFailed, want)
	}
	s.expect("gate_passed", s.doc.VerdictPointer.Verification.Passed)
	s.expect("review_verdict", s.doc.VerdictPointer.Review.Verdict)
	total, _ := strconv.Atoi(s.doc.VerdictPointer.Review.Total)
	s.expect("review_total", total)
	s.expect("next_action_starts", s.doc.NextAction[:len(s.want["next_action_starts"].(string))])
	s.expect("blockers", s.findings("agent_state.json", handoff.Block))
	s.expect("board", s.tally("task_board.json"))
	modified := []string{}
	for _, f := range s.doc.Worktree.Modified {
		modified = append(modified, f.Path)
	}
	s.expect("git_modified", modified)
}

func TestCase05CutLog(t *testing.T) {
	s := newStory(t, "05-jsonl-truncated")
	before, _ := os.ReadFile(filepath.Join(s.dir, "feedback_record.jsonl"))
	s.save()
	s.expect("exit_status_of_tool", 0) // save has checked it
	skipped := regexp.MustCompile(`skipped: lines ([\d, ]+)`).FindStringSubmatch(s.err)
	if skipped == nil {
		t.Fatalf("it does not say what was skipped:\n%s", s.err)
	}
	var lines []int
	for _, n := range strings.Split(skipped[1], ", ") {
		line, _ := strconv.Atoi(n)
		lines = append(lines, line)
	}
	s.expect("skipped_lines", lines)
	s.expect("records_read", s.doc.CommandsRun.Total)
	s.expect("failed_commands", commandsOf(s.failedRuns()))
	for _, r := range s.doc.CommandsRun.Runs {
		if r.Command == "make test" && (r.Exit == nil || *r.Exit != 0) {
			t.Errorf("the cut line counts: %+v", r)
		}
	}
	if after, _ := os.ReadFile(filepath.Join(s.dir, "feedback_record.jsonl")); !bytes.Equal(before, after) {
		t.Error("the log was written to")
	}
}

func TestCase06Mark(t *testing.T) {
	s := newStory(t, "06-bom-crlf-dupkeys")
	s.save()
	s.expect("active_task", s.doc.TaskID)
	s.expect("next_action", s.doc.NextAction)
	s.expect("blockers", s.findings("agent_state.json", handoff.Block))
	for _, about := range s.want["warnings_about"].([]any) {
		s.says(about.(string))
	}
	if len(s.doc.Assumptions) > 0 {
		t.Errorf("assumptions: %+v", s.doc.Assumptions)
	}
	for fact, source := range map[string]string{"verification": "outputs/verification/T-007.json", "review": "outputs/review/T-007.json"} {
		state := "something else"
		if f := s.findings(source, handoff.Warn); len(f) == 1 && strings.Contains(f[0], "cannot be read") {
			state = "unreadable or empty"
		}
		s.expect(fact, state)
	}
	v := s.doc.VerdictPointer
	if v.Verification == nil || v.Verification.Passed != nil || v.Review == nil || v.Review.Verdict != "" {
		t.Errorf("verdict pointer: %+v", v)
	}
}

func TestCase07ExitCodes(t *testing.T) {
	s := newStory(t, "07-exit-codes")
	s.save("--next-action", "find out why make a fails")
	c := s.doc.CommandsRun
	s.expect("lines", c.Total)
	surely := len(s.want["surely_failed_lines"].([]any))
	if c.Failed != surely+1 { // and the one that timed out
		t.Errorf("%d failed, want %d and the timeout", c.Failed, surely)
	}
	ok := c.Total - c.Failed - c.Unknown
	if sure := len(s.want["surely_ok_lines"].([]any)); ok < sure || ok > sure+1 {
		t.Errorf("%d passed, want %d and perhaps line 18", ok, sure)
	}
	for _, r := range s.failedRuns() {
		if r.Command == "make b" {
			t.Errorf("make b is called failed: %+v", r)
		}
		if strings.Contains(r.Command, "None") || strings.Contains(r.Command, "<nil>") || strings.Contains(r.Command, "\n") {
			t.Errorf("a command is shown as %q", r.Command)
		}
	}
	if all := strings.Join(commandsOf(s.failedRuns()), "\n"); !strings.Contains(all, `'D:\work\my files'`) {
		t.Errorf("the folder is no one argument:\n%s", all)
	}
}

func TestCase08HugeLine(t *testing.T) {
	s := newStory(t, "08-huge-line")
	s.save("--next-action", "cut the output of make big")
	s.expect("records", s.doc.CommandsRun.Total)
	s.expect("failed_commands", commandsOf(s.failedRuns()))
	var codes []int64
	for _, r := range s.failedRuns() {
		codes = append(codes, *r.Exit)
	}
	s.expect("exit_codes", codes)
	if n := len(s.show("yaml")); float64(n) > s.want["document_bytes_max"].(float64) {
		t.Errorf("the document takes %d bytes", n)
	}
	if big := s.failedRuns()[0].Output; !strings.HasPrefix(big, "BEGIN x") || !strings.HasSuffix(big, "x END") || !strings.Contains(big, "…") {
		t.Errorf("start, end and cut are not told apart: %.40q … %q", big, big[len(big)-20:])
	}
}

func TestCase09Injection(t *testing.T) {
	s := newStory(t, "09-markdown-injection")
	s.save()
	n := s.tally("task_board.json")
	if n["done"] == 0 {
		n["done"] = 0
	}
	s.expect("board", n)
	s.expect("failed_commands", s.doc.CommandsRun.Failed)
	line, _, _ := strings.Cut(s.doc.NextAction, "\n")
	s.expect("next_action_first_line", line)
	alive := s.alive(s.show("md"))
	for _, h := range s.want["must_not_be_headings"].([]any) {
		if regexp.MustCompile(`(?m)^ {0,3}#+\s*` + regexp.QuoteMeta(h.(string)) + `|<h\d>\s*` + regexp.QuoteMeta(h.(string))).MatchString(alive) {
			t.Errorf("%q became a heading", h)
		}
	}
	if m := regexp.MustCompile(`<[!/a-zA-Z]|!\[|@example-team|ixes #1`).FindString(alive); m != "" {
		t.Errorf("%q is alive:\n%s", m, alive)
	}
	var doc map[string]any
	if err := json.Unmarshal([]byte(s.show("json")), &doc); err != nil || doc["next_action"] != s.doc.NextAction || !strings.Contains(s.doc.NextAction, "## Receipts") {
		t.Errorf("JSON does not hold the text unchanged: %v", err)
	}
}

func TestCase10Rebase(t *testing.T) {
	s := newStory(t, "10-rebase-stopped-stale-handoff")
	before, _ := os.ReadFile(filepath.Join(s.dir, "HANDOFF.md"))
	if code := s.run("git-handoff", "save", "--next-action", "resolve clock.txt"); code != exitRefused {
		t.Errorf("in the middle of a rebase: exit %d", code)
	}
	s.says("a rebase of topic onto main is half done", "git rebase --abort", "1 unmerged file: clock.txt")
	s.save("--next-action", "resolve clock.txt", "--allow-unclean", "the conflict needs Ada")
	w := s.doc.Worktree
	s.expect("operation", w.Operation)
	s.expect("rebasing_branch", s.doc.Branch)
	s.expect("onto", w.Onto)
	s.expect("unmerged", w.Unmerged)
	s.expect("untracked", w.Untracked)
	s.expect("detached", s.run("git", "symbolic-ref", "-q", "HEAD") != 0)
	s.expect("commit_exists_4f2a91c", s.run("git", "cat-file", "-e", "4f2a91c") == 0)
	if w.Step != "1 of 1" || s.doc.Findings[0].What != "clock.txt is unmerged" {
		t.Errorf("step %q, first finding %+v", w.Step, s.doc.Findings[0])
	}
	if md := s.show("md"); strings.Contains(md, "green") || strings.Contains(md, "4f2a91c") {
		t.Errorf("what HANDOFF.md claims is repeated:\n%s", md)
	}
	s.git("rebase", "--abort")
	if code := s.run("git-handoff", "show"); code != 0 || !strings.Contains(s.out, "resolve clock.txt") {
		t.Errorf("after the rebase: %d %s", code, s.err)
	}
	if after, _ := os.ReadFile(filepath.Join(s.dir, "HANDOFF.md")); !bytes.Equal(before, after) {
		t.Error("HANDOFF.md was written to")
	}
}

func TestCase11OddPaths(t *testing.T) {
	s := newStory(t, "11-odd-paths")
	s.save("--next-action", "commit the moved files", "--allow-unclean", "names are being sorted out")
	byChange := map[handoff.Change][]string{}
	for _, f := range s.doc.Worktree.Modified {
		name := f.Path
		if f.Change == handoff.ModeChanged {
			f.Change, name = handoff.Modified, name+" (mode)"
		}
		if f.Change == handoff.Renamed {
			byChange[f.Change] = append(byChange[f.Change], f.From)
		}
		byChange[f.Change] = append(byChange[f.Change], name)
	}
	s.expect("staged_rename", byChange[handoff.Renamed])
	s.expect("deleted", byChange[handoff.Deleted])
	s.expect("modified", byChange[handoff.Modified])
	s.expect("untracked_count", len(s.doc.Worktree.Untracked))
	ignored := 0
	for _, p := range s.doc.Worktree.Untracked {
		if strings.HasPrefix(p, "build") {
			ignored++
		}
	}
	s.expect("ignored_listed", ignored)
	for _, want := range []string{".gitignore", "-rf", " leading space.txt", "line\nbreak.txt", "\u00e9.txt", "e\u0301.txt", `bad\xffbyte.txt`} {
		if !strings.Contains("\x00"+strings.Join(s.doc.Worktree.Untracked, "\x00")+"\x00", "\x00"+want+"\x00") {
			t.Errorf("%q is not listed", want)
		}
	}
}

func TestCase12Secrets(t *testing.T) {
	s := newStory(t, "12-secrets")
	head := strings.TrimSpace(s.git("rev-parse", "HEAD"))
	s.save()
	s.says("values that look like secrets were masked")
	everything := s.err
	for _, format := range []string{"text", "md", "json", "yaml", "packet", "record", "document"} {
		everything += s.show(format)
	}
	everything += s.git("log", "--all", "-p", "--notes=handoff")
	for _, secret := range s.want["must_not_contain"].([]any) {
		if strings.Contains(everything, secret.(string)) {
			t.Errorf("%q is told", secret)
		}
		if s.run("grep", "-r", "-l", "-F", "-e", secret.(string), ".git") == 0 {
			t.Errorf("%q is in %s", secret, s.out)
		}
	}
	for _, kept := range s.want["must_contain"].([]any) {
		if kept == "the full id of HEAD" {
			kept = head
		}
		if !strings.Contains(s.show("json"), kept.(string)) {
			t.Errorf("%q did not stay", kept)
		}
	}
	s.expect("failed_commands", s.doc.CommandsRun.Failed)
	if next := s.doc.NextAction; !strings.HasPrefix(next, "replace [masked:") || !strings.Contains(next, "in the key store, then run make upload") {
		t.Errorf("the next action reads %q", next)
	}
	if strings.Contains(everything, "/home/mette") {
		t.Error("a home folder is told")
	}
}

func TestCase13Hooks(t *testing.T) {
	s := newStory(t, "13-existing-hook-and-handoff")
	before, _ := os.ReadFile(filepath.Join(s.dir, "HANDOFF.md"))
	hook, _ := os.ReadFile(filepath.Join(s.dir, ".git", "hooks", "pre-push"))
	for range 2 {
		if code := s.run("git-handoff", "init"); code != 0 {
			t.Fatalf("init: %d %s", code, s.err)
		}
	}
	s.save("--next-action", "ring the bell")
	code := s.run("git", "push", "-q", "origin", "main")
	s.expect("push_terminates", code == 0)
	log, _ := os.ReadFile(filepath.Join(s.dir, ".git", "team-check.log"))
	s.expect("team_hook_runs_per_push", strings.Count(string(log), "team check ran: origin"))
	if !strings.Contains(string(log), "refs/heads/main") {
		t.Errorf("the team's hook did not get its input: %q", log)
	}
	after, _ := os.ReadFile(filepath.Join(s.dir, "HANDOFF.md"))
	s.expect("handoff_md_unchanged", bytes.Equal(before, after))
	if info, err := os.Stat(filepath.Join(s.dir, ".git", "hooks", "post-commit")); err != nil || info.Mode()&0o111 != 0 {
		t.Logf("post-commit is %v, %v", info.Mode(), err)
	}
	if code := s.run("git-handoff", "init", "--undo"); code != 0 {
		t.Errorf("init --undo: %d %s", code, s.err)
	}
	if undone, _ := os.ReadFile(filepath.Join(s.dir, ".git", "hooks", "pre-push")); !bytes.Equal(hook, undone) {
		t.Errorf("the hook is not what it was:\n%s", undone)
	}
}

func TestCase14Conflicts(t *testing.T) {
	s := newStory(t, "14-board-conflicting-signals")
	s.save("--next-action", "find out which of the two B002 means")
	n := s.tally("feature_list.json")
	s.expect("board_items", n["items"])
	s.expect("done", n["done"])
	s.expect("blocked", n["blocked"])
	s.expect("open", n["open"])
	var contradictory []string
	for _, what := range s.findings("feature_list.json", handoff.Warn) {
		if id, rest, ok := strings.Cut(what, ":"); ok && strings.Contains(rest, "contradicts itself") {
			contradictory = append(contradictory, id)
		}
	}
	s.expect("contradictory", contradictory)
	s.expect("active", s.doc.TaskID)
	if !strings.Contains(strings.Join(s.findings("feature_list.json", handoff.Warn), "\n"), "needs the new amplifier") {
		t.Errorf("B005 carries no reason: %q", s.doc.Findings)
	}
	if json := s.show("json"); strings.Contains(json, "596d7dd") || strings.Contains(json, "f84dbf3") {
		t.Error("a commit that the board claims is taken for one of git")
	}
}
