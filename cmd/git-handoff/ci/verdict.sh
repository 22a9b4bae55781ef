# Fails where check found something that blocks, if that is asked for.
set -eu
status=$(cat "$HANDOFF_DIR/check.status")
if [ "$status" != 0 ]; then
  echo "git handoff check found something that blocks"
  if [ "${HANDOFF_STRICT:-}" = true ]; then
    exit "$status"
  fi
fi
