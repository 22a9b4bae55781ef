// Package hooks installs the hooks of git-handoff in a repository, and turns what they report into refreshes, pushes and
// notices.
//
// There are two mechanisms, and init installs one of them. A git from 2.54 on runs hooks that stand in its
// configuration, beside whatever is in the hooks folder. For an older git, a hook file is ours whole, or, beside
// somebody else's content, a marked block in front of it that can be taken out byte for byte. Either way the shell
// code is the same: it ends by itself where there is nothing to do, and starts the program only where there may be.
package hooks
