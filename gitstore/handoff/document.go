package handoff

// FormatVersion is the version of the document format that this package writes and the newest it reads.
const FormatVersion = 1

// A Document is one handoff. Its four parts have one writer each; on disk they are one flat mapping,
// in the order of Keys.
type Document struct {
	Ledger   `yaml:",inline"`
	Observed `yaml:",inline"`
	Recorded `yaml:",inline"`
	Brief    `yaml:",inline"`
}

// Name is the name of the handoff that the document is about.
func (d *Document) Name() Name { return Name{Branch: d.Branch, Topic: d.Topic} }

// Ledger holds what the program's own events leave in a document. Each field is written by its own event alone.
type Ledger struct {
	Version      int        `yaml:"version" json:"version"`
	Branch       string     `yaml:"branch" json:"branch"`
	Topic        string     `yaml:"topic" json:"topic"`
	Status       Status     `yaml:"status" json:"status"`
	Supersedes   []Link     `yaml:"supersedes,omitempty" json:"supersedes,omitempty"`
	SupersededBy *Link      `yaml:"superseded_by,omitempty" json:"superseded_by,omitempty"`
	Claim        *Claim     `yaml:"claim,omitempty" json:"claim,omitempty"`
	Provenance   Provenance `yaml:"provenance,omitempty" json:"provenance,omitzero"`
}

// Status says whether a handoff still drives work.
type Status string

const (
	Active     Status = "active"
	Superseded Status = "superseded"
	Archived   Status = "archived"
)

// A Link names another handoff and, where known, the version of it that was meant: a full object id.
type Link struct {
	Handoff string `yaml:"handoff" json:"handoff"`
	Version string `yaml:"version,omitempty" json:"version,omitempty"`
}

// A Claim says who works on a handoff, since when, and until when nobody else should.
type Claim struct {
	By    string `yaml:"by" json:"by"`
	At    Time   `yaml:"at" json:"at"`
	Until Time   `yaml:"until" json:"until"`
}

// Provenance says where a version came from. Turns counts the turns of the session that produced it.
type Provenance struct {
	Session     string `yaml:"session,omitempty" json:"session,omitempty"`
	ProducedBy  string `yaml:"produced_by,omitempty" json:"produced_by,omitempty"`
	Turns       int    `yaml:"turns,omitempty" json:"turns,omitempty"`
	SavedAt     Time   `yaml:"saved_at,omitempty" json:"saved_at,omitzero"`
	RefreshedAt Time   `yaml:"refreshed_at,omitempty" json:"refreshed_at,omitzero"`
	Tool        string `yaml:"tool,omitempty" json:"tool,omitempty"`
}

// Observed holds what git and its notes alone can tell; every refresh recomputes it. Ids are full object ids.
type Observed struct {
	LastKnownGood string       `yaml:"last_known_good_commit,omitempty" json:"last_known_good_commit,omitempty"`
	Head          string       `yaml:"head,omitempty" json:"head,omitempty"`
	Base          string       `yaml:"base,omitempty" json:"base,omitempty"`
	Commits       int          `yaml:"commits,omitempty" json:"commits,omitempty"`
	ChangedFiles  ChangedFiles `yaml:"changed_files,omitempty" json:"changed_files,omitzero"`
	Evidence      *Evidence    `yaml:"evidence,omitempty" json:"evidence,omitempty"`
}

// MaxChangedFiles is how many changed files a document lists; Total counts the rest too.
const MaxChangedFiles = 200

// ChangedFiles is what differs between base and head, renames followed.
type ChangedFiles struct {
	Total int           `yaml:"total" json:"total"`
	Files []ChangedFile `yaml:"files,omitempty" json:"files,omitempty"`
}

// IsZero reports whether nothing changed.
func (c ChangedFiles) IsZero() bool { return c.Total == 0 && len(c.Files) == 0 }

// A ChangedFile is one path, its kind of change and, for a rename or copy, where it came from.
// A path that is not UTF-8 has its odd bytes written as \xNN.
type ChangedFile struct {
	Path   string `yaml:"path" json:"path"`
	Change Change `yaml:"change" json:"change"`
	From   string `yaml:"from,omitempty" json:"from,omitempty"`
}

// Change is what happened to a file.
type Change string

const (
	Added       Change = "added"
	Modified    Change = "modified"
	Deleted     Change = "deleted"
	Renamed     Change = "renamed"
	Copied      Change = "copied"
	TypeChanged Change = "type-changed"
	ModeChanged Change = "mode-changed"
	Unmerged    Change = "unmerged"
)

// Evidence says why the last known good commit is believed to be good.
type Evidence struct {
	Kind    EvidenceKind `yaml:"kind" json:"kind"`
	Command string       `yaml:"command,omitempty" json:"command,omitempty"`
	Exit    *int         `yaml:"exit,omitempty" json:"exit,omitempty"`
	At      Time         `yaml:"at,omitempty" json:"at,omitzero"`
	By      string       `yaml:"by,omitempty" json:"by,omitempty"`
	Why     string       `yaml:"why,omitempty" json:"why,omitempty"`
}

// EvidenceKind ranks evidence: a command that passed, a person's word, or nothing but the fork point.
type EvidenceKind string

const (
	Verified EvidenceKind = "verified"
	Asserted EvidenceKind = "asserted"
	Assumed  EvidenceKind = "assumed"
)

// Recorded holds what was true in the worktree at the moment of a save. Only a save writes it, and only in the
// worktree where the branch is checked out; what is unknown there leaves what is known in place.
type Recorded struct {
	Worktree        *Worktree         `yaml:"worktree,omitempty" json:"worktree,omitempty"`
	CommandsRun     *CommandsRun      `yaml:"commands_run,omitempty" json:"commands_run,omitempty"`
	VerdictPointer  *VerdictPointer   `yaml:"verdict_pointer,omitempty" json:"verdict_pointer,omitempty"`
	Findings        []Finding         `yaml:"findings,omitempty" json:"findings,omitempty"`
	ArtifactDigests map[string]string `yaml:"artifact_digests,omitempty" json:"artifact_digests,omitempty"`
	Clean           *Clean            `yaml:"clean,omitempty" json:"clean,omitempty"`
}

// Worktree is what existed in the worktree and in no commit. Onto is the branch or commit that a rebase goes to,
// Step is "n of m". Lists of paths are sorted and capped at MaxWorktreePaths each; the totals count all.
type Worktree struct {
	Operation string        `yaml:"operation,omitempty" json:"operation,omitempty"`
	Onto      string        `yaml:"onto,omitempty" json:"onto,omitempty"`
	Step      string        `yaml:"step,omitempty" json:"step,omitempty"`
	Unmerged  []string      `yaml:"unmerged,omitempty" json:"unmerged,omitempty"`
	Modified  []ChangedFile `yaml:"modified,omitempty" json:"modified,omitempty"`
	Untracked []string      `yaml:"untracked,omitempty" json:"untracked,omitempty"`
	Stashes   []string      `yaml:"stashes,omitempty" json:"stashes,omitempty"`
	Omitted   int           `yaml:"omitted,omitempty" json:"omitted,omitempty"`
}

// MaxWorktreePaths is how many paths each list of a Worktree holds; Omitted counts those left out of all of them.
const MaxWorktreePaths = 50

// CommandsRun is the trimmed account of the commands of a session. Total counts all that were read, Failed and
// Unknown those that failed and those without a known result; Omitted and OmittedFailed count what the cap cut.
type CommandsRun struct {
	Total         int   `yaml:"total" json:"total"`
	Failed        int   `yaml:"failed,omitempty" json:"failed"`
	Unknown       int   `yaml:"unknown,omitempty" json:"unknown"`
	Omitted       int   `yaml:"omitted,omitempty" json:"omitted"`
	OmittedFailed int   `yaml:"omitted_failed,omitempty" json:"omitted_failed"`
	Log           *Log  `yaml:"log,omitempty" json:"log,omitempty"`
	Runs          []Run `yaml:"runs,omitempty" json:"runs,omitempty"`
}

// A Log names the file that records were read from, and the sha256 of what was read, in hex.
type Log struct {
	Path   string `yaml:"path" json:"path"`
	Digest string `yaml:"digest" json:"digest"`
}

// A Run is one command. Exit is nil where no exit code is known; MS is its duration in milliseconds; Times counts
// equal runs folded into this one (absent means once); Output is the end of a failing run's output; Failed tells a
// failure that has no exit code (a timeout, a missing program, a signal) from a result that nobody knows.
type Run struct {
	Command string `yaml:"command" json:"command"`
	Exit    *int64 `yaml:"exit,omitempty" json:"exit,omitempty"`
	Failed  string `yaml:"failed,omitempty" json:"failed,omitempty"`
	At      Time   `yaml:"at,omitempty" json:"at,omitzero"`
	MS      int64  `yaml:"ms,omitempty" json:"ms,omitempty"`
	Times   int    `yaml:"times,omitempty" json:"times,omitempty"`
	Output  string `yaml:"output,omitempty" json:"output,omitempty"`
}

// VerdictPointer points to the reports that judge the work. A report that does not exist is not pointed to.
type VerdictPointer struct {
	Verification *Verification `yaml:"verification,omitempty" json:"verification,omitempty"`
	Review       *Review       `yaml:"review,omitempty" json:"review,omitempty"`
}

// A Verification is a gate's report; Passed is nil where the report does not say, which is never a pass.
type Verification struct {
	Path   string `yaml:"path" json:"path"`
	Digest string `yaml:"digest" json:"digest"`
	Passed *bool  `yaml:"passed,omitempty" json:"passed,omitempty"`
}

// A Review is a reviewer's report. Total is as written, a number or a fraction such as 8/10.
type Review struct {
	Path    string `yaml:"path" json:"path"`
	Digest  string `yaml:"digest" json:"digest"`
	Verdict string `yaml:"verdict,omitempty" json:"verdict,omitempty"`
	Total   string `yaml:"total,omitempty" json:"total,omitempty"`
}

// A Finding is a risk that was derived, not written. Source names the file or the check it came from.
type Finding struct {
	What     string   `yaml:"what" json:"what"`
	Severity Severity `yaml:"severity" json:"severity"`
	Source   string   `yaml:"source" json:"source"`
}

// Severity ranks a risk or a finding.
type Severity string

const (
	Info  Severity = "info"
	Warn  Severity = "warn"
	Block Severity = "block"
)

// Clean is the outcome of the clean-state checks at save time. Allowed is the author's reason for saving all the same.
type Clean struct {
	OK      bool         `yaml:"ok" json:"ok"`
	Allowed string       `yaml:"allowed,omitempty" json:"allowed,omitempty"`
	Issues  []CleanIssue `yaml:"issues,omitempty" json:"issues,omitempty"`
}

// A CleanIssue is one thing that is not clean, and the check that found it: tree, temp, tests, board or branch.
type CleanIssue struct {
	Check    string   `yaml:"check" json:"check"`
	What     string   `yaml:"what" json:"what"`
	Severity Severity `yaml:"severity" json:"severity"`
}

// Brief holds the author's judgement. Only a save changes it.
type Brief struct {
	Objective      string    `yaml:"objective,omitempty" json:"objective,omitempty"`
	Progress       Progress  `yaml:"progress,omitempty" json:"progress,omitempty"`
	Summary        string    `yaml:"summary,omitempty" json:"summary,omitempty"`
	NextAction     string    `yaml:"next_action,omitempty" json:"next_action,omitempty"`
	Next           []Item    `yaml:"next,omitempty" json:"next,omitempty"`
	Constraints    []Item    `yaml:"constraints,omitempty" json:"constraints,omitempty"`
	Decisions      []Item    `yaml:"decisions,omitempty" json:"decisions,omitempty"`
	Rejected       []Item    `yaml:"rejected,omitempty" json:"rejected,omitempty"`
	Done           []Item    `yaml:"done,omitempty" json:"done,omitempty"`
	Uncertain      []Item    `yaml:"uncertain,omitempty" json:"uncertain,omitempty"`
	Pending        []Item    `yaml:"pending,omitempty" json:"pending,omitempty"`
	Open           []Item    `yaml:"open,omitempty" json:"open,omitempty"`
	FailedAttempts []Item    `yaml:"failed_attempts,omitempty" json:"failed_attempts,omitempty"`
	OpenRisks      []Item    `yaml:"open_risks,omitempty" json:"open_risks,omitempty"`
	Assumptions    []Item    `yaml:"assumptions_to_validate,omitempty" json:"assumptions_to_validate,omitempty"`
	Artifacts      Artifacts `yaml:"artifacts,omitempty" json:"artifacts,omitempty"`
	Notes          Notes     `yaml:"notes,omitempty" json:"notes,omitzero"`
	RunID          string    `yaml:"run_id,omitempty" json:"run_id,omitempty"`
	CheckpointID   string    `yaml:"checkpoint_id,omitempty" json:"checkpoint_id,omitempty"`
	TaskID         string    `yaml:"task_id,omitempty" json:"task_id,omitempty"`
}

// Progress says how far the whole objective is.
type Progress string

const (
	InProgress   Progress = "in_progress"
	Blocked      Progress = "blocked"
	ProgressDone Progress = "done"
)

// MaxNote is the longest that one note may be, in characters.
const MaxNote = 280

// Notes are short remarks for the successor, at most MaxNote characters each.
type Notes struct {
	Interpretation   string `yaml:"interpretation,omitempty" json:"interpretation,omitempty"`
	BusinessContext  string `yaml:"business_context,omitempty" json:"business_context,omitempty"`
	EscalationReason string `yaml:"escalation_reason,omitempty" json:"escalation_reason,omitempty"`
	DoNotRepeat      []Item `yaml:"do_not_repeat,omitempty" json:"do_not_repeat,omitempty"`
	ReviewerGuidance string `yaml:"reviewer_guidance,omitempty" json:"reviewer_guidance,omitempty"`
}

// IsZero reports whether there are no notes.
func (n Notes) IsZero() bool {
	return n.Interpretation == "" && n.BusinessContext == "" && n.EscalationReason == "" &&
		len(n.DoNotRepeat) == 0 && n.ReviewerGuidance == ""
}
