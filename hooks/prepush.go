package hooks

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"git-handoff/check/secrets"
	"git-handoff/gitstore"
	"git-handoff/gitstore/handoff"
)

// prePush refreshes the handoffs of the branches that are pushed, and brings them along. Our own pushes, those that
// carry handoffs themselves, and those with nothing to send are none of its business.
func (e *event) prePush(ctx context.Context) Outcome {
	if os.Getenv(gitstore.PushMarker) != "" {
		return Outcome{}
	}
	all, err := readPush(e.stdin)
	if err != nil || len(all) == 0 || carriesHandoffs(all) {
		return Outcome{}
	}
	e.restAll(ctx)
	push := e.travelling(ctx, all)
	if len(push.Branches) == 0 {
		return Outcome{}
	}
	refreshed := e.refresh(ctx, nil, push.Branches...)
	out := e.publish(ctx, all, push)
	out.Line = oneOf(out.Line, refreshed.Line)
	return out
}

func oneOf(lines ...string) string {
	return strings.Join(slices.DeleteFunc(lines, func(s string) bool { return s == "" }), "; ")
}

// carriesHandoffs reports whether the user pushes handoffs, or everything: a push of ours beside it would fail his.
func carriesHandoffs(all []pushed) bool {
	return slices.ContainsFunc(all, func(p pushed) bool {
		return strings.HasPrefix(p.remoteRef, handoff.RefPrefix) || strings.HasPrefix(p.remoteRef, handoff.ArchivePrefix) ||
			p.remoteRef == handoff.NotesRef
	})
}

// travelling are the branches that become branches on the remote, whatever their names there, and their commits.
func (e *event) travelling(ctx context.Context, all []pushed) gitstore.Push {
	var push gitstore.Push
	for _, p := range all {
		branch, ok := strings.CutPrefix(p.localRef, "refs/heads/")
		if p.localRef == "HEAD" {
			branch, ok = e.branch(ctx), true
		}
		if !ok || branch == "" || zeros(p.localOID) || !strings.HasPrefix(p.remoteRef, "refs/heads/") {
			continue
		}
		if !slices.Contains(push.Branches, branch) {
			push.Branches = append(push.Branches, branch)
		}
		push.Commits = append(push.Commits, p.localOID)
	}
	return push
}

// zeros reports whether an id stands for none.
func zeros(oid string) bool { return strings.Trim(oid, "0") == "" }

// publish pushes the handoffs before git pushes the branches.
func (e *event) publish(ctx context.Context, all []pushed, push gitstore.Push) Outcome {
	config, err := e.repo.Config(ctx)
	if err != nil {
		return Outcome{Line: "handoffs were not pushed: " + firstLine(err)}
	}
	if config.Push == gitstore.PushOff || e.doomed(ctx, all) || dryRun() {
		return Outcome{}
	}
	if push.Peer, err = config.PushPeer(e.arg(0), e.arg(1)); err != nil {
		return Outcome{Line: "handoffs were not pushed: " + firstLine(err)}
	}
	if config.Push == gitstore.PushWarn {
		return e.warn(ctx, push)
	}
	// However often others are faster: this long, and no longer.
	ctx, cancel := context.WithTimeout(ctx, config.PushTimeout+config.FetchTimeout)
	defer cancel()
	journey, err := e.repo.Publish(ctx, push, gitstore.TravelOptions{
		Scan: Scan(config), Refresh: Refresher(e.repo), Unasked: config.Push != gitstore.PushRequired,
	})
	out := Outcome{Line: oneOf(e.firstPush(journey), stayed(journey, err))}
	if config.Push == gitstore.PushRequired && (err != nil || len(journey.Withheld) > 0) {
		out.Line += "; handoff.push is required, so the push is stopped"
		out.Status = StatusBlock
	}
	return out
}

// Refresher refreshes the branches that a journey asks for.
func Refresher(repo *gitstore.Repo) func(context.Context, []string) error {
	return func(ctx context.Context, branches []string) error {
		var failed []error
		for _, b := range branches {
			_, err := Refresh(ctx, repo, b, nil)
			failed = append(failed, err)
		}
		return errors.Join(failed...)
	}
}

// doomed reports whether the remote is about to reject the push: it has a commit that is not here.
func (e *event) doomed(ctx context.Context, all []pushed) bool {
	return slices.ContainsFunc(all, func(p pushed) bool { return !zeros(p.remoteOID) && !e.repo.HasObject(ctx, p.remoteOID) })
}

// Scan finds what must not be pushed: the rules of the secrets in a text that the configuration does not allow. It is
// nil where handoff.secrets is off.
func Scan(config *gitstore.Config) func([]byte) []string {
	if !config.Secrets {
		return nil
	}
	return func(text []byte) []string {
		var rules []string
		for _, hit := range secrets.Find(string(text)) {
			if !slices.Contains(config.AllowSecret, hit.Fingerprint) && !slices.Contains(rules, hit.Rule) {
				rules = append(rules, hit.Rule)
			}
		}
		return rules
	}
}

// warn says which handoffs the remote lacks, and pushes none.
func (e *event) warn(ctx context.Context, push gitstore.Push) Outcome {
	pending, err := e.repo.Pending(ctx, push)
	if err != nil || len(pending) == 0 {
		return Outcome{}
	}
	return Outcome{Line: fmt.Sprintf("%s not pushed to %s; git handoff sync %s pushes", named(pending), push.Peer.Remote, push.Peer.Remote)}
}

// firstPush says, once for each remote, what automatic pushes publish.
func (e *event) firstPush(j *gitstore.Journey) string {
	names := j.Brought()
	if len(names) == 0 || e.repo.Told(j.Peer) {
		return ""
	}
	e.repo.SetTold(j.Peer)
	return fmt.Sprintf("pushed %s to %s, where whoever can read the repository can read it, and later versions with every push; git config handoff.push off ends that",
		named(names), gitstore.PublicURL(j.Peer.URL))
}

// stayed is one line about what did not reach the remote; what was said before is not said again.
func stayed(j *gitstore.Journey, err error) string {
	if err != nil {
		return "handoffs were not pushed: " + firstLine(err)
	}
	var lines []string
	for _, w := range j.Withheld {
		if w.Known {
			continue
		}
		what := w.Ref
		if !w.Name.IsZero() {
			what = w.Name.String()
		}
		lines = append(lines, what+" was not pushed: "+whyWithheld(j, w))
	}
	const shown = 3
	if len(lines) > shown {
		lines = append(lines[:shown], fmt.Sprintf("and %d more; git handoff list shows them", len(lines)-shown))
	}
	return strings.Join(lines, "; ")
}

// whyWithheld says why a handoff did not reach the remote. One that a newer release wrote there has not just diverged.
func whyWithheld(j *gitstore.Journey, w gitstore.Withheld) string {
	var newer *handoff.NewerError
	for _, s := range j.Settled {
		if s.Name == w.Name && errors.As(s.Err, &newer) {
			return "a newer release of git-handoff wrote the version there"
		}
	}
	return w.Why
}

// named lists handoffs in a sentence.
func named(names []handoff.Name) string {
	const shown = 3
	var words []string
	for _, n := range names[:min(shown, len(names))] {
		words = append(words, n.String())
	}
	if more := len(names) - shown; more > 0 {
		words = append(words, fmt.Sprintf("%d more", more))
	}
	return strings.Join(words, ", ")
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
