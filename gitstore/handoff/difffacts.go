package handoff

import (
	"maps"
	"reflect"
	"slices"
)

// A FactChange is a fact that changed. A list has Entries, any other fact Before and After: a string, a number, a
// truth value, a Time, or a pointer to one of the document's structs, nil where the fact is absent.
type FactChange struct {
	Key     string       `json:"key"`
	Before  any          `json:"before,omitempty"`
	After   any          `json:"after,omitempty"`
	Entries []Entry[any] `json:"entries,omitempty"`
}

// fact is how one fact is compared and changed.
type fact struct {
	key   string
	diff  func(a, b *Document) (FactChange, bool)
	apply func(*Document, FactChange)
}

// facts are all facts in the order of the document. Where a struct is there on one side only, it is one change, and
// what is in it is not told again.
var facts = []fact{
	valueFact("version", func(d *Document) *int { return &d.Version }),
	valueFact("branch", func(d *Document) *string { return &d.Branch }),
	valueFact("topic", func(d *Document) *string { return &d.Topic }),
	valueFact("status", func(d *Document) *Status { return &d.Status }),
	valueFact("last_known_good_commit", func(d *Document) *string { return &d.LastKnownGood }),
	valueFact("head", func(d *Document) *string { return &d.Head }),
	valueFact("base", func(d *Document) *string { return &d.Base }),
	valueFact("commits", func(d *Document) *int { return &d.Commits }),
	valueFact("changed_files.total", func(d *Document) *int { return &d.ChangedFiles.Total }),
	listFact("changed_files.files", pathOf, func(d *Document) *[]ChangedFile { return &d.ChangedFiles.Files }),
	structFact("evidence", func(d *Document) **Evidence { return &d.Evidence }),
	presenceFact("worktree", func(d *Document) **Worktree { return &d.Worktree }),
	valueFact("worktree.operation", inside(worktreeOf, func(w *Worktree) *string { return &w.Operation })),
	valueFact("worktree.onto", inside(worktreeOf, func(w *Worktree) *string { return &w.Onto })),
	valueFact("worktree.step", inside(worktreeOf, func(w *Worktree) *string { return &w.Step })),
	listFact("worktree.unmerged", itself, inside(worktreeOf, func(w *Worktree) *[]string { return &w.Unmerged })),
	listFact("worktree.modified", pathOf, inside(worktreeOf, func(w *Worktree) *[]ChangedFile { return &w.Modified })),
	listFact("worktree.untracked", itself, inside(worktreeOf, func(w *Worktree) *[]string { return &w.Untracked })),
	listFact("worktree.stashes", itself, inside(worktreeOf, func(w *Worktree) *[]string { return &w.Stashes })),
	valueFact("worktree.omitted", inside(worktreeOf, func(w *Worktree) *int { return &w.Omitted })),
	presenceFact("commands_run", func(d *Document) **CommandsRun { return &d.CommandsRun }),
	valueFact("commands_run.total", inside(commandsOf, func(c *CommandsRun) *int { return &c.Total })),
	valueFact("commands_run.failed", inside(commandsOf, func(c *CommandsRun) *int { return &c.Failed })),
	valueFact("commands_run.unknown", inside(commandsOf, func(c *CommandsRun) *int { return &c.Unknown })),
	valueFact("commands_run.omitted", inside(commandsOf, func(c *CommandsRun) *int { return &c.Omitted })),
	valueFact("commands_run.omitted_failed", inside(commandsOf, func(c *CommandsRun) *int { return &c.OmittedFailed })),
	structFact("commands_run.log", inside(commandsOf, func(c *CommandsRun) **Log { return &c.Log })),
	listFact("commands_run.runs", func(r Run) string { return r.Command }, inside(commandsOf, func(c *CommandsRun) *[]Run { return &c.Runs })),
	presenceFact("verdict_pointer", func(d *Document) **VerdictPointer { return &d.VerdictPointer }),
	structFact("verdict_pointer.verification", inside(verdictOf, func(v *VerdictPointer) **Verification { return &v.Verification })),
	structFact("verdict_pointer.review", inside(verdictOf, func(v *VerdictPointer) **Review { return &v.Review })),
	listFact("findings", func(f Finding) string { return f.Source + "\x00" + f.What }, func(d *Document) *[]Finding { return &d.Findings }),
	digests,
	presenceFact("clean", func(d *Document) **Clean { return &d.Clean }),
	valueFact("clean.ok", inside(cleanOf, func(c *Clean) *bool { return &c.OK })),
	valueFact("clean.allowed", inside(cleanOf, func(c *Clean) *string { return &c.Allowed })),
	listFact("clean.issues", func(i CleanIssue) string { return i.Check + "\x00" + i.What }, inside(cleanOf, func(c *Clean) *[]CleanIssue { return &c.Issues })),
	listFact("supersedes", func(l Link) string { return l.Handoff }, func(d *Document) *[]Link { return &d.Supersedes }),
	structFact("superseded_by", func(d *Document) **Link { return &d.SupersededBy }),
	structFact("claim", func(d *Document) **Claim { return &d.Claim }),
	valueFact("provenance.session", func(d *Document) *string { return &d.Provenance.Session }),
	valueFact("provenance.produced_by", func(d *Document) *string { return &d.Provenance.ProducedBy }),
	valueFact("provenance.turns", func(d *Document) *int { return &d.Provenance.Turns }),
	valueFact("provenance.saved_at", func(d *Document) *Time { return &d.Provenance.SavedAt }),
	valueFact("provenance.refreshed_at", func(d *Document) *Time { return &d.Provenance.RefreshedAt }),
	valueFact("provenance.tool", func(d *Document) *string { return &d.Provenance.Tool }),
}

func worktreeOf(d *Document) *Worktree      { return d.Worktree }
func commandsOf(d *Document) *CommandsRun   { return d.CommandsRun }
func verdictOf(d *Document) *VerdictPointer { return d.VerdictPointer }
func cleanOf(d *Document) *Clean            { return d.Clean }

func pathOf(f ChangedFile) string { return f.Path }
func itself(s string) string      { return s }

// inside reaches a field of a struct that may be absent: nil then.
func inside[S, T any](parent func(*Document) *S, field func(*S) *T) func(*Document) *T {
	return func(d *Document) *T {
		if p := parent(d); p != nil {
			return field(p)
		}
		return nil
	}
}

// valueFact is a fact of one plain value.
func valueFact[T comparable](key string, of func(*Document) *T) fact {
	return fact{
		key: key,
		diff: func(a, b *Document) (FactChange, bool) {
			x, y := of(a), of(b)
			if x == nil || y == nil || *x == *y {
				return FactChange{}, false
			}
			return FactChange{Key: key, Before: *x, After: *y}, true
		},
		apply: func(d *Document, c FactChange) {
			if p, v := of(d), c.After; p != nil {
				*p, _ = v.(T)
			}
		},
	}
}

// structFact is a fact that is a small struct, compared whole.
func structFact[T any](key string, of func(*Document) **T) fact {
	return fact{
		key: key,
		diff: func(a, b *Document) (FactChange, bool) {
			x, y := of(a), of(b)
			if x == nil || y == nil || reflect.DeepEqual(*x, *y) {
				return FactChange{}, false
			}
			return FactChange{Key: key, Before: boxed(*x), After: boxed(*y)}, true
		},
		apply: func(d *Document, c FactChange) {
			if p := of(d); p != nil {
				*p, _ = c.After.(*T)
			}
		},
	}
}

// presenceFact is the coming or going of a struct whose fields are facts of their own.
func presenceFact[T any](key string, of func(*Document) **T) fact {
	f := structFact(key, of)
	differ := f.diff
	f.diff = func(a, b *Document) (FactChange, bool) {
		if *of(a) != nil && *of(b) != nil {
			return FactChange{}, false
		}
		return differ(a, b)
	}
	return f
}

// boxed keeps an absent struct a plain nil.
func boxed[T any](p *T) any {
	if p == nil {
		return nil
	}
	return p
}

// listFact is a fact that is a list, whose entries have an identity.
func listFact[T any](key string, id func(T) string, of func(*Document) *[]T) fact {
	same := func(x, y T) bool { return reflect.DeepEqual(x, y) }
	return fact{
		key: key,
		diff: func(a, b *Document) (FactChange, bool) {
			x, y := of(a), of(b)
			if x == nil || y == nil {
				return FactChange{}, false
			}
			changes := entries(*x, *y, align(*x, *y, id), same, id)
			return FactChange{Key: key, Entries: boxEntries(changes)}, len(changes) > 0
		},
		apply: func(d *Document, c FactChange) {
			if p := of(d); p != nil {
				*p = applyEntries(*p, unboxEntries[T](c.Entries))
			}
		},
	}
}

func boxEntries[T any](in []Entry[T]) []Entry[any] {
	return convertEntries(in, func(p T) any { return p })
}

func unboxEntries[T any](in []Entry[any]) []Entry[T] {
	return convertEntries(in, func(p any) T { v, _ := p.(T); return v })
}

func convertEntries[S, T any](in []Entry[S], to func(S) T) []Entry[T] {
	pointer := func(p *S) *T {
		if p == nil {
			return nil
		}
		v := to(*p)
		return &v
	}
	out := make([]Entry[T], len(in))
	for i, e := range in {
		out[i] = Entry[T]{Edit: e.Edit, Moved: e.Moved, Was: e.Was, At: e.At,
			Before: pointer(e.Before), After: pointer(e.After), From: e.From, To: e.To}
	}
	return out
}

// A Digest is the sha256 of one artifact.
type Digest struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
}

// digests is the one fact that is a map; it is compared as a list in the order of paths.
var digests = fact{
	key: "artifact_digests",
	diff: func(a, b *Document) (FactChange, bool) {
		path := func(d Digest) string { return d.Path }
		x, y := digestsOf(a), digestsOf(b)
		changes := entries(x, y, align(x, y, path), func(x, y Digest) bool { return x == y }, path)
		return FactChange{Key: "artifact_digests", Entries: boxEntries(changes)}, len(changes) > 0
	},
	apply: func(d *Document, c FactChange) {
		var out map[string]string
		for _, x := range applyEntries(digestsOf(d), unboxEntries[Digest](c.Entries)) {
			if out == nil {
				out = make(map[string]string)
			}
			out[x.Path] = x.SHA256
		}
		d.ArtifactDigests = out
	},
}

func digestsOf(d *Document) []Digest {
	var out []Digest
	for _, path := range slices.Sorted(maps.Keys(d.ArtifactDigests)) {
		out = append(out, Digest{Path: path, SHA256: d.ArtifactDigests[path]})
	}
	return out
}
