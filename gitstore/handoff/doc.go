// Package handoff is the format of a handoff: its document, names, messages and the operations on them that need no
// repository. This page is the format's specification; a test holds its tables to the code.
//
// # Names
//
// A handoff is about the work on one branch under one topic and is written BRANCH/TOPIC. A topic has no slash, so the
// last component of a name is always the topic. It lives in the ref refs/handoff/BRANCH/TOPIC, whose tip is the
// current version: a commit whose tree holds one blob, handoff.yaml, and whose parents are the versions before it (two
// where diverged versions were merged). Commits of the code are never among them.
//
// # The document
//
// A document is UTF-8 YAML: one mapping, keys in the order below, lines that end in LF, two-space block style. An
// empty field is not written. Equal documents have equal bytes, and an item that changes changes only its own lines.
//
//	version                  ledger    version of this format, 1
//	branch                   ledger    branch that the work is on, as in the ref
//	topic                    ledger    line of work on the branch, as in the ref
//	status                   ledger    active, superseded or archived
//	last_known_good_commit   observed  newest commit of the branch with evidence that it works, else base; a full object id
//	objective                brief     what the whole work is for
//	progress                 brief     in_progress, blocked or done
//	summary                  brief     one paragraph: what was done
//	next_action              brief     the first concrete step; required
//	next                     brief     the queue after next_action
//	constraints              brief     what the work must respect
//	decisions                brief     what was decided, and why
//	rejected                 brief     what is already ruled out, and why
//	done                     brief     what is settled and not to be redone; an absent effect reads as external
//	uncertain                brief     what may or may not have happened; an absent replay reads as never
//	pending                  brief     what is being waited for; on names the step it gates
//	open                     brief     questions that nobody has answered
//	failed_attempts          brief     what was tried and did not work
//	open_risks               brief     what may go wrong
//	assumptions_to_validate  brief     what was assumed and not yet checked
//	artifacts                brief     what the work leans on or made; required ones are the successor's prerequisites
//	notes                    brief     short remarks, at most 280 characters each
//	run_id                   brief     run of the surrounding workflow
//	checkpoint_id            brief     checkpoint of the surrounding workflow
//	task_id                  brief     task in the surrounding workflow
//	head                     observed  tip of the branch; a full object id
//	base                     observed  commit that the branch forked from; a full object id
//	commits                  observed  how many commits base..head has
//	changed_files            observed  what differs between base and head, renames followed; at most 200 listed
//	evidence                 observed  why the last known good commit is believed to be good
//	worktree                 recorded  what existed only in the worktree, in no commit, at the save
//	commands_run             recorded  the commands of the session: counts, the last ones, and those that failed
//	verdict_pointer          recorded  the verification and review reports that exist
//	findings                 recorded  risks derived from reports, the state file and the worktree
//	artifact_digests         recorded  sha256 of each artifact that is a file, by path, at the save
//	clean                    recorded  outcome of the clean-state checks at the save
//	supersedes               ledger    handoffs that this one replaces
//	superseded_by            ledger    handoff that replaces this one
//	claim                    ledger    who works on it, since when, until when
//	provenance               ledger    which session, actor and release the version comes from
//
// brief is the author's half, written by a save alone. observed comes from git and its notes alone and is recomputed
// by every refresh. recorded is what a save saw in the worktree where the branch is checked out; a save that sees
// nothing of it leaves it as it is. ledger is what the program's own events leave; each of these keys is written by
// its event.
//
// Times are RFC 3339 in UTC, to the second. Ids of objects are full. Whole numbers are decimal.
//
// # Texts
//
// A text with more than one line is a literal block. A text is in double quotes where a literal block or a plain
// scalar would not give it back, where some YAML reader would take it for a number, a date, a truth value or null (no,
// 1e3, 2026-01-02; for the same reason the key on is written "on"), and where it has characters that must not stand in
// a file as they are: controls, marks that change the direction of writing, a byte order mark, U+2028. These are
// written as escapes. Emoji and other scripts stand as they are.
//
// # Lists
//
// An entry of a list of the brief is a mapping of these keys. The first one identifies the entry within its list and
// is all that it needs; an entry that has nothing else is written as a plain text. Two entries of a list never have
// the same first key.
//
//	next                     what
//	constraints              what
//	decisions                what, why, at
//	rejected                 what, why
//	done                     what, effect: none/local/external, evidence, by, at
//	uncertain                what, kind: prepared/submitted/timed-out/expired/stale-source, why, check, replay: never/after-check/safe, ref, owner, at
//	pending                  what, kind: approval/blocker/external/task, owner, since, expires, on
//	open                     what, for: human/agent, on
//	failed_attempts          what, why
//	open_risks               what, severity: info/warn/block
//	assumptions_to_validate  what
//	artifacts                name, kind: file/url/commit/ref, ref, required: true/false
//	notes.do_not_repeat      what
//
// An absent effect reads as external and an absent replay as never: what is not known to be harmless is not repeated.
// The on of a pending or open entry names the step that it gates. The ref of an uncertain entry is an external or
// idempotency id. An open question is for a human only if the step that it gates cannot be finished without the
// answer.
//
// The mapping notes holds, besides do_not_repeat, the texts interpretation, business_context, escalation_reason and
// reviewer_guidance, each of at most 280 characters.
//
// # Facts
//
// The keys that are not the author's, where they are more than a text or a number:
//
//	changed_files            {total, files: [{path, change: added/modified/deleted/renamed/copied/type-changed/mode-changed/unmerged, from}]}
//	evidence                 {kind: verified/asserted/assumed, command, exit, at, by, why}
//	worktree                 {operation, onto, step, unmerged: [], modified: [{path, change: added/modified/deleted/renamed/copied/type-changed/mode-changed/unmerged, from}], untracked: [], stashes: [], omitted}
//	commands_run             {total, failed, unknown, omitted, omitted_failed, log: {path, digest}, runs: [{command, exit, failed, at, ms, times, output}]}
//	verdict_pointer          {verification: {path, digest, passed}, review: {path, digest, verdict, total}}
//	findings                 [{what, severity: info/warn/block, source}]
//	artifact_digests         {path: digest}
//	clean                    {ok, allowed, issues: [{check, what, severity: info/warn/block}]}
//	supersedes               [{handoff, version}]
//	superseded_by            {handoff, version}
//	claim                    {by, at, until}
//	provenance               {session, produced_by, turns, saved_at, refreshed_at, tool}
//
// Commits counts base..head. An evidence's or run's exit is absent where no exit code is known; a run's failed then
// says what went wrong (a timeout, a signal), if it is known to have failed. Times of a run counts equal runs folded
// into one, ms is its duration in milliseconds, output the end of what a failing run wrote. A verification's passed is
// absent where the report does not say, which is never a pass. The omitted counts say what a cap cut off. A path that
// is not UTF-8 has its odd bytes written as \xNN. The status of a document is active, superseded or archived, a
// finding comes from the file or check that source names, and check is one of tree, temp, tests, board, branch.
//
// # Versions of the format
//
// A reader that meets a higher version, or a key that it does not know, refuses the document (NewerError) and never
// writes it. Anything else that is not as described here is damage (CorruptError): a wrong type, null, an alias, an
// anchor, a tag, a duplicate key, a second YAML document, text after the end. Comments and style are free, and lost
// when the document is written again.
//
// # Author input
//
// Authors write the brief's keys, as YAML or JSON, read by DecodeBrief: strictly as above, at most 1 MiB and 2000 list
// entries, and all that is wrong is told at once, each with line, key and mend. A byte order mark and CRLF are
// accepted. Beyond that: a key of the facts is an error, except in a whole document (one that has version and branch),
// of which only the brief is taken; two entries of one list with the same text are an error; a time may also be a
// date, or an offset from the moment of the save such as +4h, +30m, +2d or +1w. On a command line, an entry is its
// text, then sub-keys as " :: KEY=VALUE" with a key that entries of that list have; anything else stays text.
//
// CarryForward makes the brief of the next version from the previous one and such input. A field supplied replaces the
// old one; an empty text or list empties it; what is added to a list is appended, or updates the entry of the same
// text. The stamps at, since and by (of done) are set when an entry first appears and then stay. Finishing an item
// moves it from next_action, next, pending or uncertain to done; if it was next_action, the first of next takes its
// place. The text that names an item to finish or to drop is the item's, or a part of exactly one. next_action is the
// author's, else promoted, else the state file's if that is neither done nor an earlier next_action, else the old one.
// It is never also in next. What vanishes from constraints, decisions, rejected, uncertain, pending, open or
// notes.do_not_repeat without being finished or dropped is reported. The same input again gives an equal brief.
//
// # Messages
//
// The commit message of a version holds what lists show, so that they read no document:
//
//	save: check the token in login.go
//
//	Handoff-Event: save
//	Handoff-Status: active
//	Handoff-Progress: in_progress
//	Handoff-Actor: ann
//	Handoff-Session: s-1
//	Handoff-Saved: 2026-03-04T05:06:07Z
//	Handoff-Head: 4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f
//
// The subject is the event and the next action, at most 200 characters, in one line without controls and marks of
// direction. Events are save, supersede, archive, reopen, rename, claim and merge, and the disposable ones, refresh
// and resume, which hold nothing that an author wrote. Actor and Session made the version; Handoff-Author names who
// wrote the brief where that is somebody else. Handoff-Saved is the time of the last save, so that the age of a brief
// is known however often its facts were refreshed, Handoff-Head the recorded head. Handoff-Progress and others are
// absent where nothing is known. An event may add trailers of its own. A reader takes the last paragraph, if it is not
// the first and all of it is trailers; a trailer that is there twice is unknown, in any case of letters.
//
// # Other shapes
//
// A brief can be read from, and a document be written to, three JSON shapes of other programs. What they claim about
// things that git knows better is not taken, and what a shape cannot hold is named when it is written.
//
//	packet session_id        not taken
//	packet task_id           task_id
//	packet summary           summary
//	packet changed_files     not taken
//	packet commands_run      not taken
//	packet failed_attempts   failed_attempts
//	packet open_risks        open_risks
//	packet next_action       next_action
//	packet verdict_pointer   not taken
//	packet feedback_tail     not taken
//	record run_id            run_id
//	record checkpoint_id     checkpoint_id
//	record summary           summary
//	record committed_actions done, in part
//	record uncertain_actions uncertain
//	record pending_items     pending
//	record next_safe_step    next_action
//	document version         not taken
//	document objective       objective
//	document status          progress
//	document constraints     constraints
//	document decisions       decisions
//	document rejected        rejected
//	document done            done
//	document next            next_action, next
//	document open            open
//	document artifacts       artifacts
//	document provenance      not taken
//
// A packet is recognised by session_id and next_action, a record by run_id and next_safe_step, a document by version,
// objective and next. Of done, a record holds what has an effect; what is read from it is added. The next of a
// document begins with next_action. An entry is a text, or an object with the keys above; read, its text may also be
// called detail, action, title or the like, and a why reason or rationale.
package handoff
