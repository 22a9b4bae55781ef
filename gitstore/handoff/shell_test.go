package handoff

import "testing"

func TestShellLine(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		words []string
		want  string
	}{
		{nil, ""},
		{[]string{"go", "test", "./...", "-run=X"}, "go test ./... -run=X"},
		{[]string{"sh", "-c", "exit 3"}, "sh -c 'exit 3'"},
		{[]string{"echo", "", "it's", "a\nb", "$x", "`y`", "*", "~", "é"}, `echo '' 'it'\''s' 'a` + "\n" + `b' '$x' '` + "`y`" + `' '*' '~' 'é'`},
		{[]string{"A=b", "C=d"}, "'A=b' C=d"},
	} {
		if got := ShellLine(tt.words); got != tt.want {
			t.Errorf("ShellLine(%q) = %s, want %s", tt.words, got, tt.want)
		}
	}
}
