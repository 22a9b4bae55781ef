package gitstore

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var commitSeeds = []string{
	"tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nauthor A <a@b> 1700000000 +0100\ncommitter B C <b@c> 1700000001 -0830\n\nsubject\n\nbody\n",
	"tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nparent " + strings.Repeat("1", 40) + "\nparent " + strings.Repeat("2", 40) +
		"\nauthor A <a@b> 0 +0000\ncommitter A <a@b> 0 +0000\nencoding latin1\ngpgsig -----BEGIN\n \n parent x\n -----END\nmergetag object\n tree x\n\nm",
	"tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nauthor  <> 1 +0000\ncommitter A <a> b>\n",
	"tree 0\nauthor 0<>0 10000\n", "tree 0\nauthor 0<>0 +9999\n\n",
	"", "\n\n", "tree\n\nx", "author\n\n",
}

func TestParseCommit(t *testing.T) {
	c, err := parseCommit([]byte(commitSeeds[1]))
	want := commitObject{tree: "4b825dc642cb6eb9a060e54bf8d69288fbee4904", parents: []string{strings.Repeat("1", 40), strings.Repeat("2", 40)},
		author: Ident{"A", "a@b", time.Unix(0, 0).UTC()}, committer: Ident{"A", "a@b", time.Unix(0, 0).UTC()}, signed: true, message: "m"}
	if diff := cmp.Diff(want, c, cmp.AllowUnexported(commitObject{})); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	for _, bad := range commitSeeds[5:] {
		if c, err := parseCommit([]byte(bad)); err == nil {
			t.Errorf("%q was read as %+v", bad, c)
		}
	}
}

// What was written reads back, whatever it was made of.
func FuzzParseCommit(f *testing.F) {
	for _, s := range commitSeeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := parseCommit(data)
		if err != nil {
			return
		}
		c.author, c.committer, c.signed = c.author.clean(), c.committer.clean(), false
		first := c.encode()
		again, err := parseCommit(first)
		if err != nil || !bytes.Equal(again.encode(), first) {
			t.Errorf("%q\nbecame %q\nthen %q, %v", data, first, again.encode(), err)
		}
	})
}

// A commit that we write is the one that git writes from the same parts.
func TestCommitAsGitWritesIt(t *testing.T) {
	dir := newRepo(t)
	tree := gitIn(t, dir, "", "mktree")
	for _, zone := range []int{0, 3600, -30600, 45 * 60} {
		when := time.Unix(1_700_000_000, 0).In(time.FixedZone("", zone))
		for _, name := range []string{"Ada", "  Ada L ", `"Ada" <x>`, "Ad\na", "Ådå 雪", ",;A,:"} {
			id := Ident{name, " a<d>a@b ", when}.clean()
			id.When = when
			c := commitObject{tree: tree, author: id, committer: id, message: "save: x\n\nKey: value\n"}
			env := Ident{Name: name, Email: " a<d>a@b ", When: when}
			out, err := call{dir: dir, args: []string{"commit-tree", tree, "-F", "-"}, env: append(env.env("AUTHOR"), env.env("COMMITTER")...),
				stdin: strings.NewReader(c.text())}.output(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			got, err := open(t, dir).writeObject(t.Context(), "commit", c.encode())
			if err != nil || got != strings.TrimSpace(string(out)) {
				t.Errorf("%q in zone %d: we write %q\ngit %s", name, zone, c.encode(), git(t, dir, "cat-file", "-p", strings.TrimSpace(string(out))))
			}
		}
	}
	git(t, dir, "fsck", "--strict")
}

func FuzzParseTree(f *testing.F) {
	f.Add([]byte("100644 handoff.yaml\x00" + strings.Repeat("a", 20)))
	f.Add([]byte("100644 handoff.yaml\x00"))
	f.Add([]byte("\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, err := parseTree(data, 20)
		if err != nil {
			return
		}
		var again []byte
		for _, e := range entries {
			line, err := encodeTree(e.name, e.oid)
			if err != nil {
				t.Fatal(err)
			}
			again = append(again, e.mode+string(line[6:])...)
		}
		if !bytes.Equal(again, data) {
			t.Errorf("%q became %q", data, again)
		}
	})
}
