package gitstore

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"git-handoff/gitstore/handoff"
)

// ArtifactState is whether an artifact is there, as it was when the handoff was saved.
type ArtifactState string

const (
	ArtifactPresent ArtifactState = "present"
	ArtifactChanged ArtifactState = "changed"
	ArtifactMissing ArtifactState = "missing"
	// ArtifactUnknown was not looked at: a URL, or a file in a worktree that is not here.
	ArtifactUnknown ArtifactState = "unknown"
)

// An Artifact is an artifact of a handoff and its state. Why says what stands behind Unknown, and of a file that is
// present that nothing was recorded to compare it with.
type Artifact struct {
	Item  handoff.Item
	State ArtifactState
	Why   string
	path  string
}

// Artifacts finds out the state of every artifact of a document: of files in this worktree if the branch is checked out
// here, else in the tree of the branch's tip.
func (r *Repo) Artifacts(ctx context.Context, doc *handoff.Document, here bool) ([]Artifact, error) {
	tip, err := r.BranchTip(ctx, doc.Branch)
	if err != nil {
		return nil, err
	}
	return r.artifacts(ctx, doc, here, tip)
}

// artifacts finds out the state of every artifact: of files in this worktree if here, else in the tree of the commit
// tip. It starts at most two children, however many there are.
func (r *Repo) artifacts(ctx context.Context, doc *handoff.Document, here bool, tip string) ([]Artifact, error) {
	found := make([]Artifact, 0, len(doc.Artifacts))
	for _, it := range doc.Artifacts {
		a := Artifact{Item: it, State: ArtifactUnknown}
		switch {
		case isFile(it), it.Kind == "commit", it.Kind == "ref":
		case it.Ref == "":
			a.Why = "it says not where it is"
		default:
			a.Why = "a URL is not looked at"
		}
		found = append(found, a)
	}
	if err := r.objectStates(ctx, found); err != nil {
		return nil, err
	}
	return found, r.fileStates(ctx, found, doc.ArtifactDigests, here, tip)
}

// objectStates asks git which of the artifacts that are commits or refs are here, in one child. Nothing is fetched.
func (r *Repo) objectStates(ctx context.Context, all []Artifact) error {
	var in strings.Builder
	var asked []*Artifact
	for i := range all {
		a := &all[i]
		if a.Item.Kind != "commit" && a.Item.Kind != "ref" || a.Item.Ref == "" {
			continue
		}
		if strings.ContainsAny(a.Item.Ref, "\n\x00") {
			a.State = ArtifactMissing
			continue
		}
		asked = append(asked, a)
		in.WriteString(a.Item.Ref)
		if a.Item.Kind == "commit" {
			in.WriteString("^{commit}")
		}
		in.WriteByte('\n')
	}
	if len(asked) == 0 {
		return nil
	}
	args := []string{"cat-file", "--batch-check=%(objecttype)", "--buffer"}
	out, err := call{dir: r.dir, args: args, stdin: strings.NewReader(in.String()), env: []string{"GIT_NO_LAZY_FETCH=1"}}.output(ctx)
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if err != nil || len(lines) != len(asked) {
		return cmp.Or(ctx.Err(), err)
	}
	for i, a := range asked {
		a.State = ArtifactMissing
		if !strings.HasSuffix(lines[i], " missing") && !strings.HasSuffix(lines[i], " ambiguous") {
			a.State = ArtifactPresent
		}
	}
	return nil
}

// fileStates compares the artifacts that are files with the digests of the save.
func (r *Repo) fileStates(ctx context.Context, all []Artifact, digests map[string]string, here bool, tip string) error {
	var files []*Artifact
	for i := range all {
		a := &all[i]
		var ok bool
		if a.path, ok = r.artifactPath(a.Item); ok {
			files = append(files, a)
		} else if isFile(a.Item) {
			a.Why = "it is not in the repository"
		}
	}
	switch {
	case len(files) == 0:
		return nil
	case here:
		return r.worktreeStates(files, digests)
	case tip != "":
		return r.treeStates(ctx, files, digests, tip)
	}
	for _, a := range files {
		a.Why = "its branch is not here"
	}
	return nil
}

func (r *Repo) worktreeStates(files []*Artifact, digests map[string]string) error {
	top, err := r.worktreeRoot()
	if err != nil {
		return err
	}
	defer top.Close()
	for _, a := range files {
		sum, err := fileDigest(top, a.path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			a.missing(digests[a.path])
		case err != nil:
			a.Why = "it cannot be read: " + reasonOf(err)
		default:
			a.compare(sum, digests[a.path])
		}
	}
	return nil
}

// reasonOf is an error of a file without the name of the file.
func reasonOf(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// missing is a file that is not there. Of a mere name nobody knows that it is a file's, unless it was one at the save.
func (a *Artifact) missing(then string) {
	if a.Item.Kind == "" && a.Item.Ref == "" && then == "" {
		a.Why = "it says not where it is"
		return
	}
	a.State = ArtifactMissing
}

func (a *Artifact) compare(now, then string) {
	a.State = ArtifactPresent
	switch {
	case now != "" && then == "":
		a.Why = "the save recorded no digest of it"
	case now != then:
		a.State = ArtifactChanged
	}
}

// treeStates reads the files from a commit. A file that git cannot get, as in a partial clone without its remote, is
// unknown, and so are those after it.
func (r *Repo) treeStates(ctx context.Context, files []*Artifact, digests map[string]string, tip string) error {
	var in strings.Builder
	var asked []*Artifact
	for _, a := range files {
		if !strings.ContainsAny(a.path, "\n\x00") {
			asked = append(asked, a)
			fmt.Fprintf(&in, "%s:%s\n", tip, a.path)
		}
	}
	args := []string{"--no-replace-objects", "cat-file", "--batch=%(objecttype) %(objectsize)", "--buffer"}
	err := call{dir: r.dir, args: args, stdin: strings.NewReader(in.String())}.pipe(ctx, func(out io.Reader) error {
		answers := bufio.NewReaderSize(out, 64<<10)
		for _, a := range asked {
			if err := a.readFrom(answers, digests[a.path]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		for _, a := range asked {
			if a.State == ArtifactUnknown {
				a.Why = "git cannot read it here"
			}
		}
	}
	return ctx.Err()
}

// readFrom reads one answer of git cat-file: "KIND SIZE", the content and a line feed, or "NAME missing".
func (a *Artifact) readFrom(answers *bufio.Reader, then string) error {
	head, err := answers.ReadString('\n')
	if err != nil {
		return fmt.Errorf("git cat-file was cut short: %w", err)
	}
	var kind string
	var size int64
	if n, _ := fmt.Sscanf(head, "%s %d\n", &kind, &size); n != 2 || strings.HasSuffix(head, " missing\n") {
		a.missing(then)
		return nil
	}
	sum, err := digestOf(io.LimitReader(answers, size))
	if err != nil {
		return err
	}
	if kind != "blob" {
		sum = ""
	}
	a.compare(sum, then)
	_, err = answers.Discard(1)
	return err
}
