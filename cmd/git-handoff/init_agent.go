package main

import (
	"fmt"
	"slices"

	"git-handoff/hooks"
)

// checkAgents refuses agents that nobody knows, before anything is done.
func checkAgents(agents []string) error {
	for _, a := range agents {
		if !slices.Contains(hooks.Agents(), a) {
			return badUsage("there is no agent %q", a).hint("--agent is one of %s", list(hooks.Agents()))
		}
	}
	return nil
}

// installAgents writes what makes agents see handoffs into the files of this worktree that they read, and says that
// these want to be committed. With print it only names them.
func (d *desk) installAgents(agents []string, print bool) error {
	place := d.repo.Place()
	if len(agents) == 0 {
		return nil
	}
	if place.TopLevel == "" {
		return badUsage("there is no worktree here, so no file that an agent could read")
	}
	changed := false
	for _, agent := range agents {
		if print {
			d.printSteps(hooks.AgentPlan(agent))
			continue
		}
		steps, err := hooks.InstallAgent(place, agent)
		d.printSteps(steps)
		if err != nil {
			return trouble(exitRefused, "%s", err).hint("mend the file, then git handoff init --agent %s", agent)
		}
		changed = changed || slices.ContainsFunc(steps, func(s hooks.Step) bool { return s.What != hooks.AlreadyThere })
	}
	if changed {
		fmt.Fprintln(d.out, "note: git add and commit these files, so that other clones have them too")
	}
	return nil
}

// undoAgents takes out what installAgents put in.
func (d *desk) undoAgents() error {
	place := d.repo.Place()
	if place.TopLevel == "" {
		return nil
	}
	steps, err := hooks.UndoAgents(place)
	d.printSteps(steps)
	return err
}

func (d *desk) printSteps(steps []hooks.Step) {
	for _, s := range steps {
		fmt.Fprintf(d.out, "%-13s  %s: %s\n", s.Event, s.What, s.Where)
	}
}
