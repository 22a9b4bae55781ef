package gitstore

import (
	"errors"
	"testing"
)

// TestUnreachedSaysWhoseFaultItIs tells a remote that does not answer from a repository that cannot keep its answer.
func TestUnreachedSaysWhoseFaultItIs(t *testing.T) {
	t.Parallel()
	for stderr, want := range map[string]string{
		"fatal: unable to access 'http://h/': Could not resolve host: h\n":                                                         "origin was not reached: unable to access 'http://h/': Could not resolve host: h",
		"error: insufficient permission for adding an object to repository database .git/objects\nfatal: failed to write object\n": "what origin has could not be kept here: insufficient permission for adding an object to repository database .git/objects",
		"fatal: unable to create temporary file '.git/objects/pack/tmp_pack_XXXXXX': Read-only file system\n":                      "what origin has could not be kept here: unable to create temporary file '.git/objects/pack/tmp_pack_XXXXXX': Read-only file system",
	} {
		err := &UnreachedError{Remote: "origin", Err: &GitError{Status: 128, Stderr: stderr}}
		if err.Error() != want || !errors.Is(err, ErrUnreached) {
			t.Errorf("%q, want %q", err, want)
		}
	}
}
