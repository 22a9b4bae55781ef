package gitstore

import (
	"bytes"
	"os"
	"path/filepath"
)

// LocalConfigUnended reports whether the last line of the repository's own configuration has no line feed. Git adds one
// with the first thing that it writes there.
func (r *Repo) LocalConfigUnended() bool {
	data, err := os.ReadFile(r.localConfigFile())
	return err == nil && len(data) > 0 && !bytes.HasSuffix(data, []byte{'\n'})
}

// UnendLocalConfig takes the line feed at the end of the repository's own configuration away, under git's own lock.
func (r *Repo) UnendLocalConfig() error {
	file := r.localConfigFile()
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	lock, err := os.OpenFile(file+".lock", os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm())
	if err != nil {
		return err
	}
	defer os.Remove(lock.Name())
	data, err := os.ReadFile(file)
	if err == nil {
		_, err = lock.Write(bytes.TrimSuffix(data, []byte{'\n'}))
	}
	if closeErr := lock.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	return os.Rename(lock.Name(), file)
}

func (r *Repo) localConfigFile() string { return filepath.Join(r.place.CommonDir, "config") }
