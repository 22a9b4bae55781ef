package hooks

import (
	"path/filepath"
	"strings"
)

// Events are the git hooks that git-handoff takes part in.
var Events = []string{"post-commit", "post-rewrite", "post-merge", "post-checkout", "pre-push"}

// hasInput reports whether git writes to the standard input of a hook.
func hasInput(event string) bool { return event == "post-rewrite" || event == "pre-push" }

// A script is the shell code for one event. It is POSIX sh, tried with dash, bash and busybox, and must cost as little
// as an empty script where there is nothing to do: until it starts the program it uses nothing but builtins.
type script struct {
	event string
	// program is the absolute path of git-handoff; "" to look on PATH alone, as in a file that others share.
	program string
	// storage is where Git LFS keeps its objects, if not in the git directory.
	storage string
}

// place finds the git directory (d) and the one that all worktrees share (c). Git sets GIT_DIR wherever it is not .git.
const place = `
d=${GIT_DIR:-.git} c=${GIT_COMMON_DIR:-${GIT_DIR:-.git}}
if [ -z "${GIT_COMMON_DIR-}" ] && [ -f "$d/commondir" ]; then
	IFS= read -r c <"$d/commondir"
	case $c in /*) ;; *) c=$d/$c ;; esac
fi`

// During a rebase nothing is refreshed; post-rewrite comes at its end, while the folder still exists.
const duringRebase = `
if [ -d "$d/rebase-merge" ] || [ -d "$d/rebase-apply" ]; then exit 0; fi`

// nothingOnBranch ends the script on a detached HEAD, and where there is no handoff of the branch: no loose ref, and
// none in packed-refs, which is known where there is no such file or where it is as old as it was when Rest looked. It
// decides nothing where it does not understand the repository.
const nothingOnBranch = `
if [ -d "$c/refs" ] && [ ! -e "$c/reftable" ] && [ ! -h "$d/HEAD" ] && read -r h <"$d/HEAD"; then
	b=${h#ref: refs/heads/} p=$c/packed-refs k=
	if [ "$b" = "$h" ]; then exit 0; fi
	q=$c/handoff/rest/$b
	for t in "$c/refs/handoff/$b" "$c"/refs/handoff-remotes/*/heads/"$b"; do
		if [ -e "$t" ]; then k=1; fi
	done
	if [ -z "$k" ] && [ ! -e "$p" ]; then exit 0; fi
	if [ -z "$k" ] && [ "$p" -nt "$q/.older" ] && [ "$q/.newer" -nt "$p" ]; then exit 0; fi
fi`

// nothingAtAll is the same for the repository: no handoff of any branch, and no evidence.
const nothingAtAll = `
if [ -d "$c/refs" ] && [ ! -e "$c/reftable" ]; then
	p=$c/packed-refs q=$c/handoff/rest k=
	for t in "$c/refs/handoff" "$c/refs/handoff-archive" "$c/refs/notes/handoff"; do
		if [ -e "$t" ]; then k=1; fi
	done
	if [ -z "$k" ] && [ ! -e "$p" ]; then exit 0; fi
	if [ -z "$k" ] && [ "$p" -nt "$q/.older" ] && [ "$q/.newer" -nt "$p" ]; then exit 0; fi
fi`

// idle ends the script where the program would have nothing to do.
func (s script) idle() string {
	switch s.event {
	case "pre-push":
		return nothingAtAll
	case "post-rewrite":
		// A rebase may have moved other branches too.
		return "\nif [ \"$1\" = amend ]; then" + indent(duringRebase+nothingOnBranch) + "\nelse" + indent(nothingAtAll) + "\nfi"
	case "post-checkout":
		return "\nif [ \"${3-1}\" = 0 ]; then exit 0; fi" + duringRebase + nothingOnBranch
	}
	return duringRebase + nothingOnBranch
}

// start replaces the shell by the program, from where it was when it was installed, else from PATH, else not at all.
func (s script) start(options string) string {
	input := ""
	if !hasInput(s.event) {
		input = " </dev/null"
	}
	run := "hook " + options + s.event + ` "$@"` + input + " >&2"
	missing := "command -v git-handoff >/dev/null 2>&1 || exit 0"
	if s.program == "" {
		return "\n" + missing + "\nexec git-handoff " + run
	}
	return "\nh=" + quote(filepath.ToSlash(s.program)) +
		"\nif [ ! -f \"$h\" ] || [ ! -x \"$h\" ]; then\n\t" + missing + "\n\th=git-handoff\nfi" +
		"\nexec \"$h\" " + run
}

// guard is what the status of our function does to the hook: 75 alone blocks a push, nothing else blocks anything.
func (s script) guard() string {
	if s.event == "pre-push" {
		return "[ $? -ne 75 ]"
	}
	return ":"
}

// oneLine is the script as a configuration hook, to which git appends the arguments.
func (s script) oneLine() string {
	body := "git_handoff() { (" + place + s.idle() + s.start("--configured ") + "\n) || " + s.guard() + "; }\ngit_handoff"
	return join(body)
}

// plainLine is the shortest form, for people to put somewhere by hand.
func (s script) plainLine() string {
	line := "if command -v git-handoff >/dev/null; then git-handoff hook " + s.event + ` "$@"`
	if s.event == "pre-push" {
		line += " || [ $? -ne 75 ]"
	}
	return line + "; fi"
}

// join puts lines into one.
func join(lines string) string {
	var b strings.Builder
	for line := range strings.Lines(lines) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		b.WriteString(line)
		if opens(line) {
			b.WriteString(" ")
		} else {
			b.WriteString("; ")
		}
	}
	return strings.TrimSuffix(b.String(), "; ")
}

// opens reports whether a line ends in a word after which no semicolon may stand.
func opens(line string) bool {
	for _, end := range []string{"then", "else", "do", "{", "("} {
		if line == end || strings.HasSuffix(line, " "+end) {
			return true
		}
	}
	return false
}

func indent(lines string) string { return strings.ReplaceAll(lines, "\n", "\n\t") }

// quote makes one word of any text.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
