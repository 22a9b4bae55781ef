package gitstore

import (
	"context"
	"fmt"
	"strings"
	"time"

	"git-handoff/gitstore/handoff"
)

// signLimit is how long somebody may take to unlock a signing key.
const signLimit = 2 * time.Minute

// WriteOptions say in whose name a version is written, whether it is signed (with the user's key), and when; a zero
// When is Now.
type WriteOptions struct {
	Identity Identity
	Sign     bool
	When     time.Time
}

// WriteVersion stores a version and gives its id. Nothing points to it yet: that is UpdateRefs'. A document that does
// not survive encoding is an error, and nothing is stored.
func (r *Repo) WriteVersion(ctx context.Context, doc *handoff.Document, msg handoff.Message, parents []string, opt WriteOptions) (string, error) {
	data, err := handoff.Encode(doc)
	if err != nil {
		return "", err
	}
	return r.writeVersion(ctx, data, msg, parents, opt)
}

// writeVersion stores a version of an encoded document.
func (r *Repo) writeVersion(ctx context.Context, data []byte, msg handoff.Message, parents []string, opt WriteOptions) (oid string, err error) {
	if opt.When.IsZero() {
		opt.When = Now()
	}
	c := commitObject{parents: parents, message: msg.String()}
	if c.author, c.committer, err = r.who(ctx, opt.Identity, opt.When); err != nil {
		return "", err
	}
	blob, err := r.writeObject(ctx, "blob", data)
	if err != nil {
		return "", err
	}
	tree, err := encodeTree(handoff.File, blob)
	if err != nil {
		return "", err
	}
	if c.tree, err = r.writeObject(ctx, "tree", tree); err != nil {
		return "", err
	}
	if opt.Sign {
		return r.commitSigned(ctx, c)
	}
	return r.writeObject(ctx, "commit", c.encode())
}

// commitSigned has git make and sign the commit. The child shares our process group, since it may ask for a passphrase.
func (r *Repo) commitSigned(ctx context.Context, c commitObject) (string, error) {
	args := []string{"-c", "i18n.commitEncoding=UTF-8", "commit-tree", "-S", c.tree, "-F", "-"}
	for _, p := range c.parents {
		args = append(args, "-p", p)
	}
	env := append(c.author.env("AUTHOR"), c.committer.env("COMMITTER")...)
	out, err := call{dir: r.dir, args: args, env: env, stdin: strings.NewReader(c.text()), limit: signLimit, shared: true}.output(ctx)
	if err != nil {
		return "", fmt.Errorf("the version could not be signed: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// env names the identity for a git child.
func (id Ident) env(role string) []string {
	return []string{"GIT_" + role + "_NAME=" + id.Name, "GIT_" + role + "_EMAIL=" + id.Email, "GIT_" + role + "_DATE=@" + id.stamp()}
}
