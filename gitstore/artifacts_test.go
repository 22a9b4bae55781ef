package gitstore

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"git-handoff/gitstore/handoff"
)

func TestArtifactStates(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	write(t, filepath.Join(dir, "sub", "b.txt"), "b")
	commitFile(t, dir, "a.txt", "a")
	oid := commitFile(t, dir, "sub/b.txt", "b")
	git(t, dir, "tag", "v1")
	git(t, dir, "switch", "-q", "-c", "other")
	r := open(t, dir)
	files := []handoff.Item{
		{What: "same", Kind: "file", Ref: "a.txt"}, {What: "moved", Kind: "file", Ref: "sub/../sub/b.txt"},
		{What: "gone", Kind: "file", Ref: "gone.txt"}, {What: "folder", Kind: "file", Ref: "sub"},
		{What: "a.txt"}, {What: "just a name"}, {What: "outside", Kind: "file", Ref: "../escape"}, {What: "root", Kind: "file", Ref: "/etc/passwd"},
	}
	doc := &handoff.Document{}
	doc.ArtifactDigests = r.ArtifactDigests(files, nil)
	doc.Artifacts = append(files,
		handoff.Item{What: "whole", Kind: "commit", Ref: oid}, handoff.Item{What: "short", Kind: "commit", Ref: oid[:10]},
		handoff.Item{What: "no commit", Kind: "commit", Ref: strings.Repeat("1", 40)}, handoff.Item{What: "no revision", Kind: "commit", Ref: "--help"},
		handoff.Item{What: "ref", Kind: "ref", Ref: "refs/heads/main"}, handoff.Item{What: "tag", Kind: "ref", Ref: "v1"}, handoff.Item{What: "no ref", Kind: "ref", Ref: "nothing"},
		handoff.Item{What: "two lines", Kind: "ref", Ref: "main\nother"}, handoff.Item{What: "url", Kind: "url", Ref: "https://example.org/x"},
		handoff.Item{What: "bare url", Ref: "https://example.org/x"}, handoff.Item{What: "commit without ref", Kind: "commit"})
	const objects = "whole present, short present, no commit missing, no revision missing, ref present, tag present, no ref missing, " +
		"two lines missing, url unknown, bare url unknown, commit without ref unknown"
	for _, test := range []struct {
		name   string
		here   bool
		tip    string
		before func()
		want   string
	}{
		{"nothing moved", true, "", func() {}, "same present, moved present, gone missing, folder present, a.txt present, just a name unknown, outside unknown, root unknown, "},
		{"in the commit", false, oid, func() {}, "same present, moved present, gone missing, folder present, a.txt present, just a name unknown, outside unknown, root unknown, "},
		{"changed and removed", true, "", func() {
			write(t, filepath.Join(dir, "sub", "b.txt"), "changed")
			os.Remove(filepath.Join(dir, "a.txt"))
		}, "same missing, moved changed, gone missing, folder present, a.txt missing, just a name unknown, outside unknown, root unknown, "},
		{"the branch is not here", false, "", func() {}, "same unknown, moved unknown, gone unknown, folder unknown, a.txt unknown, just a name unknown, outside unknown, root unknown, "},
	} {
		test.before()
		got, err := r.artifacts(t.Context(), doc, test.here, test.tip)
		if err != nil {
			t.Fatal(err)
		}
		var words []string
		for _, a := range got {
			words = append(words, fmt.Sprintf("%s %s", a.Item.What, a.State))
		}
		if s := strings.Join(words, ", "); s != test.want+objects {
			t.Errorf("%s:\n got %s\nwant %s", test.name, s, test.want+objects)
		}
	}
}

func TestArtifactsNeverLeadOutside(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	commitFile(t, dir, "a.txt", "a")
	secret := filepath.Join(t.TempDir(), "secret")
	write(t, secret, "secret")
	if err := os.Symlink(secret, filepath.Join(dir, "link")); err != nil {
		t.Skip("no symbolic links here")
	}
	r := open(t, dir)
	items := []handoff.Item{{What: "link", Kind: "file", Ref: "link"}}
	if d := r.ArtifactDigests(items, nil); d != nil {
		t.Errorf("a file outside was read: %v", d)
	}
	doc := &handoff.Document{Brief: handoff.Brief{Artifacts: items}}
	got, err := r.artifacts(t.Context(), doc, true, "")
	if err != nil || got[0].State != ArtifactUnknown || !strings.Contains(got[0].Why, "cannot be read") {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestArtifactThatIsAPipeIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no named pipes in folders here")
	}
	dir := newRepo(t)
	git(t, dir, "-c", "alias.fifo=!mkfifo pipe", "fifo")
	if d := open(t, dir).ArtifactDigests([]handoff.Item{{What: "pipe", Kind: "file", Ref: "pipe"}}, map[string]string{"pipe": "old"}); d["pipe"] != "old" {
		t.Errorf("%v", d)
	}
}

func TestArtifactDigestsKeepWhatIsNotHere(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	write(t, filepath.Join(dir, "a.txt"), "a")
	items := []handoff.Item{{What: "a.txt", Kind: "file"}, {What: "b", Kind: "file", Ref: "b.txt"}, {What: "c", Kind: "url", Ref: "https://x"}}
	got := open(t, dir).ArtifactDigests(items, map[string]string{"b.txt": "bb", "dropped.txt": "dd"})
	if len(got) != 2 || got["b.txt"] != "bb" || len(got["a.txt"]) != 64 {
		t.Errorf("%v", got)
	}
}
