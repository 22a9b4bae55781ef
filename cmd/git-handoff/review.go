package main

import (
	"context"
	"errors"
	"slices"

	"github.com/urfave/cli/v2"

	"git-handoff/gitstore"
	"git-handoff/gitstore/handoff"
	"git-handoff/render"
)

func reviewCommand() *cli.Command {
	return &cli.Command{
		Name:      "review",
		Usage:     "write the comment on a pull request",
		ArgsUsage: "[BRANCH]",
		Description: `Writes, as Markdown, what a reviewer should know of a branch's active handoffs: a verdict, the next
action, what changed and what was dropped, what is uncertain, pending and risky, what check finds, what
drifted, and how far the last known good commit is from the branch's tip. It compares with the version
that --since names (or the whole last comment, by its marker), else with the newest one whose head is in
the base. The same input gives the same bytes; what a host has no room for is left out, and said.

It reads the handoffs that are here. With --remote it fetches those of a remote or of a fork's URL, and
reads these.

Examples:
  git handoff review
  git handoff review feature/login --base origin/main
  git handoff review feature/login --remote https://git.example.com/fork/shop.git
  git handoff review --body | gh pr create --title 'Log in with tokens' --body-file -`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "base", Usage: "what is merged into: `REV`, the merge base with the default branch if not given"},
			&cli.StringSliceFlag{Name: "since", Usage: "compare with `VERSION`, an object id, or what a comment's marker names"},
			&cli.StringFlag{Name: "remote", Usage: "the handoffs of `REMOTE`, a name or a URL"},
			&cli.BoolFlag{Name: "no-fetch", Usage: "with --remote, what was last fetched"},
			&cli.BoolFlag{Name: "body", Usage: "the body of a pull request instead of a comment"},
		},
		Action: review,
	}
}

func review(c *cli.Context) error {
	if c.NArg() > 1 {
		return badUsage("review takes one branch, not %d", c.NArg()).hint("git handoff review -h")
	}
	if c.Bool("no-fetch") && !c.IsSet("remote") {
		return badUsage("--no-fetch is about --remote; without that nothing is fetched").hint("git handoff review -h")
	}
	d, err := open(c)
	if err != nil {
		return err
	}
	defer d.close()
	r := &reviewing{desk: d, remote: c.String("remote")}
	if err := r.locate(c); err != nil {
		return err
	}
	if err := r.compareWith(c.Context, c.String("base"), c.StringSlice("since")); err != nil {
		return err
	}
	view, err := r.view(c.Context)
	if err != nil {
		return err
	}
	if c.Bool("body") {
		return d.print(render.ReviewBody(view), nil)
	}
	return d.print(render.ReviewMarkdown(view), nil)
}

// A reviewing is one review at work: the branch, its handoffs, and what they are compared with.
type reviewing struct {
	*desk
	config *gitstore.Config
	branch string
	// remote is the remote or URL whose handoffs are reviewed, "" for those here.
	remote string
	peer   *gitstore.Peer
	// branches are what the remote said just now that it has; nil where it was not asked.
	branches map[string]string
	// tip is the branch's commit, base that of what is merged into; "" where they are not known.
	tip, base string
	since     []string
	handoffs  []gitstore.Version
}

// locate finds the branch, its active handoffs and its tip.
func (r *reviewing) locate(c *cli.Context) (err error) {
	ctx := c.Context
	if r.config, err = r.repo.Config(ctx); err != nil {
		return err
	}
	if r.branch = c.Args().First(); r.branch == "" {
		if r.branch, err = r.desk.branch(ctx); err != nil {
			return badUsage("HEAD is detached, so no branch is meant").hint("git handoff review BRANCH")
		}
	} else {
		err = badName(handoff.CheckBranch(r.branch))
	}
	if err != nil {
		return err
	}
	if r.remote != "" {
		err = r.ask(ctx, !c.Bool("no-fetch"))
	}
	if err != nil {
		return err
	}
	if r.handoffs, err = r.active(ctx); err != nil {
		return err
	}
	r.tip, err = r.branchTip(ctx)
	return err
}

// ask fetches the remote's handoffs. A remote that was reached before may be out of reach now, which is said.
func (r *reviewing) ask(ctx context.Context, may bool) error {
	peers, err := r.config.Peers(r.remote)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(peers, func(p gitstore.Peer) bool { return p.From != "" })
	if i < 0 {
		return badUsage("nothing can be fetched from %s", r.remote).hint("git remote -v shows what there is")
	}
	r.peer = &peers[i]
	if !may {
		return nil
	}
	fetched, err := r.repo.Fetch(ctx, *r.peer, gitstore.FetchOptions{Branches: true})
	switch {
	case err != nil && r.repo.LastFetch(r.peer.Track).IsZero():
		return err
	case err != nil:
		r.say(err.Error() + "; this is what it had when it was last fetched")
	default:
		r.branches = fetched.Branches
	}
	return nil
}

// active are the branch's active handoffs: the remote's if one is named, else those here, else those that were fetched
// from where the branch is pushed to.
func (r *reviewing) active(ctx context.Context) ([]gitstore.Version, error) {
	own := handoff.Name{Branch: r.branch}
	prefixes := []string{handoff.RefPrefix + r.branch + "/"}
	if p, ok := r.config.BranchPeer(r.branch); ok {
		prefixes = append(prefixes, gitstore.TrackingRef(p.Track, own))
	}
	if r.peer != nil {
		prefixes = []string{gitstore.TrackingRef(r.peer.Track, own)}
	}
	all := 0
	for _, prefix := range prefixes {
		tips, err := r.repo.Tips(ctx, prefix)
		if err != nil {
			return nil, err
		}
		tips = slices.DeleteFunc(tips, func(v gitstore.Version) bool { return v.Name.Branch != r.branch })
		all += len(tips)
		if tips = slices.DeleteFunc(tips, func(v gitstore.Version) bool { return v.Message.Status != handoff.Active }); len(tips) > 0 {
			return tips, nil
		}
	}
	return nil, r.nothing(all)
}

// nothing says that there is nothing to review.
func (r *reviewing) nothing(retired int) error {
	where := "here"
	if r.peer != nil {
		where = "on " + gitstore.PublicURL(r.peer.Remote)
	}
	p := trouble(exitNoHandoff, "branch %s has no active handoff %s", r.branch, where)
	if retired > 0 {
		return p.hint("git handoff list --all shows those that are superseded or archived")
	}
	return p.hint("git handoff save --branch %s --next-action '…' writes one", word(r.branch)).hint("git handoff sync fetches those of a remote")
}

// branchTip is the branch's commit: here, or as the remote has it.
func (r *reviewing) branchTip(ctx context.Context) (string, error) {
	if r.peer == nil {
		tip, err := r.repo.BranchTip(ctx, r.branch)
		if p, ok := r.config.BranchPeer(r.branch); err == nil && tip == "" && ok {
			tip, _ = r.repo.Resolve(ctx, "refs/remotes/"+p.Remote+"/"+r.branch)
		}
		return tip, err
	}
	if tip := r.branches[r.branch]; tip != "" {
		return tip, nil
	}
	tip, err := r.repo.Resolve(ctx, "refs/remotes/"+r.remote+"/"+r.branch)
	if as[*gitstore.GitError](err) {
		return "", nil
	}
	return tip, err
}

// compareWith takes what is compared with: the base, and the versions that were shown before.
func (r *reviewing) compareWith(ctx context.Context, base string, since []string) (err error) {
	for _, s := range since {
		if s == "" {
			continue
		}
		if marked := render.MarkedVersions(s); marked != nil {
			r.since = append(r.since, marked...)
			continue
		}
		oid, err := r.repo.Resolve(ctx, s)
		if err != nil {
			r.say("there is no version " + s + " here; it is not compared with")
			continue
		}
		r.since = append(r.since, oid)
	}
	if base == "" {
		r.base, err = r.forkPoint(ctx)
		return err
	}
	if r.base, err = r.repo.Resolve(ctx, base); err != nil {
		return badUsage("--base %s is no commit here", base).hint("git fetch it, or name another: --base origin/main")
	}
	return nil
}

// forkPoint is the merge base of the branch with the default branch; "" where there is none.
func (r *reviewing) forkPoint(ctx context.Context) (string, error) {
	d, err := r.repo.DefaultBranch(ctx, r.branch)
	if err != nil || r.tip == "" || len(d.Tips()) == 0 || !r.repo.HasCommit(ctx, r.tip) {
		return "", err
	}
	bases, err := r.repo.MergeBases(ctx, r.tip, d.Tips()...)
	if err != nil || len(bases) == 0 {
		return "", err
	}
	return bases[0], nil
}

// before is the version that a handoff is compared with, nil for none, and why it is that one.
func (r *reviewing) before(ctx context.Context, v *gitstore.Version) (*gitstore.Version, string, error) {
	for _, oid := range r.since {
		earlier, err := r.repo.VersionAt(ctx, oid)
		if err != nil {
			continue
		}
		if in, err := r.repo.IsAncestor(ctx, oid, v.OID); err == nil && in {
			earlier.Name = v.Name
			return earlier, "which was shown last", nil
		}
	}
	if r.base == "" {
		return nil, "there is no base to compare with", nil
	}
	history, err := r.repo.History(ctx, v.OID, maxHistory)
	if err != nil {
		return nil, "", err
	}
	var heads []string
	for _, h := range history {
		heads = append(heads, h.Message.Head)
	}
	slices.Sort(heads)
	merged, err := r.repo.Reachable(ctx, slices.Compact(heads), []string{r.base})
	if err != nil {
		return nil, "", err
	}
	for _, h := range history {
		if slices.Contains(merged, h.Message.Head) {
			h.Name = v.Name
			return &h, "the newest whose commits are in the base", nil
		}
	}
	return nil, "this handoff is new: no version of it was saved on the base", nil
}

// maxHistory is how many versions are looked through for one that the base has.
const maxHistory = 2000

// saved is the document as it was saved last.
func (r *reviewing) saved(ctx context.Context, v *gitstore.Version) (*handoff.Document, error) {
	s, err := r.repo.SavedVersion(ctx, v)
	if err != nil {
		return nil, err
	}
	doc, err := r.repo.Document(ctx, s)
	if errors.Is(err, gitstore.ErrNoObject) {
		return r.repo.Document(ctx, v)
	}
	return doc, err
}
