# Builds git-handoff, unless the runner has it: from one commit, named by its full id, of the repository that is named
# beside it.
set -eu
if ! command -v git-handoff >/dev/null 2>&1; then
  case "$GIT_HANDOFF_SOURCE" in
  '') echo "set the variables GIT_HANDOFF_SOURCE (a URL) and GIT_HANDOFF_COMMIT (a full commit id), or install git-handoff on the runner" >&2; exit 1 ;;
  -*) echo "GIT_HANDOFF_SOURCE is no URL: $GIT_HANDOFF_SOURCE" >&2; exit 1 ;;
  esac
  if ! printf '%s\n' "$GIT_HANDOFF_COMMIT" | grep -Eqx '[0-9a-f]{40}|[0-9a-f]{64}'; then
    echo "GIT_HANDOFF_COMMIT has to be a full commit id, not '$GIT_HANDOFF_COMMIT'" >&2
    exit 1
  fi
  git init --quiet "$HANDOFF_DIR/source"
  cd "$HANDOFF_DIR/source"
  git fetch --quiet --depth=1 --no-tags "$GIT_HANDOFF_SOURCE" "$GIT_HANDOFF_COMMIT"
  git checkout --quiet --detach "$GIT_HANDOFF_COMMIT"
  CGO_ENABLED=0 go build -trimpath -tags urfave_cli_no_docs -o "$HANDOFF_DIR/bin/git-handoff" ./cmd/git-handoff
  PATH="$HANDOFF_DIR/bin:$PATH"
fi
git-handoff --version
