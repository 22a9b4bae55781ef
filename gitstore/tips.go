package gitstore

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"

	"git-handoff/gitstore/handoff"
)

// Every ref is one record: its name, object, kind, size and the object's raw content, which may hold any byte.
const tipFormat = "%(refname)%00%(objectname)%00%(objecttype)%00%(raw:size)%00%(raw)"

// maxTip is more than the commit of any version has, in bytes.
const maxTip = 16 << 20

// Tips lists the current versions of all handoffs under the prefixes (refs/handoff/ if there are none), sorted by ref,
// in one child and without reading a document. What is no version of a handoff is left out.
func (r *Repo) Tips(ctx context.Context, prefixes ...string) ([]Version, error) {
	if len(prefixes) == 0 {
		prefixes = []string{handoff.RefPrefix}
	}
	return r.tipsAt(ctx, folders(prefixes)...)
}

// tipsAt is Tips for patterns as git matches them: a whole name, or its beginning up to a slash.
func (r *Repo) tipsAt(ctx context.Context, patterns ...string) ([]Version, error) {
	var tips []Version
	args := append([]string{"--no-replace-objects", "for-each-ref", "--format=" + tipFormat}, patterns...)
	err := r.gitPipe(ctx, func(out io.Reader) error {
		in := bufio.NewReaderSize(out, 64<<10)
		var scratch []byte
		for {
			tip, err := readTip(in, &scratch)
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
			if tip == nil {
				continue
			}
			if len(tips) == cap(tips) {
				// append grows a large slice by a quarter, which copies ten thousand versions five times over.
				tips = slices.Grow(tips, 3*len(tips)+64)
			}
			tips = append(tips, *tip)
		}
	}, args...)
	return tips, err
}

// readTip reads one record, by way of a buffer that the next may use again; nil for a ref that is no handoff's. io.EOF
// is the end of the list.
func readTip(in *bufio.Reader, scratch *[]byte) (*Version, error) {
	var fields [4]string
	for i := range fields {
		field, err := in.ReadSlice(0)
		if i == 0 && err == io.EOF && len(field) == 0 {
			return nil, io.EOF
		}
		if err != nil {
			return nil, fmt.Errorf("git for-each-ref was cut short: %w", err)
		}
		fields[i] = string(field[:len(field)-1])
	}
	size, err := strconv.Atoi(fields[3])
	if err != nil || size < 0 {
		return nil, fmt.Errorf("git for-each-ref says that %s has %q bytes", fields[0], fields[3])
	}
	name := nameOf(fields[0])
	if fields[2] != "commit" || name.IsZero() || size > maxTip {
		if _, err := in.Discard(size + 1); err != nil {
			return nil, fmt.Errorf("git for-each-ref was cut short: %w", err)
		}
		return nil, nil
	}
	*scratch = slices.Grow((*scratch)[:0], size+1)
	raw := (*scratch)[:size+1]
	if _, err := io.ReadFull(in, raw); err != nil {
		return nil, fmt.Errorf("git for-each-ref was cut short: %w", err)
	}
	v, err := parseVersion(fields[1], raw[:size])
	if err != nil {
		return nil, nil
	}
	v.Ref, v.Name = fields[0], name
	return v, nil
}
