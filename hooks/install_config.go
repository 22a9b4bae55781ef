package hooks

import (
	"context"

	"git-handoff/gitstore"
)

// sectionOf names the section of a configuration hook. It must not equal an event, and its name says whose it is.
func sectionOf(event string) string { return "hook.handoff-" + event }

// configure installs configuration hooks. They run beside whatever is in the hooks folder, so nobody is in their way.
func (i *installer) configure(ctx context.Context) error {
	unended := i.repo.LocalConfigUnended() || i.before != nil && i.before.Unended
	for _, event := range Events {
		if err := i.configureEvent(ctx, event); err != nil {
			return err
		}
	}
	i.report.Mechanism = Configuration
	if err := i.takeFiles(ctx); err != nil {
		return err
	}
	return i.remember(record{Mechanism: Configuration, Git: identify(gitstore.FindProgram("git")), Unended: unended})
}

// configureEvent writes the command before the event: an event without a command is fatal even to git status.
func (i *installer) configureEvent(ctx context.Context, event string) error {
	section, command := sectionOf(event), i.script(event, false).oneLine()
	local, _ := i.repo.LocalConfig()
	have, there := local.Get(section + ".command")
	on, _ := local.Get(section + ".event")
	switched, _ := local.Get(section + ".enabled")
	what := "set"
	switch {
	case switched == "false":
		what = "set, but switched off by " + section + ".enabled"
	case have == command && on == event:
		what = "already set"
	case there:
		what = "brought up to date"
	}
	i.report.step(event, what, section+" in "+i.show(i.place.CommonDir)+"/config")
	if i.mode == Print {
		i.report.Change += "git config " + section + ".command " + quote(command) + "\ngit config " + section + ".event " + event + "\n"
		return nil
	}
	if have != command {
		if err := i.repo.SetLocal(ctx, section+".command", command); err != nil {
			return err
		}
	}
	if on == event {
		return nil
	}
	return i.repo.SetLocal(ctx, section+".event", event)
}

// unconfigure takes configuration hooks out.
func (i *installer) unconfigure(ctx context.Context) error {
	local, read := i.repo.LocalConfig()
	for _, event := range Events {
		section := sectionOf(event)
		if read && !local.HasSection(section) {
			continue
		}
		i.report.step(event, "taken out", section)
		if i.mode == Print {
			continue
		}
		if err := i.repo.RemoveLocalSection(ctx, section); err != nil {
			return err
		}
	}
	if i.before != nil && i.before.Unended && i.mode != Print {
		return i.repo.UnendLocalConfig()
	}
	return nil
}

// Doubled reports whether a run of an event that does not come from the configuration is to stand down, since this git
// runs the same hook from there. It asks git only where both mechanisms are there, as after a crash between the two.
func Doubled(ctx context.Context, repo *gitstore.Repo, event string) bool {
	local, read := repo.LocalConfig()
	if read && !local.HasSection(sectionOf(event)) {
		return false
	}
	for _, name := range repo.ConfiguredHooks(ctx, event) {
		if "hook."+name == sectionOf(event) {
			return true
		}
	}
	return false
}
