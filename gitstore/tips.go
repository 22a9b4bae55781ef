package gitstore

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"git-handoff/gitstore/handoff"
)

// Every ref is one record: its name, object, kind, size and the object's raw content, which may hold any byte.
const tipFormat = "%(refname)%00%(objectname)%00%(objecttype)%00%(raw:size)%00%(raw)"

// Tips lists the current versions of all handoffs under the prefixes (refs/handoff/ if there are none), sorted by ref,
// in one child and without reading a document. What is no version of a handoff is left out.
func (r *Repo) Tips(ctx context.Context, prefixes ...string) ([]Version, error) {
	if len(prefixes) == 0 {
		prefixes = []string{handoff.RefPrefix}
	}
	var tips []Version
	args := append([]string{"--no-replace-objects", "for-each-ref", "--format=" + tipFormat}, folders(prefixes)...)
	err := r.gitPipe(ctx, func(out io.Reader) error {
		in := bufio.NewReaderSize(out, 64<<10)
		for {
			tip, err := readTip(in)
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
			if tip != nil {
				tips = append(tips, *tip)
			}
		}
	}, args...)
	return tips, err
}

// readTip reads one record; nil for a ref that is no handoff's. io.EOF is the end of the list.
func readTip(in *bufio.Reader) (*Version, error) {
	ref, err := in.ReadString(0)
	if err == io.EOF && ref == "" {
		return nil, io.EOF
	}
	var fields [3]string
	for i := range fields {
		if err == nil {
			fields[i], err = in.ReadString(0)
		}
	}
	size, sizeErr := strconv.Atoi(strings.TrimSuffix(fields[2], "\x00"))
	if err = errors.Join(err, sizeErr); err != nil {
		return nil, fmt.Errorf("git for-each-ref was cut short: %w", err)
	}
	raw := make([]byte, size+1)
	if _, err := io.ReadFull(in, raw); err != nil {
		return nil, err
	}
	ref = strings.TrimSuffix(ref, "\x00")
	name := nameOf(ref)
	if fields[1] != "commit\x00" || name.IsZero() {
		return nil, nil
	}
	v, err := parseVersion(strings.TrimSuffix(fields[0], "\x00"), raw[:size])
	if err != nil {
		return nil, nil
	}
	v.Ref, v.Name = ref, name
	return v, nil
}
