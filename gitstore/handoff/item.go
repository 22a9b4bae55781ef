package handoff

import "slices"

// An Item is one entry of a list of the brief: a decision, something done, something uncertain, and so on. All lists
// share the type; which sub-keys an entry of a list may have is the list's to say, in Lists. What identifies the entry
// within its list (an artifact's is written as `name`).
type Item struct {
	What     string
	Why      string
	Kind     string
	Effect   Effect
	Evidence string
	Check    string
	Replay   Replay
	Ref      string
	Required bool
	Severity Severity
	For      string
	Owner    string
	By       string
	At       Time
	Since    Time
	Expires  Time
	On       string
}

// Effect says what was touched by something that is done.
type Effect string

const (
	EffectNone     Effect = "none"
	EffectLocal    Effect = "local"
	EffectExternal Effect = "external"
)

// Replay says whether something uncertain may be run again.
type Replay string

const (
	ReplayNever      Replay = "never"
	ReplayAfterCheck Replay = "after-check"
	ReplaySafe       Replay = "safe"
)

// EffectOrDefault is the effect of a done item; an absent one reads as external, the one that must not be redone.
func (it Item) EffectOrDefault() Effect {
	if it.Effect == "" {
		return EffectExternal
	}
	return it.Effect
}

// ReplayOrDefault is whether an uncertain item may be replayed; absent reads as never.
func (it Item) ReplayOrDefault() Replay {
	if it.Replay == "" {
		return ReplayNever
	}
	return it.Replay
}

// Plain reports whether the item has nothing but its what: such an item is stored as a plain string.
func (it Item) Plain() bool { return it == Item{What: it.What} }

// A List describes one list of the brief.
type List struct {
	// Key is the list's key in the document; a list inside notes has a dotted key.
	Key string
	// Flag is the name of the command line flag that gives one entry.
	Flag string
	// Identity is the key under which an entry's What is written.
	Identity string
	// Subkeys are the other keys that an entry may have, in the order they are written.
	Subkeys []string
	// Kinds are the values that the entry's kind may have.
	Kinds []string
	// Guarded lists report an entry that vanishes without having been finished or dropped.
	Guarded bool
	// Of gives the list in a brief.
	Of func(*Brief) *[]Item
}

// Lists are all lists of the brief, in the order of the document.
var Lists = []List{
	{Key: "next", Flag: "next", Identity: "what", Of: func(b *Brief) *[]Item { return &b.Next }},
	{Key: "constraints", Flag: "constraint", Identity: "what", Guarded: true, Of: func(b *Brief) *[]Item { return &b.Constraints }},
	{Key: "decisions", Flag: "decision", Identity: "what", Guarded: true, Subkeys: []string{"why", "at"}, Of: func(b *Brief) *[]Item { return &b.Decisions }},
	{Key: "rejected", Flag: "rejected", Identity: "what", Guarded: true, Subkeys: []string{"why"}, Of: func(b *Brief) *[]Item { return &b.Rejected }},
	{Key: "done", Flag: "done", Identity: "what", Subkeys: []string{"effect", "evidence", "by", "at"}, Of: func(b *Brief) *[]Item { return &b.Done }},
	{Key: "uncertain", Flag: "uncertain", Identity: "what", Guarded: true,
		Subkeys: []string{"kind", "why", "check", "replay", "ref", "owner", "at"},
		Kinds:   []string{"prepared", "submitted", "timed-out", "expired", "stale-source"}, Of: func(b *Brief) *[]Item { return &b.Uncertain }},
	{Key: "pending", Flag: "pending", Identity: "what", Guarded: true,
		Subkeys: []string{"kind", "owner", "since", "expires", "on"},
		Kinds:   []string{"approval", "blocker", "external", "task"}, Of: func(b *Brief) *[]Item { return &b.Pending }},
	{Key: "open", Flag: "open", Identity: "what", Guarded: true, Subkeys: []string{"for", "on"}, Of: func(b *Brief) *[]Item { return &b.Open }},
	{Key: "failed_attempts", Flag: "failed-attempt", Identity: "what", Subkeys: []string{"why"}, Of: func(b *Brief) *[]Item { return &b.FailedAttempts }},
	{Key: "open_risks", Flag: "open-risk", Identity: "what", Subkeys: []string{"severity"}, Of: func(b *Brief) *[]Item { return &b.OpenRisks }},
	{Key: "assumptions_to_validate", Flag: "assumption", Identity: "what", Of: func(b *Brief) *[]Item { return &b.Assumptions }},
	{Key: "artifacts", Flag: "artifact", Identity: "name", Subkeys: []string{"kind", "ref", "required"},
		Kinds: []string{"file", "url", "commit", "ref"}, Of: func(b *Brief) *[]Item { return (*[]Item)(&b.Artifacts) }},
	{Key: "notes.do_not_repeat", Flag: "do-not-repeat", Identity: "what", Guarded: true, Of: func(b *Brief) *[]Item { return &b.Notes.DoNotRepeat }},
}

// ListOf finds a list by its key. The second result is false where there is none.
func ListOf(key string) (List, bool) {
	i := slices.IndexFunc(Lists, func(l List) bool { return l.Key == key })
	if i < 0 {
		return List{}, false
	}
	return Lists[i], true
}

// A Text describes one text field of the brief: a string, or an enumeration if Values is set.
type Text struct {
	Key    string
	Flag   string
	Values []string
	// Max is the longest value in characters; 0 is no limit.
	Max int
	Of  func(*Brief) *string
}

// Texts are all text fields of the brief, in the order of the document.
var Texts = []Text{
	{Key: "objective", Flag: "objective", Of: func(b *Brief) *string { return &b.Objective }},
	{Key: "progress", Flag: "progress", Values: []string{"in_progress", "blocked", "done"}, Of: func(b *Brief) *string { return (*string)(&b.Progress) }},
	{Key: "summary", Flag: "summary", Of: func(b *Brief) *string { return &b.Summary }},
	{Key: "next_action", Flag: "next-action", Of: func(b *Brief) *string { return &b.NextAction }},
	{Key: "notes.interpretation", Max: MaxNote, Of: func(b *Brief) *string { return &b.Notes.Interpretation }},
	{Key: "notes.business_context", Max: MaxNote, Of: func(b *Brief) *string { return &b.Notes.BusinessContext }},
	{Key: "notes.escalation_reason", Max: MaxNote, Of: func(b *Brief) *string { return &b.Notes.EscalationReason }},
	{Key: "notes.reviewer_guidance", Max: MaxNote, Of: func(b *Brief) *string { return &b.Notes.ReviewerGuidance }},
	{Key: "run_id", Flag: "run-id", Of: func(b *Brief) *string { return &b.RunID }},
	{Key: "checkpoint_id", Flag: "checkpoint-id", Of: func(b *Brief) *string { return &b.CheckpointID }},
	{Key: "task_id", Flag: "task-id", Of: func(b *Brief) *string { return &b.TaskID }},
}

// Subkey is an item's value under a sub-key, as it is written; "" where it is absent.
func (it *Item) Subkey(key string) string {
	switch key {
	case "required":
		if it.Required {
			return "true"
		}
		return ""
	case "at", "since", "expires":
		return it.time(key).String()
	}
	return *it.text(key)
}

// SetSubkey sets a sub-key from its written form. It panics on a key that no list has; a value that is not of the
// key's kind is an error that says what it takes.
func (it *Item) SetSubkey(key, value string) error {
	switch key {
	case "required":
		return it.setRequired(value)
	case "at", "since", "expires":
		t, err := ParseTime(value)
		if err != nil {
			return err
		}
		*it.time(key) = t
		return nil
	}
	*it.text(key) = value
	return nil
}

func (it *Item) setRequired(value string) error {
	switch value {
	case "true":
		it.Required = true
	case "false", "":
		it.Required = false
	default:
		return &ValueError{Value: value, Allowed: []string{"true", "false"}}
	}
	return nil
}

func (it *Item) time(key string) *Time {
	switch key {
	case "at":
		return &it.At
	case "since":
		return &it.Since
	}
	return &it.Expires
}

func (it *Item) text(key string) *string {
	switch key {
	case "why":
		return &it.Why
	case "kind":
		return &it.Kind
	case "effect":
		return (*string)(&it.Effect)
	case "evidence":
		return &it.Evidence
	case "check":
		return &it.Check
	case "replay":
		return (*string)(&it.Replay)
	case "ref":
		return &it.Ref
	case "severity":
		return (*string)(&it.Severity)
	case "for":
		return &it.For
	case "owner":
		return &it.Owner
	case "by":
		return &it.By
	case "on":
		return &it.On
	}
	panic("handoff: no list has the sub-key " + key)
}

// SubkeyValues are the values that a sub-key of the list may have; nil where any text will do.
func (l List) SubkeyValues(key string) []string {
	switch key {
	case "kind":
		return l.Kinds
	case "effect":
		return []string{string(EffectNone), string(EffectLocal), string(EffectExternal)}
	case "replay":
		return []string{string(ReplayNever), string(ReplayAfterCheck), string(ReplaySafe)}
	case "severity":
		return []string{string(Info), string(Warn), string(Block)}
	case "for":
		return []string{"human", "agent"}
	case "required":
		return []string{"true", "false"}
	}
	return nil
}
