#compdef git-handoff
#description keep the continuation state of unfinished work in git
# Completion of git-handoff for zsh. zsh's completion of git finds it as `git handoff` too.
_git-handoff() {
	local -a candidates
	candidates=("${(@f)$(git-handoff complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
	candidates=(${candidates:#})
	(( $#candidates )) && compadd -a candidates || _files
}
_git-handoff "$@"
