package gitstore

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"git-handoff/gitstore/handoff"
)

var (
	// ErrNoHandoff is a handoff that is not here.
	ErrNoHandoff = errors.New("no such handoff")
	// ErrNotHandoff is an object that is no version of a handoff.
	ErrNotHandoff = errors.New("not a version of a handoff")
)

// A Version is one version of a handoff: what its commit says, without the document.
type Version struct {
	// Ref is the full name of the ref that the version is the tip of, where it was found through one.
	Ref string
	// Name is the handoff's, from Ref; it is zero where the version was found by its id.
	Name              handoff.Name
	OID, Tree         string
	Parents           []string
	Message           handoff.Message
	Author, Committer Ident
	// Signed has a signature; whether it is good was not looked at.
	Signed bool
}

// Tip is the current version of a handoff; ErrNoHandoff where there is none.
func (r *Repo) Tip(ctx context.Context, name handoff.Name) (*Version, error) {
	return r.TipOf(ctx, name.Ref())
}

// TipOf is the version that a ref points to, by the ref's full name; ErrNoHandoff where there is none.
func (r *Repo) TipOf(ctx context.Context, ref string) (*Version, error) {
	oid, err := r.ref(ctx, ref)
	if err != nil {
		return nil, err
	}
	if oid == "" {
		return nil, fmt.Errorf("%w: %s", ErrNoHandoff, strings.TrimPrefix(ref, handoff.RefPrefix))
	}
	return r.versionAs(ctx, ref, oid)
}

// versionAs is the version with a full object id, as one that a ref points to.
func (r *Repo) versionAs(ctx context.Context, ref, oid string) (*Version, error) {
	v, err := r.VersionAt(ctx, oid)
	if err != nil {
		return nil, &UnreadError{Name: nameOf(ref), OID: oid, Err: err}
	}
	v.Ref, v.Name = ref, nameOf(ref)
	return v, nil
}

// VersionAt is the version with a full object id.
func (r *Repo) VersionAt(ctx context.Context, oid string) (*Version, error) {
	kind, data, err := r.object(ctx, oid)
	if err != nil {
		return nil, err
	}
	if kind != "commit" {
		return nil, fmt.Errorf("%w: %s is a %s", ErrNotHandoff, oid, kind)
	}
	return parseVersion(oid, data)
}

func parseVersion(oid string, data []byte) (*Version, error) {
	v := &Version{}
	return v, v.parse(oid, data)
}

// parse makes v the version that a commit is.
func (v *Version) parse(oid string, data []byte) error {
	c, err := parseCommit(data)
	if err != nil {
		return fmt.Errorf("%s: %w", oid, err)
	}
	*v = Version{OID: oid, Tree: c.tree, Parents: c.parents, Message: handoff.ParseMessage(c.message),
		Author: c.author, Committer: c.committer, Signed: c.signed}
	return nil
}

// nameOf reads the handoff's name from a ref under refs/handoff/ or a remote's heads; zero for any other.
func nameOf(ref string) handoff.Name {
	if rest, ok := strings.CutPrefix(ref, handoff.TrackingPrefix); ok {
		_, head, _ := strings.Cut(rest, "/heads/")
		ref = handoff.RefPrefix + head
	}
	name, ok := handoff.ParseRef(ref)
	if !ok {
		return handoff.Name{}
	}
	return name
}

// Raw is the stored document of a version, as it is.
func (r *Repo) Raw(ctx context.Context, oid string) ([]byte, error) {
	v, err := r.VersionAt(ctx, oid)
	if err != nil {
		return nil, err
	}
	data, _, err := r.file(ctx, v)
	return data, v.unread(err)
}

// Document reads the document of a version. One that cannot be read is an *UnreadError; a version that a newer release
// wrote is a *handoff.NewerError in it.
func (r *Repo) Document(ctx context.Context, v *Version) (*handoff.Document, error) {
	doc, _, err := r.Stored(ctx, v)
	return doc, err
}

// Stored reads the document of a version as Document does, and gives the bytes too.
func (r *Repo) Stored(ctx context.Context, v *Version) (*handoff.Document, []byte, error) {
	data, beside, err := r.file(ctx, v)
	if err != nil {
		return nil, nil, v.unread(err)
	}
	doc, err := handoff.Decode(data)
	if err == nil && beside != "" {
		return nil, nil, v.unread(&handoff.NewerError{Key: beside})
	}
	return doc, data, v.unread(err)
}

// file reads handoff.yaml of a version, and names a file that stands beside it, which this release would lose.
func (r *Repo) file(ctx context.Context, v *Version) (data []byte, beside string, err error) {
	kind, tree, err := r.object(ctx, v.Tree)
	if err != nil {
		return nil, "", err
	}
	entries, err := parseTree(tree, len(v.Tree)/2)
	if kind != "tree" || err != nil {
		return nil, "", fmt.Errorf("%w: %s has no tree", ErrNotHandoff, v.OID)
	}
	blob := ""
	for _, e := range entries {
		if e.name == handoff.File && strings.HasPrefix(e.mode, "100") {
			blob = e.oid
		} else {
			beside = e.name
		}
	}
	if blob == "" {
		return nil, "", fmt.Errorf("%w: %s holds no %s", ErrNotHandoff, v.OID, handoff.File)
	}
	_, data, err = r.object(ctx, blob)
	return data, beside, err
}

// History gives a version and those before it, newest first, parents after all their children where dates allow; at
// most limit, or all for 0. It reads no document. A version that is not here, as in a shallow copy, ends its line.
func (r *Repo) History(ctx context.Context, oid string, limit int) ([]Version, error) {
	first, err := r.VersionAt(ctx, oid)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{oid: true}
	var history []Version
	for queue := []*Version{first}; len(queue) > 0 && (limit == 0 || len(history) < limit); {
		v := queue[0]
		queue = queue[1:]
		history = append(history, *v)
		for _, p := range v.Parents {
			if seen[p] {
				continue
			}
			seen[p] = true
			parent, err := r.VersionAt(ctx, p)
			if errors.Is(err, ErrNoObject) {
				continue
			}
			if err != nil {
				return nil, err
			}
			queue = insertByDate(queue, parent)
		}
	}
	return history, nil
}

// insertByDate keeps the newest in front, and equal ones in the order in which they came.
func insertByDate(queue []*Version, v *Version) []*Version {
	i := len(queue)
	for i > 0 && queue[i-1].Committer.When.Before(v.Committer.When) {
		i--
	}
	return append(queue[:i:i], append([]*Version{v}, queue[i:]...)...)
}
