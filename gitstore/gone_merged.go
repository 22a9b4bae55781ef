package gitstore

import (
	"context"
	"fmt"
	"strings"

	"git-handoff/gitstore/handoff"
)

// A mergeable is a branch of which it is asked whether its changes are in the default branch.
type mergeable struct {
	name       handoff.Name
	head, base string
	// exact accepts nothing but the commits themselves: the branch is live on a remote, where it may get more.
	exact bool
}

// candidates are the handoffs whose recorded head differs from base and can be looked at. What the branch has here or
// on a remote beyond the recorded head counts: it must be merged too.
func (t *tidying) candidates(ctx context.Context) []mergeable {
	var all []mergeable
	for _, v := range t.active() {
		doc, newer := t.unreadable(ctx, v)
		if newer || doc.Head == "" || doc.Base == "" || doc.Head == doc.Base || v.Name.Branch == t.base.Name {
			continue
		}
		m := mergeable{name: v.Name, head: doc.Head, base: doc.Base}
		if tip := t.survey.branches[v.Name.Branch]; tip != "" {
			m.head = tip
		}
		if ok := t.advertisedMatches(ctx, &m); ok && m.head != m.base && t.repo.HasCommit(ctx, m.head) && t.repo.HasCommit(ctx, m.base) {
			all = append(all, m)
		}
	}
	return all
}

// advertisedMatches reports whether every remote that may have the branch was asked, and has nothing of it that is not
// looked at here.
func (t *tidying) advertisedMatches(ctx context.Context, m *mergeable) bool {
	for _, p := range t.relevant(t.survey, m.name) {
		branches, asked := t.asked[p.Track]
		if !asked {
			return false
		}
		oid, there := branches[m.name.Branch]
		switch {
		case !there:
		case oid == m.head:
			m.exact = true
		default:
			return false
		}
	}
	return true
}

// merged says of the candidates whose changes are in the default branch how they came there. It takes a number of
// children that does not depend on how many there are.
func (t *tidying) merged(ctx context.Context, all []mergeable) (map[handoff.Name]string, error) {
	how := map[handoff.Name]string{}
	tips := t.base.Tips()
	if len(all) == 0 || len(tips) == 0 {
		return how, nil
	}
	lines := newAncestry(t.repo)
	for round := range 2 {
		for _, m := range all {
			for _, tip := range tips {
				if lines.descends(tip, m.head) && round == 1 {
					how[m.name] = "its commits are in " + t.base.Name
				}
			}
		}
		if err := lines.answer(ctx); err != nil {
			return nil, err
		}
	}
	var rest []mergeable
	for _, m := range all {
		if how[m.name] == "" && !m.exact {
			rest = append(rest, m)
		}
	}
	if len(rest) == 0 || t.repo.place.Partial {
		return how, nil
	}
	return how, t.squashed(ctx, rest, how)
}

// squashed finds branches whose changes are in the default branch under other commits: all in one, as a squash merge
// makes it, or one by one, as a rebase does. Commits are the same that have the same patch (git-patch-id(1)).
func (t *tidying) squashed(ctx context.Context, all []mergeable, how map[handoff.Name]string) error {
	own, theirs, err := t.ranges(ctx, all)
	if err != nil || len(theirs) == 0 {
		return err
	}
	wanted := append([]string{}, theirs...)
	squash := map[handoff.Name]string{}
	for _, m := range all {
		oid, err := t.squashOf(ctx, m)
		if err != nil {
			return err
		}
		squash[m.name] = oid
		wanted = append(append(wanted, oid), own[m.name]...)
	}
	if err := t.flush(ctx); err != nil {
		return err
	}
	patches, err := t.repo.patchIDs(ctx, wanted)
	if err != nil {
		return err
	}
	there := map[string]string{}
	for _, c := range theirs {
		if id := patches[c]; id != "" {
			there[id] = c
		}
	}
	for _, m := range all {
		if c, ok := there[patches[squash[m.name]]]; ok {
			how[m.name] = "its changes are in " + t.base.Name + " as commit " + c[:12]
		} else if allThere(own[m.name], patches, there) {
			how[m.name] = "its commits are in " + t.base.Name + ", rebased"
		}
	}
	return nil
}

func allThere(commits []string, patches, there map[string]string) bool {
	for _, c := range commits {
		if _, ok := there[patches[c]]; !ok {
			return false
		}
	}
	return len(commits) > 0
}

// squashOf is a commit, not reachable from anywhere, that does in one what a branch did since its base.
func (t *tidying) squashOf(ctx context.Context, m mergeable) (string, error) {
	tree, err := t.repo.TreeOf(ctx, m.head)
	if err != nil {
		return "", err
	}
	c := commitObject{tree: tree, parents: []string{m.base}, author: Program, committer: Program, message: "squash"}
	return t.repo.writeObject(ctx, "commit", c.encode())
}

// maxPatches is how far back in the default branch a squash merge is looked for.
const maxPatches = 2000

// ranges gives the commits of each branch that the default branch has not, and those of the default branch that none of
// the branches has.
func (t *tidying) ranges(ctx context.Context, all []mergeable) (own map[handoff.Name][]string, theirs []string, err error) {
	tips := t.base.Tips()
	var in strings.Builder
	for _, m := range all {
		in.WriteString(m.head + "\n")
	}
	in.WriteString("^" + strings.Join(tips, "\n^") + "\n")
	out, err := t.repo.gitIn(ctx, []byte(in.String()), "rev-list", "--parents", "--stdin")
	if err != nil {
		return nil, nil, err
	}
	parents := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		parents[f[0]] = f[1:]
	}
	own = map[handoff.Name][]string{}
	in.Reset()
	in.WriteString(strings.Join(tips, "\n") + "\n")
	for _, m := range all {
		own[m.name] = lineOf(m.head, parents)
		in.WriteString("^" + m.head + "\n")
	}
	out, err = t.repo.gitIn(ctx, []byte(in.String()), "rev-list", "--no-merges", fmt.Sprintf("--max-count=%d", maxPatches), "--stdin")
	return own, strings.Fields(string(out)), err
}

// lineOf are the commits that are reached from head, as far as their parents are known, without merges.
func lineOf(head string, parents map[string][]string) []string {
	var line []string
	queue, seen := []string{head}, map[string]bool{head: true}
	for i := 0; i < len(queue); i++ {
		ps, ok := parents[queue[i]]
		if !ok {
			continue
		}
		if len(ps) < 2 {
			line = append(line, queue[i])
		}
		for _, p := range ps {
			if !seen[p] {
				seen[p] = true
				queue = append(queue, p)
			}
		}
	}
	return line
}

// patchIDs gives the patch id of each commit against its first parent; none for a commit without a change.
func (r *Repo) patchIDs(ctx context.Context, commits []string) (map[string]string, error) {
	diffs, err := r.gitIn(ctx, []byte(strings.Join(commits, "\n")+"\n"), "diff-tree", "--stdin", "-p", "-r", "--root", "--no-ext-diff",
		"--no-textconv", "--no-renames", "--full-index")
	if err != nil {
		return nil, err
	}
	out, err := r.gitIn(ctx, diffs, "patch-id", "--stable")
	if err != nil {
		return nil, err
	}
	ids := map[string]string{}
	for line := range strings.Lines(string(out)) {
		if f := strings.Fields(line); len(f) == 2 {
			ids[f[1]] = f[0]
		}
	}
	return ids, nil
}
