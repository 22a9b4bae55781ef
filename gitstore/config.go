package gitstore

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"git-handoff/gitstore/handoff"
)

// Config is what configuration says: git's own, and the tracked file .handoff.yaml below it. It is read once.
type Config struct {
	// Topic is where saves go without a topic; Base is a revision, "" to find it out.
	Topic, Base string
	// Verify is a shell command; "" for none.
	Verify                         string
	RequireVerified, RequireSigned bool
	Push                           PushMode
	// Fetch is false where nothing may be fetched unasked.
	Fetch                     bool
	PushTimeout, FetchTimeout time.Duration
	Notice                    bool
	ClaimTTL, StaleAfter      time.Duration
	Secrets                   bool
	// AllowSecret are fingerprints.
	AllowSecret []string
	// Paths of the workbench; "" where the usual names are looked for.
	Feedback, Board, State, Verification, Review string
	// Temp are patterns of temporary files.
	Temp []string
	// SignCommits is git's commit.gpgSign.
	SignCommits bool
	// Warnings are one line each, for people.
	Warnings []string

	settings settings
}

// PushMode says what a push of a branch does with its handoffs.
type PushMode string

const (
	PushAuto     PushMode = "auto"
	PushWarn     PushMode = "warn"
	PushOff      PushMode = "off"
	PushRequired PushMode = "required"
)

// A ConfigError is a value that makes no sense, and where it stands.
type ConfigError struct {
	Key, Value, File string
	// Line is 1-based, 0 where it is not known.
	Line int
	Why  string
}

func (e *ConfigError) Error() string {
	where := e.File
	if e.Line > 0 {
		where = fmt.Sprintf("%s:%d", e.File, e.Line)
	}
	return fmt.Sprintf("%s = %q in %s: %s", e.Key, e.Value, where, e.Why)
}

// Config reads the configuration, all files and the environment, in at most one child. The error joins a *ConfigError for each
// value that makes no sense.
func (r *Repo) Config(ctx context.Context) (*Config, error) {
	r.configOnce.Lock()
	defer r.configOnce.Unlock()
	if r.config == nil {
		config, err := r.readConfig(ctx)
		if err != nil {
			return nil, err
		}
		r.config = config
	}
	return r.config, nil
}

func (r *Repo) readConfig(ctx context.Context) (c *Config, err error) {
	c = defaults()
	var plain bool
	if c.settings, plain = r.configFiles(); !plain {
		out, err := r.git(ctx, "config", "--list", "-z", "--show-origin")
		if err != nil {
			return nil, err
		}
		c.settings = parseConfigList(string(out))
	}
	if p, ok := r.store.(*preferred); ok && c.settings.shared() {
		p.gitWrites.Store(true)
	}
	bad := c.applyTracked(r.place.TopLevel)
	bad = append(bad, c.apply()...)
	if c.SignCommits, err = c.Bool("commit.gpgsign", false); err != nil {
		bad = append(bad, err)
	}
	return c, errors.Join(bad...)
}

func defaults() *Config {
	return &Config{Topic: handoff.DefaultTopic, Push: PushAuto, Fetch: true, PushTimeout: 20 * time.Second,
		FetchTimeout: 5 * time.Second, Notice: true, ClaimTTL: 2 * time.Hour, StaleAfter: 30 * 24 * time.Hour, Secrets: true}
}

// apply takes every handoff.* key of git's configuration.
func (c *Config) apply() []error {
	var bad []error
	for _, s := range c.settings {
		name, ours := strings.CutPrefix(s.key, "handoff.")
		if !ours || strings.Contains(name, ".") {
			continue
		}
		o, known := optionOf(name)
		if !known {
			c.Warnings = append(c.Warnings, fmt.Sprintf("%s in %s is no setting of git-handoff", s.key, s.file))
			continue
		}
		if s.bare {
			s.value = "true"
		}
		if err := o.set(c, s.value); err != nil {
			bad = append(bad, &ConfigError{Key: "handoff." + o.name, Value: s.value, File: s.file, Why: err.Error()})
		}
	}
	return bad
}

// parseConfigList reads pairs of an origin and `key LF value`, each ended by NUL.
func parseConfigList(out string) settings {
	fields := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	var all settings
	for i := 0; i+1 < len(fields); i += 2 {
		key, value, hasValue := strings.Cut(fields[i+1], "\n")
		all = append(all, setting{key: key, value: value, bare: !hasValue, file: strings.TrimPrefix(fields[i], "file:")})
	}
	return all
}

// Get is the value of any key of git's configuration (section and variable in lower case); "" where there is none.
func (c *Config) Get(key string) string {
	s, _ := c.settings.last(key)
	return s.value
}

// All are the values of a key that may stand more than once.
func (c *Config) All(key string) []string {
	var values []string
	for _, s := range c.settings.all(key) {
		values = append(values, s.value)
	}
	return values
}

// Bool reads any key of git's configuration as git reads a boolean.
func (c *Config) Bool(key string, absent bool) (bool, error) {
	s, ok := c.settings.last(key)
	if !ok || s.bare {
		return absent || s.bare, nil
	}
	value, err := parseBool(s.value)
	if err != nil {
		return false, &ConfigError{Key: key, Value: s.value, File: s.file, Why: err.Error()}
	}
	return value, nil
}
