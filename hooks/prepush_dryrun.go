package hooks

import (
	"path"
	"strings"
)

// dryRunArgs reports whether a command line is that of git push --dry-run; push is false where it is no git push.
func dryRunArgs(argv []string) (dry, push bool) {
	args, ok := pushArguments(argv)
	if !ok {
		return false, false
	}
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "--":
			return dry, true
		case strings.HasPrefix(arg, "--"):
			name, _, hasValue := strings.Cut(arg[2:], "=")
			switch {
			case abbreviates(name, "dry-run", 2):
				dry = true
			case abbreviates(name, "no-dry-run", 4):
				dry = false
			case takesValue(name) && !hasValue:
				i++
			}
		case strings.HasPrefix(arg, "-") && len(arg) > 1:
			short, value := shortDryRun(arg[1:])
			dry = dry || short
			if value {
				i++
			}
		}
	}
	return dry, true
}

// abbreviates reports whether s is name, or its beginning of at least min letters, as git takes an option.
func abbreviates(s, name string, min int) bool { return len(s) >= min && strings.HasPrefix(name, s) }

// takesValue names the options of git push whose value is the next argument.
func takesValue(name string) bool {
	switch name {
	case "repo", "receive-pack", "exec", "push-option", "recurse-submodules":
		return true
	}
	return false
}

// shortDryRun reads one argument of short options; value is true where the last one takes the next argument.
func shortDryRun(letters string) (dry, value bool) {
	for i, c := range letters {
		switch c {
		case 'n':
			dry = true
		case 'o':
			return dry, i == len(letters)-1
		}
	}
	return dry, false
}

// pushArguments are what follows the word push on git's command line, past git's own options.
func pushArguments(argv []string) ([]string, bool) {
	argv = behindLoader(argv)
	if len(argv) == 0 {
		return nil, false
	}
	program := strings.TrimSuffix(path.Base(argv[0]), ".exe")
	if program == "git-push" {
		return argv[1:], true
	}
	if program != "git" {
		return nil, false
	}
	for i := 1; i < len(argv); i++ {
		switch arg := argv[i]; {
		case arg == "-C", arg == "-c", arg == "--git-dir", arg == "--work-tree", arg == "--namespace", arg == "--config-env",
			arg == "--super-prefix", arg == "--attr-source":
			i++
		case !strings.HasPrefix(arg, "-"):
			return argv[i+1:], arg == "push"
		}
	}
	return nil, false
}

// behindLoader is the command line of a program that was started through the dynamic loader (ld.so(8)), as a git that
// brings its own libraries is; any other command line is as it was.
func behindLoader(argv []string) []string {
	if len(argv) == 0 || !strings.HasPrefix(path.Base(argv[0]), "ld-") && path.Base(argv[0]) != "ld.so" {
		return argv
	}
	for i := 1; i < len(argv); i++ {
		switch arg := argv[i]; {
		case arg == "--library-path", arg == "--argv0", arg == "--preload", arg == "--audit", arg == "--inhibit-rpath":
			i++
		case !strings.HasPrefix(arg, "-"):
			return argv[i:]
		}
	}
	return nil
}
