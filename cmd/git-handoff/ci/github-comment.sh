# Updates the comment of an earlier run, or makes the first one.
set -eu
if [ ! -s "$HANDOFF_DIR/review.md" ]; then
  echo "there is no active handoff, so there is nothing to say"
  exit 0
fi
comment=$(sed -n 1p "$HANDOFF_DIR/last")
if [ -n "$comment" ]; then
  gh api --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$comment" -F "body=@$HANDOFF_DIR/review.md" >"$HANDOFF_DIR/answer"
else
  gh api --method POST "repos/$GITHUB_REPOSITORY/issues/$NUMBER/comments" -F "body=@$HANDOFF_DIR/review.md" >"$HANDOFF_DIR/answer"
fi
git-handoff ci get html_url <"$HANDOFF_DIR/answer"
