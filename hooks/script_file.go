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
	code := s.idleFunc()
	if hasInput(s.event) {
		code += s.withInput()
	} else {
		code += s.largeFiles() + `
gho_place
if gho_lfs; then git lfs "` + s.event + `" "$@" || :; fi
gho_idle "$@" || gho_run "$@" || :`
	}
	return blockStart + variant + startNote + code + "\nunset " + names + "\n" + blockEnd
}

// idleFunc are the functions that find the repository, look whether there is something to do, and do it.
func (s script) idleFunc() string {
	return "gho_place() {" + indent(place) + "\n}" +
		"\ngho_idle() {" + indent(s.idle()) + "\n\treturn 1\n}" +
		"\ngho_run() {" + indent(s.start("")) + "\n}"
}

// largeFiles looks whether Git LFS has something to do here that nobody in the file lets it do. LFS does not install
// its hook where there is another, and says nothing: a push would then leave its objects behind.
func (s script) largeFiles() string {
	used := `[ -d "$gho_c/lfs" ]`
	if s.storage != "" {
		used = "{ " + used + " || [ -d " + quote(s.storage) + " ]; }"
	}
	// The pattern, and our own call, are written so that it does not find them.
	called := "*'lfs " + strings.Replace(s.event, "-", "-'", 1) + "*"
	return `
gho_lfs() {
	` + used + ` && [ -f "$0" ] && command -v git-lfs >/dev/null 2>&1 || return 1
	while IFS= read -r gho_t; do
		case ${gho_t%%#*} in ` + called + `) return 1 ;; esac
	done <"$0"
}`
}

// withInput reads the standard input once, where somebody here needs it, and hands all of it to everybody: to Git LFS,
// whose failure stops a push as it does from its own hook, to the program, and to what follows in the file. A push with
// nothing to send has none, which the shell finds out without another process. A rewrite always has; without any, it is a
// manager that keeps it, and the branch is refreshed all the same.
func (s script) withInput() string {
	funcs, due, some, lfs, stop := "", `! gho_idle "$@"`, "", "", " || :"
	if s.event == "pre-push" {
		some = `[ -n "$gho_in" ] && `
		funcs, due, stop = s.largeFiles(), "gho_lfs || "+due, " || "+s.guard()+" || exit 1"
		lfs = `
	if gho_lfs; then
		printf %s "${gho_in%.}" 2>/dev/null | git lfs "pre-push" "$@" || exit
	fi`
	}
	return funcs + strings.TrimSuffix(readAll, "\n") + `
gho_place
if ` + due + `; then
	if IFS= read -r gho_t; then
		gho_in=$(printf '%s\n' "$gho_t"; gho_all; echo .)
	else
		gho_in=$gho_t.
	fi` + lfs + `
	gho_in=${gho_in%.}
	if ` + some + `! gho_idle "$@"; then
		printf %s "$gho_in" 2>/dev/null | gho_run "$@"` + stop + `
	fi
	if [ -n "$gho_in" ]; then exec <<git_handoff_end
${gho_in%
}
git_handoff_end
	else exec </dev/null; fi
	unset gho_in
fi`
}
