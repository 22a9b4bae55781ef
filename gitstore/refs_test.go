package gitstore

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// refFormats are the repositories that refs are tested in.
func refFormats(t *testing.T, test func(t *testing.T, r *Repo, oids [2]string)) {
	for _, format := range []string{"files", "reftable"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			var args []string
			if format != "files" {
				supports(t, "init", "-q", "--ref-format="+format, "x")
				args = []string{"--ref-format=" + format}
			}
			dir := newRepo(t, args...)
			r := open(t, dir)
			var oids [2]string
			for i := range oids {
				tree, err := r.writeObject(t.Context(), "tree", nil)
				if err != nil {
					t.Fatal(err)
				}
				c := commitObject{tree: tree, author: Program, committer: Program, message: fmt.Sprint(i)}
				if oids[i], err = r.writeObject(t.Context(), "commit", c.encode()); err != nil {
					t.Fatal(err)
				}
			}
			test(t, r, oids)
		})
	}
}

func TestUpdateRefs(t *testing.T) {
	const ref = "refs/handoff/main/default"
	refFormats(t, func(t *testing.T, r *Repo, oids [2]string) {
		update := func(c ...RefChange) error { return r.UpdateRefs(t.Context(), "test", c...) }
		if err := update(RefChange{Ref: ref, New: oids[0]}, RefChange{Ref: "refs/handoff/main/other", New: oids[1]}); err != nil {
			t.Fatal(err)
		}
		for name, c := range map[string]RefChange{
			"create over":          {Ref: ref, New: oids[1]},
			"update from wrong":    {Ref: ref, Old: oids[1], New: oids[1]},
			"delete from wrong":    {Ref: ref, Old: oids[1]},
			"update what is not":   {Ref: "refs/handoff/gone/x", Old: oids[0], New: oids[1]},
			"delete what is not":   {Ref: "refs/handoff/gone/x", Old: oids[0]},
			"update below nothing": {Ref: ref + "x/y", Old: oids[0], New: oids[1]},
		} {
			if err := update(c); !errors.Is(err, ErrRefMoved) {
				t.Errorf("%s: %v, want ErrRefMoved", name, err)
			}
		}
		// One that fails takes the others of its transaction with it.
		if err := update(RefChange{Ref: ref, Old: oids[0], New: oids[1]}, RefChange{Ref: "refs/handoff/main/other", Old: oids[0]}); !errors.Is(err, ErrRefMoved) {
			t.Errorf("transaction: %v", err)
		}
		if oid, err := r.ref(t.Context(), ref); oid != oids[0] || err != nil {
			t.Errorf("after lost races: %s, %v, want %s", oid, err, oids[0])
		}
		if err := update(RefChange{Ref: ref, Old: oids[0], New: oids[1]}); err != nil {
			t.Error(err)
		}
		if err := update(RefChange{Ref: ref, Old: oids[1]}); err != nil {
			t.Error(err)
		}
		if oid, err := r.ref(t.Context(), ref); oid != "" || err != nil {
			t.Errorf("deleted: %s, %v", oid, err)
		}
	})
}

func TestConflictDF(t *testing.T) {
	const a, b = "refs/handoff/a/b", "refs/handoff/a/b/c"
	refFormats(t, func(t *testing.T, r *Repo, oids [2]string) {
		for _, pair := range [][2]string{{a, b}, {b, a}} {
			for _, packed := range []bool{false, true} {
				there, wanted := pair[0], pair[1]
				if err := r.UpdateRefs(t.Context(), "test", RefChange{Ref: there, New: oids[0]}); err != nil {
					t.Fatal(err)
				}
				if packed {
					git(t, r.dir, "pack-refs", "--all")
				}
				var df *ConflictDF
				err := r.UpdateRefs(t.Context(), "test", RefChange{Ref: wanted, New: oids[0]})
				if !errors.As(err, &df) || df.Ref != wanted || df.Blocking != there {
					t.Errorf("%s beside %s, packed %v: %v", wanted, there, packed, err)
				}
				if oid, err := r.ref(t.Context(), wanted); oid != "" || err != nil {
					t.Errorf("%s beside %s reads %q, %v", wanted, there, oid, err)
				}
				if err := r.UpdateRefs(t.Context(), "test", RefChange{Ref: there, Old: oids[0]}); err != nil {
					t.Fatal(err)
				}
			}
		}
		var df *ConflictDF
		err := r.UpdateRefs(t.Context(), "test", RefChange{Ref: a, New: oids[0]}, RefChange{Ref: b, New: oids[0]})
		if !errors.As(err, &df) {
			t.Errorf("both at once: %v", err)
		}
	})
}

func TestLockedRef(t *testing.T) {
	dir := newRepo(t)
	r := open(t, dir)
	name := save(t, r, testName, "first").Ref
	lock := filepath.Join(dir, ".git", filepath.FromSlash(name)+".lock")
	write(t, lock, "")
	oid := strings.Repeat("1", 40)
	err := r.UpdateRefs(t.Context(), "test", RefChange{Ref: name, Old: oid})
	if !errors.Is(err, ErrRefLocked) || !strings.Contains(err.Error(), lock) {
		t.Errorf("%v, want ErrRefLocked that names the file", err)
	}
}

func TestRefs(t *testing.T) {
	refFormats(t, func(t *testing.T, r *Repo, oids [2]string) {
		for _, name := range []string{"refs/handoff/a/x", "refs/handoff/b/x", "refs/handoff-archive/1", "refs/handoff-remotes/o/heads/a/x"} {
			if err := r.UpdateRefs(t.Context(), "test", RefChange{Ref: name, New: oids[0]}); err != nil {
				t.Fatal(err)
			}
		}
		refs, err := r.Refs(t.Context(), "refs/handoff", "refs/handoff-archive/")
		want := []Ref{{"refs/handoff-archive/1", oids[0]}, {"refs/handoff/a/x", oids[0]}, {"refs/handoff/b/x", oids[0]}}
		if err != nil || !slices.Equal(refs, want) {
			t.Errorf("%v, %v, want %v", refs, err, want)
		}
	})
}

// A ref among many packed ones is found as git finds it, whatever its place, and a loose one counts before it.
func TestReadRefAmongManyPacked(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 60, 5_000, 100_000} {
		for _, header := range []string{"# pack-refs with: peeled fully-peeled sorted \n", ""} {
			dir := t.TempDir()
			names := packRefs(t, dir, header, n)
			picks := []int{0, 1, n - 2, n - 1}
			for range 200 {
				picks = append(picks, rand.IntN(n+1))
			}
			for _, i := range picks {
				if i < 0 || i >= n || header == "" && n > 5_000 {
					continue
				}
				if oid, err := readRef(dir, names[i]); err != nil || oid != fmt.Sprintf("%040x", i) {
					t.Fatalf("ref %d of %d: %s, %v", i, n, oid, err)
				}
				if oid, err := readRef(dir, names[i]+"-"); err != nil || oid != "" {
					t.Fatalf("no ref after %d of %d: %q, %v", i, n, oid, err)
				}
			}
			for _, name := range []string{"refs/a", "refs/zzz", "refs/handoff/"} {
				if oid, err := readRef(dir, name); err != nil || oid != "" {
					t.Errorf("%s of %d: %q, %v", name, n, oid, err)
				}
			}
		}
	}
}

// packRefs writes a packed-refs file whose names have very different lengths, some of them peeled tags.
func packRefs(t *testing.T, dir, header string, n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("refs/handoff/%s%07d/default", strings.Repeat("long/", i%7*i%11), i)
	}
	slices.Sort(names)
	var b bytes.Buffer
	b.WriteString(header)
	for i, name := range names {
		fmt.Fprintf(&b, "%040x %s\n", i, name)
		if i%5 == 0 {
			fmt.Fprintf(&b, "^%040x\n", i+1)
		}
	}
	write(t, filepath.Join(dir, "packed-refs"), b.String())
	return names
}

func TestReadRef(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	oid := strings.Repeat("a1", 20)
	write(t, filepath.Join(dir, "packed-refs"), "# pack-refs with: peeled fully-peeled sorted \n"+strings.Repeat("b", 40)+" refs/handoff/a/packed\n")
	write(t, filepath.Join(dir, "refs/handoff/a/loose"), oid+"\n")
	write(t, filepath.Join(dir, "refs/handoff/a/symbolic"), "ref: refs/handoff/a/loose\n")
	write(t, filepath.Join(dir, "refs/handoff/a/empty"), "")
	for name, want := range map[string]string{"a/loose": oid, "a/packed": strings.Repeat("b", 40), "a": "", "a/loose/x": "", "no/x": ""} {
		if got, err := readRef(dir, "refs/handoff/"+name); got != want || err != nil {
			t.Errorf("%s: %q, %v, want %q", name, got, err, want)
		}
	}
	for _, name := range []string{"a/symbolic", "a/empty"} {
		if got, err := readRef(dir, "refs/handoff/"+name); err == nil {
			t.Errorf("%s: %q, want git to be asked", name, got)
		}
	}
}

func FuzzReadPackedRef(f *testing.F) {
	f.Add([]byte("# pack-refs with: peeled fully-peeled sorted \n"+strings.Repeat("b", 40)+" refs/a\n^"+strings.Repeat("c", 40)+"\n"), "refs/a")
	f.Add([]byte(""), "")
	f.Add([]byte(strings.Repeat("\n", 70<<10)), "x")
	f.Fuzz(func(t *testing.T, data []byte, name string) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "packed-refs"), data, 0o644); err != nil {
			t.Fatal(err)
		}
		oid, err := readPackedRef(dir, name)
		if err == nil && oid != "" && (!isOID(oid) || !bytes.Contains(data, []byte(oid+" "+name))) {
			t.Errorf("%q found %q", name, oid)
		}
	})
}
