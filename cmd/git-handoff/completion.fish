# Completion of git-handoff for fish, as git-handoff and as `git handoff`.
function __git_handoff_candidates
    set -l words (commandline -opc) (commandline -ct)
    while test (count $words) -gt 0; and not string match -q '*handoff' -- $words[1]
        set -e words[1]
    end
    git-handoff complete -- $words[2..-1] 2>/dev/null
end
complete -c git-handoff -f -a '(__git_handoff_candidates)'
complete -c git -n '__fish_seen_subcommand_from handoff' -f -a '(__git_handoff_candidates)'
complete -c git -n __fish_use_subcommand -a handoff -d 'keep the continuation state of unfinished work'
