package gitstore

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"git-handoff/gitstore/handoff"
)

// maxTip is more than the commit of any version has, in bytes.
const maxTip = 16 << 20

// Tips lists the current versions of all handoffs under the prefixes (refs/handoff/ if there are none), sorted by ref,
// without reading a document, and without a child where they are few and plain; in two where they are many. What is no
// version of a handoff is left out. Those that are not here to read are an Unread, which comes with all the others.
func (r *Repo) Tips(ctx context.Context, prefixes ...string) ([]Version, error) {
	if len(prefixes) == 0 {
		prefixes = []string{handoff.RefPrefix}
	}
	return r.tipsAt(ctx, folders(prefixes)...)
}

// EachTip visits what Tips lists. The version is another one after the visit.
func (r *Repo) EachTip(ctx context.Context, visit func(*Version), prefixes ...string) error {
	return r.eachTipAt(ctx, visit, folders(prefixes)...)
}

// tipsAt is Tips for patterns as git matches them: a whole name, or its beginning up to a slash.
func (r *Repo) tipsAt(ctx context.Context, patterns ...string) ([]Version, error) {
	var tips []Version
	err := r.eachTipAt(ctx, func(v *Version) {
		if len(tips) == cap(tips) {
			// append grows a large slice by a quarter, which copies ten thousand versions five times over.
			tips = slices.Grow(tips, 3*len(tips)+64)
		}
		tips = append(tips, *v)
	}, patterns...)
	return tips, err
}

// fewTips is up to how many versions are read one by one.
const fewTips = 200

// A namedRef is the ref of a handoff.
type namedRef struct {
	Ref
	name handoff.Name
}

// eachTipAt lists the refs and then reads their commits. In one go, for-each-ref takes half as long again. Those whose
// commits are not here are an Unread, once all others were visited.
func (r *Repo) eachTipAt(ctx context.Context, visit func(*Version), patterns ...string) error {
	refs, near := r.nearRefs(patterns)
	if !near {
		var err error
		if refs, err = r.refsAt(ctx, patterns...); err != nil {
			return err
		}
	}
	named := make([]namedRef, 0, len(refs))
	for _, ref := range refs {
		if name := nameOf(ref.Name); !name.IsZero() {
			named = append(named, namedRef{ref, name})
		}
	}
	var v Version
	var unread Unread
	missing := func(ref namedRef, err error) error {
		if !errors.Is(err, ErrNoObject) {
			return fmt.Errorf("%s: %w", ref.Name, err)
		}
		unread = append(unread, &UnreadError{ref.name, ref.OID, fmt.Errorf("%s: %w", ref.Name, err)})
		return nil
	}
	take := func(ref namedRef, kind string, data []byte) {
		if kind == "commit" && v.parse(ref.OID, data) == nil {
			v.Ref, v.Name = ref.Name, ref.name
			visit(&v)
		}
	}
	if len(named) > fewTips {
		if err := r.readTips(ctx, named, take, missing); err != nil {
			return err
		}
	} else if err := r.readFewTips(ctx, named, take, missing); err != nil {
		return err
	}
	if len(unread) > 0 {
		return unread
	}
	return nil
}

// Takers are told what a ref points to, and why that cannot be read; what missing returns ends the reading.
type (
	takeTip    = func(ref namedRef, kind string, data []byte)
	missingTip = func(ref namedRef, err error) error
)

func (r *Repo) readFewTips(ctx context.Context, refs []namedRef, take takeTip, missing missingTip) error {
	for _, ref := range refs {
		kind, data, err := r.object(ctx, ref.OID)
		if err == nil {
			take(ref, kind, data)
		} else if err := missing(ref, err); err != nil {
			return err
		}
	}
	return nil
}

// readTips has one child read what many refs point to.
func (r *Repo) readTips(ctx context.Context, refs []namedRef, take takeTip, missing missingTip) error {
	var oids bytes.Buffer
	for _, ref := range refs {
		oids.WriteString(ref.OID + "\n")
	}
	child := call{dir: r.dir, args: []string{"--no-replace-objects", "cat-file", "--batch", "--buffer"}, stdin: &oids}
	return child.pipe(ctx, func(out io.Reader) error {
		in := bufio.NewReaderSize(out, 64<<10)
		var scratch []byte
		for _, ref := range refs {
			kind, data, err := readBatched(in, &scratch)
			if err == nil {
				take(ref, kind, data)
			} else if err := missing(ref, err); err != nil {
				return err
			}
		}
		return nil
	})
}

// readBatched reads one answer of git cat-file --batch, "ID KIND SIZE\nDATA\n" or "ID missing\n", by way of a buffer that
// the next may use again. The data of an object that is larger than the commit of any version is left out.
func readBatched(in *bufio.Reader, scratch *[]byte) (kind string, data []byte, err error) {
	line, err := in.ReadSlice('\n')
	if err != nil {
		return "", nil, fmt.Errorf("git cat-file was cut short: %w", err)
	}
	_, answer, _ := strings.Cut(strings.TrimSuffix(string(line), "\n"), " ")
	kind, count, ok := strings.Cut(answer, " ")
	size, err := strconv.Atoi(count)
	switch {
	case answer == "missing":
		id, _, _ := strings.Cut(string(line), " ")
		return "", nil, fmt.Errorf("%w: %s", ErrNoObject, id)
	case !ok || err != nil || size < 0:
		return "", nil, fmt.Errorf("git cat-file answered %.80q", line)
	case size > maxTip:
		_, err = in.Discard(size + 1)
		return kind, nil, err
	}
	*scratch = slices.Grow((*scratch)[:0], size+1)
	raw := (*scratch)[:size+1]
	if _, err := io.ReadFull(in, raw); err != nil {
		return "", nil, fmt.Errorf("git cat-file was cut short: %w", err)
	}
	return kind, raw[:size], nil
}
