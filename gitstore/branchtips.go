package gitstore

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"git-handoff/gitstore/handoff"
)

// BranchTips lists the current versions of the handoffs of one branch, all its topics, as Tips does. It is what a hook
// asks after every commit, so it reads the few refs itself where they are files, and has git list them where anything
// about them is odd.
func (r *Repo) BranchTips(ctx context.Context, branch string) ([]Version, error) {
	prefix := handoff.RefPrefix + branch + "/"
	if r.place.RefFormat == "files" {
		if names, err := refsUnder(r.place.CommonDir, prefix); err == nil {
			if tips, err := r.tipsOf(ctx, names); err == nil {
				return tips, nil
			}
		}
	}
	tips, err := r.Tips(ctx, prefix)
	return slices.DeleteFunc(tips, func(v Version) bool { return v.Name.Branch != branch }), err
}

// tipsOf reads the versions that refs point to. A ref that went meanwhile, or holds no version, is left out.
func (r *Repo) tipsOf(ctx context.Context, refs []string) ([]Version, error) {
	var tips []Version
	for _, ref := range refs {
		v, err := r.TipOf(ctx, ref)
		switch {
		case errors.Is(err, ErrNoHandoff), errors.Is(err, ErrNotHandoff):
		case err != nil:
			return nil, err
		default:
			tips = append(tips, *v)
		}
	}
	return tips, nil
}

// refsUnder names the refs of handoffs directly under a folder of refs, sorted. The loose ones are listed first: a ref
// that is packed meanwhile is in packed-refs before its file goes.
func refsUnder(commonDir, prefix string) ([]string, error) {
	files, err := os.ReadDir(filepath.Join(commonDir, filepath.FromSlash(prefix)))
	if err != nil && !os.IsNotExist(err) && !errors.Is(err, syscall.ENOTDIR) {
		return nil, err
	}
	var names []string
	for _, f := range files {
		// The locks of git have names that are no topics.
		if handoff.CheckTopic(f.Name()) == nil && !f.IsDir() {
			names = append(names, prefix+f.Name())
		}
	}
	packed, err := packedUnder(commonDir, prefix)
	for _, ref := range packed {
		if handoff.CheckTopic(strings.TrimPrefix(ref.Name, prefix)) == nil {
			names = append(names, ref.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), err
}

// packedUnder lists the refs in packed-refs whose names start with prefix.
func packedUnder(commonDir, prefix string) ([]Ref, error) {
	f, err := os.Open(filepath.Join(commonDir, "packed-refs"))
	if err != nil {
		if os.IsNotExist(err) {
			err = nil
		}
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	start, sorted := int64(0), false
	if info.Size() > smallPackedRefs {
		if start, sorted, err = sortedStart(f, info.Size(), prefix); err != nil {
			return nil, err
		}
	}
	return scanUnder(io.NewSectionReader(f, start, info.Size()-start), prefix, sorted)
}

// scanUnder reads lines, the first of them perhaps cut; sorted ones only until they are past the prefix.
func scanUnder(in io.Reader, prefix string, sorted bool) ([]Ref, error) {
	var refs []Ref
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		oid, ref, ok := strings.Cut(lines.Text(), " ")
		switch {
		case !ok || !isOID(oid):
		case strings.HasPrefix(ref, prefix):
			refs = append(refs, Ref{Name: ref, OID: oid})
		case sorted && ref > prefix:
			return refs, nil
		}
	}
	return refs, lines.Err()
}
