package gitstore

import (
	"testing"

	"git-handoff/gitstore/handoff"
)

// TestMayRefresh tells one story a row: the document was written at the tip of topic, then something happens.
func TestMayRefresh(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		story func(t *testing.T, dir string) map[string]string
		want  bool
	}{
		"nothing happened": {func(*testing.T, string) map[string]string { return nil }, false},
		"a commit": {func(t *testing.T, dir string) map[string]string {
			commitFile(t, dir, "d", "d\n")
			return nil
		}, true},
		"new evidence": {func(t *testing.T, dir string) map[string]string {
			record(t, open(t, dir), git(t, dir, "rev-parse", "topic~1"), passed("", 1))
			return nil
		}, true},
		"main took half of it": {func(t *testing.T, dir string) map[string]string {
			git(t, dir, "branch", "-f", "main", "topic~1")
			return nil
		}, true},
		"amended here, as post-rewrite tells": {func(t *testing.T, dir string) map[string]string {
			old := git(t, dir, "rev-parse", "HEAD")
			git(t, dir, "commit", "-q", "--amend", "-m", "other words")
			expireReflog(t, dir)
			return map[string]string{old: fakeOID(4), fakeOID(4): git(t, dir, "rev-parse", "HEAD")}
		}, true},
		"amended here, as the reflog tells": {func(t *testing.T, dir string) map[string]string {
			git(t, dir, "commit", "-q", "--amend", "-m", "other words")
			return nil
		}, true},
		"rewritten on another branch": {func(t *testing.T, dir string) map[string]string {
			old := git(t, dir, "rev-parse", "HEAD")
			git(t, dir, "checkout", "-q", "-b", "other")
			git(t, dir, "commit", "-q", "--amend", "-m", "other words")
			git(t, dir, "branch", "-f", "topic", "topic~1")
			expireReflog(t, dir)
			return map[string]string{old: git(t, dir, "rev-parse", "HEAD")}
		}, false},
		"reset here": {func(t *testing.T, dir string) map[string]string {
			git(t, dir, "reset", "-q", "--hard", "HEAD~1")
			return nil
		}, true},
		"reset here, but the upstream has it": {func(t *testing.T, dir string) map[string]string {
			git(t, dir, "remote", "add", "origin", "nowhere")
			git(t, dir, "update-ref", "refs/remotes/origin/work", "HEAD")
			git(t, dir, "config", "branch.topic.remote", "origin")
			git(t, dir, "config", "branch.topic.merge", "refs/heads/work")
			git(t, dir, "config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*")
			git(t, dir, "reset", "-q", "--hard", "HEAD~1")
			return nil
		}, false},
		"reset here, but a remote has it under the same name": {func(t *testing.T, dir string) map[string]string {
			git(t, dir, "update-ref", "refs/remotes/origin/topic", "HEAD")
			git(t, dir, "reset", "-q", "--hard", "HEAD~1")
			return nil
		}, false},
		"another clone is ahead": {func(t *testing.T, dir string) map[string]string {
			git(t, dir, "reset", "-q", "--hard", "HEAD~1")
			expireReflog(t, dir)
			return nil
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, _, _ := topicRepo(t)
			prev := observe(t, dir, "topic", nil)
			rewritten := test.story(t, dir)
			next := observe(t, dir, "topic", &prev)
			got, err := open(t, dir).MayRefresh(t.Context(), "topic", &prev, &next, rewritten)
			if got != test.want || err != nil {
				t.Errorf("may refresh %v, %v; want %v", got, err, test.want)
			}
		})
	}
}

// expireReflog makes the clone one that never had the branch elsewhere.
func expireReflog(t *testing.T, dir string) {
	t.Helper()
	git(t, dir, "reflog", "expire", "--expire=all", "refs/heads/topic")
}

func TestMayRefreshEdges(t *testing.T) {
	t.Parallel()
	dir, _, topic := topicRepo(t)
	r := open(t, dir)
	next := &handoff.Observed{Head: topic[1]}
	for name, test := range map[string]struct {
		prev, next *handoff.Observed
		want       bool
	}{
		"the branch was unborn":     {&handoff.Observed{}, next, true},
		"the branch is gone":        {next, &handoff.Observed{}, false},
		"the old head is not here":  {&handoff.Observed{Head: fakeOID(3)}, next, false},
		"only the list is another":  {&handoff.Observed{Head: topic[1], Commits: 3}, next, false},
		"the evidence is another":   {&handoff.Observed{Head: topic[1], Evidence: &handoff.Evidence{Kind: handoff.Assumed}}, next, true},
		"a recorded head of no use": {&handoff.Observed{Head: "main"}, next, false},
	} {
		got, err := r.MayRefresh(t.Context(), "topic", test.prev, test.next, map[string]string{fakeOID(3): fakeOID(4)})
		if got != test.want || err != nil {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}
