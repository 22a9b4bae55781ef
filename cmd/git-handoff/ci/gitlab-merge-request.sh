# Says which branch of which project the merge request is about, in a file of shell variables. In a pipeline of a merge
# request GitLab tells; in one that was started by hand, with HANDOFF_MERGE_REQUEST, its API does.
set -eu
mkdir -p "$HANDOFF_DIR"
api() {
  printf 'header = "PRIVATE-TOKEN: %s"\n' "${HANDOFF_TOKEN:-}" | curl --config - --fail --silent --show-error "$@"
}
variable() { # NAME VALUE: one line that any shell reads back as it is
  printf "%s='%s'\n" "$1" "$(printf '%s' "$2" | sed "s/'/'\\\\''/g")" >>"$HANDOFF_DIR/request"
}
: >"$HANDOFF_DIR/request"
if [ -n "${CI_MERGE_REQUEST_IID:-}" ]; then
  number=$CI_MERGE_REQUEST_IID branch=$CI_MERGE_REQUEST_SOURCE_BRANCH_NAME base=$CI_MERGE_REQUEST_DIFF_BASE_SHA
  head=${CI_MERGE_REQUEST_SOURCE_BRANCH_SHA:-$CI_COMMIT_SHA} project=$CI_MERGE_REQUEST_SOURCE_PROJECT_ID
  address=$CI_MERGE_REQUEST_SOURCE_PROJECT_URL.git
else
  api "$CI_API_V4_URL/projects/$CI_PROJECT_ID/merge_requests/$HANDOFF_MERGE_REQUEST" >"$HANDOFF_DIR/answer"
  field() { git-handoff ci get "$1" <"$HANDOFF_DIR/answer"; }
  number=$(field iid) branch=$(field source_branch) head=$(field sha) base=$(field diff_refs.base_sha) project=$(field source_project_id)
  api "$CI_API_V4_URL/projects/$project" >"$HANDOFF_DIR/answer"
  address=$(field http_url_to_repo)
fi
remote=origin
if [ "$project" != "$CI_PROJECT_ID" ]; then
  remote=fork
fi
variable NUMBER "$number"
variable REMOTE "$remote"
variable HEAD_URL "$address"
variable BRANCH "$branch"
variable HEAD_SHA "$head"
variable BASE_SHA "$base"
