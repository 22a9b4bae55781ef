package hooks

import (
	"bytes"
	"errors"
	"testing"
)

// theirs are hook files of other people, and whether our block may stand in them.
var theirs = []struct {
	name, content string
	err           error
}{
	{"plain", "#!/bin/sh\necho theirs\n", nil},
	{"bash behind env", "#!/usr/bin/env bash\nset -euo pipefail\n", nil},
	{"env -S", "#!/usr/bin/env -S bash -e\n:\n", nil},
	{"env with a variable", "#!/usr/bin/env -S A=1 sh\n:\n", nil},
	{"busybox", "#!/bin/busybox sh\n:\n", nil},
	{"options", "#!/bin/sh -eu\nexit 0\n", nil},
	{"blank before the interpreter", "#! /bin/dash\n:\n", nil},
	{"no final line feed", "#!/bin/sh\nexec true", nil},
	{"the first line alone", "#!/bin/sh", nil},
	{"the first line and its end", "#!/bin/sh\n", nil},
	{"no first line for the kernel", "echo theirs\n", nil},
	{"empty", "", nil},
	{"one line feed", "\n", nil},
	{"CR LF below the first line", "#!/bin/sh\n:\r\nexit\r\n", nil},
	{"CR LF throughout", "#!/bin/sh\r\n:\r\n", errLineEnd},
	{"CR LF without a first line for the kernel", ":\r\nexit\r\n", nil},
	{"perl behind sh", "#!/bin/sh\neval 'exec perl -x -wS \"$0\" ${1+\"$@\"}'\n if 0;\n", errPolyglot},
	{"python behind sh", "#!/bin/sh\n\"exec\" \"python3\" \"$0\" \"$@\"\nprint()\n", errPolyglot},
	{"node behind sh", "#!/bin/sh\n':' //; exec \"$(command -v node)\" \"$0\" \"$@\"\n", errPolyglot},
	{"tcl behind sh", "#!/bin/sh\n# \\\nexec tclsh ${0} \"$@\"\n", errPolyglot},
	{"a better shell", "#!/bin/sh\n[ -n \"$BASH_VERSION\" ] || exec /usr/bin/env bash \"$0\" \"$@\"\n", nil},
	{"a file of the same name", "#!/bin/sh\nexec \"$HOOKS/$(basename \"$0\")\" \"$@\"\n", nil},
	{"a file beside it", "#!/bin/sh\nexec \"$(dirname \"$0\")/other\" \"$@\"\n", nil},
	{"itself once more", "#!/bin/sh\n# exec perl \"$0\"\n[ \"$A\" ] || A=1 exec \"$0\" \"$@\"\n", nil},
	{"python", "#!/usr/bin/env python3\nprint()\n", errNotShell},
	{"zsh", "#!/bin/zsh\n:\n", errNotShell},
	{"fish", "#!/usr/bin/fish\n:\n", errNotShell},
	{"no interpreter", "#!\n:\n", errNotShell},
	{"env alone", "#!/usr/bin/env\n:\n", errNotShell},
	{"a program", "\x7fELF\x02\x01\x01\x00\x00", errNotText},
}

func TestBlockComesAndGoes(t *testing.T) {
	for _, event := range Events {
		old := script{event: event, program: "/old/git-handoff"}
		s := script{event: event, program: "/opt/it's here/git-handoff", storage: "/var/lfs"}
		for _, c := range theirs {
			first, err := put([]byte(c.content), old)
			if !errors.Is(err, c.err) {
				t.Errorf("%s, %s: %v, want %v", event, c.name, err, c.err)
			}
			if err != nil {
				continue
			}
			second, err := put(first, s)
			third, err2 := put(second, s)
			if err != nil || err2 != nil || !bytes.Equal(second, third) {
				t.Errorf("%s, %s: putting it twice is not putting it once: %v, %v\n%s", event, c.name, err, err2, third)
			}
			if bytes.Contains(second, []byte("/old/")) || bytes.Count(second, []byte(blockStart)) != 1 {
				t.Errorf("%s, %s: the old block is still there:\n%s", event, c.name, second)
			}
			if back, err := take(second); err != nil || string(back) != c.content {
				t.Errorf("%s, %s: taken out it is %q, %v, want %q", event, c.name, back, err, c.content)
			}
		}
	}
}

func TestWholeFile(t *testing.T) {
	s := script{event: "pre-push"}
	file, err := put(nil, s)
	if err != nil {
		t.Fatal(err)
	}
	again, err := put(file, script{event: "pre-push", program: "/x"})
	if err != nil {
		t.Fatal(err)
	}
	if rest, err := take(again); rest != nil || err != nil {
		t.Errorf("a file of ours leaves %q, %v", rest, err)
	}
	grown := append(again, "echo mine\n"...)
	if rest, err := take(grown); string(rest) != "#!/bin/sh\necho mine\n" || err != nil {
		t.Errorf("a file that somebody added to leaves %q, %v", rest, err)
	}
}

func TestCutBlockIsLeftAlone(t *testing.T) {
	file := []byte("#!/bin/sh\n" + blockStart + "\n:\n")
	if _, err := put(file, script{event: "pre-push"}); !errors.Is(err, errNoEnd) {
		t.Errorf("put: %v", err)
	}
	if _, err := take(file); !errors.Is(err, errNoEnd) {
		t.Errorf("take: %v", err)
	}
}

func FuzzBlock(f *testing.F) {
	for _, c := range theirs {
		f.Add([]byte(c.content))
	}
	s := script{event: "pre-push", program: "/usr/bin/git-handoff"}
	f.Fuzz(func(t *testing.T, content []byte) {
		if bytes.Contains(content, []byte(blockStart)) {
			return
		}
		if content == nil {
			content = []byte{}
		}
		in, err := put(content, s)
		if err != nil {
			return
		}
		if again, err := put(in, s); err != nil || !bytes.Equal(again, in) {
			t.Fatalf("putting it twice is not putting it once: %v", err)
		}
		if out, err := take(in); err != nil || !bytes.Equal(out, content) {
			t.Fatalf("taken out it is %q, %v", out, err)
		}
	})
}
