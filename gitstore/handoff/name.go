package handoff

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Where git keeps what this program stores.
const (
	// RefPrefix is where handoffs live: RefPrefix + BRANCH/TOPIC.
	RefPrefix = "refs/handoff/"
	// NotesRef holds evidence as git notes on code commits.
	NotesRef = "refs/notes/handoff"
	// ArchivePrefix holds versions that had to make room for another ref, each under its full object id.
	ArchivePrefix = "refs/handoff-archive/"
	// TrackingPrefix holds what was last fetched: TrackingPrefix + KEY + /heads/BRANCH/TOPIC, /notes/…, /archive/….
	TrackingPrefix = "refs/handoff-remotes/"
	// File is the name of the one blob in a version's tree.
	File = "handoff.yaml"
	// DefaultTopic is the topic where none is given.
	DefaultTopic = "default"
)

// A Name names a handoff: a branch, without refs/heads/, and a topic.
type Name struct{ Branch, Topic string }

// String is the name as people write it, BRANCH/TOPIC.
func (n Name) String() string { return n.Branch + "/" + n.Topic }

// Ref is the full name of the ref that holds the handoff.
func (n Name) Ref() string { return RefPrefix + n.String() }

// IsZero reports whether the name is empty.
func (n Name) IsZero() bool { return n == Name{} }

// isSlug reports whether s is of the form [a-z0-9][a-z0-9._-]{0,63}. It is on every command's way, and compiling a
// pattern costs more than the rest of start-up.
func isSlug(s string) bool {
	for i := range len(s) {
		letter := s[i] >= 'a' && s[i] <= 'z' || s[i] >= '0' && s[i] <= '9'
		if !letter && (i == 0 || strings.IndexByte("._-", s[i]) < 0) {
			return false
		}
	}
	return len(s) >= 1 && len(s) <= 64
}

// CheckTopic reports why s cannot be a topic, or nil.
func CheckTopic(s string) error {
	switch {
	case strings.Contains(s, "/"):
		return fmt.Errorf("topic %q has a slash; a topic is one word, such as default or login-fix", s)
	case !isSlug(s):
		return fmt.Errorf("topic %q is not a slug; use a-z, 0-9, '.', '_' and '-', starting with a letter or digit, at most 64 characters", s)
	case strings.Contains(s, ".."), strings.HasSuffix(s, "."), strings.HasSuffix(s, ".lock"):
		return fmt.Errorf("topic %q is not one that git can store; it may not contain '..' nor end in '.' or '.lock'", s)
	}
	return nil
}

// CheckBranch reports why git could not have a branch of that name (git-check-ref-format(1)), or why its handoffs
// could not be stored beside it, or nil.
func CheckBranch(s string) error {
	if s == "" {
		return fmt.Errorf("the branch name is empty")
	}
	for _, part := range strings.Split(s, "/") {
		if err := checkComponent(part); err != nil {
			return fmt.Errorf("branch %q: %w", s, err)
		}
	}
	switch {
	case !utf8.ValidString(s):
		return fmt.Errorf("branch %q is not UTF-8, which a document must be; git branch -m gives it another name", s)
	case strings.HasPrefix(s, "-"), s == "@", s == "HEAD":
		return fmt.Errorf("branch %q is not a name that git takes for a branch", s)
	case strings.Contains(s, ".."), strings.Contains(s, "@{"):
		return fmt.Errorf("branch %q has '..' or '@{', which git does not take in a name", s)
	}
	return nil
}

// checkComponent holds one part of a ref to git's rules. 250 bytes is what the files backend can lock.
func checkComponent(part string) error {
	switch {
	case part == "":
		return fmt.Errorf("it has an empty part (a slash too many)")
	case len(part) > 250:
		return fmt.Errorf("one part is longer than the 250 bytes that git can store")
	case strings.HasPrefix(part, "."), strings.HasSuffix(part, "."), strings.HasSuffix(part, ".lock"):
		return fmt.Errorf("no part may start or end with '.' or end in '.lock'")
	}
	for i := 0; i < len(part); i++ {
		if part[i] <= ' ' || part[i] == 0x7f || strings.IndexByte(`~^:?*[\`, part[i]) >= 0 {
			return fmt.Errorf("%q cannot stand in a name", part[i:i+1])
		}
	}
	return nil
}

// ParseName reads BRANCH/TOPIC; the last component is the topic.
func ParseName(s string) (Name, error) {
	i := strings.LastIndexByte(s, '/')
	if i < 0 {
		return Name{}, fmt.Errorf("%q is not BRANCH/TOPIC", s)
	}
	n := Name{Branch: s[:i], Topic: s[i+1:]}
	if err := CheckTopic(n.Topic); err != nil {
		return Name{}, err
	}
	return n, CheckBranch(n.Branch)
}

// ParseRef reads a full ref name under RefPrefix. The second result is false where it is none of ours.
func ParseRef(ref string) (Name, bool) {
	rest, ok := strings.CutPrefix(ref, RefPrefix)
	if !ok {
		return Name{}, false
	}
	n, err := ParseName(rest)
	return n, err == nil
}
