package main

import (
	"path/filepath"
	"testing"
)

// manyFiles is a repository of 50,000 files with a handoff that names 200 of them.
const manyFiles = `git init -q repo; cd repo
for d in $(seq 500); do
	mkdir "d$d"
	for f in $(seq 100); do echo "$d $f" >"d$d/f$f"; done
done
git add .; git commit -q -m files
set --
for d in $(seq 200); do set -- "$@" --artifact "d$d/f1"; done
git handoff save --next-action 'go on' "$@" >/dev/null
git status >/dev/null
`

// BenchmarkResume holds resume against git status, which it needs once itself.
func BenchmarkResume(b *testing.B) {
	x := newBench(b)
	x.sh(manyFiles)
	pair{filepath.Join(x.dir, "repo"), fixed("git-handoff", "resume", "--no-fetch", "--no-record"),
		fixed("git", "status", "--porcelain")}.run(b, x.env)
}
