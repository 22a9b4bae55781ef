package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"git-handoff/check"
	"git-handoff/gitstore"
)

// now is the moment from which on the log of commands is read: check needs none of it.
func (k *checking) now() time.Time { return gitstore.Now() }

// report prints what was found.
func (k *checking) report() error {
	for _, n := range k.notes {
		k.say(n)
	}
	if k.asJSON {
		return k.reportJSON()
	}
	var b strings.Builder
	if k.here {
		writeIssues(&b, "clean state", "clean", k.clean)
	}
	if k.doc != nil {
		writeIssues(&b, fmt.Sprintf("handoff %s, version %.12s", k.name, k.version.OID), "nothing to mend", k.quality)
		writeScore(&b, check.Completeness(k.doc))
	}
	return k.print([]byte(b.String()), nil)
}

func writeIssues(b *strings.Builder, title, none string, issues []check.Issue) {
	if len(issues) == 0 {
		fmt.Fprintf(b, "%s: %s\n", title, none)
		return
	}
	blocking, others := check.Blocking(issues)
	fmt.Fprintf(b, "%s: %d block, %d more\n", title, len(blocking), len(others))
	for _, i := range issues {
		where := ""
		if i.Place != "" {
			where = " at " + oneLine(i.Place)
		}
		fmt.Fprintf(b, "  %-5s %s%s: %s\n", i.Severity, i.Rule, where, oneLine(i.What))
		for _, mend := range i.Mend {
			fmt.Fprintf(b, "        mend: %s\n", oneLine(mend))
		}
	}
}

func writeScore(b *strings.Builder, s check.Score) {
	fmt.Fprintf(b, "completeness: %d of 100\n", s.Total)
	for _, i := range s.Items {
		fmt.Fprintf(b, "  %3d of %2d  %s", i.Points, i.Of, i.Name)
		if i.Missing != "" {
			b.WriteString(": " + i.Missing)
		}
		b.WriteByte('\n')
	}
}

// checkedDocument is the quality of a handoff as JSON.
type checkedDocument struct {
	Handoff string        `json:"handoff"`
	Version string        `json:"version"`
	Issues  []check.Issue `json:"issues"`
}

func (k *checking) reportJSON() error {
	var r struct {
		CleanState   *cleanFile       `json:"clean_state,omitempty"`
		Document     *checkedDocument `json:"document,omitempty"`
		Completeness *check.Score     `json:"completeness,omitempty"`
	}
	if k.here {
		f := k.cleanFile()
		r.CleanState = &f
	}
	if k.doc != nil {
		score := check.Completeness(k.doc)
		r.Document = &checkedDocument{k.name.String(), k.version.OID, k.quality}
		if k.quality == nil {
			r.Document.Issues = []check.Issue{}
		}
		r.Completeness = &score
	}
	return k.print(indented(r))
}

func indented(v any) ([]byte, error) {
	data, err := json.MarshalIndent(v, "", "  ")
	return append(data, '\n'), err
}

// cold prints the five answers, each with its fields.
func (k *checking) cold(*cli.Context) error {
	answers := check.Cold(k.doc)
	unanswered := false
	for _, a := range answers {
		unanswered = unanswered || !a.Answered() && (a.Needed || k.strict)
	}
	var err error
	if k.asJSON {
		err = k.print(indented(struct {
			Handoff string         `json:"handoff"`
			Version string         `json:"version"`
			Answers []check.Answer `json:"answers"`
		}{k.name.String(), k.version.OID, answers}))
	} else {
		err = k.print([]byte(coldText(answers)), nil)
	}
	if err == nil && unanswered {
		return silent(exitFailure)
	}
	return err
}

func coldText(answers []check.Answer) string {
	var b strings.Builder
	for _, a := range answers {
		if !a.Answered() {
			fmt.Fprintf(&b, "%s: unanswered\n", a.Question)
			continue
		}
		fmt.Fprintf(&b, "%s:\n", a.Question)
		for _, f := range a.Fields {
			for _, text := range f.Texts {
				fmt.Fprintf(&b, "  %s: %s\n", f.Key, oneLine(text))
			}
		}
	}
	return b.String()
}

// budget says what to do at a share of the context used. It needs no repository.
func budget(c *cli.Context) error {
	given := c.String("budget")
	percent, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(given), "%"), 64)
	if err != nil || !(percent >= 0 && percent <= 1000) {
		return badUsage("--budget %s is no percentage", given).hint("git handoff check --budget 62")
	}
	advice := check.Advice(percent)
	if c.String("format") == "json" {
		data, err := indented(map[string]any{"percent": percent, "advice": advice})
		if err == nil {
			_, err = std(c).out.Write(data)
		}
		return err
	}
	hints := map[string]string{"wrap up": ": finish the step in hand, begin no new one", "save now": ": git handoff save"}
	_, err = fmt.Fprintf(std(c).out, "%s%s\n", advice, hints[advice])
	return err
}
