package main

import (
	"cmp"
	"context"
	"net/url"
	"os"
	"strings"

	"git-handoff/check"
	"git-handoff/gitstore"
	"git-handoff/gitstore/handoff"
	"git-handoff/render"
)

// view gathers what the review says.
func (r *reviewing) view(ctx context.Context) (render.Review, error) {
	view := render.Review{Branch: r.branch, Tip: r.tip, Host: r.host()}
	for _, v := range r.handoffs {
		t, err := r.topic(ctx, &v)
		if err != nil {
			return view, err
		}
		view.Topics = append(view.Topics, t)
	}
	var err error
	view.OnHost, err = r.onHost(ctx, view.Topics)
	return view, err
}

// topic is what is said of one handoff.
func (r *reviewing) topic(ctx context.Context, v *gitstore.Version) (t render.Topic, err error) {
	doc, err := r.repo.Document(ctx, v)
	if err != nil {
		return t, err
	}
	t.View = render.View{Doc: doc, OID: v.OID, When: v.Committer.When, Message: v.Message, Now: gitstore.Now(), BriefCommits: -1}
	if t.Summary, err = r.generatedSummary(ctx, doc); err != nil {
		return t, err
	}
	if doc.Claim != nil {
		t.View.Claim.Who, t.View.Claim.Remote = r.repo.Claimant(ctx, v, *doc.Claim)
	}
	if t.Behind, t.Rewritten, err = r.beyond(ctx, doc.Head); err != nil {
		return t, err
	}
	if t.Beyond, t.Lost, err = r.beyond(ctx, doc.LastKnownGood); err != nil {
		return t, err
	}
	for _, g := range doc.Gates() {
		t.Wait = append(t.Wait, gateReason(g, gitstore.Now()))
	}
	if err := r.changes(ctx, v, &t); err != nil {
		return t, err
	}
	r.examine(ctx, v, &t)
	t.Drift, err = r.drift(ctx, v, doc)
	return t, err
}

// beyond counts the commits that the branch has since a commit, negative where that is not known; gone tells that the
// branch does not have the commit any more. In a shallow clone, what is not seen to be there is not called gone.
func (r *reviewing) beyond(ctx context.Context, commit string) (n int, gone bool, err error) {
	if commit != "" && commit == r.tip {
		return 0, false, nil
	}
	if commit == "" || r.tip == "" || !r.repo.HasCommit(ctx, commit) || !r.repo.HasCommit(ctx, r.tip) {
		return -1, false, nil
	}
	in, err := r.repo.IsAncestor(ctx, commit, r.tip)
	if err != nil || !in {
		return -1, !in && !r.repo.Place().Shallow, err
	}
	n, err = r.repo.Distance(ctx, commit, r.tip)
	return n, false, err
}

// changes compares with the version that was shown before, or that the base knows.
func (r *reviewing) changes(ctx context.Context, v *gitstore.Version, t *render.Topic) error {
	before, why, err := r.before(ctx, v)
	if t.SinceWhy = why; err != nil || before == nil {
		return err
	}
	from, err := r.side(ctx, before)
	if err == nil {
		t.Since = &render.Comparison{Difference: handoff.Diff(from.doc, t.Doc), From: from.End}
	}
	return err
}

// examine applies the rules of check to the document. Whether an artifact is there is the drift's to say, where the
// clone is too small to tell, or the handoff is another repository's.
func (r *reviewing) examine(ctx context.Context, v *gitstore.Version, t *render.Topic) {
	k := &checking{desk: r.desk, config: r.config, name: v.Name, version: v, doc: t.Doc}
	subject := k.subject(ctx)
	if r.peer != nil || r.repo.Place().Shallow {
		subject.Missing = nil
	}
	for _, i := range check.Document(subject) {
		t.Findings = append(t.Findings, render.Finding{Rule: i.Rule, Place: i.Place, What: i.What, Severity: i.Severity, Mend: i.Mend})
	}
	t.Checked, t.Completeness = true, check.Completeness(t.Doc).Total
}

// drift compares with the world of now. What only a worktree of the branch could tell is left out where there is none:
// whoever reads a comment is in none.
func (r *reviewing) drift(ctx context.Context, v *gitstore.Version, doc *handoff.Document) ([]render.Drift, error) {
	saved, err := r.saved(ctx, v)
	if err != nil {
		return nil, err
	}
	probe := gitstore.Probe{Doc: doc, Saved: saved, Remote: r.remoteName(), Branches: r.branches, Tip: r.tip,
		Unasked: "no remote was asked", Now: gitstore.Now()}
	compared, err := r.repo.Compare(ctx, probe)
	if err != nil {
		return nil, err
	}
	var all []render.Drift
	for _, d := range compared.Drift {
		if d.Kind == gitstore.DriftClean && d.State == gitstore.DriftUnknown {
			continue
		}
		all = append(all, render.Drift{Kind: string(d.Kind), State: render.DriftState(d.State), What: d.What})
	}
	return all, nil
}

// remoteName is the remote that the handoffs are on: the one that is reviewed, else the one that the branch is pushed to.
func (r *reviewing) remoteName() string {
	if r.remote != "" {
		return r.remote
	}
	return r.config.PushRemote(r.branch)
}

// host makes the links, by the URL of the remote: as git rewrites it, else as it is written.
func (r *reviewing) host() render.Host {
	name, known := r.remoteName(), runnerHost(os.Getenv)
	for _, m := range r.config.Remotes() {
		if m.Name == name && len(m.URLs) > 0 {
			return cmp.Or(render.HostOf(r.config.FetchURL(m), known), render.HostOf(m.URLs[0], known))
		}
	}
	return render.HostOf(name, known)
}

// runnerHost is the kind of host that this runs on, if it is the runner of one: a company's own host need not be named
// after its software.
func runnerHost(env func(string) string) map[string]render.HostKind {
	known := map[string]render.HostKind{}
	add := func(address string, kind render.HostKind) {
		if u, err := url.Parse(address); err == nil && u.Hostname() != "" {
			known[strings.ToLower(u.Hostname())] = kind
		}
	}
	add(env("CI_SERVER_URL"), render.GitLab)
	// Gitea and Forgejo set GitHub's variables too.
	if env("GITEA_ACTIONS") != "" || env("FORGEJO_ACTIONS") != "" {
		add(env("GITHUB_SERVER_URL"), render.Gitea)
	} else {
		add(env("GITHUB_SERVER_URL"), render.GitHub)
	}
	return known
}

// onHost are the versions and commits that the remote is known to have, as far as it was asked or fetched from.
func (r *reviewing) onHost(ctx context.Context, topics []render.Topic) (map[string]bool, error) {
	there := map[string]bool{}
	remote := r.remoteName()
	if remote == "" {
		return there, nil
	}
	commits := []string{r.tip}
	for _, t := range topics {
		if err := r.publishedVersions(ctx, remote, t, there); err != nil {
			return nil, err
		}
		commits = append(commits, t.Doc.LastKnownGood, t.Doc.Head)
		for _, a := range t.Doc.Artifacts {
			commits = append(commits, a.Ref)
		}
	}
	reached, err := r.repo.Reachable(ctx, commits, r.remoteTips(ctx, remote))
	for _, oid := range reached {
		there[oid] = true
	}
	return there, err
}

// publishedVersions adds the versions of a topic that a remote has.
func (r *reviewing) publishedVersions(ctx context.Context, remote string, t render.Topic, there map[string]bool) error {
	track := remote
	if r.peer != nil {
		track = r.peer.Track
	}
	tracked, err := r.repo.TipOf(ctx, gitstore.TrackingRef(track, t.Doc.Name()))
	if err != nil {
		return nil // a handoff that is on no remote is not linked
	}
	versions := []string{t.OID}
	if t.Since != nil {
		versions = append(versions, t.Since.From.OID)
	}
	for _, oid := range versions {
		in, err := r.repo.IsAncestor(ctx, oid, tracked.OID)
		if err != nil {
			return err
		}
		there[oid] = in
	}
	return nil
}

// remoteTips are commits that a remote has: those of the branch and of the default branch.
func (r *reviewing) remoteTips(ctx context.Context, remote string) []string {
	var tips []string
	refs := []string{"refs/remotes/" + remote + "/" + r.branch}
	if d, err := r.repo.DefaultBranch(ctx, r.branch); err == nil && d.Name != "" {
		refs = append(refs, "refs/remotes/"+remote+"/"+d.Name)
	}
	for _, ref := range refs {
		if oid, err := r.repo.Resolve(ctx, ref); err == nil {
			tips = append(tips, oid)
		}
	}
	if oid := r.branches[r.branch]; oid != "" && r.repo.HasCommit(ctx, oid) {
		tips = append(tips, oid)
	}
	return tips
}
