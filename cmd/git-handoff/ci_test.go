package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// A workflow is what the tests read of a workflow file for GitHub.
type workflow struct {
	Permissions map[string]string
	Jobs        map[string]struct {
		If          string
		Permissions map[string]string
		Steps       []step
	}
}

type step struct {
	Name, ID, If, Uses, Run string
	Env, With               map[string]string
}

func composed(t *testing.T, name string, into any) string {
	t.Helper()
	data, err := compose(name, ciSource{})
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return string(data)
}

var pinnedAction = regexp.MustCompile(`^[\w.-]+/[\w.-]+@[0-9a-f]{40}$`)

// TestWorkflowsTrustNobody holds the files for GitHub to their promises: least permissions, actions pinned to commits,
// nothing of the pull request in a command, none of its code checked out.
func TestWorkflowsTrustNobody(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"github.yml", "github-fork.yml"} {
		var w workflow
		text := composed(t, name, &w)
		if strings.Contains(text, "@include") || strings.Contains(text, "@SOURCE@") || strings.Contains(text, "\t") {
			t.Errorf("%s was not composed whole", name)
		}
		if w.Permissions == nil || len(w.Permissions) != 0 {
			t.Errorf("%s gives every job %v", name, w.Permissions)
		}
		for _, job := range w.Jobs {
			if fmt.Sprint(job.Permissions) != "map[contents:read pull-requests:write]" {
				t.Errorf("%s: a job may %v", name, job.Permissions)
			}
			for _, s := range job.Steps {
				if strings.Contains(s.Run, "${{") {
					t.Errorf("%s: step %q has an expression in its command", name, s.Name)
				}
				if s.Uses != "" && !pinnedAction.MatchString(s.Uses) {
					t.Errorf("%s: %s is not pinned", name, s.Uses)
				}
				if s.Uses != "" && (s.With["ref"] != "${{ github.event.repository.default_branch }}" || s.With["persist-credentials"] != "false") {
					t.Errorf("%s: %s checks out %v", name, s.Uses, s.With)
				}
			}
		}
		if strings.Contains(text, "pull_request_target") || strings.Contains(text, "secrets.") || strings.Contains(text, "artifact") {
			t.Errorf("%s trusts what a pull request can reach", name)
		}
	}
}

func TestWorkflowKeepsOneComment(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	r.write("comments.json", `[{"id":1,"user":{"login":"mallory"},"body":"<!-- git-handoff:review main default=`+strings.Repeat("0", 40)+` -->"}]`)
	r.git("ada", "switch", "-q", "-c", "feature/login")
	sha := r.commit("ada", "login.go", "package login")
	r.git("ada", "push", "-q", "origin", "feature/login")
	r.pull(7, "example/shop", "feature/login", sha)

	r.github("github.yml", "pull_request")
	if got := r.comments(); len(got) != 1 || !strings.Contains(r.read(r.summary), "no active handoff") {
		t.Fatalf("without a handoff there are %v", got)
	}

	r.save("ada", "--actor", "ada", "--next-action", "write the tests", "--constraint", "no downtime")
	r.github("github.yml", "workflow_dispatch")
	got := r.comments()
	if len(got) != 2 || !strings.Contains(got[1]["body"].(string), "\n## Handoff `feature/login/default`") {
		t.Fatalf("the first comment: %v\n%s", got, r.log)
	}
	if r.read(r.summary) != got[1]["body"] {
		t.Error("the summary is not the comment")
	}
	for _, want := range []string{"up to date with the branch", "write the tests"} {
		if !strings.Contains(got[1]["body"].(string), want) {
			t.Errorf("the comment lacks %q: %s", want, got[1]["body"])
		}
	}

	r.save("ada", "--actor", "ada", "--constraint", "no downtime on weekdays", "--next-action", "::error::run @this")
	sha = r.commit("ada", "login.go", "package login // more")
	r.git("ada", "push", "-q", "origin", "feature/login")
	r.pull(7, "example/shop", "feature/login", sha)
	r.github("github.yml", "pull_request")
	got = r.comments()
	if len(got) != 2 || got[1]["id"] != 2.0 {
		t.Fatalf("the comment was not updated: %v", got)
	}
	for _, want := range []string{"1 commit behind the branch", "which was shown last", "Constraints, reworded: no downtime on weekdays"} {
		if !strings.Contains(got[1]["body"].(string), want) {
			t.Errorf("the comment lacks %q: %s", want, got[1]["body"])
		}
	}
	if !strings.Contains(r.log, "| git handoff check feature/login/default\n") || strings.Contains(r.log, "there is no ") {
		t.Errorf("check did not run:\n%s", r.log)
	}
	if strings.Contains(r.log, "\n::") {
		t.Errorf("a line of the log is a command to the runner:\n%s", r.log)
	}

	r.run("ada", "git-handoff", "archive", "--outcome", "done", "feature/login/default")
	r.run("ada", "git-handoff", "sync")
	r.github("github.yml", "pull_request")
	if got = r.comments(); len(got) != 2 || !strings.Contains(got[1]["body"].(string), "no active handoff any more") {
		t.Errorf("after the handoff was archived: %v", got)
	}
}

func TestWorkflowOfForks(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	r.save("ada", "--next-action", "our own step on main")
	r.git("", "clone", "-q", "--bare", "host/example/shop", "host/mallory/shop")
	r.git("", "clone", "-q", r.url("mallory/shop"), "mallory")
	sha := r.commit("mallory", "evil.sh", "exit 1")
	r.git("mallory", "push", "-q", "origin", "main")
	r.save("mallory", "--next-action", "close #1 <!-- for @everyone")
	r.pull(8, "mallory/shop", "main", sha)
	r.pull(9, "mallory/shop", "other", strings.Repeat("1", 40))
	r.pull(8, "mallory/shop", "main", sha)

	r.github("github.yml", "pull_request")
	if got := r.comments(); len(got) != 0 {
		t.Fatalf("the workflow of a fork wrote %v", got)
	}
	if !strings.Contains(r.read(r.summary), "## Handoff `main/default`") {
		t.Errorf("the summary of a fork's run: %s", r.read(r.summary))
	}
	r.github("github-fork.yml", "workflow_run")
	got := r.comments()
	if len(got) != 1 || got[0]["number"] != "8" {
		t.Fatalf("a fork's comment: %v\n%s", got, r.log)
	}
	body := got[0]["body"].(string)
	for _, want := range []string{"up to date with the branch", "close #&#x200B;1 \\<!-- for @&#x200B;everyone"} {
		if !strings.Contains(body, want) {
			t.Errorf("the comment lacks %q: %s", want, body)
		}
	}
	if strings.Contains(body, "our own step") {
		t.Error("our handoff was taken for the fork's")
	}
	if _, err := os.Stat(filepath.Join(r.dir, r.workspace, "evil.sh")); err == nil {
		t.Error("the fork's code was checked out")
	}

	r.head = strings.Repeat("2", 40)
	r.github("github-fork.yml", "workflow_run")
	if again := r.comments(); len(again) != 1 {
		t.Errorf("a commit that no pull request has got a comment: %v", again)
	}
	r.repo = "example/shop"
	r.github("github-fork.yml", "workflow_run")
	if r.log != "skipped" {
		t.Error("the second workflow ran for a branch of the repository itself")
	}
}

func TestGitLabKeepsOneNote(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	r.git("ada", "switch", "-q", "-c", "feature/login")
	sha := r.commit("ada", "login.go", "package login")
	r.git("ada", "push", "-q", "origin", "feature/login")
	r.save("ada", "--actor", "ada", "--next-action", "write the tests")
	own := []string{"CI_MERGE_REQUEST_IID=7", "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME=feature/login", "CI_MERGE_REQUEST_DIFF_BASE_SHA=" + r.git("ada", "rev-parse", "main"),
		"CI_COMMIT_SHA=" + sha, "CI_MERGE_REQUEST_SOURCE_PROJECT_ID=1", "CI_MERGE_REQUEST_SOURCE_PROJECT_URL=https://gitlab.example.com/example/shop"}
	r.gitlab(own...)
	if got := r.comments(); len(got) != 0 || !strings.Contains(r.log, "HANDOFF_TOKEN is not set") {
		t.Fatalf("without a token: %v\n%s", got, r.log)
	}
	if !strings.Contains(r.read(r.workspace+"/handoff-review.md"), "write the tests") {
		t.Error("the artifact lacks the next action")
	}
	own = append(own, "HANDOFF_TOKEN=secret token")
	r.gitlab(own...)
	r.save("ada", "--actor", "ada", "--next-action", "write more tests")
	r.gitlab(own...)
	got := r.comments()
	if len(got) != 1 || !strings.Contains(got[0]["body"].(string), "which was shown last") || !strings.Contains(got[0]["body"].(string), "write more tests") {
		t.Fatalf("the notes: %v\n%s", got, r.log)
	}
	if strings.Contains(r.log, "secret token") {
		t.Error("the token is in the log")
	}
}

func TestGitLabByHandForAFork(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	r.git("", "clone", "-q", "--bare", "host/example/shop", "host/mallory/shop")
	r.git("", "clone", "-q", r.url("mallory/shop"), "mallory")
	sha := r.commit("mallory", "evil.sh", "exit 1")
	r.git("mallory", "push", "-q", "origin", "main")
	r.save("mallory", "--next-action", "their step")
	base := r.git("host/example/shop", "rev-parse", "main")
	r.write("gitlab/merge_requests/9", `{"iid":9,"source_branch":"main","sha":"`+sha+`","diff_refs":{"base_sha":"`+base+`"},"source_project_id":2}`)
	r.write("gitlab/projects/2", `{"http_url_to_repo":"`+r.url("mallory/shop")+`"}`)
	r.gitlab("HANDOFF_TOKEN=secret token", "HANDOFF_MERGE_REQUEST=9")
	if got := r.comments(); len(got) != 1 || !strings.Contains(got[0]["body"].(string), "their step") {
		t.Fatalf("the notes: %v\n%s", got, r.log)
	}
}

// TestInstallStep builds from the commit that is named, and from nothing else.
func TestInstallStep(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	r.write("bin/go", "#!/bin/sh\nwhile [ \"$1\" != -o ]; do shift; done\nprintf '#!/bin/sh\\necho built from %s\\n' \"$(git rev-parse HEAD)\" >\"$2\"\nchmod +x \"$2\"\n")
	if err := os.Chmod(filepath.Join(r.dir, "bin/go"), 0o755); err != nil {
		t.Fatal(err)
	}
	wanted := r.git("ada", "rev-parse", "HEAD")
	r.commit("ada", "README", "newer")
	r.git("ada", "push", "-q", "origin", "main")
	script, err := ciFiles.ReadFile("ci/install.sh")
	if err != nil {
		t.Fatal(err)
	}
	gitDir, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	install := func(url, commit string) bool {
		r.checkout()
		return r.shell("mkdir -p \"$HANDOFF_DIR/bin\"\n"+string(script), "PATH="+filepath.Join(r.dir, "bin")+":"+filepath.Dir(gitDir)+":/usr/bin:/bin",
			"HANDOFF_DIR="+filepath.Join(r.dir, r.path, "handoff"), "GIT_HANDOFF_SOURCE="+url, "GIT_HANDOFF_COMMIT="+commit)
	}
	if !install(r.url("example/shop"), wanted) || !strings.Contains(r.log, "built from "+wanted) {
		t.Errorf("the build of %s: %s", wanted, r.log)
	}
	for _, bad := range [][2]string{{"", wanted}, {r.url("example/shop"), "main"}, {r.url("example/shop"), wanted[:12]}, {"--upload-pack=touch x", wanted}, {r.url("example/shop"), strings.Repeat("1", 40)}} {
		if install(bad[0], bad[1]) {
			t.Errorf("installed from %q: %s", bad, r.log)
		}
	}
}

func TestCIGet(t *testing.T) {
	t.Parallel()
	const in = `[{"n":1,"head":{"sha":"a","repo":null}},{"n":2,"head":{"sha":"b","repo":{"full_name":"x/y"}},"bad":"two\nlines"}][{"n":12345678901234567890}]`
	tests := []struct {
		where, wanted []string
		want          string
		bad           bool
	}{
		{nil, []string{"number=n"}, "number=1\n", false},
		{[]string{"head.repo.full_name=x/y", "head.sha=b"}, []string{"number=n", "repo=head.repo.full_name"}, "number=2\nrepo=x/y\n", false},
		{[]string{"n=12345678901234567890"}, []string{"n=n"}, "n=12345678901234567890\n", false},
		{[]string{"n=3"}, []string{"n=n"}, "", false},
		{[]string{"n=2"}, []string{"x=bad"}, "", true},
		{[]string{"n=2"}, []string{"x=none"}, "", true},
		{[]string{"n"}, []string{"x=n"}, "", true},
		{nil, []string{"n", "sha=head.sha"}, "1\nsha=a\n", false},
	}
	for _, test := range tests {
		var out bytes.Buffer
		err := ciGet(&out, strings.NewReader(in), test.where, test.wanted)
		if (err != nil) != test.bad || out.String() != test.want {
			t.Errorf("%v %v: %q, %v", test.where, test.wanted, out.String(), err)
		}
	}
	for _, bad := range []string{"{", `"x"`, "[1]"} {
		if err := ciGet(io.Discard, strings.NewReader(bad), nil, []string{"n=n"}); err == nil {
			t.Errorf("%q is taken for an answer", bad)
		}
	}
}

// TestOverwriteAsks: every file that differs is asked for before any is written.
func TestOverwriteAsks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	same, other, fresh := filepath.Join(dir, "same"), filepath.Join(dir, "other"), filepath.Join(dir, "sub", "fresh")
	for path, text := range map[string]string{same: "new", other: "mine"} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	d := &desk{streams: streams{out: &out, err: io.Discard}}
	files := func() []ciFile {
		return []ciFile{{path: "same", at: same, data: []byte("new")}, {path: "sub/fresh", at: fresh, data: []byte("new")}, {path: "other", at: other, data: []byte("new")}}
	}
	var asked []string
	answer := func(yes bool) func(string) bool {
		return func(q string) bool { asked = append(asked, q); return yes }
	}
	if err := d.writeCI(files(), answer(false)); err == nil {
		t.Error("a no is a yes")
	}
	if _, err := os.Stat(fresh); err == nil || out.Len() > 0 {
		t.Errorf("something was written after a no: %s", &out)
	}
	if err := d.writeCI(files(), answer(true)); err != nil {
		t.Fatal(err)
	}
	if want := "same: is as it was\nsub/fresh: written\nother: overwritten\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
	if len(asked) != 2 || asked[0] != "other is there and differs; overwrite it?" {
		t.Errorf("asked %q", asked)
	}
}
