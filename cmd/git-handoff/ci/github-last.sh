# Finds the comment of an earlier run: its number, and the marker that says what it showed.
set -eu
gh api --paginate "repos/$GITHUB_REPOSITORY/issues/$NUMBER/comments?per_page=100" >"$HANDOFF_DIR/answer"
git-handoff ci last-comment --by 'github-actions[bot]' <"$HANDOFF_DIR/answer" >"$HANDOFF_DIR/last"
