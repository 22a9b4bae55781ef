package gitstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"git-handoff/gitstore/handoff"
)

// A DriftKind is one thing that is compared with the world of now.
type DriftKind string

// The kinds of drift, in the order in which they are reported.
const (
	DriftCommits   DriftKind = "commits"
	DriftFiles     DriftKind = "named_files"
	DriftArtifacts DriftKind = "artifacts"
	DriftKnownGood DriftKind = "last_known_good_commit"
	DriftRemote    DriftKind = "head_on_remote"
	DriftApprovals DriftKind = "approvals"
	DriftClean     DriftKind = "clean_state"
	DriftNewer     DriftKind = "newer_handoff"
)

// DriftState is the outcome of one comparison.
type DriftState string

const (
	DriftFound DriftState = "found"
	DriftNone  DriftState = "none"
	// DriftUnknown could not be looked at, or not all of it.
	DriftUnknown DriftState = "unknown"
)

// A Drift is one comparison and what came of it.
type Drift struct {
	Kind  DriftKind
	State DriftState
	What  string
}

func found(format string, args ...any) Drift {
	return Drift{State: DriftFound, What: fmt.Sprintf(format, args...)}
}

func unknown(format string, args ...any) Drift {
	return Drift{State: DriftUnknown, What: fmt.Sprintf(format, args...)}
}

var noDrift = Drift{State: DriftNone}

// A Probe is a handoff to be compared with the world of now.
type Probe struct {
	Doc *handoff.Document
	// Saved is the document as it was when the brief was saved: the facts of Doc are kept up to date by refreshes and
	// tell nothing about what happened since.
	Saved *handoff.Document
	// Remote is the remote that the branch is pushed to, "" for none. Branches are the branches that it has, as it said
	// just now; nil where it was not asked, and Unasked is why.
	Remote   string
	Branches map[string]string
	Unasked  string
	// Tip is the branch's commit where that is not the one here: of a branch of the same name in a fork. "" is found out.
	Tip string
	// Look is the worktree of now, if the branch is checked out in it, and Clean the outcome of the clean-state checks;
	// nil where nobody looked.
	Look  *Look
	Clean *handoff.Clean
	Now   time.Time
}

// A Comparison is what comparing a handoff with the world of now gave.
type Comparison struct {
	// Drift has one entry for each kind.
	Drift     []Drift
	Artifacts []Artifact
	// Fallback is the last known good commit, if it is here, still in the branch, and not known to fail by now.
	Fallback string
}

// SoonExpiring is how long before it expires an approval counts as expiring soon.
const SoonExpiring = 24 * time.Hour

// Compare compares a handoff with the world of now: the branch, the files, the remote, the clock and the other handoffs.
// It writes nothing and uses no network. However much there is to compare, the number of children is bounded.
func (r *Repo) Compare(ctx context.Context, p Probe) (*Comparison, error) {
	c := &comparison{Probe: p, repo: r}
	if err := c.place(ctx); err != nil {
		return nil, err
	}
	var err error
	if c.artifacts, err = r.artifacts(ctx, p.Doc, c.here, c.tip); err != nil {
		return nil, err
	}
	for _, step := range []struct {
		kind    DriftKind
		compare func(context.Context) (Drift, error)
	}{
		{DriftCommits, c.commits}, {DriftFiles, c.files}, {DriftArtifacts, c.artifactDrift}, {DriftKnownGood, c.knownGood},
		{DriftRemote, c.onRemote}, {DriftApprovals, c.approvals}, {DriftClean, c.cleanState}, {DriftNewer, c.newer},
	} {
		d, err := step.compare(ctx)
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			d = unknown("%s", err)
		}
		d.Kind = step.kind
		c.drift = append(c.drift, d)
	}
	return &Comparison{Drift: c.drift, Artifacts: c.artifacts, Fallback: c.fallback}, nil
}

// comparison is one Compare at work.
type comparison struct {
	Probe
	repo *Repo
	// tip is the branch's commit here, or as it was last fetched; here tells that the branch is checked out in this
	// worktree.
	tip  string
	here bool

	drift     []Drift
	artifacts []Artifact
	fallback  string
}

// place finds the branch: here, else as the remote had it when the branch was last fetched.
func (c *comparison) place(ctx context.Context) error {
	head, err := c.repo.Head(ctx)
	if err != nil {
		return err
	}
	c.here = head.WorkBranch() == c.Doc.Branch && c.repo.place.TopLevel != ""
	if c.Tip != "" {
		c.tip, c.here = c.Tip, c.here && head.OID == c.Tip
		return nil
	}
	if c.tip, err = c.repo.BranchTip(ctx, c.Doc.Branch); err != nil || c.tip != "" || c.here || c.Remote == "" {
		return err
	}
	c.tip, err = c.repo.ref(ctx, "refs/remotes/"+c.Remote+"/"+c.Doc.Branch)
	return err
}

// commits compares the branch with where it was when the brief was saved.
func (c *comparison) commits(ctx context.Context) (Drift, error) {
	head := c.Saved.Head
	switch {
	case c.tip == "" && head == "" && c.here:
		return noDrift, nil
	case c.tip == "":
		return unknown("branch %s is not here", c.Doc.Branch), nil
	case c.tip == head:
		return c.unseenCommits(ctx), nil
	case head == "":
		return found("the branch had no commit at the save; it has some now"), nil
	case !c.repo.HasCommit(ctx, head):
		return unknown("the commit that the branch had at the save is not here"), nil
	}
	lost, gained, err := c.repo.apart(ctx, head, c.tip)
	switch {
	case err != nil:
		return Drift{}, err
	case lost > 0 && c.repo.place.Shallow:
		return unknown("this shallow clone does not tell how the branch differs from %.12s, which it had at the save: git fetch --unshallow", head), nil
	case lost > 0 && gained == 0:
		return found("the branch is %s behind the one that it had at the save, %.12s%s", plural(lost, "commit"), head, c.pullable(ctx, head)), nil
	case lost > 0:
		return found("the branch no longer has the commit that it had at the save, %.12s: %s of it gone, %s new", head, plural(lost, "commit"), plural(gained, "commit")), nil
	}
	return found("%s since the save", plural(gained, "commit")), nil
}

// pullable says that the remote has a commit which the branch here lacks: somebody who has not pulled is no drift of
// the work.
func (c *comparison) pullable(ctx context.Context, head string) string {
	theirs := c.Branches[c.Doc.Branch]
	if theirs == "" || theirs != head && !c.repo.HasCommit(ctx, theirs) {
		return ""
	}
	if in, err := c.repo.IsAncestor(ctx, head, theirs); err != nil || !in {
		return ""
	}
	return "; " + c.Remote + " has it: git pull"
}

// unseenCommits tells what the remote said of commits that are not here.
func (c *comparison) unseenCommits(ctx context.Context) Drift {
	theirs := c.Branches[c.Doc.Branch]
	if theirs != "" && theirs != c.tip && !c.repo.HasCommit(ctx, theirs) {
		return found("%s has commits on %s that are not here: git fetch %s", c.Remote, c.Doc.Branch, c.Remote)
	}
	return noDrift
}

// files names those of the files changed since the save that the handoff speaks of.
func (c *comparison) files(ctx context.Context) (Drift, error) {
	head := c.Saved.Head
	switch {
	case c.tip == head:
		return noDrift, nil
	case c.tip == "" || head == "" || !c.repo.HasCommit(ctx, head):
		return unknown("there is nothing to compare the branch's files with"), nil
	}
	changed, err := c.repo.changedPaths(ctx, head, c.tip)
	if err != nil {
		return Drift{}, err
	}
	named := namedPaths(c.Doc, c.Saved.ChangedFiles.Files)
	changed = slices.DeleteFunc(changed, func(path string) bool { return !named[path] })
	if len(changed) == 0 {
		return noDrift, nil
	}
	return found("changed by commits since the save: %s", someOf(changed)), nil
}

func (c *comparison) artifactDrift(context.Context) (Drift, error) {
	var changed, unsure []string
	for _, a := range c.artifacts {
		name := cmp.Or(a.Item.Ref, a.Item.What)
		switch {
		case a.State == ArtifactChanged, a.State == ArtifactMissing:
			changed = append(changed, name+" is "+string(a.State))
		case a.Why != "":
			unsure = append(unsure, name+" ("+a.Why+")")
		}
	}
	switch {
	case len(changed) > 0:
		return found("%s", someOf(changed)), nil
	case len(unsure) > 0:
		return unknown("%s", someOf(unsure)), nil
	}
	return noDrift, nil
}

// knownGood looks for the last known good commit in the branch.
func (c *comparison) knownGood(ctx context.Context) (Drift, error) {
	good := c.Doc.LastKnownGood
	if good == "" {
		return unknown("none is recorded"), nil
	}
	if d, err := c.stillThere(ctx, good); err != nil || d.State != noDrift.State {
		return d, err
	}
	evidence, err := c.repo.Evidence(ctx)
	if err != nil {
		return Drift{}, err
	}
	if tree, err := c.repo.TreeOf(ctx, good); err == nil && evidence.Failed(tree) {
		return found("a verification of %.12s has failed", good), nil
	}
	c.fallback = good
	return noDrift, nil
}

// stillThere tells whether the branch still has a commit. What a shallow clone, or one that lacks the branch, does not
// show is not called gone.
func (c *comparison) stillThere(ctx context.Context, commit string) (Drift, error) {
	if commit == c.tip {
		return noDrift, nil
	}
	if c.tip == "" || !c.repo.HasCommit(ctx, c.tip) {
		return unknown("branch %s is not here", c.Doc.Branch), nil
	}
	if !c.repo.HasCommit(ctx, commit) {
		if c.repo.place.Shallow {
			return unknown("%.12s is not in this shallow clone: git fetch --unshallow", commit), nil
		}
		return found("%.12s is not here", commit), nil
	}
	in, err := c.repo.IsAncestor(ctx, commit, c.tip)
	switch {
	case err != nil:
		return Drift{}, err
	case in:
		return noDrift, nil
	case c.repo.place.Shallow:
		return unknown("this shallow clone does not tell whether %.12s is in the branch: git fetch --unshallow", commit), nil
	}
	return found("%.12s is no longer in the branch", commit), nil
}

func (c *comparison) approvals(context.Context) (Drift, error) {
	var over, soon []string
	for _, it := range c.Doc.Pending {
		left := it.Expires.Std().Sub(c.Now)
		switch {
		case it.Expires.IsZero():
		case left <= 0:
			over = append(over, it.What+" expired at "+it.Expires.String())
		case left <= SoonExpiring:
			soon = append(soon, it.What+" expires soon, at "+it.Expires.String())
		}
	}
	if all := append(over, soon...); len(all) > 0 {
		return found("%s", someOf(all)), nil
	}
	return noDrift, nil
}
