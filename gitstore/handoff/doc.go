// Package handoff is the format of a handoff: its document, names, messages and the operations on them that need no
// repository.
package handoff
