package gitstore

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"git-handoff/gitstore/handoff"
)

// nearRefs lists the refs in folders of handoffs as refsAt does, without a child: few of them, all plain. It is false
// where git must be asked. The loose ones are listed first, since one that is packed meanwhile is in packed-refs before
// its file goes.
func (r *Repo) nearRefs(folders []string) ([]Ref, bool) {
	found := map[string]string{}
	for _, folder := range folders {
		if r.place.RefFormat != "files" || !strings.HasSuffix(folder, "/") ||
			!strings.HasPrefix(folder, handoff.RefPrefix) && !strings.HasPrefix(folder, handoff.TrackingPrefix) {
			return nil, false
		}
		if err := looseUnder(r.place.CommonDir, folder, found); err != nil {
			return nil, false
		}
	}
	for _, folder := range folders {
		packed, err := packedUnder(r.place.CommonDir, folder)
		if err != nil || len(packed) > fewTips {
			return nil, false
		}
		for _, ref := range packed {
			if _, loose := found[ref.Name]; !loose {
				found[ref.Name] = ref.OID
			}
		}
	}
	var refs []Ref
	for _, name := range slices.Sorted(maps.Keys(found)) {
		refs = append(refs, Ref{Name: name, OID: found[name]})
	}
	return refs, true
}

// looseUnder reads the loose refs in a folder. An error means that git must be asked. A ref where the folder would be
// is not in it.
func looseUnder(commonDir, folder string, found map[string]string) error {
	top := filepath.Join(commonDir, filepath.FromSlash(folder))
	if info, err := os.Lstat(top); os.IsNotExist(err) || err == nil && info.Mode().IsRegular() {
		return nil
	}
	return filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, ".lock") {
			return err
		}
		if !d.Type().IsRegular() || len(found) > fewTips {
			return errNotPlain
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		oid := strings.TrimSuffix(string(data), "\n")
		if !isOID(oid) {
			return errNotPlain
		}
		found[folder+filepath.ToSlash(path[len(top)+1:])] = oid
		return nil
	})
}
