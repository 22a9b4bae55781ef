package workbench

import (
	"bytes"
	"hash/maphash"
	"time"
)

const (
	// lastRuns is how many of the last runs are kept whatever became of them, maxRuns how many runs in all.
	lastRuns = 5
	maxRuns  = 30
)

// An account is what is kept of a log while it streams by: counts, the last runs, and the failing ones folded. It does
// not grow with the log.
type account struct {
	total, passed, failed, unknown int
	// last is a ring of the last runs; failing the failing ones, at most maxRuns different ones, by key.
	last    [lastRuns]kept
	failing map[uint64]*kept
	seed    maphash.Seed
	// log is the place of the log among those that are read.
	log int
}

func newAccount(log int) *account {
	return &account{failing: map[uint64]*kept{}, seed: maphash.MakeSeed(), log: log}
}

// A kept run owns copies of what its record said.
type kept struct {
	log   int
	seq   int
	times int
	state runState
	exit  int64
	coded bool
	rec   record
	// at is read from the record only once all of the log is.
	at time.Time
	// store is what the fields of rec lie in.
	store []byte
}

// keptFields is what is needed of a run to show it, failing or not.
var keptFields = []field{fieldCommand, fieldArgv, fieldArgs, fieldTime}

var failingFields = append(keptFields, fieldError, fieldTimedOut, fieldSignal, fieldStatus, fieldExit, fieldExit2, fieldExit3, fieldMS, fieldSeconds, fieldOutput, fieldStdout, fieldStderr)

// add counts a run, and keeps it for as long as it is one of the last, or failing and not pushed out by later ones.
func (a *account) add(rec *record) {
	state, exit, coded := rec.judge()
	a.total++
	run := &a.last[a.total%lastRuns]
	run.set(rec, keptFields)
	run.log, run.seq, run.times, run.state, run.exit, run.coded = a.log, a.total, 1, state, exit, coded
	switch state {
	case runPassed:
		a.passed++
	case runUnknown:
		a.unknown++
	case runFailed:
		a.failed++
		a.addFailing(rec, *run)
	}
}

func (a *account) addFailing(rec *record, run kept) {
	key := a.key(rec)
	f := a.failing[key]
	if f == nil {
		f = a.room()
		a.failing[key] = f
	}
	store, times := f.store, f.times
	*f = run
	f.store, f.times = store, times+1
	f.set(rec, failingFields)
}

// room gives an unused run, the one that failed longest ago if there are enough.
func (a *account) room() *kept {
	if len(a.failing) < maxRuns {
		return &kept{}
	}
	var oldest uint64
	var f *kept
	for key, k := range a.failing {
		if f == nil || k.seq < f.seq {
			oldest, f = key, k
		}
	}
	delete(a.failing, oldest)
	f.times = 0
	return f
}

// key is the same for runs that are the same but for their time and output.
func (a *account) key(rec *record) uint64 {
	var h maphash.Hash
	h.SetSeed(a.seed)
	for _, f := range []field{fieldCommand, fieldArgv, fieldArgs, fieldExit, fieldExit2, fieldExit3, fieldError, fieldTimedOut, fieldSignal, fieldStatus} {
		h.Write(rec.raw[f])
		h.WriteByte(0)
	}
	return h.Sum64()
}

// set copies fields of a record, the long ones cut.
func (k *kept) set(rec *record, wanted []field) {
	k.store = k.store[:0]
	k.rec = record{}
	var ends [fields]int
	for _, f := range wanted {
		k.store = appendCut(k.store, rec.raw[f])
		ends[f] = len(k.store)
	}
	start := 0
	for _, f := range wanted {
		if rec.raw[f] != nil {
			k.rec.raw[f] = k.store[start:ends[f]]
		}
		start = ends[f]
	}
}

// maxField is how much of a field is copied as it is; a longer one goes through a compactor. It is more than what a
// compactor leaves of a text, whose mark of the cut would be cut away otherwise.
const maxField = 2 * (keptHead + keptTail)

func appendCut(store, raw []byte) []byte {
	if len(raw) <= maxField {
		return append(store, raw...)
	}
	var c compactor
	c.add(raw)
	if len(c.out) > 4*maxField || bytes.Equal(c.out, []byte{'?'}) {
		return append(store, `"(too long)"`...)
	}
	return append(store, c.out...)
}
