# Finds the open pull request whose head is the commit that the first workflow ran for. What that workflow left behind is
# not read: the pull request could have changed it.
set -eu
gh api --method GET "repos/$GITHUB_REPOSITORY/pulls" -f state=open -f per_page=100 -f "head=$HEAD_OWNER:$HEAD_BRANCH" >"$HANDOFF_DIR/answer"
git-handoff ci get --where "head.sha=$HEAD_SHA" --where "head.repo.full_name=$HEAD_REPO" \
  number=number head_repo=head.repo.full_name head_ref=head.ref head_sha=head.sha base_sha=base.sha \
  <"$HANDOFF_DIR/answer" >>"$GITHUB_OUTPUT"
