package gitstore

import (
	"bufio"
	"bytes"
	"context"
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
// without reading a document, and without a child where they are few and plain; in two where they are many. What is no version of a handoff is left out.
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

// eachTipAt lists the refs and then reads their commits. In one go, for-each-ref takes half as long again.
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
	take := func(ref namedRef, kind string, data []byte) {
		if kind == "commit" && v.parse(ref.OID, data) == nil {
			v.Ref, v.Name = ref.Name, ref.name
			visit(&v)
		}
	}
	if len(named) > fewTips {
		return r.readTips(ctx, named, take)
	}
	for _, ref := range named {
		kind, data, err := r.object(ctx, ref.OID)
		if err != nil {
			return fmt.Errorf("%s: %w", ref.Name, err)
		}
		take(ref, kind, data)
	}
	return nil
}

// readTips has one child read what many refs point to.
func (r *Repo) readTips(ctx context.Context, refs []namedRef, take func(ref namedRef, kind string, data []byte)) error {
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
			if err != nil {
				return fmt.Errorf("%s: %w", ref.Name, err)
			}
			take(ref, kind, data)
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
		return "", nil, ErrNoObject
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
