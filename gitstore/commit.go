package gitstore

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A commitObject is what a commit object holds, as far as handoffs need it.
type commitObject struct {
	tree              string
	parents           []string
	author, committer Ident
	signed            bool
	message           string
}

var errCommit = errors.New("not a commit object")

// parseCommit reads a commit object. Headers that it does not know are skipped with their continuation lines.
func parseCommit(data []byte) (commitObject, error) {
	rest, message, ok := strings.Cut(string(data), "\n\n")
	if !ok {
		rest = strings.TrimSuffix(rest, "\n")
	}
	c := commitObject{message: message}
	for rest != "" {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		if err := c.header(line); err != nil {
			return commitObject{}, err
		}
	}
	if c.tree == "" {
		return commitObject{}, errCommit
	}
	return c, nil
}

func (c *commitObject) header(line string) (err error) {
	key, value, _ := strings.Cut(line, " ")
	switch key {
	case "tree":
		c.tree = value
	case "parent":
		c.parents = append(c.parents, value)
	case "author":
		c.author, err = parseIdent(value)
	case "committer":
		c.committer, err = parseIdent(value)
	case "gpgsig", "gpgsig-sha256":
		c.signed = true
	}
	return err
}

// encode is the commit object's content.
func (c commitObject) encode() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "tree %s\n", c.tree)
	for _, p := range c.parents {
		fmt.Fprintf(&b, "parent %s\n", p)
	}
	fmt.Fprintf(&b, "author %s\ncommitter %s\n\n%s", c.author.line(), c.committer.line(), c.text())
	return b.Bytes()
}

// text is the message as git stores one: no NUL, one line feed at the end.
func (c commitObject) text() string {
	return strings.TrimRight(strings.ReplaceAll(c.message, "\x00", ""), "\n") + "\n"
}

// line is an identity as commits have it: Name <email> seconds zone.
func (id Ident) line() string {
	return fmt.Sprintf("%s <%s> %s", id.Name, id.Email, id.stamp())
}

func (id Ident) stamp() string {
	return fmt.Sprintf("%d %s", max(0, id.When.Unix()), id.When.Format("-0700"))
}

// parseIdent reads Name <email> seconds zone. A missing date is the zero time, as old tools wrote.
func parseIdent(line string) (Ident, error) {
	name, rest, ok := strings.Cut(line, "<")
	email, date, ok2 := cutLast(rest, ">")
	if !ok || !ok2 {
		return Ident{}, fmt.Errorf("%w: identity %q", errCommit, line)
	}
	id := Ident{Name: strings.TrimSpace(name), Email: email}
	seconds, zone, _ := strings.Cut(strings.TrimSpace(date), " ")
	if n, err := strconv.ParseInt(seconds, 10, 64); err == nil {
		id.When = time.Unix(n, 0).In(parseZone(zone))
	}
	return id, nil
}

func cutLast(s, sep string) (before, after string, ok bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

var zones sync.Map

// parseZone reads +hhmm; anything else is UTC. Few zones occur, and in lists of thousands.
func parseZone(s string) *time.Location {
	if zone, ok := zones.Load(s); ok {
		return zone.(*time.Location)
	}
	n, err := strconv.Atoi(s)
	if err != nil || len(s) != 5 || s[0] != '+' && s[0] != '-' || n == 0 || max(n, -n) >= 2400 {
		return time.UTC
	}
	zone := time.FixedZone("", (n/100*60+n%100)*60)
	zones.Store(s, zone)
	return zone
}

// encodeTree is the content of a tree with one file.
func encodeTree(name, blob string) ([]byte, error) {
	id, err := hex.DecodeString(blob)
	if err != nil {
		return nil, err
	}
	return append([]byte("100644 "+name+"\x00"), id...), nil
}

// A treeEntry is one line of a tree.
type treeEntry struct{ mode, name, oid string }

// parseTree reads a tree object whose ids have idLen bytes.
func parseTree(data []byte, idLen int) ([]treeEntry, error) {
	var entries []treeEntry
	for len(data) > 0 {
		head, rest, ok := bytes.Cut(data, []byte{0})
		mode, name, ok2 := strings.Cut(string(head), " ")
		if !ok || !ok2 || len(rest) < idLen {
			return nil, errors.New("not a tree object")
		}
		entries = append(entries, treeEntry{mode, name, fmt.Sprintf("%x", rest[:idLen])})
		data = rest[idLen:]
	}
	return entries, nil
}
