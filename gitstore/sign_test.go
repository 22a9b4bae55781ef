package gitstore

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"git-handoff/gitstore/handoff"
)

// signer makes a repository whose saves are signed by a program that signs nothing, or fails.
func signer(t *testing.T, script string) string {
	t.Helper()
	dir := newRepo(t)
	program := filepath.Join(t.TempDir(), "sign")
	if err := os.WriteFile(program, []byte("#!/bin/sh\ncat >/dev/null\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "config", "gpg.program", program)
	git(t, dir, "config", "commit.gpgSign", "true")
	git(t, dir, "config", "i18n.commitEncoding", "latin1")
	return dir
}

func TestSignedSave(t *testing.T) {
	t.Parallel()
	dir := signer(t, `echo "-----BEGIN PGP SIGNATURE-----"; echo; echo x; echo "-----END PGP SIGNATURE-----"; echo "[GNUPG:] SIG_CREATED " >&2`)
	r := open(t, dir)
	first := save(t, r, testName, "prüfen")
	if !first.Signed || first.Author.Email != "ada@example.org" || first.Message.Next != "prüfen" {
		t.Errorf("a save %+v", first)
	}
	event := func(_ *Version, doc *handoff.Document) (*Change, error) {
		return &Change{Doc: doc, Message: handoff.MessageOf(doc, handoff.EventRefresh), Identity: AsUserOrProgram}, nil
	}
	second, err := r.Edit(t.Context(), testName, event)
	if err != nil || second.Signed || second.Parents[0] != first.OID {
		t.Errorf("an event %+v, %v", second, err)
	}
	git(t, dir, "fsck", "--strict")
}

func TestSaveThatCannotBeSigned(t *testing.T) {
	t.Parallel()
	r := open(t, signer(t, "echo no key >&2; exit 1"))
	var failed *GitError
	if _, err := r.Edit(t.Context(), testName, saving(testName, "x")); !errors.As(err, &failed) {
		t.Errorf("%v", err)
	}
	if _, err := r.Tip(t.Context(), testName); !errors.Is(err, ErrNoHandoff) {
		t.Errorf("afterwards: %v", err)
	}
}
