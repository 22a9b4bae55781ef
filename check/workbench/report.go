package workbench

import (
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// readReports reads the verdict and the review of the task in hand.
func (r *reader) readReports() {
	task := r.bench.ActiveTask()
	if f, tree, ok := r.report("handoff.verification", r.opt.Verification, "verification", task); ok {
		r.bench.Verification = r.verification(f, tree)
	}
	if f, tree, ok := r.report("handoff.review", r.opt.Review, "review", task); ok {
		r.bench.Review = r.review(f, tree)
	}
	r.readAgainst(r.opt.Verification, "verification", func(r *reader, f File, tree *node) *bool { return r.verification(f, tree).Passed })
	r.readAgainst(r.opt.Review, "review", func(r *reader, f File, tree *node) *bool { return r.review(f, tree).Passed })
}

// A Failure is the report of another task than the one in hand that says that it did not pass.
type Failure struct {
	Task, Path string
}

// readAgainst looks for reports, called after tasks that a board has as done, that say otherwise. What else is wrong
// with them is not told: it is not what is in hand.
func (r *reader) readAgainst(configured, kind string, passed func(*reader, File, *node) *bool) {
	const enough = 500
	quiet := *r
	quiet.bench = &Workbench{}
	names := r.reportNames(configured, kind)
	if len(names) == 0 || len(names) > enough {
		return
	}
	active := r.bench.ActiveTask()
	for i := range r.bench.Boards {
		for _, it := range r.bench.Boards[i].Items {
			if it.Status != Done || it.ID == "" || it.ID == active {
				continue
			}
			name := named(names, it.ID)
			if name == "" {
				continue
			}
			f, tree, _ := quiet.load(name)
			if ok := passed(&quiet, f, tree); ok != nil && !*ok {
				r.bench.Against = append(r.bench.Against, Failure{it.ID, r.mask(name)})
			}
		}
	}
}

// reportNames are the reports in the first folder that has any.
func (r *reader) reportNames(configured, kind string) []string {
	dirs := []string{"outputs/" + kind, kind, ".agent/" + kind, "workbench/" + kind, ".workbench/" + kind, "reports/" + kind}
	if configured != "" {
		dirs = []string{path.Clean(filepath.ToSlash(configured))}
	}
	for _, dir := range dirs {
		if names := r.jsonFiles(dir); len(names) > 0 {
			return names
		}
	}
	return nil
}

// report finds and reads a report. A configured file is taken as it is. In a folder of reports (outputs/review/ and its
// like) the one of the active task counts: by its name, else by the task it names; another task's never does. Without an
// active task it is the newest: by the time that it gives, else by that of the file, else by name. Where there is no
// folder, review_report.json and its like are taken, if they are not another task's.
func (r *reader) report(setting, configured, kind, task string) (File, *node, bool) {
	if configured != "" {
		name, ok := r.configured(setting, configured)
		if !ok {
			return File{}, nil, false
		}
		if info, err := r.root.Stat(filepath.FromSlash(name)); err != nil || !info.IsDir() {
			f, tree, _ := r.load(name)
			return f, tree, f.Present
		}
		configured = name
	}
	if names := r.reportNames(configured, kind); len(names) > 0 {
		return r.choose(names, task)
	}
	if configured != "" {
		return File{}, nil, false
	}
	return r.single(kind, task)
}

// jsonFiles gives the reports of a folder, and of the folders in it that are not of old ones: some have one for each task.
func (r *reader) jsonFiles(dir string) []string {
	entries := r.entriesOf(dir)
	names := jsonOf(dir, entries)
	for _, e := range entries {
		if e.IsDir() && !among("|archive|archived|old|history|backup|backups|closed|superseded|", strings.ToLower(e.Name())) {
			sub := path.Join(dir, e.Name())
			names = append(names, jsonOf(sub, r.entriesOf(sub))...)
		}
	}
	return names
}

// jsonOf gives the files among the entries of a folder that hold JSON.
func jsonOf(dir string, entries []fs.DirEntry) []string {
	var names []string
	for _, e := range entries {
		if strings.EqualFold(path.Ext(e.Name()), ".json") && !e.IsDir() {
			names = append(names, path.Join(dir, e.Name()))
		}
	}
	return names
}

// choose takes the report of a task, or the newest where no task is known.
func (r *reader) choose(names []string, task string) (File, *node, bool) {
	if task != "" {
		if name := named(names, task); name != "" {
			f, tree, _ := r.load(name)
			return f, tree, f.Present
		}
	}
	var best candidate
	for _, name := range names {
		c := r.candidate(name)
		if task != "" && c.task != task {
			continue
		}
		if best.name == "" || c.newer(best) {
			best = c
		}
	}
	if best.name == "" {
		return File{}, nil, false
	}
	f, tree, _ := r.load(best.name)
	return f, tree, f.Present
}

// named gives the file that is called after a task: T-1.json, else the last of T-1-2.json, T-1.report.json, T-1/report.json and
// such.
func named(names []string, task string) string {
	best := ""
	for _, name := range names {
		stem := strings.TrimSuffix(path.Base(name), path.Ext(name))
		for _, kind := range []string{"verification_report_", "review_report_", "verification-report-", "review-report-"} {
			stem = strings.TrimPrefix(stem, kind)
		}
		if strings.EqualFold(stem, task) {
			return name
		}
		rest, ok := strings.CutPrefix(stem, task)
		if (ok && strings.IndexByte("-_.", rest[0]) >= 0 || path.Base(path.Dir(name)) == task) && name > best {
			best = name
		}
	}
	return best
}

// A candidate is a report that may be the one: what it says of its task and time.
type candidate struct {
	name, task string
	at, file   time.Time
}

func (c candidate) newer(than candidate) bool {
	switch {
	case !c.at.Equal(than.at):
		return c.at.After(than.at)
	case !c.file.Equal(than.file):
		return c.file.After(than.file)
	}
	return c.name > than.name
}

// candidate looks into a report without telling of what is wrong with it: only of the chosen one that is told.
func (r *reader) candidate(name string) candidate {
	c := candidate{name: name}
	if info, err := r.root.Stat(filepath.FromSlash(name)); err == nil {
		c.file = info.ModTime()
	}
	data, err := r.bytes(name)
	if err != nil {
		return c
	}
	text, _ := decodeText(data)
	if tree, err := parse(text); err == nil {
		c.task = reportTask(tree)
		c.at, _ = parseTime(tree.first("timestamp", "at", "time", "created_at", "generated_at", "finished_at", "date", "reviewed_at", "verified_at").say())
	}
	return c
}

func reportTask(tree *node) string {
	return identity(tree.first("task_id", "task", "feature_id", "id", "active_task_id"))
}

// single finds a report that lies alone, if it is not another task's: verification_report.json, else one that has the task
// behind that name.
func (r *reader) single(kind, task string) (File, *node, bool) {
	for _, name := range r.find(kind+"_report.json", kind+".json") {
		if c := r.candidate(name); task != "" && c.task != "" && c.task != task {
			continue
		}
		f, tree, _ := r.load(name)
		return f, tree, f.Present
	}
	return r.choose(r.taskReports(kind), task)
}

func (r *reader) taskReports(kind string) []string {
	var names []string
	for _, dir := range places {
		for _, name := range jsonOf(dir, r.entriesOf(dir)) {
			if strings.HasPrefix(plainName(path.Base(name)), kind+"_report_") {
				names = append(names, name)
			}
		}
	}
	return names
}
