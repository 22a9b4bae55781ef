package main

import (
	"errors"
	"slices"

	"git-handoff/check/secrets"
	"git-handoff/gitstore"
	"git-handoff/gitstore/handoff"
)

// errSecret marks a refusal whose input must not be kept.
var errSecret = errors.New("the input holds a secret")

func holdsSecret(err error) bool { return errors.Is(err, errSecret) }

// guard refuses author input that holds a secret: with the field and the rule, never the value.
func guard(p *handoff.Patch, config *gitstore.Config) error {
	if !config.Secrets {
		return nil
	}
	var found problems
	eachText(p, func(key, text string) {
		for _, hit := range secrets.Find(text) {
			if slices.Contains(config.AllowSecret, hit.Fingerprint) {
				continue
			}
			found = append(found, secretProblem(key, hit))
		}
	})
	return found.orNil()
}

func secretProblem(key string, hit secrets.Hit) *problem {
	p := trouble(exitRefused, "%s holds what looks like a secret (%s)", key, hit.Rule)
	p.cause = errSecret
	return p.hint("name where the secret is kept instead of writing it down").
		hint("if it is none: git config --add handoff.allowSecret %s", hit.Fingerprint)
}

// eachText visits every text that the author gave, with the key that it stands under.
func eachText(p *handoff.Patch, visit func(key, text string)) {
	for _, t := range handoff.Texts {
		visit(t.Key, p.Texts[t.Key])
	}
	for _, l := range handoff.Lists {
		lp := p.Lists[l.Key]
		for _, e := range slices.Concat(lp.Entries, lp.Added) {
			visitEntry(l.Key, e, visit)
		}
	}
	for _, e := range p.Finish {
		visitEntry("done", e, visit)
	}
}

func visitEntry(key string, e handoff.Given, visit func(key, text string)) {
	visit(key, e.What)
	for sub, text := range e.Sub {
		visit(key+"."+sub, text)
	}
}

// Is lets errors.Is find what one of several problems was caused by.
func (p problems) Is(target error) bool {
	return slices.ContainsFunc(p, func(one *problem) bool { return errors.Is(one, target) })
}
