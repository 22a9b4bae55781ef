package workbench

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"git-handoff/gitstore/handoff"
)

// commandsRun turns accounts into what a document holds: the last runs and every failing one, in order, the same run
// folded with a count, at most maxRuns. Omitted counts the runs that are not shown, OmittedFailed the failing of them.
func (r *reader) commandsRun(accounts []*account) *handoff.CommandsRun {
	c := &handoff.CommandsRun{}
	for _, a := range accounts {
		c.Total += a.total
		c.Failed += a.failed
		c.Unknown += a.unknown
	}
	if c.Total == 0 {
		return nil
	}
	shownFailed := 0
	c.Omitted = c.Total
	for _, s := range r.shown(accounts) {
		c.Runs = append(c.Runs, s.run)
		c.Omitted -= s.times
		if s.state == runFailed {
			shownFailed += s.times
		}
	}
	c.OmittedFailed = c.Failed - shownFailed
	return c
}

// A shown run is a run as the document has it, with what orders and folds it.
type shown struct {
	run   handoff.Run
	state runState
	times int
	kept  *kept
}

func (r *reader) shown(accounts []*account) []shown {
	var runs []shown
	for _, k := range chosen(accounts) {
		s := shown{r.run(k), k.state, k.times, k}
		i := slices.IndexFunc(runs, func(other shown) bool { return other.same(s) })
		if i >= 0 {
			s.times += runs[i].times
			runs = slices.Delete(runs, i, i+1)
		}
		if s.times > 1 {
			s.run.Times = s.times
		}
		runs = append(runs, s)
	}
	for len(runs) > maxRuns {
		i := slices.IndexFunc(runs, func(s shown) bool { return s.state == runFailed })
		runs = slices.Delete(runs, i, i+1)
	}
	return runs
}

// same reports whether two runs differ in nothing but time and output.
func (s shown) same(t shown) bool {
	return s.run.Command == t.run.Command && s.run.Failed == t.run.Failed && s.state == t.state && s.kept.coded == t.kept.coded && s.kept.exit == t.kept.exit
}

// chosen gives the kept runs of all logs in order. Runs of several logs are ordered by time where all of them have one,
// else log after log. A failing run that is one of the last stands among the failing already.
func chosen(accounts []*account) []*kept {
	var last, failing []*kept
	for _, a := range accounts {
		for i := range a.last {
			if a.last[i].seq > 0 {
				last = append(last, &a.last[i])
			}
		}
		for _, k := range a.failing {
			failing = append(failing, k)
		}
	}
	for _, k := range slices.Concat(last, failing) {
		k.at = recordTime(k.rec.raw[fieldTime])
	}
	timed := len(accounts) > 1 && !slices.ContainsFunc(slices.Concat(last, failing), func(k *kept) bool { return k.at.IsZero() })
	order := func(a, b *kept) int {
		byTime := 0
		if timed {
			byTime = a.at.Compare(b.at)
		}
		return cmp.Or(byTime, cmp.Compare(a.log, b.log), cmp.Compare(a.seq, b.seq))
	}
	slices.SortFunc(last, order)
	last = last[max(0, len(last)-lastRuns):]
	last = slices.DeleteFunc(last, func(k *kept) bool { return k.state == runFailed })
	all := slices.Concat(failing, last)
	slices.SortFunc(all, order)
	return all
}

// run writes out a kept run: of one that passed the command and its exit code alone.
func (r *reader) run(k *kept) handoff.Run {
	run := handoff.Run{Command: r.command(&k.rec)}
	if k.coded {
		exit := k.exit
		run.Exit = &exit
	}
	if k.state != runFailed {
		return run
	}
	run.At = handoff.TimeOf(k.at)
	run.MS = k.rec.duration()
	run.Output = r.output(&k.rec)
	if !k.coded {
		reason := strings.Join(strings.Fields(r.mask(k.rec.reason())), " ")
		run.Failed = cutEnd(reason, maxReason)
	}
	return run
}

// duration gives how long the command took, in milliseconds; 0 where that is not known.
func (r *record) duration() int64 {
	for f, factor := range map[field]float64{fieldMS: 1, fieldSeconds: 1000} {
		raw := strings.Trim(string(r.raw[f]), `"s `)
		if n, err := strconv.ParseFloat(raw, 64); err == nil && n*factor >= 0 && n*factor < 1e15 {
			return int64(n * factor)
		}
	}
	return 0
}
