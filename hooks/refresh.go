package hooks

import (
	"context"
	"errors"
	"slices"

	"git-handoff/gitstore"
	"git-handoff/gitstore/handoff"
)

// raceLimit is how often a hook tries to move a ref that others move, or whose lock somebody left behind. What it gives
// up is refreshed by the next command.
const raceLimit = 4

// A Rewrite maps commits to what a rebase or an amend made of them, by their full ids.
type Rewrite map[string]string

// Refresh brings the observed facts of a branch's active handoffs up to date, as far as this clone may say anything
// about them, and names those that it wrote. A refresh that is on no remote yet is replaced, never stacked. The error
// joins one for each handoff that could not be refreshed; a *handoff.NewerError is one that a newer release wrote.
func Refresh(ctx context.Context, repo *gitstore.Repo, branch string, rewritten Rewrite) ([]handoff.Name, error) {
	rest, canRest := prepareRest(repo, branch)
	tips, err := repo.BranchTips(ctx, branch)
	if err != nil {
		return nil, err
	}
	active := activeOf(tips)
	if len(active) == 0 && canRest {
		if tracked, err := trackedFor(ctx, repo, branch); err == nil && !tracked {
			rest.mark()
		}
	}
	if len(active) > 0 {
		// It is asked for first of all, so it is read while the document is; an error comes again there.
		go repo.Config(ctx)
	}
	if rewritten == nil {
		rewritten = recall(repo)
	}
	var written []handoff.Name
	var failed []error
	for _, v := range active {
		r := &refresh{repo: repo, name: v.Name, rewritten: rewritten}
		if _, err := repo.Edit(ctx, v.Name, r.change(ctx)); err != nil {
			failed = append(failed, &RefreshError{Name: v.Name, Err: err})
		} else if r.wrote {
			written = append(written, v.Name)
			settle(repo, v.Message.Head)
		}
	}
	return written, errors.Join(failed...)
}

// A RefreshError is a handoff that could not be refreshed.
type RefreshError struct {
	Name handoff.Name
	Err  error
}

func (e *RefreshError) Error() string { return e.Name.String() + ": " + e.Err.Error() }

func (e *RefreshError) Unwrap() error { return e.Err }

func activeOf(tips []gitstore.Version) []gitstore.Version {
	return slices.DeleteFunc(slices.Clone(tips), func(v gitstore.Version) bool { return v.Message.Status != handoff.Active })
}

// trackedFor reports whether a remote is known to have handoffs of a branch.
func trackedFor(ctx context.Context, repo *gitstore.Repo, branch string) (bool, error) {
	tips, err := repo.Tips(ctx, handoff.TrackingPrefix)
	return slices.ContainsFunc(tips, func(v gitstore.Version) bool { return v.Name.Branch == branch }), err
}

// A refresh is one attempt after another to refresh one handoff.
type refresh struct {
	repo      *gitstore.Repo
	name      handoff.Name
	rewritten Rewrite
	attempts  int
	wrote     bool
}

var errRace = errors.New("others hold or move its ref")

func (r *refresh) change(ctx context.Context) gitstore.EditFunc {
	return func(prev *gitstore.Version, doc *handoff.Document) (*gitstore.Change, error) {
		r.wrote = false
		if r.attempts++; r.attempts > raceLimit {
			return nil, errRace
		}
		if doc == nil || doc.Status != handoff.Active {
			return nil, nil
		}
		now, err := r.repo.Observe(ctx, r.name.Branch, &doc.Observed)
		if err != nil {
			return nil, err
		}
		may, err := r.repo.MayRefresh(ctx, r.name.Branch, &doc.Observed, &now, r.rewritten)
		if err != nil || !may {
			return nil, err
		}
		replace, err := r.replaceable(ctx, prev)
		if err != nil {
			return nil, err
		}
		r.wrote = true
		next := *doc
		next.Observed = now
		next.Provenance.RefreshedAt = handoff.TimeOf(gitstore.Now())
		next.FitFacts()
		return &gitstore.Change{Doc: &next, Message: handoff.MessageOf(&next, handoff.EventRefresh).By("", ""),
			Replace: replace, Identity: gitstore.AsUserOrProgram}, nil
	}
}

// replaceable reports whether the tip is a refresh that no remote has.
func (r *refresh) replaceable(ctx context.Context, prev *gitstore.Version) (bool, error) {
	if prev.Message.Event != handoff.EventRefresh {
		return false, nil
	}
	published, err := r.repo.Published(ctx, prev)
	return !published, err
}
