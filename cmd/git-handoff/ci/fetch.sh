# Fetches what a review reads, and runs none of it: the last commits of the base and of the branch, the branch's
# handoffs and the evidence. Whatever is named here by others is a value, never a part of a command.
set -eu
if [ -n "${FETCH_TOKEN:-}" ]; then
  # For the fetches of this step alone, and for this host alone; nothing is written down.
  export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0="credential.$FETCH_HOST.helper"
  # shellcheck disable=SC2016 # git's shell expands it
  export GIT_CONFIG_VALUE_0='!f() { test "$1" = get && echo "username=$FETCH_USER" && echo "password=$FETCH_TOKEN"; }; f'
fi
if [ "$REMOTE" != origin ]; then
  git remote add "$REMOTE" "$HEAD_URL"
fi
git fetch --quiet --no-tags --depth="$DEPTH" origin "+$BASE_SHA:refs/remotes/origin/handoff-base"
git fetch --quiet --no-tags --depth="$DEPTH" "$REMOTE" "+$HEAD_SHA:refs/remotes/$REMOTE/$BRANCH"
tracking="refs/handoff-remotes/$REMOTE"
git fetch --quiet --no-tags "$REMOTE" \
  "+refs/handoff/$BRANCH/*:$tracking/heads/$BRANCH/*" \
  "+refs/notes/handoff*:$tracking/notes/handoff*"
