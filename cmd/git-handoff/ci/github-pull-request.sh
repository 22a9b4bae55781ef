# Asks which branch of which repository the pull request is about.
set -eu
gh api "repos/$GITHUB_REPOSITORY/pulls/$NUMBER" >"$HANDOFF_DIR/answer"
git-handoff ci get number=number head_repo=head.repo.full_name head_ref=head.ref head_sha=head.sha base_sha=base.sha \
  <"$HANDOFF_DIR/answer" >>"$GITHUB_OUTPUT"
