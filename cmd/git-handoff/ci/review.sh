# Writes review.md, the comment, and check.txt, what check says of each handoff. A branch without an active handoff
# leaves review.md empty, unless an earlier comment has to be corrected.
set -eu
show() { # FILE: into the log, where no line of it is a command to the runner
  sed 's/##\[/## [/g; s/^/| /' "$1"
}
touch "$HANDOFF_DIR/last"
marker=$(sed -n 2p "$HANDOFF_DIR/last")
status=0
git-handoff review --remote "$REMOTE" --no-fetch --base "$BASE_SHA" --since "$marker" -- "$BRANCH" \
  >"$HANDOFF_DIR/review.md" 2>"$HANDOFF_DIR/said" || status=$?
show "$HANDOFF_DIR/said"
case $status in
0) ;;
3)
  : >"$HANDOFF_DIR/review.md"
  if [ -n "$marker" ]; then
    printf '%s\n%s\n' "$marker" 'This branch has no active handoff any more.' >"$HANDOFF_DIR/review.md"
  fi
  ;;
*) exit "$status" ;;
esac
tracking="refs/handoff-remotes/$REMOTE/heads"
echo 0 >"$HANDOFF_DIR/check.status"
git for-each-ref --format='%(refname)' "$tracking/$BRANCH/" | while read -r ref; do
  name=${ref#"$tracking/"}
  state=$(git log -1 --format='%(trailers:key=Handoff-Status,valueonly,separator=%x2C)' "$ref")
  if [ "${name%/*}" = "$BRANCH" ] && [ "$state" = active ]; then
    echo "git handoff check $name"
    git-handoff check -- "$name" || echo $? >"$HANDOFF_DIR/check.status"
  fi
done >"$HANDOFF_DIR/check.txt" 2>&1
show "$HANDOFF_DIR/check.txt"
