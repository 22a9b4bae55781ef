package gitstore

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"git-handoff/gitstore/handoff"
)

// A traffic is a bare remote and clones of it.
type traffic struct {
	t      testing.TB
	remote string
}

// newTraffic makes a bare remote with one commit on main.
func newTraffic(t testing.TB, initArgs ...string) *traffic {
	t.Helper()
	dir := t.TempDir()
	w := &traffic{t: t, remote: filepath.Join(dir, "remote.git")}
	git(t, dir, append([]string{"init", "-q", "--bare", "-b", "main", w.remote}, initArgs...)...)
	seed := w.clone("seed", initArgs...)
	commitFile(t, seed, "a.txt", "1")
	git(t, seed, "push", "-q", "origin", "main")
	return w
}

// clone makes a clone.
func (w *traffic) clone(name string, initArgs ...string) string {
	w.t.Helper()
	dir := filepath.Join(w.t.TempDir(), name)
	git(w.t, filepath.Dir(dir), append([]string{"init", "-q", "-b", "main", dir}, initArgs...)...)
	identify(w.t, dir)
	git(w.t, dir, "config", "user.name", name)
	git(w.t, dir, "remote", "add", "origin", w.remote)
	git(w.t, dir, "fetch", "-q", "origin")
	if try(dir, "rev-parse", "-q", "--verify", "refs/remotes/origin/main") != "" {
		git(w.t, dir, "checkout", "-q", "-B", "main", "origin/main")
	}
	return dir
}

// saveIn writes an author's version into a clone, as edit leaves the document.
func saveIn(t testing.TB, dir string, name handoff.Name, edit func(*handoff.Document)) string {
	t.Helper()
	r := open(t, dir)
	v, err := r.Edit(t.Context(), name, func(_ *Version, doc *handoff.Document) (*Change, error) {
		if doc == nil {
			doc = &handoff.Document{Ledger: handoff.Ledger{Version: 1, Branch: name.Branch, Topic: name.Topic}, Brief: handoff.Brief{NextAction: "go"}}
		}
		doc.Status = handoff.Active
		doc.Provenance.SavedAt, doc.Provenance.ProducedBy = handoff.TimeOf(Now()), filepath.Base(dir)
		if edit != nil {
			edit(doc)
		}
		return &Change{Doc: doc, Message: handoff.MessageOf(doc, handoff.EventSave), Identity: AsUser}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return v.OID
}

func adds(list string, what string) func(*handoff.Document) {
	return func(d *handoff.Document) {
		i := slices.IndexFunc(handoff.Lists, func(l handoff.List) bool { return l.Key == list })
		items := handoff.Lists[i].Of(&d.Brief)
		*items = append(slices.Clone(*items), handoff.Item{What: what})
	}
}

// syncIn synchronises a clone with origin and gives the journey.
func syncIn(t testing.TB, dir string, opt TravelOptions) Journey {
	t.Helper()
	all, err := open(t, dir).Sync(t.Context(), "origin", opt)
	if err != nil {
		t.Fatal(err)
	}
	return all[len(all)-1]
}

// told is a journey in one line.
func (j Journey) told() string {
	var words []string
	for _, s := range j.Settled {
		if s.Changed() || s.Err != nil {
			words = append(words, fmt.Sprintf("%s %s", s.Name, s.Action))
		}
	}
	for _, p := range j.Pushed {
		verb := "push"
		if p.New == "" {
			verb = "delete"
		}
		ref := strings.TrimPrefix(p.Ref, handoff.RefPrefix)
		if strings.HasPrefix(ref, handoff.ArchivePrefix) {
			ref = "archive"
		}
		words = append(words, verb+" "+ref)
	}
	for _, w := range j.Withheld {
		words = append(words, fmt.Sprintf("keep %s", w.Name))
	}
	return strings.Join(words, ", ")
}

// remoteRefs lists the refs of the remote under a prefix.
func (w *traffic) refs(prefix string) []string {
	return strings.Fields(git(w.t, w.remote, "for-each-ref", "--format=%(refname)", prefix))
}

func TestSyncBringsHandoffsOver(t *testing.T) {
	t.Parallel()
	w := newTraffic(t)
	a, b := w.clone("a"), w.clone("b")
	saved := saveIn(t, a, testName, adds("decisions", "we use git"))
	if got := syncIn(t, a, TravelOptions{}).told(); got != "push main/default" {
		t.Errorf("first: %s", got)
	}
	if got := syncIn(t, b, TravelOptions{}).told(); got != "main/default fast-forward" {
		t.Errorf("second: %s", got)
	}
	if got := git(t, b, "rev-parse", testName.Ref()); got != saved {
		t.Errorf("b has %s", got)
	}
	for _, dir := range []string{a, b, a} {
		if got := syncIn(t, dir, TravelOptions{}).told(); got != "" {
			t.Errorf("idle: %s", got)
		}
	}
}

func TestTwoSaveTheSameTopic(t *testing.T) {
	t.Parallel()
	w := newTraffic(t)
	a, b := w.clone("a"), w.clone("b")
	saveIn(t, a, testName, adds("decisions", "from a"))
	saveIn(t, b, testName, adds("decisions", "from b"))
	config, err := open(t, a).Config(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	peer, err := config.PushPeer("origin", w.remote)
	if err != nil {
		t.Fatal(err)
	}
	push := Push{Peer: peer, Branches: []string{"main"}}
	for _, dir := range []string{a, b} {
		j, err := open(t, dir).Publish(t.Context(), push, TravelOptions{})
		if err != nil || len(j.Pushed) != 1 || len(j.Withheld) != 0 {
			t.Fatalf("%s: %+v %v", dir, j, err)
		}
	}
	syncIn(t, a, TravelOptions{})
	doc := git(t, w.remote, "show", testName.Ref()+":handoff.yaml")
	for _, text := range []string{"from a", "from b"} {
		if !strings.Contains(doc, text) {
			t.Errorf("%q is lost:\n%s", text, doc)
		}
	}
	if n := git(t, w.remote, "rev-list", "--count", "--merges", testName.Ref()); n != "1" {
		t.Errorf("%s merges", n)
	}
	if a, b := git(t, a, "rev-parse", testName.Ref()), git(t, b, "rev-parse", testName.Ref()); a != b {
		t.Errorf("a has %s, b has %s", a, b)
	}
}

// TestPublicationIsLimited pushes with one branch published and one not: nothing of the second goes along, in
// handoffs or in evidence.
func TestPublicationIsLimited(t *testing.T) {
	t.Parallel()
	w := newTraffic(t)
	a := w.clone("a")
	saveIn(t, a, testName, nil)
	git(t, a, "checkout", "-q", "-b", "secret")
	hidden := commitFile(t, a, "b.txt", "2")
	saveIn(t, a, handoff.Name{Branch: "secret", Topic: "default"}, nil)
	r := open(t, a)
	for _, commit := range []string{hidden, git(t, a, "rev-parse", "main")} {
		if err := r.RecordEvidence(t.Context(), commit, NoteLine{Verified: Pass, Command: "make"}); err != nil {
			t.Fatal(err)
		}
	}
	if got := syncIn(t, a, TravelOptions{}).told(); got != "push main/default, push refs/notes/handoff" {
		t.Error(got)
	}
	if got := git(t, w.remote, "ls-tree", "-r", "--name-only", "refs/notes/handoff"); strings.Contains(got, hidden[2:]) {
		t.Errorf("evidence of the hidden branch is there: %s", got)
	}
	if got := git(t, w.remote, "rev-list", "--count", "refs/notes/handoff"); got != "1" {
		t.Errorf("the notes have %s versions: history came along", got)
	}
	git(t, a, "push", "-q", "origin", "secret")
	if got := syncIn(t, a, TravelOptions{}).told(); got != "push secret/default, push refs/notes/handoff" {
		t.Error(got)
	}
	if got := syncIn(t, a, TravelOptions{}).told(); got != "" {
		t.Errorf("idle: %s", got)
	}
}

func TestSecretsStayHere(t *testing.T) {
	t.Parallel()
	w := newTraffic(t)
	a := w.clone("a")
	saveIn(t, a, testName, adds("constraints", "token hunter2"))
	saveIn(t, a, testName, func(d *handoff.Document) { d.Constraints = nil })
	scan := func(text []byte) []string {
		if strings.Contains(string(text), "hunter2") {
			return []string{"password"}
		}
		return nil
	}
	j := syncIn(t, a, TravelOptions{Scan: scan})
	if len(j.Withheld) != 1 || !strings.Contains(j.Withheld[0].Why, "secret (password)") || len(w.refs("refs/handoff")) > 0 {
		t.Errorf("%+v", j)
	}
}

// TestSecretsInMessagesStayHere holds that what stands in no document, such as who resumed, is looked through too.
func TestSecretsInMessagesStayHere(t *testing.T) {
	t.Parallel()
	w := newTraffic(t)
	a := w.clone("a")
	saveIn(t, a, testName, nil)
	if _, err := open(t, a).RecordResume(t.Context(), testName, Taking{Holder: "h", Session: "hunter2"}); err != nil {
		t.Fatal(err)
	}
	scan := func(text []byte) []string {
		if strings.Contains(string(text), "Session: hunter2") {
			return []string{"password"}
		}
		return nil
	}
	j := syncIn(t, a, TravelOptions{Scan: scan})
	if len(j.Withheld) != 1 || !strings.Contains(j.Withheld[0].Why, "secret (password)") || len(w.refs("refs/handoff")) > 0 {
		t.Errorf("%+v", j)
	}
}

func TestPushMirrorIsRepaired(t *testing.T) {
	t.Parallel()
	w := newTraffic(t)
	a, b := w.clone("a"), w.clone("b")
	other := handoff.Name{Branch: "other", Topic: "default"}
	git(t, b, "push", "-q", "origin", "main:other")
	saveIn(t, a, testName, nil)
	syncIn(t, a, TravelOptions{})
	git(t, b, "branch", "-q", "other")
	saveIn(t, b, other, nil)
	syncIn(t, b, TravelOptions{})
	syncIn(t, a, TravelOptions{})
	before := w.refs("refs/handoff")
	mirror := w.clone("mirror")
	git(t, mirror, "branch", "-q", "other")
	git(t, mirror, "push", "-q", "--mirror", "origin")
	if left := w.refs("refs/handoff"); len(left) != 0 {
		t.Fatalf("the mirror left %v", left)
	}
	syncIn(t, a, TravelOptions{})
	if got := w.refs("refs/handoff"); !slices.Equal(got, before) {
		t.Errorf("restored %v of %v", got, before)
	}
}

func TestRemoteThatRefusesNamespaces(t *testing.T) {
	t.Parallel()
	w := newTraffic(t)
	a := w.clone("a")
	git(t, w.remote, "config", "transfer.hideRefs", "refs/handoff")
	saveIn(t, a, testName, nil)
	r := open(t, a)
	if err := r.RecordEvidence(t.Context(), git(t, a, "rev-parse", "main"), NoteLine{Verified: Pass, Command: "make"}); err != nil {
		t.Fatal(err)
	}
	j := syncIn(t, a, TravelOptions{})
	if got := j.told(); got != "push refs/notes/handoff, keep main/default" || j.Withheld[0].Known {
		t.Errorf("%s %+v", got, j.Withheld)
	}
	j = syncIn(t, a, TravelOptions{Unasked: true})
	if got := j.told(); got != "keep main/default" || !j.Withheld[0].Known {
		t.Errorf("%s %+v", got, j.Withheld)
	}
	git(t, w.remote, "config", "--unset", "transfer.hideRefs")
	if got := syncIn(t, a, TravelOptions{}).told(); got != "push main/default" {
		t.Error(got)
	}
	if refused := r.RefusedBy(j.Peer); refused != nil {
		t.Errorf("still remembered: %v", refused)
	}
}

func TestUnreachedRemote(t *testing.T) {
	t.Parallel()
	w := newTraffic(t)
	a := w.clone("a")
	git(t, a, "remote", "set-url", "origin", filepath.Join(a, "nowhere"))
	r := open(t, a)
	_, err := r.Sync(t.Context(), "origin", TravelOptions{})
	var e *UnreachedError
	if !errors.Is(err, ErrUnreached) || !errors.As(err, &e) || e.Remote != "origin" {
		t.Errorf("%v", err)
	}
	if !r.LastFetch("origin").IsZero() {
		t.Error("a fetch is noted that did not happen")
	}
	if _, err := r.Sync(t.Context(), "nobody", TravelOptions{}); !errors.Is(err, ErrNoRemote) {
		t.Errorf("%v", err)
	}
}

// TestFetchSurvivesConfiguration fetches and pushes under configuration that changes what fetch and push do.
func TestFetchSurvivesConfiguration(t *testing.T) {
	t.Parallel()
	for _, settings := range []string{
		"remote.origin.mirror=true fetch.prune=true push.default=nothing push.useForceIfIncludes=true color.ui=always fetch.all=true",
		"remote.origin.fetch=+refs/notes/*:refs/notes/* remote.origin.tagOpt=--tags push.followTags=true push.pushOption=x fetch.recurseSubmodules=true",
		"remote.origin.fetch=refs/heads/none:refs/none fetch.pruneTags=true push.gpgSign=true push.recurseSubmodules=check fetch.fsckObjects=true",
		"push.negotiate=true submodule.recurse=true remote.origin.push=refs/heads/main:refs/heads/taken push.autoSetupRemote=true",
	} {
		t.Run(settings, func(t *testing.T) {
			t.Parallel()
			w := newTraffic(t)
			a, b := w.clone("a"), w.clone("b")
			for _, dir := range []string{a, b} {
				for _, setting := range strings.Fields(settings) {
					key, value, _ := strings.Cut(setting, "=")
					git(t, dir, "config", "--add", key, value)
				}
				git(t, dir, "tag", "-a", "-m", "x", "v-"+filepath.Base(dir))
			}
			saveIn(t, a, testName, nil)
			ra, rb := open(t, a), open(t, b)
			for dir, r := range map[string]*Repo{a: ra, b: rb} {
				if err := r.RecordEvidence(t.Context(), git(t, dir, "rev-parse", "main"), NoteLine{Verified: Pass, Command: filepath.Base(dir)}); err != nil {
					t.Fatal(err)
				}
			}
			if got := syncIn(t, a, TravelOptions{}).told(); got != "push main/default, push refs/notes/handoff" {
				t.Error(got)
			}
			if got := syncIn(t, b, TravelOptions{}).told(); got != "main/default fast-forward, push refs/notes/handoff" {
				t.Error(got)
			}
			if got := strings.Join(w.refs("refs/tags"), " ") + strings.Join(w.refs("refs/heads"), " "); got != "refs/heads/main" {
				t.Errorf("more went along: %s", got)
			}
			if got := git(t, b, "tag"); got != "v-b" {
				t.Errorf("tags came along: %s", got)
			}
		})
	}
}
