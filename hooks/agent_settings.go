package hooks

import (
	"encoding/json"
	"errors"
	"strings"
)

// What the settings of Claude Code hold of ours (code.claude.com/docs/en/hooks): what a hook of SessionStart prints
// becomes part of the agent's context, whether the session is new, resumed, cleared or compacted; PreCompact comes before
// the context is compacted, SessionEnd when the session ends. The end has 1.5 seconds unless a hook asks for more.
type (
	settingsGroup struct {
		Hooks []settingsHook `json:"hooks"`
	}
	settingsHook struct {
		Type    string `json:"type"`
		Command string `json:"command"`
		Timeout int    `json:"timeout"`
	}
)

// settingsMark tells our hooks from those of others.
const settingsMark = "git-handoff hook agent-"

// agentCommand is what an agent runs. It does nothing where the program is missing, since the settings are shared.
func agentCommand(event string) string {
	return "command -v git-handoff >/dev/null 2>&1 || exit 0; " + settingsMark + event
}

// settingsEvents are the agent's events that we hook, in the order in which they are written, and what we call them.
var settingsEvents = []struct{ theirs, ours string }{
	{"SessionStart", "start"}, {"PreCompact", "compact"}, {"SessionEnd", "end"},
}

// settingsTimeout is how long our hooks may take, in seconds.
const settingsTimeout = 30

func settingsEntry(event string) settingsGroup {
	return settingsGroup{[]settingsHook{{"command", agentCommand(event), settingsTimeout}}}
}

// newSettings is a settings file that holds nothing but ours.
const newSettings = "{\n  \"$schema\": \"https://json.schemastore.org/claude-code-settings.json\"\n}\n"

var errShape = errors.New("its hooks are not laid out as expected, so it is not edited")

// putSettings puts our hooks into a settings file, or renews them.
func putSettings(text []byte) ([]byte, error) {
	if text == nil {
		text = []byte(newSettings)
	}
	j, err := readJSON(text)
	for i := 0; err == nil && i < len(settingsEvents); i++ {
		j, err = j.putHook(settingsEvents[i].theirs, settingsEntry(settingsEvents[i].ours))
	}
	if err != nil {
		return nil, err
	}
	return j.text, nil
}

func (j *jsonText) putHook(event string, entry settingsGroup) (*jsonText, error) {
	groups, err := j.groups(event)
	switch {
	case err != nil:
		return nil, err
	case groups != nil && j.holds(groups, entry):
		return j, nil
	}
	if j, err = j.takeHook(event, false); err != nil {
		return nil, err
	}
	if j.root.member("hooks") == nil {
		return j.add(j.root, "hooks", map[string]any{event: []settingsGroup{entry}})
	}
	if groups, err = j.groups(event); err != nil {
		return nil, err
	}
	if groups == nil {
		return j.add(j.root.member("hooks"), event, []settingsGroup{entry})
	}
	return j.add(groups, "", entry)
}

// groups is the array of an event's groups, nil where there is none.
func (j *jsonText) groups(event string) (*jsonNode, error) {
	if j.root.kind != '{' {
		return nil, errShape
	}
	hooks := j.root.member("hooks")
	if hooks == nil {
		return nil, nil
	}
	if hooks.kind != '{' {
		return nil, errShape
	}
	groups := hooks.member(event)
	if groups != nil && groups.kind != '[' {
		return nil, errShape
	}
	return groups, nil
}

// holds reports whether our group is there as it would be written.
func (j *jsonText) holds(groups *jsonNode, entry settingsGroup) bool {
	meant, err := json.Marshal(entry)
	if err != nil {
		return false
	}
	for _, g := range groups.values {
		var there settingsGroup
		if json.Unmarshal(j.text[g.start:g.end], &there) != nil {
			continue
		}
		if same, err := json.Marshal(there); err == nil && string(same) == string(meant) && len(g.keys) == 1 {
			return true
		}
	}
	return false
}

// takeSettings takes our hooks out; nil if the file was ours alone.
func takeSettings(text []byte) ([]byte, error) {
	if !strings.Contains(string(text), settingsMark) {
		return text, nil
	}
	if fresh, err := putSettings(nil); err == nil && string(fresh) == string(text) {
		return nil, nil
	}
	j, err := readJSON(text)
	for i := 0; err == nil && i < len(settingsEvents); i++ {
		j, err = j.takeHook(settingsEvents[i].theirs, true)
	}
	if err != nil {
		return nil, err
	}
	return j.text, nil
}

// takeHook takes every hook of ours out of an event. What that leaves empty goes too, if the file is being cleared.
func (j *jsonText) takeHook(event string, clear bool) (*jsonText, error) {
	for {
		groups, err := j.groups(event)
		if err != nil || groups == nil {
			return j, err
		}
		g, h := j.ourHook(groups)
		if g < 0 {
			return j, nil
		}
		if list := groups.values[g].member("hooks"); len(list.values) > 1 {
			j, err = j.remove(list, h)
		} else if len(groups.values) > 1 || !clear {
			j, err = j.remove(groups, g)
		} else {
			j, err = j.removeEvent(event)
		}
		if err != nil {
			return nil, err
		}
	}
}

// removeEvent removes an event, and the hooks altogether if it was the only one.
func (j *jsonText) removeEvent(event string) (*jsonText, error) {
	parent, key := j.root.member("hooks"), event
	if len(parent.keys) == 1 {
		parent, key = j.root, "hooks"
	}
	for i := len(parent.keys) - 1; i >= 0; i-- {
		if parent.keys[i] == key {
			return j.remove(parent, i)
		}
	}
	return j, nil
}

// ourHook finds the first hook of ours: its group, and its place in that; -1 where there is none.
func (j *jsonText) ourHook(groups *jsonNode) (group, hook int) {
	for g, node := range groups.values {
		if node.kind != '{' {
			continue
		}
		list := node.member("hooks")
		if list == nil || list.kind != '[' {
			continue
		}
		for h, one := range list.values {
			var command struct{ Command string }
			if json.Unmarshal(j.text[one.start:one.end], &command) == nil && strings.Contains(command.Command, settingsMark) {
				return g, h
			}
		}
	}
	return -1, -1
}
