package main

import (
	"fmt"
	"path/filepath"
	"testing"
)

// The bounds of the hooks: a commit without a handoff at most 1.6 of one with hooks that are shell scripts and do
// nothing, with a handoff 2.5; a rebase of 30 commits 1.1; a push with nothing new 1.2. Among 100,000 refs each takes at
// most 1.3 of what it takes in the small repository; a push and a rebase, which take git itself longer there, are held
// against git.

// hookedRepos makes repositories with hooks of every kind: sh has scripts that do nothing, idle ours and no handoff, and
// busy ours and a handoff. Each is on the branch topic, 30 commits from base-0 and base-1, and has a remote.
const hookedRepos = `
hooked() {
	git init -q "$1" && git init -q --bare "$1.git" && cd "$1" && git remote add origin "../$1.git"
	echo base >base; git add .; git commit -q -m base
	for side in 0 1; do git checkout -q -b "base-$side" main; echo "$side" >side; git add .; git commit -q -m "side $side"; done
	git checkout -q -b topic base-0
	for i in $(seq 30); do echo "$i" >"f$i"; git add .; git commit -q -m "commit $i"; done
	case $2 in
	sh)
		mkdir -p .git/hooks
		for hook in post-commit post-rewrite post-merge post-checkout pre-push; do
			printf '#!/bin/sh\nexit 0\n' >".git/hooks/$hook"; chmod +x ".git/hooks/$hook"
		done ;;
	*) git handoff init >/dev/null 2>&1 ;;
	esac
	if [ "$2" = busy ]; then git handoff save --next-action 'go on' >/dev/null 2>&1; fi
	git push -q origin topic 2>/dev/null
	cd ..
}
mkdir -p "$SIZE"; cd "$SIZE"
for kind in sh idle busy; do hooked $kind $kind; done
`

// manyTags puts 100,000 packed refs into each of them, and waits until the hooks trust what packed-refs says.
const manyTags = `
for kind in sh idle busy; do
	head=$(git -C $kind rev-parse HEAD)
	for i in $(seq 100000); do echo "create refs/tags/t$i $head"; done | git -C $kind update-ref --stdin
	git -C $kind pack-refs --all
done
sleep 4
for kind in idle busy; do git -C $kind commit -q --allow-empty -m 'looked at'; git -C $kind push -q origin topic 2>/dev/null; done
`

// hooked makes the small repositories, and the large ones where refs is set.
func hooked(b *testing.B, refs bool) *bench {
	b.Helper()
	x := newBench(b)
	x.sh("SIZE=small\n" + hookedRepos)
	if refs {
		x.sh("SIZE=large\n" + hookedRepos + manyTags)
	}
	return x
}

// compare runs the same command in two repositories.
func (x *bench) compare(name, ours, theirs string, command func(repo string) func(int) []string) {
	x.Run(name, func(b *testing.B) {
		pair{x.dir, command(ours), command(theirs)}.run(b, x.env)
	})
}

// inRepo is git with words in one of the repositories.
func inRepo(repo string, words ...string) []string {
	return append([]string{"git", "-C", filepath.FromSlash(repo)}, words...)
}

func commits(repo string) func(int) []string {
	return func(n int) []string {
		return inRepo(repo, "commit", "-q", "--allow-empty", "-m", fmt.Sprint("commit ", n))
	}
}

func pushes(repo string) func(int) []string {
	return fixed(inRepo(repo, "push", "-q", "origin", "topic")...)
}

// rebases goes to the other base with every run, so that all 30 commits are made anew.
func rebases(repo string) func(int) []string {
	return func(n int) []string {
		return inRepo(repo, "rebase", "-q", "--onto", fmt.Sprint("base-", (n+1)%2), "topic~30", "topic")
	}
}

func BenchmarkRebase(b *testing.B) {
	x := hooked(b, false)
	x.compare("30", "small/busy", "small/sh", rebases)
}

func BenchmarkPush(b *testing.B) {
	x := hooked(b, false)
	x.compare("nothing-new", "small/busy", "small/sh", pushes)
}

func BenchmarkCommit(b *testing.B) {
	x := hooked(b, false)
	x.compare("without", "small/idle", "small/sh", commits)
	x.compare("with", "small/busy", "small/sh", commits)
}

func BenchmarkManyRefs(b *testing.B) {
	x := hooked(b, true)
	x.compare("push", "large/busy", "large/sh", pushes)
	x.compare("rebase", "large/busy", "large/sh", rebases)
	x.compare("commit-without", "large/idle", "small/idle", commits)
	x.compare("commit-with", "large/busy", "small/busy", commits)
}
