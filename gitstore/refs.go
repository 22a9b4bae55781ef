package gitstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
)

var (
	// ErrRefMoved is a ref that did not have the expected value: somebody else was faster.
	ErrRefMoved = errors.New("the ref has moved meanwhile")
	// ErrRefLocked is a ref that another process holds, or whose lock a crash left behind.
	ErrRefLocked = errors.New("the ref is locked")
)

// A ConflictDF is a ref that cannot exist beside another: one name would have to be a file and a directory.
type ConflictDF struct {
	// Ref was to be created, Blocking exists (or was to be created by the same transaction).
	Ref, Blocking string
}

func (e *ConflictDF) Error() string {
	return fmt.Sprintf("%s cannot exist beside %s", e.Ref, e.Blocking)
}

// A RefChange moves one ref. With Old "" the ref must not exist; with New "" it is deleted.
type RefChange struct{ Ref, Old, New string }

// UpdateRefs makes all changes or none, in one git transaction that leaves a line with why in each reflog. A lost race
// is ErrRefMoved, a ref that is held by another process ErrRefLocked (both as the cause of an error that names it), a
// directory/file conflict a *ConflictDF.
func (r *Repo) UpdateRefs(ctx context.Context, why string, changes ...RefChange) error {
	return (&refUpdate{repo: r, why: why}).commit(ctx, changes)
}

// A refUpdate is one transaction. Its child can be started before it is known what moves, and waits for that. It is one
// that neither we nor a signal to us can end: git leaves its lock file behind if it is told to end right after it made
// it. It ends by itself: input that stops before "commit" is no transaction.
type refUpdate struct {
	repo *Repo
	why  string
	talk *dialogue
}

// start starts the child; what fails here fails again, and is told, in commit.
func (u *refUpdate) start() (err error) {
	if u.talk != nil {
		return nil
	}
	// With the warning on, git reads packed-refs before it takes the lock, and a compare-and-swap beside a pack-refs
	// can lose an update.
	args := []string{"-c", "core.warnAmbiguousRefs=false", "update-ref", "--no-deref", "--create-reflog", "-m", u.why, "--stdin", "-z"}
	u.talk, err = call{dir: u.repo.dir, args: args, untied: true}.dialogue()
	return err
}

// abandon ends a child that was not needed.
func (u *refUpdate) abandon() {
	if u.talk != nil {
		u.talk.close(context.Background())
		u.talk = nil
	}
}

// commit makes the changes. Once they are on their way, ctx no longer stops them.
func (u *refUpdate) commit(ctx context.Context, changes []RefChange) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := u.start(); err != nil {
		return err
	}
	talk := u.talk
	u.talk = nil
	ctx, cancel := call{}.deadline(context.WithoutCancel(ctx))
	defer cancel()
	stop := context.AfterFunc(ctx, talk.kill)
	defer stop()
	_, writing := talk.in.Write(transaction(changes))
	if err := talk.close(ctx); err != nil {
		return refError(err)
	}
	return writing
}

// transaction is the changes as git update-ref --stdin -z reads them.
func transaction(changes []RefChange) []byte {
	var in bytes.Buffer
	in.WriteString("start\x00")
	for _, c := range changes {
		switch {
		case c.New == "":
			fmt.Fprintf(&in, "delete %s\x00%s\x00", c.Ref, c.Old)
		case c.Old == "":
			fmt.Fprintf(&in, "create %s\x00%s\x00", c.Ref, c.New)
		default:
			fmt.Fprintf(&in, "update %s\x00%s\x00%s\x00", c.Ref, c.New, c.Old)
		}
	}
	in.WriteString("commit\x00")
	return in.Bytes()
}

var (
	dfExists   = lazily(`'([^']+)' exists; cannot create '([^']+)'`)
	dfTogether = lazily(`cannot process '([^']+)' and '([^']+)' at the same time`)
	dfFolder   = lazily(`there is a non-empty directory '[^']*' blocking reference '([^']+)'`)
	refMoved   = lazily(`is at [0-9a-f]+ but expected|reference already exists|unable to resolve reference|reference is missing but expected`)
	refLocked  = lazily(`Unable to create '.*\.lock': File exists|cannot lock references|Unable to create temporary file`)
)

// refError reads what update-ref says when it fails.
func refError(err error) error {
	var git *GitError
	if !errors.As(err, &git) || git.Err != nil {
		return err
	}
	text := git.Stderr
	if m := dfExists().FindStringSubmatch(text); m != nil {
		return &ConflictDF{Ref: m[2], Blocking: m[1]}
	}
	if m := dfTogether().FindStringSubmatch(text); m != nil {
		return &ConflictDF{Ref: m[1], Blocking: m[2]}
	}
	if m := dfFolder().FindStringSubmatch(text); m != nil {
		return &ConflictDF{Ref: m[1], Blocking: m[1] + "/"}
	}
	switch {
	case refMoved().MatchString(text):
		return fmt.Errorf("%w (%s)", ErrRefMoved, strings.TrimSpace(text))
	case refLocked().MatchString(text):
		return fmt.Errorf("%w (%s)", ErrRefLocked, strings.TrimSpace(text))
	}
	return err
}

// A Ref is one ref and what it points to.
type Ref struct{ Name, OID string }

// Refs lists the refs under prefixes, sorted by name, in one child.
func (r *Repo) Refs(ctx context.Context, prefixes ...string) ([]Ref, error) {
	return r.refsAt(ctx, folders(prefixes)...)
}

// refsAt is Refs for patterns as git matches them: a whole name, or its beginning up to a slash.
func (r *Repo) refsAt(ctx context.Context, patterns ...string) ([]Ref, error) {
	args := append([]string{"for-each-ref", "--format=%(objectname) %(refname)"}, patterns...)
	out, err := r.git(ctx, args...)
	if err != nil {
		return nil, err
	}
	refs := make([]Ref, 0, bytes.Count(out, []byte{'\n'}))
	for line := range strings.Lines(string(out)) {
		oid, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if ok {
			refs = append(refs, Ref{Name: name, OID: oid})
		}
	}
	return refs, nil
}

// folders ends every prefix in a slash: without it, git matches a whole name or up to a slash.
func folders(prefixes []string) []string {
	out := make([]string, len(prefixes))
	for i, p := range prefixes {
		out[i] = strings.TrimSuffix(p, "/") + "/"
	}
	return out
}
