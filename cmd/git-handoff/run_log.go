package main

import "path/filepath"

// runLog is where `run` records commands: in the private git directory of the worktree.
func (d *desk) runLog() string {
	return filepath.Join(d.repo.Place().GitDir, "handoff", "commands.jsonl")
}

// ownLogs are that log and what was rotated from it, the oldest first.
func (d *desk) ownLogs() []string {
	return []string{d.runLog() + ".2", d.runLog() + ".1", d.runLog()}
}
