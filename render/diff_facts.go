package render

import (
	"fmt"
	"slices"
	"strings"

	"git-handoff/gitstore/handoff"
)

// factGroups are the sections of the facts, each with the first parts of the keys that it shows.
var factGroups = []struct {
	title string
	keys  []string
}{
	{"Status", []string{"version", "branch", "topic", "status", "supersedes", "superseded_by", "claim"}},
	{"Code", []string{"last_known_good_commit", "evidence", "head", "base", "commits", "changed_files"}},
	{"Verdicts and findings", []string{"verdict_pointer", "findings", "clean"}},
	{"Worktree", []string{"worktree", "artifact_digests"}},
	{"Commands run", []string{"commands_run"}},
	{"Provenance", []string{"provenance"}},
}

// facts are the sections of the facts that changed.
func (c comparer) facts() []section {
	var all []section
	for _, g := range factGroups {
		s := section{title: g.title}
		for _, key := range g.keys {
			for _, f := range c.Facts {
				if f.Key == key || strings.HasPrefix(f.Key, key+".") {
					s.entries = append(s.entries, factEntries(f)...)
				}
			}
		}
		all = append(all, s)
	}
	return all
}

// factNames are the names of facts whose keys do not read well.
var factNames = map[string]string{
	"changed_files.total": "changed files",
	"artifact_digests":    "artifact",
	"commands_run.runs":   "command",
	"findings":            "finding",
	"clean.ok":            "clean at the save",
	"clean.allowed":       "saved unclean because",
	"clean.issues":        "clean-state issue",
	"worktree.unmerged":   "unmerged file",
	"worktree.modified":   "uncommitted change",
	"worktree.untracked":  "untracked file",
	"worktree.stashes":    "stash",
}

// factName is a fact's key in words.
func factName(key string) string {
	if name := factNames[key]; name != "" {
		return name
	}
	key = strings.TrimPrefix(strings.TrimPrefix(key, "provenance."), "verdict_pointer.")
	return strings.NewReplacer("_", " ", ".", " ").Replace(key)
}

// verbs say what happened to an entry of a list of facts.
func verbs(key, name string) map[handoff.Edit]string {
	if key == "changed_files.files" {
		return map[handoff.Edit]string{handoff.EditAdded: "now changed: ", handoff.EditRemoved: "no longer changed: ", handoff.EditChanged: "changed otherwise: "}
	}
	return map[handoff.Edit]string{handoff.EditAdded: "new " + name + ": ", handoff.EditRemoved: name + " gone: ", handoff.EditChanged: name + " is now: "}
}

// maxFactEntries is how many changed entries of a list of facts are shown; JSON has them all.
const maxFactEntries = 20

func factEntries(f handoff.FactChange) []entry {
	name := factName(f.Key)
	if f.Entries == nil {
		before, after := factValue(f.Before), factValue(f.After)
		if x, ok := f.Before.(handoff.Time); ok && slices.Equal(before, after) {
			before, after = phrase{say(x.String())}, phrase{say(fmt.Sprint(f.After))}
		}
		text := append(phrase{say(name + ": ")}, before...)
		if slices.Equal(before, after) {
			return []entry{{mark: "~", text: append(text, say(unseen))}}
		}
		return []entry{{mark: "~", text: append(append(text, say(" → ")), after...)}}
	}
	var out []entry
	moved := 0
	for _, e := range f.Entries {
		if e.Edit == handoff.EditMoved {
			moved++
			continue
		}
		out = append(out, factEntry(verbs(f.Key, name)[e.Edit], e))
	}
	if more := len(out) - maxFactEntries; more > 0 {
		out = append(out[:maxFactEntries], entry{mark: "~", text: phrase{say(fmt.Sprintf("and %d more", more))}})
	}
	if moved > 0 {
		out = append(out, entry{mark: "~", text: phrase{say(fmt.Sprintf("%s: %d in another order", name, moved))}})
	}
	return out
}

func factEntry(verb string, e handoff.Entry[any]) entry {
	switch e.Edit {
	case handoff.EditAdded:
		return entry{mark: "+", text: append(phrase{say(verb)}, factValue(*e.After)...)}
	case handoff.EditRemoved:
		return entry{mark: "-", text: append(phrase{say(verb)}, factValue(*e.Before)...)}
	}
	before, after := factValue(*e.Before), factValue(*e.After)
	changed := entry{mark: "~", text: append(phrase{say(verb)}, after...)}
	if slices.Equal(before, after) {
		changed.text = append(changed.text, say(unseen))
	} else {
		changed.under = []phrase{append(phrase{hush("was: ")}, before...)}
	}
	return changed
}

// unseen is said of a fact of which only the gist is shown, where what changed is not in it.
const unseen = ", with details that JSON has"

// factValue says one value of a fact in a few words.
func factValue(v any) phrase {
	switch v := v.(type) {
	case nil:
		return phrase{say("(none)")}
	case string:
		return word(v)
	case handoff.Status:
		return phrase{status(v)}
	case int:
		return phrase{say(fmt.Sprint(v))}
	case bool:
		return phrase{say(map[bool]string{true: "yes", false: "no"}[v])}
	case handoff.Time:
		if v.IsZero() {
			return phrase{say("(none)")}
		}
		return phrase{say(moment(v.Std()))}
	case handoff.ChangedFile:
		return change(v)
	case handoff.Finding:
		return append(severe(v.Severity), tell(v.What), say(" ("), fold(v.Source), say(")"))
	case handoff.CleanIssue:
		return append(severe(v.Severity), fold(v.Check), say(": "), tell(v.What))
	case handoff.Run:
		return phrase{result(v), say(": "), quote(v.Command)}
	case handoff.Link:
		return link(v)
	case handoff.Digest:
		return phrase{quote(v.Path), say(" "), id(v.SHA256)}
	}
	return structValue(v)
}

// structValue says the gist of a struct that came, went or changed.
func structValue(v any) phrase {
	none := page{}
	switch v := v.(type) {
	case *handoff.Evidence:
		return none.evidence(v)
	case *handoff.Claim:
		return phrase{say("by "), fold(v.By), say(", until " + moment(v.Until.Std()))}
	case *handoff.Link:
		return link(*v)
	case *handoff.Worktree:
		return worktreeGist(v)
	case *handoff.CommandsRun:
		return tally(v)
	case *handoff.Log:
		return phrase{quote(v.Path), say(" "), id(v.Digest)}
	case *handoff.Verification:
		return append(verification(v), say(" "), id(v.Digest))
	case *handoff.Review:
		return append(review(v), say(" "), id(v.Digest))
	case *handoff.VerdictPointer:
		return verdictGist(v)
	case *handoff.Clean:
		if v.OK {
			return phrase{cheer("clean")}
		}
		return phrase{shout("not clean"), say(", " + count(len(v.Issues), "issue"))}
	}
	return phrase{tell(fmt.Sprint(v))}
}

// word is a string of the facts: an id, a name or a few words.
func word(s string) phrase {
	switch {
	case s == "":
		return phrase{say("(none)")}
	case strings.Contains(s, " "):
		return phrase{tell(s)}
	}
	return phrase{id(s)}
}

func link(l handoff.Link) phrase {
	ph := phrase{quote(l.Handoff)}
	if l.Version != "" {
		ph = append(ph, say(" version "), id(l.Version))
	}
	return ph
}

func worktreeGist(w *handoff.Worktree) phrase {
	ph := phrase{say(fmt.Sprintf("%d modified, %d untracked, %d unmerged, %d stashed", len(w.Modified), len(w.Untracked), len(w.Unmerged), len(w.Stashes)))}
	if w.Operation != "" {
		ph = append(ph, say(", in the middle of "), fold(w.Operation))
	}
	return ph
}

func verdictGist(v *handoff.VerdictPointer) phrase {
	var ph phrase
	if v.Verification != nil {
		ph = verification(v.Verification)
	}
	if v.Review != nil {
		if len(ph) > 0 {
			ph = append(ph, say("; "))
		}
		ph = append(ph, review(v.Review)...)
	}
	if len(ph) == 0 {
		return phrase{say("(none)")}
	}
	return ph
}
