package handoff

import (
	"slices"

	"gopkg.in/yaml.v3"
)

// shapeSpecs describe the shapes. The names are other programs' and cannot be chosen here.
var shapeSpecs = map[Shape]shapeSpec{
	ShapePacket: {
		required: []string{"session_id", "next_action"},
		holds:    []string{"findings"},
		partly:   []string{"changed_files", "worktree", "commands_run", "verdict_pointer", "provenance"},
		keys: []shapeKey{
			{name: "session_id", out: func(d *Document) any { return d.Provenance.Session }},
			{name: "task_id", text: "task_id"},
			{name: "summary", text: "summary"},
			{name: "changed_files", out: changedPaths},
			{name: "commands_run", out: commandLines},
			{name: "failed_attempts", list: "failed_attempts", whats: true},
			{name: "open_risks", list: "open_risks", out: riskDetails, in: (*shapeReader).riskDetails},
			{name: "next_action", text: "next_action"},
			{name: "verdict_pointer", out: verdictPaths},
			{name: "feedback_tail", out: feedbackTail},
		},
	},
	ShapeRecord: {
		required: []string{"run_id", "next_safe_step"},
		keys: []shapeKey{
			{name: "run_id", text: "run_id"},
			{name: "checkpoint_id", text: "checkpoint_id"},
			{name: "summary", text: "summary"},
			{name: "committed_actions", list: "done", out: committed, part: true},
			{name: "uncertain_actions", list: "uncertain"},
			{name: "pending_items", list: "pending"},
			{name: "next_safe_step", text: "next_action"},
		},
	},
	ShapeDocument: {
		required: []string{"version", "objective", "next"},
		holds:    []string{"provenance"},
		keys: []shapeKey{
			{name: "version", own: true, out: func(*Document) any { return 1 }},
			{name: "objective", text: "objective"},
			{name: "status", text: "progress"},
			{name: "constraints", list: "constraints"},
			{name: "decisions", list: "decisions"},
			{name: "rejected", list: "rejected"},
			{name: "done", list: "done"},
			{name: "next", list: "next", out: nextSteps, in: (*shapeReader).nextSteps},
			{name: "open", list: "open"},
			{name: "artifacts", list: "artifacts"},
			{name: "provenance", out: func(d *Document) any { return d.Provenance }},
		},
	},
}

// changedPaths are the files that differ from the base, committed or not.
func changedPaths(d *Document) any {
	paths := []string{}
	files := d.ChangedFiles.Files
	if d.Worktree != nil {
		files = slices.Concat(files, d.Worktree.Modified)
	}
	for _, f := range files {
		if !slices.Contains(paths, f.Path) {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

func runs(d *Document) []Run {
	if d.CommandsRun == nil {
		return nil
	}
	return d.CommandsRun.Runs
}

func commandLines(d *Document) any {
	lines := []string{}
	for _, r := range runs(d) {
		lines = append(lines, r.Command)
	}
	return lines
}

// A risk is a packet's form of an open risk. Its severity is always there, as readers of packets expect, if need be empty.
// One that was found, not written, has its source.
type risk struct {
	Severity Severity `json:"severity"`
	Detail   string   `json:"detail"`
	Source   string   `json:"source,omitempty"`
}

func riskDetails(d *Document) any {
	risks := []risk{}
	for _, it := range d.OpenRisks {
		risks = append(risks, risk{Severity: it.Severity, Detail: it.What})
	}
	for _, f := range d.Findings {
		risks = append(risks, risk{f.Severity, f.What, f.Source})
	}
	return risks
}

// riskDetails takes the risks that an author wrote: what has a source is a finding, a fact.
func (r *shapeReader) riskDetails(n *yaml.Node) {
	written := *n
	written.Content = slices.DeleteFunc(slices.Clone(n.Content), func(c *yaml.Node) bool {
		return c.Kind == yaml.MappingNode && child(c, "source") != nil
	})
	if len(written.Content) < len(n.Content) {
		r.skip("open_risks with a source")
	}
	r.list(&written, shapeKey{name: "open_risks", list: "open_risks"})
}

// verdictPaths are a packet's form of the verdict pointer; a report that does not exist is null.
func verdictPaths(d *Document) any {
	paths := struct {
		Verdict *string `json:"verdict"`
		Review  *string `json:"review"`
	}{}
	if v := d.VerdictPointer; v != nil && v.Verification != nil {
		paths.Verdict = &v.Verification.Path
	}
	if v := d.VerdictPointer; v != nil && v.Review != nil {
		paths.Review = &v.Review.Path
	}
	return paths
}

// feedback is a packet's form of a run.
type feedback struct {
	Command  string `json:"command"`
	ExitCode *int64 `json:"exit_code"`
	Error    string `json:"error,omitempty"`
	Output   string `json:"output,omitempty"`
}

// feedbackTail are the last runs, and before them those that failed.
func feedbackTail(d *Document) any {
	tail := []feedback{}
	for _, r := range runs(d) {
		tail = append(tail, feedback{r.Command, r.Exit, r.Failed, r.Output})
	}
	return tail
}

// committed are the done items that touched something; what has effect none commits nobody to anything.
func committed(d *Document) any {
	items := []Item{}
	for _, it := range d.Done {
		if it.Effect != EffectNone {
			items = append(items, it)
		}
	}
	done, _ := ListOf("done")
	return shortItems(items, done)
}

func nextSteps(d *Document) any {
	steps := []string{}
	if d.NextAction != "" {
		steps = append(steps, d.NextAction)
	}
	for _, it := range d.Next {
		steps = append(steps, it.What)
	}
	return steps
}

// nextSteps takes the first step as the next action and the others as the queue.
func (r *shapeReader) nextSteps(n *yaml.Node) {
	l, _ := ListOf("next")
	steps, ok := r.entries(n, "next", l)
	if !ok || len(steps) == 0 {
		return
	}
	r.patch.setText("next_action", steps[0].What)
	r.patch.setList(l.Key, ListPatch{Replace: true, Entries: steps[1:]})
}
