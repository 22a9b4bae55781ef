package workbench

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"strconv"
	"strings"
	"time"

	"git-handoff/gitstore/handoff"
)

// Feedback is what the log of commands tells. Digest is that of all that was read of it, its rotated files (.2, .1,
// then the log itself) one after the other.
type Feedback struct {
	File
	// Commands is nil where no record counts.
	Commands *handoff.CommandsRun
	// Records are the runs that count, Older those that Options.Since left out, Others the records of something else.
	Records, Older, Others int
	Passed, Failed         int
	// Unknown are the runs without a known result.
	Unknown int
	// Skipped are the lines that hold no record; SkippedTotal counts them all.
	Skipped      []Line
	SkippedTotal int
	// FailedAt and UnknownAt are where failing runs and those without a result stand.
	FailedAt, UnknownAt []Line
	// Session is the last that a record names.
	Session string
}

// A Line is a place in a log.
type Line struct {
	File   string
	Number int
}

// maxPlaces is how many places of one kind a Feedback names.
const maxPlaces = 100

// readFeedback reads the log of the tree with what was rotated from it, oldest first, and then the program's own logs.
func (r *reader) readFeedback() {
	f := &r.bench.Feedback
	var accounts []*account
	name, ok := r.one("handoff.feedback", r.opt.Feedback, "feedback_record.jsonl")
	current := []string{name}
	if first, rotated := r.one("", "", "feedback_record.jsonl.1"); !ok && r.opt.Feedback == "" && rotated {
		// The log was rotated a moment ago, and nothing was written since.
		name, ok, current = strings.TrimSuffix(first, ".1"), true, nil
	}
	if ok {
		a := newAccount(0)
		f.File = File{Path: r.mask(name), Present: true}
		sum := sha256.New()
		read := 0
		for _, part := range append(r.rotated(name), current...) {
			read += r.readTreeLog(part, sum, a)
		}
		if f.Readable = read > 0; f.Readable {
			f.Digest = hex.EncodeToString(sum.Sum(nil))
			accounts = append(accounts, a)
		}
	}
	for i, own := range r.opt.Own {
		a := newAccount(i + 1)
		r.readOwnLog(own, a)
		accounts = append(accounts, a)
	}
	for _, a := range accounts {
		f.Records += a.total
		f.Passed += a.passed
		f.Failed += a.failed
		f.Unknown += a.unknown
	}
	f.Commands = r.commandsRun(accounts)
	if f.Commands != nil && f.Readable {
		f.Commands.Log = &handoff.Log{Path: f.Path, Digest: f.Digest}
	}
}

// readLog streams a log through an account.
func (r *reader) readLog(name string, file io.Reader, sum hash.Hash, a *account) {
	if sum != nil {
		file = newSumReader(file, sum)
	}
	l := newLines(spreadLog(logText(file)))
	w := &logWalk{reader: r, name: name, account: a}
	var rec record
	for {
		line, ok := l.next()
		if !ok {
			break
		}
		w.number = l.number
		if blankLine(line) {
			continue
		}
		if err := readLine(line, &rec, w.take); err != nil {
			w.skip(l.whole)
		}
	}
	if l.err != nil {
		r.problem(name, l.number, unreadable(l.err).Error())
	}
	w.end()
}

// logText gives the text of a log as UTF-8 without a byte-order mark.
func logText(file io.Reader) io.Reader {
	b := bufio.NewReaderSize(file, 16)
	head, _ := b.Peek(4)
	if order := byteOrder(head); order != nil {
		return newUTF16(b, order)
	}
	if strings.HasPrefix(string(head), "\xef\xbb\xbf") {
		b.Discard(3)
	}
	return b
}

func blankLine(line []byte) bool {
	for _, c := range line {
		if c != ' ' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}

// A logWalk is the reading of one log: where it is, and what was skipped.
type logWalk struct {
	*reader
	name    string
	account *account
	number  int
	skipped []int
	total   int
	cut     bool
	// runs and others count the records that are about a command, and those that are not.
	runs, others int
}

func (w *logWalk) take(rec *record) {
	f := &w.bench.Feedback
	if s := rec.raw[fieldSession]; len(s) > 2 && s[0] == '"' {
		if s = s[1 : len(s)-1]; string(s) != f.Session {
			f.Session = unquote(s)
		}
	}
	if !rec.isRun() {
		f.Others++
		w.others++
		return
	}
	w.runs++
	if w.older(rec) {
		f.Older++
		return
	}
	failed, unknown := w.account.failed, w.account.unknown
	w.account.add(rec)
	if w.account.failed > failed && len(f.FailedAt) < maxPlaces {
		f.FailedAt = append(f.FailedAt, Line{w.name, w.number})
	}
	if w.account.unknown > unknown && len(f.UnknownAt) < maxPlaces {
		f.UnknownAt = append(f.UnknownAt, Line{w.name, w.number})
	}
}

// older reports whether the record is dated at or before Options.Since.
func (w *logWalk) older(rec *record) bool {
	if w.opt.Since.IsZero() {
		return false
	}
	at := recordTime(rec.raw[fieldTime])
	return !at.IsZero() && !at.After(w.opt.Since)
}

// recordTime reads the time of a record; zero where it has none that can be read.
func recordTime(raw []byte) time.Time {
	if len(raw) == 0 {
		return time.Time{}
	}
	if raw[0] == '"' {
		raw = raw[1 : len(raw)-1]
	}
	t, _ := parseTime(string(raw))
	return t
}

// skip notes that the line holds no record, or none that is whole.
func (w *logWalk) skip(whole bool) {
	f := &w.bench.Feedback
	w.total++
	w.cut = w.cut || !whole
	f.SkippedTotal++
	if len(f.Skipped) < maxPlaces {
		f.Skipped = append(f.Skipped, Line{w.name, w.number})
	}
	if len(w.skipped) < 20 {
		w.skipped = append(w.skipped, w.number)
	}
}

// end tells what was skipped, in one sentence, and if no record at all is about a command.
func (w *logWalk) end() {
	if w.runs == 0 && w.others > 0 {
		w.problem(w.name, 0, counted(w.others, "record tells of no command", "records tell of no command"))
	}
	if w.total == 0 {
		return
	}
	what := "1 line is no record of a command and was skipped: line "
	if w.total > 1 {
		what = fmt.Sprintf("%d lines are no records of commands and were skipped: lines ", w.total)
	}
	for i, n := range w.skipped {
		if i > 0 {
			what += ", "
		}
		what += strconv.Itoa(n)
	}
	if w.total > len(w.skipped) {
		what += " and more"
	}
	if w.cut {
		what += "; the last one is cut off"
	}
	w.problem(w.name, w.skipped[0], what)
}
