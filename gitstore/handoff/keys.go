package handoff

import (
	"slices"
	"strings"
)

// An Owner is the one writer of a key.
type Owner string

const (
	// OwnerBrief is the author, through a save.
	OwnerBrief Owner = "brief"
	// OwnerObserved is every refresh, from git and its notes alone.
	OwnerObserved Owner = "observed"
	// OwnerRecorded is a save, in the worktree where the branch is checked out.
	OwnerRecorded Owner = "recorded"
	// OwnerLedger is the event that the key is about.
	OwnerLedger Owner = "ledger"
)

// A Key is one top-level key of a document, its owner and its meaning in one line.
type Key struct {
	Name  string
	Owner Owner
	Doc   string
}

// Keys are all top-level keys, in the order in which a document is written.
var Keys = []Key{
	{"version", OwnerLedger, "version of this format, 1"},
	{"branch", OwnerLedger, "branch that the work is on, as in the ref"},
	{"topic", OwnerLedger, "line of work on the branch, as in the ref"},
	{"status", OwnerLedger, "active, superseded or archived"},
	{"last_known_good_commit", OwnerObserved, "newest commit of the branch with evidence that it works, else base; a full object id"},
	{"objective", OwnerBrief, "what the whole work is for"},
	{"progress", OwnerBrief, "in_progress, blocked or done"},
	{"summary", OwnerBrief, "one paragraph: what was done"},
	{"next_action", OwnerBrief, "the first concrete step; required"},
	{"next", OwnerBrief, "the queue after next_action"},
	{"constraints", OwnerBrief, "what the work must respect"},
	{"decisions", OwnerBrief, "what was decided, and why"},
	{"rejected", OwnerBrief, "what is already ruled out, and why"},
	{"done", OwnerBrief, "what is settled and not to be redone; an absent effect reads as external"},
	{"uncertain", OwnerBrief, "what may or may not have happened; an absent replay reads as never"},
	{"pending", OwnerBrief, "what is being waited for; on names the step it gates"},
	{"open", OwnerBrief, "questions that nobody has answered"},
	{"failed_attempts", OwnerBrief, "what was tried and did not work"},
	{"open_risks", OwnerBrief, "what may go wrong"},
	{"assumptions_to_validate", OwnerBrief, "what was assumed and not yet checked"},
	{"artifacts", OwnerBrief, "what the work leans on or made; required ones are the successor's prerequisites"},
	{"notes", OwnerBrief, "short remarks, at most 280 characters each"},
	{"run_id", OwnerBrief, "run of the surrounding workflow"},
	{"checkpoint_id", OwnerBrief, "checkpoint of the surrounding workflow"},
	{"task_id", OwnerBrief, "task in the surrounding workflow"},
	{"head", OwnerObserved, "tip of the branch; a full object id"},
	{"base", OwnerObserved, "commit that the branch forked from; a full object id"},
	{"commits", OwnerObserved, "how many commits base..head has"},
	{"changed_files", OwnerObserved, "what differs between base and head, renames followed; at most 200 listed"},
	{"evidence", OwnerObserved, "why the last known good commit is believed to be good"},
	{"worktree", OwnerRecorded, "what existed only in the worktree, in no commit, at the save"},
	{"commands_run", OwnerRecorded, "the commands of the session: counts, the last ones, and those that failed"},
	{"verdict_pointer", OwnerRecorded, "the verification and review reports that exist"},
	{"findings", OwnerRecorded, "risks derived from reports, the state file and the worktree"},
	{"artifact_digests", OwnerRecorded, "sha256 of each artifact that is a file, by path, at the save"},
	{"clean", OwnerRecorded, "outcome of the clean-state checks at the save"},
	{"supersedes", OwnerLedger, "handoffs that this one replaces"},
	{"superseded_by", OwnerLedger, "handoff that replaces this one"},
	{"claim", OwnerLedger, "who works on it, since when, until when"},
	{"provenance", OwnerLedger, "which session, actor and release the version comes from"},
}

// KeyOf finds a top-level key. The second result is false where there is none.
func KeyOf(name string) (Key, bool) {
	i := slices.IndexFunc(Keys, func(k Key) bool { return k.Name == name })
	if i < 0 {
		return Key{}, false
	}
	return Keys[i], true
}

// TextOf finds a text field of the brief by its key. The second result is false where there is none.
func TextOf(key string) (Text, bool) {
	i := slices.IndexFunc(Texts, func(t Text) bool { return t.Key == key })
	if i < 0 {
		return Text{}, false
	}
	return Texts[i], true
}

const notesPrefix = "notes."

// noteKeys are the keys inside notes, in the order of the document.
var noteKeys = []string{"interpretation", "business_context", "escalation_reason", "do_not_repeat", "reviewer_guidance"}

// briefKeys are the keys that an author may write at the top of an input.
func briefKeys() []string {
	var names []string
	for _, k := range Keys {
		if k.Owner == OwnerBrief {
			names = append(names, k.Name)
		}
	}
	return names
}

// briefKey finds the key that an author means on a command line: the key itself, with dashes, the name of its flag, or
// the short name of a note.
func briefKey(name string) (string, bool) {
	under := strings.ReplaceAll(name, "-", "_")
	for _, l := range Lists {
		if l.Key == under || l.Flag == name {
			return l.Key, true
		}
	}
	for _, t := range Texts {
		if t.Key == under {
			return t.Key, true
		}
	}
	if slices.Contains(noteKeys, under) {
		return notesPrefix + under, true
	}
	return under, under == "notes"
}
