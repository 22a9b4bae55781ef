package gitstore

import (
	"context"
	"strings"
)

// Config is what git's configuration says to us. It is read once.
type Config struct {
	settings settings
}

// Config reads the configuration, all files and the environment, in one child.
func (r *Repo) Config(ctx context.Context) (*Config, error) {
	r.once.Do(func() {
		r.config, r.confErr = r.readConfig(ctx)
	})
	return r.config, r.confErr
}

func (r *Repo) readConfig(ctx context.Context) (*Config, error) {
	out, err := r.git(ctx, "config", "--list", "-z", "--show-origin")
	if err != nil {
		return nil, err
	}
	return &Config{settings: parseConfigList(string(out))}, nil
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

// Get is the value of any key of git's configuration, in lower case; "" where there is none.
func (c *Config) Get(key string) string {
	s, _ := c.settings.last(key)
	return s.value
}
