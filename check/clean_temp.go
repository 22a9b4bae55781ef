package check

import (
	"path"
	"slices"
	"strings"

	"git-handoff/gitstore/handoff"
)

// tempPatterns are the names of temporary files and scratch folders, as (*State).isTemporary reads them.
var tempPatterns = []string{
	"*.tmp", "*.temp", "*.bak", "*.backup", "*.orig", "*.rej", "*.swp", "*.swo", "*~", ".#*", "#*#", "*.pid", "*.stackdump",
	"nohup.out", "core.[0-9]*", "npm-debug.log*", "yarn-error.log*", "hs_err_pid*", "__debug_bin*", ".DS_Store",
	"scratch", "scratch.*", "scratch_*", "scratch-*", "scratchpad*", "tmp_*", "tmp-*", "tmp.*", "temp_*", "temp-*", "temp.*",
	"delete_me*", "delete-me*", "deleteme*", "*.BACKUP.*", "*.LOCAL.*", "*.REMOTE.*", "*.BASE.*",
	"tmp/", "temp/", ".tmp/", ".temp/", "scratch/", ".scratch/", "scratchpad/", ".scratchpad/", "_scratch/",
}

// pasted are paths as a mend gives them to git; of very many the first, and the next run tells the others.
func pasted(paths []string) string {
	const enough = 20
	return handoff.ShellLine(paths[:min(len(paths), enough)])
}

func temporaryFiles(s *State) []Issue {
	var paths []string
	for _, p := range append(s.Untracked[:len(s.Untracked):len(s.Untracked)], s.Inside...) {
		if s.isTemporary(p) && !s.isWorkbench(p) && !below(p, paths) {
			paths = append(paths, p)
		}
	}
	if len(paths) == 0 {
		return nil
	}
	return []Issue{{Place: paths[0], Severity: handoff.Block,
		What: count(len(paths), "temporary file", "temporary files") + ": " + Some(paths),
		Mend: []string{"git clean -f -d -- " + pasted(paths), "or name it in .gitignore",
			"if it is none: git config --add handoff.temp " + shellWord("!"+strings.TrimSuffix(path.Base(paths[0]), "/"))}}}
}

// below reports whether a path lies in one of the folders.
func below(p string, folders []string) bool {
	return slices.ContainsFunc(folders, func(f string) bool { return strings.HasSuffix(f, "/") && strings.HasPrefix(p, f) })
}

// isTemporary matches a path against the patterns, the last one that matches counts. A pattern without a slash is tried
// on each name of the path, one that ends in a slash on its folders, any other on the path from the top. A leading `!`
// takes out again.
func (s *State) isTemporary(p string) bool {
	temporary := false
	for _, list := range [][]string{tempPatterns, s.Temp} {
		for _, pattern := range list {
			plain, not := strings.CutPrefix(pattern, "!")
			if matches(plain, p) {
				temporary = !not
			}
		}
	}
	return temporary
}

func matches(pattern, p string) bool {
	folders, base := path.Split(p)
	names := strings.Split(strings.Trim(folders, "/"), "/")
	if folder, only := strings.CutSuffix(pattern, "/"); only {
		return anyMatch(folder, names)
	}
	if strings.Contains(pattern, "/") {
		ok, _ := path.Match(strings.TrimPrefix(pattern, "/"), strings.TrimSuffix(p, "/"))
		return ok
	}
	return anyMatch(pattern, append(names, base))
}

func anyMatch(pattern string, names []string) bool {
	for _, n := range names {
		if ok, _ := path.Match(pattern, n); ok && n != "" {
			return true
		}
	}
	return false
}

// conflictMarkers finds what a merge leaves in a file, in the lines that were added. A line of equal signs alone is
// none: it underlines headings.
func conflictMarkers(s *State) []Issue {
	return s.places(handoff.Block, "conflict marker", "conflict markers", "resolve the conflict, and commit", func(l AddedLine, _ *language) bool {
		return strings.HasPrefix(l.Text, "<<<<<<< ") || strings.HasPrefix(l.Text, ">>>>>>> ") || strings.HasPrefix(l.Text, "||||||| ")
	})
}

// places tells, file by file, how many of the added lines are of a kind, and where the first of them stands.
func (s *State) places(severity handoff.Severity, one, many, mend string, is func(AddedLine, *language) bool) []Issue {
	type found struct {
		first AddedLine
		n     int
	}
	var files []found
	var lang *language
	last := ""
	for i, l := range s.Added {
		if i == 0 || l.Path != last {
			last, lang = l.Path, languageOf(l.Path)
		}
		if !is(l, lang) {
			continue
		}
		if n := len(files); n == 0 || files[n-1].first.Path != l.Path {
			files = append(files, found{first: l})
		}
		files[len(files)-1].n++
	}
	var all []Issue
	for _, f := range files {
		place := f.first.place()
		all = append(all, Issue{Place: place, Severity: severity, Mend: []string{mend},
			What: count(f.n, one, many) + " among the lines added since the base: " + place})
	}
	return shorten(all)
}

// maxPlaces is how many files one rule names; what is more is counted in the last issue.
const maxPlaces = 10

func shorten(all []Issue) []Issue {
	if len(all) <= maxPlaces {
		return all
	}
	more := len(all) - maxPlaces
	all = all[:maxPlaces]
	all[maxPlaces-1].What += ", and in " + count(more, "more file", "more files")
	return all
}
