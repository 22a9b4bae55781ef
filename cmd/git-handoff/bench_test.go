package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// The benchmarks pair a command with the shortest plain git that does the same, in turn and in one run, and report the
// ratio of the medians beside both medians in milliseconds, and those of the fastest runs and of the lower quarters, which
// a busy machine moves less:
//
//	go test ./cmd/git-handoff -run '^$' -bench . -benchtime 50x
//
// DESIGN's bounds: show 2.5, save 2.0, list of 10,000 1.5. A ratio is quoted, never asserted: machines differ.

// A pair is two command lines, run in turn in dir.
type pair struct {
	dir          string
	ours, theirs func(n int) []string
}

func (p pair) run(b *testing.B, env []string) {
	b.Helper()
	took := [2][]time.Duration{}
	for n := range b.N + 1 {
		for i, line := range [][]string{p.ours(n), p.theirs(n)} {
			cmd := exec.Command(find(line[0], env), line[1:]...)
			cmd.Dir, cmd.Env = p.dir, env
			start := time.Now()
			if out, err := cmd.CombinedOutput(); err != nil {
				b.Fatalf("%s: %v\n%s", strings.Join(line, " "), err, out)
			}
			if n > 0 { // the first run warms the caches
				took[i] = append(took[i], time.Since(start))
			}
		}
	}
	b.ReportMetric(0, "ns/op")
	for name, part := range map[string]int{"ratio-fastest": 0, "ratio-quarter": 4, "ratio": 2} {
		b.ReportMetric(float64(at(took[0], part))/float64(at(took[1], part)), name)
	}
	b.ReportMetric(at(took[0], 2).Seconds()*1000, "ms-ours")
	b.ReportMetric(at(took[1], 2).Seconds()*1000, "ms-git")
}

// find finds a program on the PATH of env, which is not that of the test.
func find(program string, env []string) string {
	for _, kv := range env {
		if path, ok := strings.CutPrefix(kv, "PATH="); ok {
			for _, dir := range filepath.SplitList(path) {
				if file := filepath.Join(dir, program); fileExists(file) {
					return file
				}
			}
		}
	}
	return program
}

func fileExists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// at is the duration that one in part runs stays below; 0 is the fastest.
func at(all []time.Duration, part int) time.Duration {
	slices.Sort(all)
	if part == 0 {
		return all[0]
	}
	return all[len(all)/part]
}

// bench is a folder with the program as users install it, a home of its own and an environment.
type bench struct {
	*testing.B
	dir string
	env []string
}

func newBench(b *testing.B) *bench {
	b.Helper()
	dir := b.TempDir()
	build := exec.Command("go", "build", "-tags", "urfave_cli_no_docs", "-o", filepath.Join(dir, "bin", "git-handoff"), ".")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("go build: %v\n%s", err, out)
	}
	config := "[user]\n\tname = Ada Example\n\temail = ada@example.invalid\n[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n"
	if err := os.WriteFile(filepath.Join(dir, ".gitconfig"), []byte(config), 0o644); err != nil {
		b.Fatal(err)
	}
	path := filepath.Join(dir, "bin") + string(filepath.ListSeparator) + os.Getenv("PATH")
	return &bench{b, dir, []string{"HOME=" + dir, "USERPROFILE=" + dir, "PATH=" + path, "GIT_CONFIG_NOSYSTEM=1"}}
}

// sh runs a script of setup in the folder, with $DIR naming it.
func (b *bench) sh(script string) {
	b.Helper()
	cmd := exec.Command("sh", "-euc", script)
	cmd.Dir, cmd.Env = b.dir, append(b.env, "DIR="+b.dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
}

func fixed(words ...string) func(int) []string { return func(int) []string { return words } }

const oneHandoff = `git init -q repo && cd repo && git commit -q --allow-empty -m Start
git handoff save --next-action 'run the migration' --constraint 'no downtime' >/dev/null
`

func BenchmarkShow(b *testing.B) {
	x := newBench(b)
	x.sh(oneHandoff)
	pair{filepath.Join(x.dir, "repo"), fixed("git-handoff", "show", "--format", "yaml"),
		fixed("git", "show", "refs/handoff/main/default:handoff.yaml")}.run(b, x.env)
}

func BenchmarkSave(b *testing.B) {
	x := newBench(b)
	x.sh(oneHandoff + "git show refs/handoff/main/default:handoff.yaml >../doc.yaml")
	const plumbing = `b=$(git hash-object -w --stdin <../doc.yaml)
t=$(printf '100644 blob %s\thandoff.yaml\n' "$b" | git mktree)
c=$(git commit-tree -m "$1" "$t")
exec git update-ref refs/heads/stored "$c"`
	pair{filepath.Join(x.dir, "repo"),
		func(n int) []string { return []string{"git-handoff", "save", "--next-action", fmt.Sprint("step ", n)} },
		func(n int) []string { return []string{"sh", "-c", plumbing, "sh", fmt.Sprint("step ", n)} }}.run(b, x.env)
}

// tenThousand makes a handoff on each of 10,000 branches by copying one version's message.
const tenThousand = oneHandoff + `git cat-file commit refs/handoff/main/default | sed '1,/^$/d' >../message
message=$(cat ../message)
i=0
while [ $i -lt 10000 ]; do
	i=$((i+1))
	echo "commit refs/handoff/b$i/default"
	echo "committer Ada Example <ada@example.invalid> $((1790000000+i)) +0000"
	echo "data <<END-OF-MESSAGE"
	printf '%s\n' "$message"
	echo END-OF-MESSAGE
	echo "M 100644 inline handoff.yaml"
	echo "data 2"
	echo x
done | git fast-import --quiet
git pack-refs --all`

func BenchmarkList(b *testing.B) {
	x := newBench(b)
	x.sh(tenThousand)
	pair{filepath.Join(x.dir, "repo"), fixed("git-handoff", "list"),
		fixed("git", "for-each-ref", "--format=%(refname) %(contents:subject) %(committerdate)", "refs/handoff/")}.run(b, x.env)
}
