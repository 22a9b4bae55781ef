# Writes the summary of the job.
set -eu
if [ -s "$HANDOFF_DIR/review.md" ]; then
  cat "$HANDOFF_DIR/review.md" >>"$GITHUB_STEP_SUMMARY"
else
  echo 'This branch has no active handoff.' >>"$GITHUB_STEP_SUMMARY"
fi
