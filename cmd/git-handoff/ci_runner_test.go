package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A runner runs the shell steps of a workflow in a shallow clone, as a host's runner does, against repositories and a
// host's interface in a folder: gh and curl are the ones below.
type runner struct {
	t                  *testing.T
	dir, workspace     string
	env                []string
	outputs            map[string]string
	event, repository  string
	number             string
	owner, repo, head  string // of a workflow_run
	branch             string
	summary, log, path string
}

// newRunner makes the host's folder with the repository example/shop, whose branch main has one commit.
func newRunner(t *testing.T) *runner {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("the steps need a POSIX shell")
	}
	r := &runner{t: t, dir: t.TempDir(), repository: "example/shop"}
	r.env = append(os.Environ(), "HOME="+r.dir, "GIT_CONFIG_GLOBAL="+filepath.Join(r.dir, "gitconfig"), "GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0",
		"GIT_HANDOFF_NOW=2026-03-02T10:00:00Z", "TMPDIR="+r.dir, "HOST_DIR="+r.dir, "NO_COLOR=1", "GITHUB_REPOSITORY=example/shop")
	r.write("gitconfig", "[user]\n\tname = Ada\n\temail = ada@example.invalid\n[init]\n\tdefaultBranch = main\n")
	r.git("", "init", "-q", "--bare", "host/example/shop")
	r.git("", "clone", "-q", r.url("example/shop"), "ada")
	r.commit("ada", "README", "hello")
	r.git("ada", "push", "-q", "origin", "main")
	return r
}

func (r *runner) url(repo string) string {
	return "file://" + filepath.ToSlash(filepath.Join(r.dir, "host", repo))
}

func (r *runner) write(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

func (r *runner) read(name string) string {
	r.t.Helper()
	data, err := os.ReadFile(filepath.Join(r.dir, name))
	if err != nil {
		r.t.Fatal(err)
	}
	return string(data)
}

func (r *runner) run(dir, program string, args ...string) string {
	r.t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = filepath.Join(r.dir, dir), r.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("%s %q: %v\n%s", program, args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (r *runner) git(dir string, args ...string) string {
	r.t.Helper()
	return r.run(dir, "git", args...)
}

func (r *runner) commit(dir, file, text string) string {
	r.t.Helper()
	r.write(filepath.Join(dir, file), text)
	r.git(dir, "add", file)
	r.git(dir, "commit", "-q", "-m", "Write "+file)
	return r.git(dir, "rev-parse", "HEAD")
}

// save saves a handoff in a clone and lets it travel.
func (r *runner) save(dir string, args ...string) {
	r.t.Helper()
	r.run(dir, "git-handoff", append([]string{"save", "--allow-unclean", "a test"}, args...)...)
	r.run(dir, "git-handoff", "sync")
}

// pull opens or updates a pull request from a branch of a repository.
func (r *runner) pull(number int, repo, branch, sha string) {
	r.t.Helper()
	owner, _, _ := strings.Cut(repo, "/")
	pr := map[string]any{"number": number, "base": map[string]any{"sha": r.git("host/example/shop", "rev-parse", "main")},
		"head": map[string]any{"sha": sha, "ref": branch, "label": owner + ":" + branch, "repo": map[string]any{"full_name": repo}}}
	data, err := json.Marshal(pr)
	if err != nil {
		r.t.Fatal(err)
	}
	r.write(fmt.Sprintf("pulls/%d.json", number), string(data))
	r.number, r.head, r.branch, r.repo, r.owner = fmt.Sprint(number), sha, branch, repo, owner
}

// comments are the comments there are, with their authors.
func (r *runner) comments() []map[string]any {
	r.t.Helper()
	var all []map[string]any
	data, err := os.ReadFile(filepath.Join(r.dir, "comments.json"))
	if err == nil {
		err = json.Unmarshal(data, &all)
	}
	if err != nil && !os.IsNotExist(err) {
		r.t.Fatal(err)
	}
	return all
}

// checkout is a fresh shallow clone of the default branch.
func (r *runner) checkout() {
	r.t.Helper()
	n, err := os.ReadDir(filepath.Join(r.dir, "runs"))
	if err != nil && !os.IsNotExist(err) {
		r.t.Fatal(err)
	}
	run := fmt.Sprintf("runs/%d", len(n))
	r.workspace = run + "/workspace"
	r.write(run+"/temp/.keep", "")
	r.git("", "clone", "-q", "--depth=1", r.url("example/shop"), r.workspace)
	r.outputs, r.log = map[string]string{}, ""
	r.summary, r.path = run+"/summary", run
	r.write(r.summary, "")
}

// shell runs a script in the workspace as a runner does. It returns whether it succeeded.
func (r *runner) shell(script string, env ...string) bool {
	r.t.Helper()
	r.write(r.path+"/script.sh", script)
	cmd := exec.Command("sh", "-e", filepath.Join(r.dir, r.path, "script.sh"))
	cmd.Dir, cmd.Env = filepath.Join(r.dir, r.workspace), append(slices.Clone(r.env), env...)
	out, err := cmd.CombinedOutput()
	r.log += string(out)
	return err == nil
}

// github runs the only job of a workflow for GitHub, step by step. It fails the test if a step fails.
func (r *runner) github(name, event string) {
	r.t.Helper()
	r.event = event
	r.checkout()
	var w workflow
	composed(r.t, name, &w)
	job := w.Jobs["review"]
	if job.If != "" && !r.condition(job.If) {
		r.log = "skipped"
		return
	}
	var env []string
	for _, s := range job.Steps {
		if s.Run == "" || s.If != "" && !r.condition(s.If) {
			continue
		}
		file := func(n string) string { return filepath.Join(r.dir, r.path, n) }
		own := append(slices.Clone(env), "RUNNER_TEMP="+file("temp"), "GITHUB_OUTPUT="+file("output"), "GITHUB_ENV="+file("env"),
			"GITHUB_PATH="+file("path"), "GITHUB_STEP_SUMMARY="+file("summary"))
		for _, f := range []string{"output", "env", "path"} {
			r.write(r.path+"/"+f, "")
		}
		for key, value := range s.Env {
			own = append(own, key+"="+r.expand(value))
		}
		if !r.shell(s.Run, own...) {
			r.t.Fatalf("%s: step %q failed:\n%s", name, s.Name, r.log)
		}
		env = append(env, strings.Fields(r.read(r.path+"/env"))...)
		for line := range strings.Lines(r.read(r.path + "/output")) {
			key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
			r.outputs["steps."+s.ID+".outputs."+key] = value
		}
	}
}

var expression = regexp.MustCompile(`\$\{\{ (.*?) \}\}`)

// expand puts values for the expressions of a step's environment.
func (r *runner) expand(s string) string {
	return expression.ReplaceAllStringFunc(s, func(e string) string { return r.value(expression.FindStringSubmatch(e)[1]) })
}

// value is what an expression of the workflows stands for. One that is not known here fails the test.
func (r *runner) value(e string) string {
	r.t.Helper()
	if v, ok := r.outputs[e]; ok || strings.HasPrefix(e, "steps.pull.outputs.") && !strings.Contains(e, " ") {
		return v
	}
	values := map[string]string{
		"github.token": "token", "github.repository": r.repository, "github.event_name": r.event, "github.server_url": "file://" + filepath.ToSlash(filepath.Join(r.dir, "host")),
		"github.event.pull_request.number || inputs.number": r.number, "vars.GIT_HANDOFF_SOURCE": "", "vars.GIT_HANDOFF_COMMIT": "", "vars.HANDOFF_STRICT": "",
		"github.event.workflow_run.event": "pull_request", "github.event.workflow_run.head_repository.owner.login": r.owner,
		"github.event.workflow_run.head_repository.full_name": r.repo, "github.event.workflow_run.head_branch": r.branch, "github.event.workflow_run.head_sha": r.head,
	}
	if e == "steps.pull.outputs.head_repo == github.repository && 'origin' || 'fork'" {
		if r.outputs["steps.pull.outputs.head_repo"] == r.repository {
			return "origin"
		}
		return "fork"
	}
	v, ok := values[e]
	if !ok {
		r.t.Fatalf("the expression %q is not known to the test", e)
	}
	return v
}

// condition is the truth of a step's condition: comparisons joined by one kind of operator.
func (r *runner) condition(s string) bool {
	r.t.Helper()
	if or := strings.Split(s, " || "); len(or) > 1 {
		return slices.ContainsFunc(or, r.condition)
	}
	if and := strings.Split(s, " && "); len(and) > 1 {
		return !slices.ContainsFunc(and, func(c string) bool { return !r.condition(c) })
	}
	operand := func(s string) string {
		if text, ok := strings.CutPrefix(s, "'"); ok {
			return strings.TrimSuffix(text, "'")
		}
		return r.value(s)
	}
	if a, b, ok := strings.Cut(s, " != "); ok {
		return operand(a) != operand(b)
	}
	a, b, ok := strings.Cut(s, " == ")
	if !ok {
		r.t.Fatalf("the condition %q is not known to the test", s)
	}
	return operand(a) == operand(b)
}

// gitlab runs the script of the job for GitLab in one shell, as its runner does.
func (r *runner) gitlab(env ...string) {
	r.t.Helper()
	r.checkout()
	var pipeline map[string]struct{ Script []string }
	composed(r.t, "gitlab.yml", &pipeline)
	env = append(env, "CI_JOB_ID="+filepath.Base(r.path), "CI_PROJECT_ID=1", "CI_API_V4_URL=https://gitlab.example.com/api/v4", "CI_SERVER_URL=https://gitlab.example.com")
	if !r.shell(strings.Join(pipeline["handoff-review"].Script, "\n"), env...) {
		r.t.Fatalf("the job failed:\n%s", r.log)
	}
}
