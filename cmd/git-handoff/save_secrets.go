package main

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"git-handoff/check/secrets"
	"git-handoff/gitstore"
	"git-handoff/gitstore/handoff"
)

// errSecret marks a refusal whose input must not be kept.
var errSecret = errors.New("the input holds a secret")

func holdsSecret(err error) bool { return errors.Is(err, errSecret) }

// guard refuses author input that holds a secret: with the field and the rule, never the value.
func guard(p *handoff.Patch, config *gitstore.Config) error {
	var found problems
	mapTexts(p, func(key, text string) string {
		found = append(found, secretsIn(key, text, config)...)
		return text
	})
	return found.orNil()
}

// guardWords refuses secrets in what was given beside the brief, by the name of the option.
func guardWords(config *gitstore.Config, words map[string]string) error {
	var found problems
	for key, text := range words {
		found = append(found, secretsIn(key, text, config)...)
	}
	slices.SortFunc(found, func(a, b *problem) int { return strings.Compare(a.what, b.what) })
	return found.orNil()
}

// secrets are those in the input as it was given, understood or not: in a comment of a file too.
func (in input) secrets(config *gitstore.Config) problems {
	found := secretsIn(in.File, string(in.Text), config)
	for _, name := range slices.Sorted(maps.Keys(in.Flags)) {
		found = append(found, secretsIn("--"+name, strings.Join(in.Flags[name], "\n"), config)...)
	}
	return found
}

func secretsIn(key, text string, config *gitstore.Config) (found problems) {
	if !config.Secrets {
		return nil
	}
	for _, hit := range secrets.Find(text) {
		if !slices.Contains(config.AllowSecret, hit.Fingerprint) {
			found = append(found, secretProblem(key, hit))
		}
	}
	return found
}

func secretProblem(key string, hit secrets.Hit) *problem {
	p := trouble(exitRefused, "%s holds what looks like a secret (%s)", key, hit.Rule)
	p.cause = errSecret
	return p.hint("name where the secret is kept instead of writing it down").
		hint("if it is none: git config --add handoff.allowSecret %s", hit.Fingerprint)
}

// withoutHome writes home folders in what the author gave as ~, and paths of artifacts below the top of the worktree
// from there.
func withoutHome(p *handoff.Patch, top string) {
	home, _ := os.UserHomeDir()
	mapTexts(p, func(key, text string) string {
		if strings.HasPrefix(key, "artifacts") && top != "" && filepath.IsAbs(text) {
			if inside, err := filepath.Rel(top, text); err == nil && filepath.IsLocal(inside) {
				return filepath.ToSlash(inside)
			}
		}
		return secrets.Home(text, home)
	})
}

// mapTexts replaces every text that the author gave, which stands under a key, by what change makes of it.
func mapTexts(p *handoff.Patch, change func(key, text string) string) {
	for _, t := range handoff.Texts {
		if text, given := p.Texts[t.Key]; given {
			p.Texts[t.Key] = change(t.Key, text)
		}
	}
	for _, l := range handoff.Lists {
		lp := p.Lists[l.Key]
		mapEntries(l.Key, lp.Entries, change)
		mapEntries(l.Key, lp.Added, change)
	}
	mapEntries("done", p.Finish, change)
}

func mapEntries(key string, entries []handoff.Given, change func(key, text string) string) {
	for i := range entries {
		entries[i].What = change(key, entries[i].What)
		for sub, text := range entries[i].Sub {
			entries[i].Sub[sub] = change(key+"."+sub, text)
		}
	}
}

// Is lets errors.Is find what one of several problems was caused by.
func (p problems) Is(target error) bool {
	return slices.ContainsFunc(p, func(one *problem) bool { return errors.Is(one, target) })
}
