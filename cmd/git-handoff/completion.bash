# Completion of git-handoff for bash; `git handoff <TAB>` needs git's own completion beside it.
_git_handoff_words() {
	local IFS=$'\n'
	COMPREPLY=($(git-handoff complete -- "$@" 2>/dev/null))
}

# Called by git's completion for `git handoff …`, and below for `git-handoff …`.
_git_handoff() {
	local first=1 i
	for ((i = 0; i < cword; i++)); do
		case "${words[i]}" in handoff | git-handoff | */git-handoff) first=$((i + 1)) ;; esac
		[ "$first" -gt 1 ] && break
	done
	_git_handoff_words "${words[@]:first:cword-first+1}"
}

_git_handoff_command() {
	local words=("${COMP_WORDS[@]}") cword=$COMP_CWORD
	_git_handoff_words "${words[@]:1:cword}"
}

complete -o bashdefault -o default -F _git_handoff_command git-handoff
