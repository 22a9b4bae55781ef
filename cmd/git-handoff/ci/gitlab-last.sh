# Finds the note of an earlier run: its number, and the marker that says what it showed.
set -eu
: >"$HANDOFF_DIR/last"
if [ -z "${HANDOFF_TOKEN:-}" ]; then
  exit 0
fi
api() {
  printf 'header = "PRIVATE-TOKEN: %s"\n' "$HANDOFF_TOKEN" | curl --config - --fail --silent --show-error "$@"
}
api "$CI_API_V4_URL/user" >"$HANDOFF_DIR/answer"
me=$(git-handoff ci get username <"$HANDOFF_DIR/answer")
: >"$HANDOFF_DIR/notes"
page=1
while [ "$page" -le 100 ]; do
  api "$CI_API_V4_URL/projects/$CI_PROJECT_ID/merge_requests/$NUMBER/notes?sort=asc&order_by=created_at&per_page=100&page=$page" >"$HANDOFF_DIR/answer"
  if [ "$(tr -d ' \n' <"$HANDOFF_DIR/answer")" = '[]' ]; then
    break
  fi
  cat "$HANDOFF_DIR/answer" >>"$HANDOFF_DIR/notes"
  page=$((page + 1))
done
git-handoff ci last-comment --by "$me" <"$HANDOFF_DIR/notes" >"$HANDOFF_DIR/last"
