package workbench

import "os"

// ReadState reads the state file alone, without a word about what is wrong with it: Read says that.
func ReadState(dir string, opt Options) (State, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return State{}, err
	}
	defer root.Close()
	r := &reader{root: root, opt: opt, bench: &Workbench{}}
	r.readState()
	return r.bench.State, nil
}
