package gitstore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

// An Ident is who wrote a commit, and when.
type Ident struct {
	Name, Email string
	When        time.Time
}

// An Identity says in whose name a version is written.
type Identity int

const (
	// AsUser is for what people save: without an identity git's own refusal is returned.
	AsUser Identity = iota
	// AsUserOrProgram is for events: the user's identity where one is configured, else the program's.
	AsUserOrProgram
	// AsProgram is for what every clone must write alike.
	AsProgram
)

// Program is the identity for what no user wrote.
var Program = Ident{Name: "git-handoff", Email: "handoff@localhost"}

// ErrNoIdentity is the cause where git does not know who the user is.
var ErrNoIdentity = errors.New("git does not know who you are")

// who gives author and committer. It starts a child only where neither environment nor configuration names the user.
func (r *Repo) who(ctx context.Context, as Identity, when time.Time) (author, committer Ident, err error) {
	switch as {
	case AsProgram:
		author, committer = Program, Program
	case AsUserOrProgram:
		author, err = r.eventIdent(ctx)
		committer = author
	default:
		if author, err = r.ident(ctx, "author"); err == nil {
			committer, err = r.ident(ctx, "committer")
		}
	}
	author.When, committer.When = when, when
	return author, committer, err
}

// eventIdent is the committer's: in a hook, the environment has the author of the commit that was just made.
func (r *Repo) eventIdent(ctx context.Context) (Ident, error) {
	config, err := r.Config(ctx)
	if err != nil {
		return Ident{}, err
	}
	if id, ok := config.ident("committer"); ok {
		return id, nil
	}
	return Program, nil
}

func (r *Repo) ident(ctx context.Context, role string) (Ident, error) {
	config, err := r.Config(ctx)
	if err != nil {
		return Ident{}, err
	}
	if id, ok := config.ident(role); ok {
		return id, nil
	}
	out, err := r.git(ctx, "var", "GIT_"+strings.ToUpper(role)+"_IDENT")
	var git *GitError
	if errors.As(err, &git) && git.Status > 0 {
		return Ident{}, fmt.Errorf("%w: %s", ErrNoIdentity, strings.TrimSpace(git.Stderr))
	}
	if err != nil {
		return Ident{}, err
	}
	id, err := parseIdent(strings.TrimSpace(string(out)))
	return id.clean(), err
}

// ident is the identity that is set explicitly, by environment or configuration, in git's order (git-var(1), ident.c);
// false where git would have to guess from the system, or refuse.
func (c *Config) ident(role string) (Ident, bool) {
	env := "GIT_" + strings.ToUpper(role) + "_"
	id := Ident{
		Name:  firstSet(os.Getenv(env+"NAME"), c.Get(role+".name"), c.Get("user.name")),
		Email: firstSet(os.Getenv(env+"EMAIL"), c.Get(role+".email"), c.Get("user.email"), os.Getenv("EMAIL")),
	}.clean()
	return id, id.Name != "" && id.Email != ""
}

// UserName is the user as git knows them, by environment or configuration; "" where git would have to guess.
func (c *Config) UserName() string {
	id, _ := c.ident("committer")
	return id.Name
}

func firstSet(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}

// clean takes out what git does not store in a name or an address, and what fsck --strict would complain about.
func (id Ident) clean() Ident {
	id.Name, id.Email = cleanIdent(id.Name), cleanIdent(id.Email)
	return id
}

// cleanIdent keeps a full stop at the end, as git does since 2.46.
func cleanIdent(s string) string {
	s = strings.Map(func(c rune) rune {
		if c == '<' || c == '>' || c == '\n' || c == 0 {
			return -1
		}
		return c
	}, s)
	return strings.TrimFunc(s, func(c rune) bool { return c <= ' ' || strings.ContainsRune(`,:;<>"\'`, c) })
}
