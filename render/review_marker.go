package render

import (
	"maps"
	"slices"
	"strings"
)

// MarkerPrefix is how the marker of a comment begins, and with it the comment.
const MarkerPrefix = "<!-- git-handoff:review "

// Marker is a comment of HTML, which no host shows: the branch that a review is about, and the version of each topic
// that it showed.
func Marker(branch string, versions map[string]string) string {
	var b strings.Builder
	b.WriteString(MarkerPrefix + markerWord(branch))
	for _, topic := range slices.Sorted(maps.Keys(versions)) {
		b.WriteString(" " + markerWord(topic) + "=" + markerWord(versions[topic]))
	}
	return b.String() + " -->"
}

// markerWord escapes all that could end a word or the comment.
func markerWord(s string) string {
	return strings.ReplaceAll(escapePath(s), "-", "%2D")
}

// MarkedVersions are the versions that the marker at the start of a comment names; none where there is no marker.
func MarkedVersions(comment string) []string {
	rest, ok := strings.CutPrefix(strings.TrimLeft(comment, "\ufeff \t\r\n"), MarkerPrefix)
	if !ok {
		return nil
	}
	words, _, ok := strings.Cut(rest, " -->")
	if !ok {
		return nil
	}
	var all []string
	for _, word := range strings.Fields(words) {
		if _, oid, ok := strings.Cut(word, "="); ok && isID(oid) {
			all = append(all, oid)
		}
	}
	return all
}
