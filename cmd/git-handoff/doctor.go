package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"git-handoff/gitstore"
	"git-handoff/gitstore/handoff"
	"git-handoff/hooks"
)

func doctorCommand() *cli.Command {
	return &cli.Command{
		Name:  "doctor",
		Usage: "find out why something does not work, and say the mend",
		Description: `Looks at git, the hooks, the remotes, the configuration and the stored handoffs. It changes nothing and
does not use the network. It ends with 1 if anything is broken.

Example:
  git handoff doctor`,
		Action: doctor,
	}
}

// An ailment is one thing that is not as it should be. Broken ones make the command fail, the others are advice.
type ailment struct {
	what, mend string
	broken     bool
}

// A checkUp looks at one thing. Its name is printed with what it found.
type checkUp struct {
	name string
	look func(context.Context, *desk, *gitstore.Config) ([]ailment, error)
}

var checkUps = []checkUp{
	{"program", lookAtProgram},
	{"git", lookAtGit},
	{"identity", lookAtIdentity},
	{"configuration", lookAtConfiguration},
	{"hooks", lookAtHooks},
	{"remotes", lookAtRemotes},
	{"handoffs", lookAtHandoffs},
	{"locks", lookAtLocks},
}

func doctor(c *cli.Context) error {
	if c.NArg() > 0 {
		return badUsage("doctor takes no arguments")
	}
	d, err := open(c)
	if err != nil {
		return err
	}
	defer d.close()
	config, err := d.repo.Config(c.Context)
	if err != nil {
		return err
	}
	sick := false
	for _, one := range checkUps {
		found, err := one.look(c.Context, d, config)
		if err != nil {
			found = append(found, ailment{what: err.Error(), mend: "run git fsck", broken: true})
		}
		sick = d.diagnose(one.name, found) || sick
	}
	if sick {
		return silent(exitFailure)
	}
	return nil
}

// diagnose prints what one check-up found, and reports whether anything is broken.
func (d *desk) diagnose(name string, found []ailment) (sick bool) {
	if len(found) == 0 {
		fmt.Fprintf(d.out, "ok      %s\n", name)
	}
	for _, a := range found {
		mark := "advice "
		if a.broken {
			mark, sick = "BROKEN ", true
		}
		fmt.Fprintf(d.out, "%s %s: %s\n", mark, name, oneLine(a.what))
		if a.mend != "" {
			fmt.Fprintf(d.out, "        %s\n", oneLine(a.mend))
		}
	}
	return sick
}

func lookAtProgram(context.Context, *desk, *gitstore.Config) ([]ailment, error) {
	if gitstore.FindProgram("git-handoff") != "" {
		return nil, nil
	}
	return []ailment{{what: "git-handoff is not on PATH, so neither git nor the hooks find it",
		mend: "put the folder that holds it on PATH", broken: true}}, nil
}

func lookAtGit(ctx context.Context, d *desk, _ *gitstore.Config) ([]ailment, error) {
	text, number, err := d.repo.GitVersion(ctx)
	if err != nil {
		return nil, err
	}
	oldest := gitstore.OldestGit
	if number[0] < oldest[0] || number[0] == oldest[0] && number[1] < oldest[1] {
		return []ailment{{what: fmt.Sprintf("%s is older than the %d.%d that is needed", text, oldest[0], oldest[1]),
			mend: "install a newer git", broken: true}}, nil
	}
	return nil, nil
}

func lookAtIdentity(ctx context.Context, d *desk, _ *gitstore.Config) ([]ailment, error) {
	err := d.repo.Identified(ctx)
	if errors.Is(err, gitstore.ErrNoIdentity) {
		return []ailment{{what: gitstore.ErrNoIdentity.Error() + ", so nothing can be saved",
			mend: "git config user.name 'Your Name' && git config user.email you@example.com", broken: true}}, nil
	}
	return nil, err
}

// lookAtConfiguration finds settings of ours that mean nothing, and settings of git's that overwrite or delete handoffs.
func lookAtConfiguration(_ context.Context, _ *desk, config *gitstore.Config) ([]ailment, error) {
	var found []ailment
	for _, w := range config.Warnings {
		found = append(found, ailment{what: w})
	}
	for _, r := range config.Remotes() {
		for _, spec := range config.All("remote." + r.Name + ".fetch") {
			if overwrites(spec) {
				found = append(found, ailment{what: fmt.Sprintf("every git fetch from %s overwrites handoffs here (%s)", r.Name, spec),
					mend: fmt.Sprintf("git config --unset --fixed-value remote.%s.fetch '%s'; git handoff sync brings them instead", r.Name, spec), broken: true})
			}
		}
		if mirrors, err := config.Bool("remote."+r.Name+".mirror", false); err == nil && mirrors {
			found = append(found, ailment{what: fmt.Sprintf("every git push to %s is a mirror: it deletes there what is not here, handoffs too", r.Name),
				mend: fmt.Sprintf("git config --unset remote.%s.mirror, if this is no mirror", r.Name)})
		}
	}
	if ref := config.Get("notes.rewriteref"); strings.HasPrefix(ref, "refs/notes/*") || ref == handoff.NotesRef {
		found = append(found, ailment{what: "notes.rewriteRef copies evidence to commits with other content; it does not count there"})
	}
	return found, nil
}

// overwrites reports whether a fetch refspec writes to where handoffs or evidence live.
func overwrites(spec string) bool {
	_, to, ok := strings.Cut(strings.TrimPrefix(spec, "+"), ":")
	if !ok || strings.HasPrefix(spec, "^") {
		return false
	}
	to = strings.TrimSuffix(to, "*")
	for _, ours := range []string{handoff.RefPrefix, handoff.NotesRef, handoff.ArchivePrefix} {
		if strings.HasPrefix(ours, to) || strings.HasPrefix(to, ours) {
			return true
		}
	}
	return false
}

func lookAtHooks(ctx context.Context, d *desk, _ *gitstore.Config) ([]ailment, error) {
	status := hooks.Reached(ctx, d.repo)
	switch {
	case !status.Installed:
		return []ailment{{what: "not installed: commits refresh no handoff, and pushes bring none along", mend: "git handoff init"}}, nil
	case status.Hint() != "":
		return []ailment{{what: status.Hint(), mend: "git handoff init", broken: true}}, nil
	}
	return nil, nil
}

// manyRefs is how many handoffs a remote may have before every push feels them.
const manyRefs = 1000

func lookAtRemotes(ctx context.Context, d *desk, config *gitstore.Config) ([]ailment, error) {
	var found []ailment
	for _, r := range config.Remotes() {
		if d.repo.LastFetch(r.Name).IsZero() {
			found = append(found, ailment{what: fmt.Sprintf("the handoffs of %s were never fetched", r.Name), mend: "git handoff sync " + word(r.Name)})
			continue
		}
		refs, err := d.repo.Refs(ctx, handoff.TrackingPrefix+gitstore.TrackingKey(r.Name)+"/heads/")
		if err != nil {
			return found, err
		}
		if len(refs) > manyRefs {
			found = append(found, ailment{what: fmt.Sprintf("%s has %d handoffs, which slow every push to it", r.Name, len(refs)),
				mend: "git handoff resolve archives those of merged branches; delete old ones there with git push " + word(r.Name) + " --delete REF"})
		}
		found = append(found, refusals(d, config, r)...)
	}
	return found, nil
}

// refusals are the kinds of refs that the remote was seen to refuse.
func refusals(d *desk, config *gitstore.Config, r gitstore.Remote) []ailment {
	peers, err := config.Peers(r.Name)
	if err != nil {
		return nil
	}
	var found []ailment
	for _, p := range peers {
		if refused := d.repo.RefusedBy(p); len(refused) > 0 {
			found = append(found, ailment{what: fmt.Sprintf("%s refuses %s", r.Name, strings.Join(refused, ", ")),
				mend: "ask its owner to accept refs/handoff/* and refs/notes/handoff, or set handoff.push to off"})
		}
	}
	return found
}

func lookAtHandoffs(ctx context.Context, d *desk, _ *gitstore.Config) ([]ailment, error) {
	var found []ailment
	foreign, err := d.repo.Foreign(ctx)
	if err != nil {
		return nil, err
	}
	for _, ref := range foreign {
		found = append(found, ailment{what: ref + " holds no handoff", mend: "git update-ref -d " + ref + ", if nobody needs it", broken: true})
	}
	tips, err := d.repo.Tips(ctx)
	unread, err := gitstore.UnlessUnread(err)
	if err != nil {
		return found, err
	}
	for i := range tips {
		var one *gitstore.UnreadError
		if _, err := d.repo.Document(ctx, &tips[i]); errors.As(err, &one) {
			unread = append(unread, one)
		}
	}
	for _, one := range unread {
		found = append(found, ailing(d.goBack(ctx, one.Name, one)))
	}
	for _, one := range d.repo.BrokenRefs() {
		found = append(found, ailing(one))
	}
	if _, err := d.repo.Evidence(ctx); as[*gitstore.NotesError](err) {
		found = append(found, ailing(err))
	}
	return found, nil
}

// ailing is what an error that a command would end with says.
func ailing(err error) ailment {
	p := explain(err)[0]
	return ailment{what: p.what, mend: strings.Join(p.hints, "; "), broken: true}
}

func lookAtLocks(_ context.Context, d *desk, _ *gitstore.Config) ([]ailment, error) {
	var found []ailment
	for _, lock := range d.repo.LeftLocks(10 * time.Minute) {
		found = append(found, ailment{what: lock + " was left by a git that died", mend: "rm '" + lock + "', if no git runs here", broken: true})
	}
	return found, nil
}
