package gitstore

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func readConfig(t *testing.T, tracked string, pairs ...string) (*Config, error) {
	t.Helper()
	dir := newRepo(t)
	for _, p := range pairs {
		key, value, _ := strings.Cut(p, "=")
		git(t, dir, "config", "--add", key, value)
	}
	if tracked != "" {
		write(t, filepath.Join(dir, TrackedConfig), tracked)
	}
	return open(t, dir).Config(t.Context())
}

func TestConfig(t *testing.T) {
	t.Parallel()
	all := []string{"handoff.topic=x", "handoff.base=dev", "handoff.verify=make test", "handoff.requireVerified=yes", "handoff.requiresigned=1",
		"handoff.push=required", "handoff.fetch=off", "handoff.pushTimeout=3s", "handoff.fetchTimeout=1m", "handoff.notice=off", "handoff.claimTTL=1d",
		"handoff.staleAfter=2w", "handoff.secrets=false", "handoff.allowSecret=a", "handoff.allowSecret=b", "handoff.feedback=f", "handoff.board=b",
		"handoff.state=s", "handoff.verification=v", "handoff.review=r", "handoff.temp=*.x", "handoff.temp=", "handoff.temp=*.y", "commit.gpgSign=true"}
	got, err := readConfig(t, "", all...)
	want := &Config{Topic: "x", Base: "dev", Verify: "make test", RequireVerified: true, RequireSigned: true, Push: PushRequired,
		PushTimeout: 3 * time.Second, FetchTimeout: time.Minute, ClaimTTL: 24 * time.Hour, StaleAfter: 14 * 24 * time.Hour,
		AllowSecret: []string{"a", "b"}, Feedback: "f", Board: "b", State: "s", Verification: "v", Review: "r", Temp: []string{"*.y"}, SignCommits: true}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Config{})); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	got, err = readConfig(t, "")
	if diff := cmp.Diff(defaults(), got, cmpopts.IgnoreUnexported(Config{})); diff != "" || err != nil {
		t.Errorf("defaults: %v\n%s", err, diff)
	}
}

func TestTrackedConfig(t *testing.T) {
	t.Parallel()
	tracked := "topic: shared\nrequireVerified: true\nstaleAfter: 10d\ntemp: ['*.a', '*.b']\nboard: plan/board.json\n" +
		"verify: rm -rf /\npush: off\nallowSecret: x\nsecrets: off\nnonsense: 1\n"
	got, err := readConfig(t, tracked, "handoff.topic=mine")
	want := defaults()
	want.Topic, want.RequireVerified, want.StaleAfter, want.Temp, want.Board = "mine", true, 10*24*time.Hour, []string{"*.a", "*.b"}, "plan/board.json"
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Config{}), cmpopts.IgnoreFields(Config{}, "Warnings")); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	if len(got.Warnings) != 5 || !strings.HasPrefix(got.Warnings[0], ".handoff.yaml:6: verify counts in git's configuration alone") ||
		!strings.Contains(got.Warnings[4], `.handoff.yaml:10: "nonsense" is no setting`) {
		t.Errorf("warnings %q", got.Warnings)
	}
}

// Options that run something, or have more published or fetched, must never be marked as tracked.
func TestTrackedOptions(t *testing.T) {
	for _, name := range []string{"verify", "push", "fetch", "pushTimeout", "fetchTimeout", "secrets", "allowSecret"} {
		if o, ok := optionOf(name); !ok || o.tracked {
			t.Errorf("%s may stand in a tracked file", name)
		}
	}
}

func TestConfigErrors(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ tracked, pair, want string }{
		{"", "handoff.push=sometimes", `handoff.push = "sometimes" in .git/config: it is auto, warn, off or required`},
		{"", "handoff.notice=maybe", `handoff.notice = "maybe" in .git/config: it is on or off`},
		{"", "handoff.claimttl=soon", `handoff.claimTTL = "soon" in .git/config: "soon" is not a duration`},
		{"", "handoff.topic=a/b", `handoff.topic = "a/b" in .git/config: topic "a/b" has a slash`},
		{"", "handoff.base=--output=x", `handoff.base = "--output=x" in .git/config: it is a branch`},
		{"", "commit.gpgSign=perhaps", `commit.gpgsign = "perhaps" in .git/config: it is on or off`},
		{"a: 1\nstaleAfter: soon\n", "", `staleAfter = "soon" in .handoff.yaml:2:`},
		{"state: ../../secret\n", "", `state = "../../secret" in .handoff.yaml:1: it is a path inside the worktree`},
		{"state: /etc/passwd\n", "", `inside the worktree`},
		{"temp: {a: b}\n", "", `.handoff.yaml:1: it is a text`},
		{"- a\n", "", `.handoff.yaml:1: it is a list of`},
		{"a: [\n", "", `.handoff.yaml: yaml:`},
	} {
		pairs := []string{test.pair}
		if test.pair == "" {
			pairs = nil
		}
		if _, err := readConfig(t, test.tracked, pairs...); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q %q: %v, want %s", test.tracked, test.pair, err, test.want)
		}
	}
	_, err := readConfig(t, "", "handoff.push=x", "handoff.fetch=y")
	var bad *ConfigError
	if !errors.As(err, &bad) || strings.Count(err.Error(), "\n") != 1 {
		t.Errorf("two bad values: %v", err)
	}
}

func TestRemotesAsGitHasThem(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	r := open(t, dir)
	if c, err := r.Config(t.Context()); err != nil || c.PushRemote("main") != "" {
		t.Errorf("push remote without remotes: %q, %v", c.PushRemote("main"), err)
	}
	for _, p := range [][2]string{{"remote.a.b.url", "gh:x/y"}, {"remote.two.url", "https://h/1"}, {"remote.two.url", "https://h/2"},
		{"remote.three.url", "https://h/3"}, {"remote.three.pushurl", "gh:push"}, {"url.https://github.com/.insteadOf", "gh:"},
		{"url.https://mirror/.insteadOf", "gh:x/"}, {"url.ssh://git@h/.pushInsteadOf", "https://h/"}, {"branch.side.remote", "two"},
		{"branch.local.remote", "."}} {
		git(t, dir, "config", "--add", p[0], p[1])
	}
	c, err := open(t, dir).Config(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range c.Remotes() {
		if got, want := c.FetchURL(m), git(t, dir, "remote", "get-url", m.Name); got != want {
			t.Errorf("%s is fetched from %s, git says %s", m.Name, got, want)
		}
		if got, want := c.TargetURLs(m), strings.Fields(git(t, dir, "remote", "get-url", "--push", "--all", m.Name)); !slices.Equal(got, want) {
			t.Errorf("%s is pushed to %s, git says %s", m.Name, got, want)
		}
	}
	names, ok := open(t, dir).RemoteNames()
	if !ok || !slices.Equal(names, []string{"a.b", "two", "three"}) {
		t.Errorf("remotes %q, %v", names, ok)
	}
	for branch, want := range map[string]string{"side": "two", "local": "", "main": ""} {
		if got := c.PushRemote(branch); got != want {
			t.Errorf("%s goes to %q, want %q", branch, got, want)
		}
	}
	if c.Rewritten("ftp://x") || !c.Rewritten("https://h/1") || !c.Rewritten("gh:z") {
		t.Error("which URLs are rewritten")
	}
}

func FuzzTrackedConfig(f *testing.F) {
	f.Add("topic: x\ntemp: [a, b]\nverify: y\n")
	f.Add("a: &a [*a]\n? [b]\n: c\n")
	f.Add("state: ../x\n---\n- y\n")
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		write(t, filepath.Join(dir, TrackedConfig), text)
		c := defaults()
		errs := c.applyTracked(dir)
		if !c.Secrets || c.Verify != "" || c.Push != PushAuto || !c.Fetch || c.AllowSecret != nil {
			t.Errorf("%q set what it may not: %+v", text, c)
		}
		if len(errs) == 0 && c.State != "" && !filepath.IsLocal(c.State) {
			t.Errorf("%q leads to %s", text, c.State)
		}
	})
}

func FuzzParseConfigList(f *testing.F) {
	f.Add("file:.git/config\x00core.bare\nfalse\x00command line:\x00a.b\x00")
	f.Add("\x00\x00")
	f.Add("file:x")
	f.Fuzz(func(t *testing.T, out string) {
		for _, s := range parseConfigList(out) {
			if strings.ContainsAny(s.key, "\n\x00") || strings.Contains(s.value, "\x00") || s.bare && s.value != "" {
				t.Errorf("%q gives %+v", out, s)
			}
		}
	})
}
