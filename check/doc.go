// Package check holds the rules about work that is handed over: whether the worktree can be left as it is, what the
// files of a session tell of risks, and how good a document is. It does no I/O. A caller collects what the rules look
// at; one rule is one function and one row in a table.
package check
