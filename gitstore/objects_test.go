package gitstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// engines runs one test over every way to read and write objects.
func engines(t *testing.T, test func(t *testing.T, r *Repo)) {
	for name, change := range map[string]func(r *Repo){
		"in process":                  func(*Repo) {},
		"in process, git writes":      func(r *Repo) { r.store.(*preferred).gitWrites.Store(true) },
		"in process, only loose ones": func(r *Repo) { r.store.(*preferred).own.maxIndex = 0 },
		"git":                         func(r *Repo) { r.store = &catFile{repo: r} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := open(t, newRepo(t))
			change(r)
			test(t, r)
		})
	}
}

func TestObjects(t *testing.T) {
	engines(t, func(t *testing.T, r *Repo) {
		ctx := t.Context()
		blobs := map[string][]byte{}
		for _, data := range [][]byte{nil, {0}, []byte("text\n"), bytes.Repeat([]byte("long\x00"), 1<<18)} {
			oid, err := r.writeObject(ctx, "blob", data)
			if want := gitIn(t, r.dir, string(data), "hash-object", "--stdin"); err != nil || oid != want {
				t.Fatalf("wrote %d bytes as %s, %v, git has %s", len(data), oid, err, want)
			}
			blobs[oid] = data
		}
		tree := gitIn(t, r.dir, "", "mktree")
		c := commitObject{tree: tree, author: Program, committer: Program, message: "m"}
		commit, err := r.writeObject(ctx, "commit", c.encode())
		if err != nil {
			t.Fatal(err)
		}
		check := func(when string) {
			for oid, data := range blobs {
				if kind, got, err := r.object(ctx, oid); kind != "blob" || !bytes.Equal(got, data) || err != nil {
					t.Errorf("%s: %s is a %s of %d bytes, %v", when, oid, kind, len(got), err)
				}
			}
			if kind, got, err := r.object(ctx, commit); kind != "commit" || !bytes.Equal(got, c.encode()) || err != nil {
				t.Errorf("%s: commit is a %s %q, %v", when, kind, got, err)
			}
			for _, none := range []string{strings.Repeat("0", 40), strings.Repeat("12", 20), "HEAD", ""} {
				if kind, _, err := r.object(ctx, none); !errors.Is(err, ErrNoObject) {
					t.Errorf("%s: %q is %s, %v", when, none, kind, err)
				}
			}
		}
		check("loose")
		for oid, data := range blobs {
			git(t, r.dir, "update-ref", "refs/handoff/x/"+oid, oid)
			if again, err := r.writeObject(ctx, "blob", data); again != oid || err != nil {
				t.Errorf("written again: %s, %v", again, err)
			}
		}
		git(t, r.dir, "update-ref", "refs/handoff/x/commit", commit)
		git(t, r.dir, "gc", "-q", "--prune=now")
		check("packed meanwhile")
		for oid, data := range blobs {
			if again, err := r.writeObject(ctx, "blob", data); again != oid || err != nil {
				t.Errorf("written again when packed: %s, %v", again, err)
			}
		}
		git(t, r.dir, "fsck", "--strict")
	})
}

func TestObjectsOfManyReaders(t *testing.T) {
	engines(t, func(t *testing.T, r *Repo) {
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				for n := range 5 {
					data := fmt.Sprintf("%d %d", i%4, n)
					oid, err := r.writeObject(t.Context(), "blob", []byte(data))
					if err != nil {
						t.Error(err)
						return
					}
					if _, got, err := r.object(t.Context(), oid); string(got) != data || err != nil {
						t.Errorf("%q, %v, want %q", got, err, data)
					}
				}
			})
		}
		wg.Wait()
	})
}

func TestObjectAfterCancel(t *testing.T) {
	t.Parallel()
	r := open(t, newRepo(t))
	r.store = &catFile{repo: r}
	oid, err := r.writeObject(t.Context(), "blob", []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := r.object(ctx, oid); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if kind, _, err := r.object(t.Context(), oid); kind != "blob" || err != nil {
		t.Errorf("afterwards: %s, %v", kind, err)
	}
}

// Loose objects look as git leaves them: nobody may write to them, and the umask says who may read them.
func TestObjectFileMode(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	oid, err := open(t, dir).writeObject(t.Context(), "blob", []byte("ours"))
	if err != nil {
		t.Fatal(err)
	}
	theirs := gitIn(t, dir, "theirs", "hash-object", "-w", "--stdin")
	modes := func(oid string) string {
		file := filepath.Join(dir, ".git", "objects", oid[:2], oid[2:])
		f, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		d, err := os.Stat(filepath.Dir(file))
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(f.Mode(), " in ", d.Mode())
	}
	if got, want := modes(oid), modes(theirs); got != want {
		t.Errorf("ours is %s, git's %s", got, want)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".git", "objects", "*", "tmp_*")); len(left) > 0 {
		t.Errorf("left behind: %s", left)
	}
}

// A promised object is fetched when it is needed; without the remote it is not here.
func TestPromisedObject(t *testing.T) {
	t.Parallel()
	dir := cloned("--filter=blob:none", "--no-checkout")(t)
	from := strings.TrimPrefix(git(t, dir, "remote", "get-url", "origin"), "file://")
	first, second := git(t, from, "rev-parse", "HEAD:a"), git(t, from, "rev-parse", "HEAD~1:a")
	r := open(t, dir)
	if kind, data, err := r.object(t.Context(), first); kind != "blob" || string(data) != "2" || err != nil {
		t.Errorf("%s %q %v", kind, data, err)
	}
	git(t, dir, "remote", "set-url", "origin", filepath.Join(t.TempDir(), "gone"))
	if _, _, err := open(t, dir).object(t.Context(), second); err == nil {
		t.Error("an object that is nowhere was read")
	}
}

// While git receives a push, objects live elsewhere, and what a hook writes must go there.
func TestQuarantine(t *testing.T) {
	dir := ordinaryRepo(t)
	objects := filepath.Join(dir, ".git", "objects")
	quarantine := filepath.Join(objects, "tmp_objdir-incoming")
	mkdir(t, quarantine)
	t.Setenv("GIT_OBJECT_DIRECTORY", quarantine)
	t.Setenv("GIT_ALTERNATE_OBJECT_DIRECTORIES", objects)
	r := open(t, dir)
	oid, err := r.writeObject(t.Context(), "blob", []byte("quarantined"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(quarantine, oid[:2], oid[2:])); err != nil {
		t.Error(err)
	}
	if kind, _, err := r.object(t.Context(), git(t, dir, "rev-parse", "HEAD")); kind != "commit" || err != nil {
		t.Errorf("%s, %v", kind, err)
	}
}

// The environment of a hook names the repository, whatever folder we are in.
func TestGitDirInTheEnvironment(t *testing.T) {
	dir := ordinaryRepo(t)
	t.Setenv("GIT_DIR", filepath.Join(dir, ".git"))
	r := open(t, newRepo(t))
	if got, err := r.Head(t.Context()); err != nil || got.OID != git(t, dir, "rev-parse", "HEAD") {
		t.Errorf("%+v, %v", got, err)
	}
	if r.Place().GitDir != filepath.Join(dir, ".git") {
		t.Errorf("%+v", r.Place())
	}
}

func TestOpenWithoutRepository(t *testing.T) {
	t.Setenv("GIT_CEILING_DIRECTORIES", os.TempDir())
	for _, dir := range []string{t.TempDir(), filepath.Join(t.TempDir(), "gone")} {
		if _, err := Open(t.Context(), dir); !errors.Is(err, ErrNotRepository) {
			t.Errorf("%s: %v", dir, err)
		}
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := Open(t.Context(), t.TempDir()); !errors.Is(err, ErrNoGit) {
		t.Errorf("without git: %v", err)
	}
}

// The user's own configuration can ask for it too.
func TestSharedByGlobalConfiguration(t *testing.T) {
	global := filepath.Join(t.TempDir(), "config")
	write(t, global, "[core]\n\tsharedRepository = 0666\n")
	t.Setenv("GIT_CONFIG_GLOBAL", global)
	dir := newRepo(t)
	v := save(t, open(t, dir), testName, "x")
	file := filepath.Join(dir, ".git", "objects", v.OID[:2])
	if info, err := os.Stat(file); err != nil || info.Mode().Perm()&0o022 != 0o022 {
		t.Errorf("%s: %v, %v", file, info.Mode(), err)
	}
}

// A folder of somebody else is git's to refuse, and the user's to trust.
func TestSomebodyElsesRepository(t *testing.T) {
	dir := ordinaryRepo(t)
	if err := os.Chown(dir, 12345, -1); err != nil {
		t.Skipf("only for a user who can give a folder away: %v", err)
	}
	var refused *GitError
	if _, err := Open(t.Context(), dir); !errors.As(err, &refused) || !strings.Contains(err.Error(), "safe.directory") {
		t.Errorf("%v", err)
	}
	global := filepath.Join(t.TempDir(), "config")
	write(t, global, "[safe]\n\tdirectory = *\n")
	t.Setenv("GIT_CONFIG_GLOBAL", global)
	open(t, dir)
}

// A gc removes empty folders of loose objects, also those that were just made for an object that is being written.
func TestWriteBesidesRemovedFolders(t *testing.T) {
	t.Parallel()
	r := open(t, newRepo(t))
	loose := filepath.Join(r.Place().CommonDir, "objects")
	stop := make(chan struct{})
	var remover sync.WaitGroup
	remover.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
				os.Remove(filepath.Join(loose, fmt.Sprintf("%02x", i%256))) // fails where it is not empty
			}
		}
	})
	for i := range 300 {
		oid, err := r.writeObject(t.Context(), "blob", fmt.Append(nil, i))
		if err != nil {
			t.Errorf("object %d: %v", i, err)
			break
		}
		if err := os.Remove(filepath.Join(loose, oid[:2], oid[2:])); err != nil {
			t.Error(err)
		}
	}
	close(stop)
	remover.Wait()
	if left, _ := filepath.Glob(filepath.Join(loose, "*", "tmp_*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
