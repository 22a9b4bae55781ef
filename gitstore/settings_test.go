package gitstore

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

var settingsSeeds = []string{
	"[core]\n\trepositoryformatversion = 0\n\tbare = false\n",
	"\ufeff[a]\r\nb = c\r\n; comment\r\n[A \"B.c\\\"d\"] e\n",
	"[remote \"o\"]\n\turl = \"a b\" ; c\n\tfetch = +refs/heads/*:refs/remotes/o/* # x\n",
	"[a]\n b = one  two\n c = \"q;#\" tail  \n d = \\t\\n\\b\\\\\\\"\n",
	"[a.B]\nc=1\n[x-1 \"\"]\n y\n z =\n", "[a]b=c[d]e=f", "[a]\nb = \"open\n", "[a]\nb = \\q\n", "[]\n", "[a\n", "b=c\n", "[a]\n1b = c\n",
	"[a \"x\\\ny\"]\nb=1\n", "[a]\nb c\n", "[a] b = c\\", "[a]\nb=  x\ty  \n", "[a]\nb = 'c'\n", "[a]\n b = x\\\n", "[a \"s\" ]\nb\n", "[a\t\"s\"]\nb\n",
	"[a]\nb = c \\\n# d\n", "[a]\nb = x\ry\r\n", "[a]\nb\t\n", "[a]\nb \r\n", "[a]\nb\r\n", "[a]\nb = \"c\"d \"e\"\n", "[a]\nb = \xff\n", "[a]\n\fb=1\n", "[0\"\"]",
}

// What we read of a configuration file is what git reads; what git refuses, we leave to git.
func FuzzParseSettings(f *testing.F) {
	for _, s := range settingsSeeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		ours, err := parseSettings(data)
		if err != nil {
			return
		}
		file := filepath.Join(t.TempDir(), "config")
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("git", "config", "-z", "--list", "--no-includes", "-f", file).Output()
		if err != nil {
			t.Fatalf("read %q as %v, git refuses it", data, ours)
		}
		var mine bytes.Buffer
		for _, s := range ours {
			mine.WriteString(s.key)
			if !s.bare {
				mine.WriteString("\n" + s.value)
			}
			mine.WriteByte(0)
		}
		if mine.String() != string(out) {
			t.Errorf("%q:\nread %q\ngit  %q", data, mine.String(), out)
		}
	})
}

// The seeds that are plain must not all fall back to git.
func TestParseSettings(t *testing.T) {
	for _, s := range settingsSeeds[:5] {
		if got, err := parseSettings([]byte(s)); err != nil || len(got) == 0 {
			t.Errorf("%q: %v, %v", s, got, err)
		}
	}
}
