# Updates the note of an earlier run, or makes the first one.
set -eu
if [ ! -s "$HANDOFF_DIR/review.md" ]; then
  echo "there is no active handoff, so there is nothing to say"
  exit 0
fi
if [ -z "${HANDOFF_TOKEN:-}" ]; then
  echo "HANDOFF_TOKEN is not set here, so the merge request gets no note; the review is among the job's artifacts"
  exit 0
fi
api() {
  printf 'header = "PRIVATE-TOKEN: %s"\n' "$HANDOFF_TOKEN" | curl --config - --fail --silent --show-error "$@"
}
notes="$CI_API_V4_URL/projects/$CI_PROJECT_ID/merge_requests/$NUMBER/notes"
note=$(sed -n 1p "$HANDOFF_DIR/last")
if [ -n "$note" ]; then
  api --request PUT --data-urlencode "body@$HANDOFF_DIR/review.md" "$notes/$note" >"$HANDOFF_DIR/answer"
else
  api --request POST --data-urlencode "body@$HANDOFF_DIR/review.md" "$notes" >"$HANDOFF_DIR/answer"
fi
git-handoff ci get id <"$HANDOFF_DIR/answer"
