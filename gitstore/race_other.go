//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package gitstore

import "os"

// waitForTurn does not wait: there is no file lock here that ends with its process.
func waitForTurn(*os.File) {}
