// Package gitstore is all contact with git: where the repository is, its objects and refs, the versions of handoffs.
//
// Git discovers, lists and moves refs; objects are read and written in this process where that is truthful, else by
// git. Git children are started in git.go alone, and gogit.go alone imports go-git. Nothing here knows flags or exit
// codes: errors are values, and what they mean for the user is the command line's to say.
package gitstore
