package gitstore

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"git-handoff/gitstore/handoff"
)

// An option is one handoff.* setting.
type option struct {
	// name is without the section, written as in the documentation.
	name string
	// tracked options may stand in .handoff.yaml: they neither run anything, nor publish or fetch, nor let more be
	// published than without them.
	tracked bool
	set     func(c *Config, value string) error
}

var options = []option{
	{"topic", true, func(c *Config, v string) error { c.Topic = v; return handoff.CheckTopic(v) }},
	{"base", true, func(c *Config, v string) error { c.Base = v; return checkRevision(v) }},
	{"verify", false, func(c *Config, v string) error { c.Verify = v; return nil }},
	{"requireVerified", true, boolean(func(c *Config) *bool { return &c.RequireVerified })},
	{"requireSigned", true, boolean(func(c *Config) *bool { return &c.RequireSigned })},
	{"push", false, setPush},
	{"fetch", false, setFetch},
	{"pushTimeout", false, duration(func(c *Config) *time.Duration { return &c.PushTimeout })},
	{"fetchTimeout", false, duration(func(c *Config) *time.Duration { return &c.FetchTimeout })},
	{"notice", true, boolean(func(c *Config) *bool { return &c.Notice })},
	{"claimTTL", true, duration(func(c *Config) *time.Duration { return &c.ClaimTTL })},
	{"staleAfter", true, duration(func(c *Config) *time.Duration { return &c.StaleAfter })},
	{"secrets", false, boolean(func(c *Config) *bool { return &c.Secrets })},
	{"allowSecret", false, list(func(c *Config) *[]string { return &c.AllowSecret })},
	{"feedback", true, text(func(c *Config) *string { return &c.Feedback })},
	{"board", true, text(func(c *Config) *string { return &c.Board })},
	{"state", true, text(func(c *Config) *string { return &c.State })},
	{"verification", true, text(func(c *Config) *string { return &c.Verification })},
	{"review", true, text(func(c *Config) *string { return &c.Review })},
	{"temp", true, list(func(c *Config) *[]string { return &c.Temp })},
}

// optionOf finds an option; the case of its name does not count, as in git.
func optionOf(name string) (option, bool) {
	i := slices.IndexFunc(options, func(o option) bool { return strings.EqualFold(o.name, name) })
	if i < 0 {
		return option{}, false
	}
	return options[i], true
}

func boolean(of func(*Config) *bool) func(*Config, string) error {
	return func(c *Config, v string) (err error) {
		*of(c), err = parseBool(v)
		return err
	}
}

func duration(of func(*Config) *time.Duration) func(*Config, string) error {
	return func(c *Config, v string) (err error) {
		*of(c), err = handoff.ParseDuration(v)
		return err
	}
}

func text(of func(*Config) *string) func(*Config, string) error {
	return func(c *Config, v string) error {
		*of(c) = v
		return nil
	}
}

// list adds a value; an empty one clears what came before, as with git's own lists.
func list(of func(*Config) *[]string) func(*Config, string) error {
	return func(c *Config, v string) error {
		if v == "" {
			*of(c) = nil
		} else {
			*of(c) = append(*of(c), v)
		}
		return nil
	}
}

func setPush(c *Config, v string) error {
	modes := []PushMode{PushAuto, PushWarn, PushOff, PushRequired}
	if !slices.Contains(modes, PushMode(v)) {
		return errors.New("it is auto, warn, off or required")
	}
	c.Push = PushMode(v)
	return nil
}

func setFetch(c *Config, v string) error {
	if v != "auto" && v != "off" {
		return errors.New("it is auto or off")
	}
	c.Fetch = v == "auto"
	return nil
}

// checkRevision keeps a revision from being taken for an option.
func checkRevision(v string) error {
	if strings.HasPrefix(v, "-") || strings.ContainsAny(v, "\n\x00") {
		return errors.New("it is a branch, a tag or a commit")
	}
	return nil
}

// parseBool reads what git reads as a boolean (git-config(1)).
func parseBool(v string) (bool, error) {
	switch strings.ToLower(v) {
	case "true", "yes", "on":
		return true, nil
	case "false", "no", "off", "":
		return false, nil
	}
	if n, err := strconv.Atoi(v); err == nil {
		return n != 0, nil
	}
	return false, fmt.Errorf("it is on or off")
}

// A Setting is one handoff.* key of the configuration. Tracked ones may stand in .handoff.yaml too.
type Setting struct {
	Name    string
	Tracked bool
}

// Settings are all there are, for documentation.
func Settings() []Setting {
	var all []Setting
	for _, o := range options {
		all = append(all, Setting{o.name, o.tracked})
	}
	return all
}
