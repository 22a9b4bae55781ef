package gitstore

import (
	"testing"
)

func TestOpenOrdinaryRepositoryStartsNoChild(t *testing.T) {
	dir := newRepo(t)
	oid := commitFile(t, dir, "a", "1")
	n := countChildren(t, func() {
		r := open(t, dir)
		head, err := r.Head(t.Context())
		if err != nil || head.Branch != "main" || head.OID != oid {
			t.Errorf("head: %+v, %v", head, err)
		}
		kind, _, err := r.object(t.Context(), oid)
		if err != nil || kind != "commit" {
			t.Errorf("object: %s %v", kind, err)
		}
		if r.Place().TopLevel == "" {
			t.Error("no top level")
		}
	})
	if n != 0 {
		t.Errorf("%d children, want none", n)
	}
}
