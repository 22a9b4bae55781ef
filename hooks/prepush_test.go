package hooks

import (
	"strings"
	"testing"
)

func TestDryRunArgs(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"git push": "real", "git push -n": "dry", "git push --dry-run origin": "dry", "git push --dry": "dry", "git push --dr": "dry",
		"git push -qn": "dry", "git push -nf origin main": "dry", "git push -on origin": "real", "git push -o n origin": "real",
		"git push -qo -n origin": "real", "git push --push-option -n": "real", "git push --push-option=x -n": "dry",
		"git push -n --no-dry-run": "real", "git push origin -- -n": "real", "git push --delete x": "real", "git push --d": "real",
		"git -C push -c a=b push -n": "dry", "git --git-dir=x push": "real", "/usr/lib/git-core/git push --dry-run": "dry",
		"/usr/lib/git-core/git-push -n": "dry", "git.exe push -n": "dry",
		"/lib64/ld-linux-x86-64.so.2 --library-path /x --argv0 git /opt/git push --dry-run": "dry", "/lib/ld-linux.so.2 /opt/git push": "real", "git commit -n": "other", "sh -c git push -n": "other",
		"git": "other", "": "other", "git --version": "other", "git stash push -n": "other", "git-handoff hook pre-push": "other",
	} {
		dry, push := dryRunArgs(strings.Fields(line))
		got := "other"
		switch {
		case push && dry:
			got = "dry"
		case push:
			got = "real"
		}
		if got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}

func FuzzReadPush(f *testing.F) {
	f.Add("refs/heads/main 1111 refs/heads/main 0000\n")
	f.Add("(delete) 0000 refs/heads/main 1111\nHEAD~1 222 refs/for/main 000")
	f.Add("HEAD^{/a b} 1 refs/heads/x 0\n\n\x00")
	f.Fuzz(func(t *testing.T, in string) {
		all, err := readPush(strings.NewReader(in))
		if err != nil {
			return
		}
		for _, p := range all {
			if p.localOID == "" || p.remoteRef == "" || p.remoteOID == "" || strings.ContainsAny(p.remoteRef, " \n") {
				t.Errorf("%q gave %+v", in, p)
			}
		}
	})
}
