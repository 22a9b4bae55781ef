package hooks

import "strings"

// The lines that the block in a hook file stands between. What follows blockStart on its line is for people, and says
// what else goes when the block is taken out: the whole file, or the line feed that the line before did not have.
const (
	blockStart = "# >>> git-handoff >>>"
	blockEnd   = "# <<< git-handoff <<<\n"
	wholeFile  = " the whole file,"
	afterLine  = " after a line without an end,"
	startNote  = " put here by 'git handoff init'; 'git handoff init --undo' takes it out again\n"
)

// block is the script for a hook file, from the first marked line to the last. It leaves the arguments, the standard
// input, the options of the shell and the status of what follows it as they would be without it.
func (s script) block(variant string) string {
	code := "git_handoff_place() {" + indent(place) + "\n}" + s.largeFiles()
	if hasInput(s.event) {
		code += s.withInput()
	} else {
		code += "\ngit_handoff() (\n\tgit_handoff_place" + indent(s.idle()+s.start("")) + "\n)" +
			"\nif git_handoff_lfs; then git lfs \"" + s.event + `" "$@" || :; fi` +
			"\n" + `git_handoff "$@" || :`
	}
	return blockStart + variant + startNote + code + "\n" + blockEnd
}

// largeFiles looks whether Git LFS has something to do here that nobody in the file lets it do. LFS does not install
// its hook where there is another, and says nothing: a push would then leave its objects behind.
func (s script) largeFiles() string {
	if s.event == "post-rewrite" {
		return ""
	}
	used := `[ -d "$c/lfs" ]`
	if s.storage != "" {
		used = "{ " + used + " || [ -d " + quote(s.storage) + " ]; }"
	}
	// The pattern, and our own call, are written so that it does not find them.
	called := "*'lfs " + strings.Replace(s.event, "-", "-'", 1) + "*"
	return `
git_handoff_lfs() (
	git_handoff_place
	` + used + ` && [ -f "$0" ] && command -v git-lfs >/dev/null 2>&1 || exit 1
	while IFS= read -r l; do
		case ${l%%#*} in ` + called + `) exit 1 ;; esac
	done <"$0"
)`
}

// withInput reads the standard input once, where somebody here needs it, and hands all of it to everybody: to Git LFS,
// whose failure stops a push as it does from its own hook, to the program, and to what follows in the file.
func (s script) withInput() string {
	due, lfs := `! git_handoff_idle "$@"`, ""
	if s.event == "pre-push" {
		lfs = `
	if git_handoff_lfs; then
		printf %s "${git_handoff_in%.}" 2>/dev/null | git lfs "pre-push" "$@" || exit
	fi`
	}
	stop := " || " + s.guard()
	if s.event == "pre-push" {
		due, stop = "git_handoff_lfs || "+due, stop+" || exit 1"
	}
	return `
git_handoff_idle() (
	git_handoff_place` + indent(s.idle()) + `
	exit 1
)
git_handoff() (` + indent(s.start("")) + `
)
if ` + due + `; then
	git_handoff_in=$(cat; echo .)` + lfs + `
	git_handoff_in=${git_handoff_in%.}
	if ! git_handoff_idle "$@"; then
		printf %s "$git_handoff_in" 2>/dev/null | git_handoff "$@"` + stop + `
	fi
	if [ -n "$git_handoff_in" ]; then exec <<git_handoff_end
${git_handoff_in%
}
git_handoff_end
	else exec </dev/null; fi
	unset git_handoff_in
fi`
}
