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
	// anywhere is set for a file that others share: their sh may start a program that gets no more than three files.
	anywhere bool
}

// place finds the git directory (d) and the one that all worktrees share (c). Git sets GIT_DIR wherever it is not .git.
// No line may end a shell that stops at errors, and no name may be one that somebody else uses.
const place = `
gho_d=${GIT_DIR:-.git} gho_c=${GIT_COMMON_DIR:-${GIT_DIR:-.git}}
if [ -z "${GIT_COMMON_DIR-}" ] && [ -f "$gho_d/commondir" ]; then
	IFS= read -r gho_c <"$gho_d/commondir" || :
	case $gho_c in /*) ;; *) gho_c=$gho_d/$gho_c ;; esac
fi`

// During a rebase nothing is refreshed; post-rewrite comes at its end, while the folder still exists.
const duringRebase = `
if [ -d "$gho_d/rebase-merge" ] || [ -d "$gho_d/rebase-apply" ]; then return 0; fi`

// nothingOnBranch returns on a detached HEAD, and where there is no handoff of the branch: no loose ref, and none in
// packed-refs, which is known where there is no such file or where it is as old as it was when a rest was marked. It
// decides nothing where it does not understand the repository.
const nothingOnBranch = `
if [ -d "$gho_c/refs" ] && [ ! -e "$gho_c/reftable" ] && [ ! -h "$gho_d/HEAD" ] && read -r gho_h <"$gho_d/HEAD"; then
	gho_b=${gho_h#ref: refs/heads/}
	if [ "$gho_b" = "$gho_h" ]; then return 0; fi
	gho_q=$gho_c/handoff/rest/$gho_b gho_k=
	for gho_t in "$gho_c/refs/handoff/$gho_b" "$gho_c"/refs/handoff-remotes/*/heads/"$gho_b"; do
		if [ -e "$gho_t" ]; then gho_k=1; fi
	done` + packedRest + `
fi`

// nothingAtAll is the same for the repository: no handoff of any branch, and no evidence.
const nothingAtAll = `
if [ -d "$gho_c/refs" ] && [ ! -e "$gho_c/reftable" ]; then
	gho_q=$gho_c/handoff/rest gho_k=
	for gho_t in "$gho_c/refs/handoff" "$gho_c/refs/handoff-archive" "$gho_c/refs/notes/handoff"; do
		if [ -e "$gho_t" ]; then gho_k=1; fi
	done` + packedRest + `
fi`

// packedRest asks for loose refs first: a ref is packed before its file goes.
const packedRest = `
	gho_p=$gho_c/packed-refs
	if [ -z "$gho_k" ] && [ ! -e "$gho_p" ]; then return 0; fi
	if [ -z "$gho_k" ] && [ "$gho_p" -nt "$gho_q/.older" ] && [ "$gho_q/.newer" -nt "$gho_p" ]; then return 0; fi`

// names are the variables that the script uses.
const names = "gho_d gho_c gho_h gho_b gho_q gho_k gho_t gho_p"

// idle returns 0 where the program would have nothing to do.
func (s script) idle() string {
	switch s.event {
	case "pre-push":
		return nothingAtAll
	case "post-rewrite":
		// A rebase may have moved other branches too.
		return "\nif [ \"$1\" = amend ]; then" + indent(duringRebase+nothingOnBranch) + "\nelse" + indent(nothingAtAll) + "\nfi"
	case "post-checkout":
		return "\nif [ \"${3-1}\" = 0 ]; then return 0; fi" + duringRebase + nothingOnBranch
	}
	return duringRebase + nothingOnBranch
}

// start runs the program from where it was when it was installed, else from PATH, else not at all.
func (s script) start(options string) string {
	missing := "command -v git-handoff >/dev/null 2>&1 || return 0"
	if s.program == "" {
		return "\n" + missing + "\n" + s.quietly("git-handoff", options)
	}
	return "\ngho_h=" + quote(filepath.ToSlash(s.program)) +
		"\nif [ ! -f \"$gho_h\" ] || [ ! -x \"$gho_h\" ]; then\n\t" + missing + "\n\tgho_h=git-handoff\nfi" +
		"\n" + s.quietly(`"$gho_h"`, options)
}

// SayVariable names the environment variable that holds the number of the file that a hook says its line to.
const SayVariable = "GIT_HANDOFF_SAY"

// quietly runs the program so that nothing is seen of it but the line that it has to say: not what the shell says of a
// program that was killed, nor, where the line goes to a file of its own, what one that crashes leaves behind.
func (s script) quietly(program, options string) string {
	call := program + " hook " + options + s.event + ` "$@"`
	if !hasInput(s.event) {
		call += " </dev/null"
	}
	if s.anywhere {
		// In a process of its own, and in a list: dash would redirect its own standard error to where the command's goes.
		call = "(exec " + call + " >&3 2>&3 3>&-) || return"
	} else {
		call = SayVariable + "=3 " + call + " >/dev/null"
	}
	if s.event == "pre-push" && options != "" {
		call = `{ printf '%s\n' "$gho_t"; gho_all; } | ` + call
	}
	return "{ " + call + "; } 3>&2 2>/dev/null"
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
	body := "gho_run() {" + place + s.idle() + s.nothingPushed() + s.start("--configured ") + "\n}\ngit_handoff() { gho_run \"$@\" || " + s.guard() + "; }\ngit_handoff"
	if s.event == "pre-push" {
		body = readAll + body
	}
	return join(body)
}

// readAll reads the rest of the input: without cat, where a program that starts git has no PATH.
const readAll = `
gho_all() {
	if command -v cat >/dev/null 2>&1; then cat; return; fi
	while IFS= read -r gho_t; do printf '%s\n' "$gho_t"; done
}
`

// nothingPushed ends a pre-push without input, which has nothing to send, before the program is started. The line that it
// reads goes in front of the rest.
func (s script) nothingPushed() string {
	if s.event != "pre-push" {
		return ""
	}
	return "\nIFS= read -r gho_t || [ -n \"$gho_t\" ] || return 0"
}

// plainLine is the shortest form, for people to put somewhere by hand.
func (s script) plainLine() string {
	line := "if command -v git-handoff >/dev/null; then git-handoff hook " + s.event + ` "$@"`
	if s.event == "pre-push" {
		line += " || [ $? -ne 75 ]"
	}
	return line + "; fi"
}

// firstLines are for people to put in front of what a shell script has: they leave the standard input to that.
func (s script) firstLines() string {
	if !hasInput(s.event) {
		return s.plainLine()
	}
	stop := ""
	if s.event == "pre-push" {
		stop = " || " + s.guard() + " || exit 1"
	}
	return `if command -v git-handoff >/dev/null && IFS= read -r gho_in; then
	gho_in=$(printf '%s\n' "$gho_in"; cat)
	printf '%s\n' "$gho_in" | git-handoff hook ` + s.event + ` "$@"` + stop + `
	exec <<gho_end
$gho_in
gho_end
fi`
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
