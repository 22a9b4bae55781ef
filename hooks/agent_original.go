package hooks

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"

	"git-handoff/gitstore"
)

// originals is a folder with what agents' files were before init, where taking our part out would not give that: in
// a file that was empty, or held an empty list of hooks, nothing tells whether the emptiness is ours. Each is named for the
// digest of what init made of it, so that it is put back only where nobody has edited the file since.
type originals string

func originalsOf(place gitstore.Place) originals {
	return originals(filepath.Join(place.CommonDir, "handoff", "agents"))
}

func (o originals) file(made []byte) string {
	sum := sha256.Sum256(made)
	return filepath.Join(string(o), hex.EncodeToString(sum[:]))
}

// of is the original of what init made. The error is for none.
func (o originals) of(made []byte) ([]byte, error) { return os.ReadFile(o.file(made)) }

// keep keeps the original of what a file becomes, if there was one and it is needed: text itself, or what that was made of.
func (o originals) keep(f agentFile, text, next []byte) error {
	if text == nil {
		return nil
	}
	original := text
	if older, err := o.of(text); err == nil {
		original = older
	} else if ours, err := f.take(text); err != nil || !bytes.Equal(ours, text) {
		return nil // it was made by an init that nobody remembers
	}
	if taken, err := f.take(next); err == nil && taken != nil && bytes.Equal(taken, original) {
		return nil
	}
	if err := os.MkdirAll(string(o), 0o777); err != nil {
		return err
	}
	return writeFile(o.file(next), original, 0o600)
}

// forget removes them all, and the folder above if nothing else is kept there.
func (o originals) forget() error {
	err := os.RemoveAll(string(o))
	os.Remove(filepath.Dir(string(o)))
	return err
}
