package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"git-handoff/check/secrets"
	"git-handoff/gitstore"
	"git-handoff/gitstore/handoff"
	"git-handoff/render"
)

// view is a document with what git knows around it: how old the brief is, and which remotes have it.
func (d *desk) view(ctx context.Context, name handoff.Name, v *gitstore.Version, doc *handoff.Document) (render.View, error) {
	view := render.View{Doc: doc, OID: v.OID, When: v.Committer.When, Message: signedMessage(v), Now: gitstore.Now(), BriefCommits: -1}
	var err error
	if view.BriefAt, view.BriefCommits, err = d.briefAge(ctx, v, doc); err != nil {
		return view, err
	}
	if view.Summary, err = d.generatedSummary(ctx, doc); err != nil {
		return view, err
	}
	if doc.Claim != nil {
		view.Claim.Who, view.Claim.Remote = d.repo.Claimant(ctx, v, *doc.Claim)
	}
	if chain, ended := d.repo.Successors(ctx, v); len(chain) > 0 {
		view.Instead, view.Ended = chain[len(chain)-1].String(), ended
	}
	standings, err := d.repo.Standings(ctx, name, v.OID)
	for _, s := range standings {
		view.Remotes = append(view.Remotes, remoteOf(s))
	}
	return view, err
}

// generatedSummary is what the commits say was done, "" where the author said it. Their subjects may hold secrets.
func (d *desk) generatedSummary(ctx context.Context, doc *handoff.Document) (string, error) {
	if doc.Summary != "" {
		return "", nil
	}
	made, err := d.repo.GeneratedSummary(ctx, &doc.Observed)
	made, _ = secrets.Mask(made, nil)
	return made, err
}

// briefAge finds the version in which the next action was written as it is, and counts the branch's commits since.
func (d *desk) briefAge(ctx context.Context, v *gitstore.Version, doc *handoff.Document) (at time.Time, commits int, err error) {
	written, err := d.written(ctx, v)
	if err != nil {
		return at, -1, err
	}
	at = written.Committer.When
	from := written.Message.Head
	tip, err := d.repo.BranchTip(ctx, doc.Branch)
	if err != nil || tip == "" || from == "" || !d.repo.HasCommit(ctx, from) {
		return at, -1, err
	}
	if from == tip {
		return at, 0, nil
	}
	commits, err = d.repo.Distance(ctx, from, tip)
	return at, commits, err
}

// written is the oldest of the newest versions that all have the same next action.
func (d *desk) written(ctx context.Context, v *gitstore.Version) (*gitstore.Version, error) {
	const farEnough = 200
	oldest := v
	for range farEnough {
		if len(oldest.Parents) == 0 {
			return oldest, nil
		}
		before, err := d.repo.VersionAt(ctx, oldest.Parents[0])
		if errors.Is(err, gitstore.ErrNoObject) {
			return oldest, nil
		}
		if err != nil {
			return nil, err
		}
		if before.Message.Next != v.Message.Next || before.Message.Status != v.Message.Status {
			return oldest, nil
		}
		oldest = before
	}
	return oldest, nil
}

func remoteOf(s gitstore.Standing) render.Remote {
	r := render.Remote{Name: s.Remote, Ahead: s.Ahead, Behind: s.Behind}
	switch {
	case s.OID == "" && s.Fetched.IsZero():
		r.State = render.Unfetched
	case s.OID == "":
		r.State = render.NotPushed
	case s.Ahead > 0 && s.Behind > 0:
		r.State = render.Diverged
	case s.Ahead > 0:
		r.State = render.Ahead
	case s.Behind > 0:
		r.State = render.Behind
	default:
		r.State = render.There
	}
	return r
}

// whereabouts is where a version is, for the last line of a save.
func (d *desk) whereabouts(ctx context.Context, name handoff.Name, oid string) string {
	standings, err := d.repo.Standings(ctx, name, oid)
	if err != nil {
		return ""
	}
	var b strings.Builder
	for _, s := range standings {
		state := "not pushed"
		if s.There() {
			state = "there"
		}
		b.WriteString("; " + s.Remote + ": " + state)
	}
	return b.String()
}

// versionAt is an older version of a handoff: ~N counts first parents back from the tip, anything else is an object id
// or the beginning of one.
func (d *desk) versionAt(ctx context.Context, tip *gitstore.Version, at string) (*gitstore.Version, error) {
	back, counted := strings.CutPrefix(at, "~")
	if !counted {
		oid, err := d.repo.Resolve(ctx, at)
		if err != nil {
			return nil, trouble(exitNoHandoff, "there is no version %s here", at).hint("git handoff log --all %s lists the versions", word(tip.Name))
		}
		v, err := d.repo.VersionAt(ctx, oid)
		if err == nil {
			_, err = d.repo.Raw(ctx, oid)
		}
		if err != nil {
			return nil, trouble(exitNoHandoff, "%s is no version of a handoff", at).hint("git handoff log --all %s lists the versions", word(tip.Name))
		}
		v.Name = tip.Name
		return v, nil
	}
	n, err := strconv.Atoi(back)
	if back == "" {
		n, err = 1, nil
	}
	if err != nil || n < 0 {
		return nil, badUsage("--at %s is no version", at).hint("write ~2 for the one before the last, or an object id that git handoff log shows")
	}
	return d.ancestor(ctx, tip, n)
}

// goBack adds to an error about a tip that is damaged, or not here, how to go on from the version before it. Nothing else
// can write such a handoff again: what cannot be read is never overwritten.
func (d *desk) goBack(ctx context.Context, name handoff.Name, err error) error {
	var unread *gitstore.UnreadError
	if !errors.As(err, &unread) || !as[*handoff.CorruptError](err) && !errors.Is(err, gitstore.ErrNoObject) {
		return err
	}
	ref := word(name.Ref())
	tip, failed := d.repo.Tip(ctx, name)
	switch {
	case errors.Is(failed, gitstore.ErrNoObject) && unread.Name == name:
		return withHint(err, "git update-ref -d "+ref+" "+unread.OID+" gives it up, git handoff sync fetches what a remote has of it")
	case failed != nil || tip.OID != unread.OID:
		return err
	case len(tip.Parents) == 0:
		return withHint(err, "git update-ref -d "+ref+" "+tip.OID+" gives it up")
	}
	return withHint(err, "git update-ref "+ref+" "+tip.Parents[0]+" "+tip.OID+" goes back to the version before")
}

func (d *desk) ancestor(ctx context.Context, tip *gitstore.Version, n int) (*gitstore.Version, error) {
	v := tip
	for range n {
		if len(v.Parents) == 0 {
			return nil, trouble(exitNoHandoff, "%s has no version ~%d", tip.Name, n).hint("git handoff log --all %s lists the versions", word(tip.Name))
		}
		parent, err := d.repo.VersionAt(ctx, v.Parents[0])
		if err != nil {
			return nil, err
		}
		parent.Name = tip.Name
		v = parent
	}
	return v, nil
}

// fetched is a remote's version as it was last fetched.
func (d *desk) fetched(ctx context.Context, arg, branch, remote string) (handoff.Name, *gitstore.Version, error) {
	wanted, err := d.candidates(ctx, arg, branch)
	if err != nil {
		return handoff.Name{}, nil, err
	}
	for _, name := range wanted.all() {
		v, err := d.repo.TipOf(ctx, gitstore.TrackingRef(remote, name))
		if err == nil {
			v.Name = name
			return name, v, nil
		}
	}
	if config, err := d.repo.Config(ctx); err == nil && !hasRemote(config, remote) {
		return handoff.Name{}, nil, badUsage("there is no remote %s", remote).hint("git remote -v lists them")
	}
	if d.repo.LastFetch(remote).IsZero() {
		return handoff.Name{}, nil, trouble(exitUnknown, "the handoffs of %s were never fetched", remote).hint("git handoff sync %s", word(remote))
	}
	return handoff.Name{}, nil, trouble(exitNoHandoff, "%s had no handoff %s when it was last fetched", remote, arg).hint("git handoff list --all")
}

// elsewhere is the fetched version of a handoff that is not here, if any remote has one.
func (d *desk) elsewhere(ctx context.Context, arg, branch string) (handoff.Name, *gitstore.Version, string) {
	config, err := d.repo.Config(ctx)
	if err != nil {
		return handoff.Name{}, nil, ""
	}
	for _, r := range config.Remotes() {
		if name, v, err := d.fetched(ctx, arg, branch, r.Name); err == nil {
			return name, v, r.Name
		}
	}
	return handoff.Name{}, nil, ""
}

// all are the readings as names: a branch is read with the default topic.
func (c candidates) all() []handoff.Name {
	names := c.names
	for _, b := range c.branches {
		names = append(names, handoff.Name{Branch: b, Topic: handoff.DefaultTopic})
	}
	return names
}

// writeWhole writes a file so that readers see the old or the new one.
func writeWhole(path string, data []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".handoff-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	if _, err := tmp.Write(data); err != nil {
		tmp.Close()
		return err
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	if err := os.Chmod(tmp.Name(), 0o644); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

// folderName makes a text fit to be the name of one folder; "" where nothing is left of it.
func folderName(s string) string {
	clean := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-", r) {
			return r
		}
		return '-'
	}, s)
	clean = strings.Trim(clean, ".-")
	return clean[:min(len(clean), 100)]
}

func hasRemote(config *gitstore.Config, name string) bool {
	return slices.ContainsFunc(config.Remotes(), func(r gitstore.Remote) bool { return r.Name == name })
}
