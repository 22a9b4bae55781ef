package check

import (
	"slices"
	"strings"

	"git-handoff/gitstore/handoff"
)

func noNextAction(s *Subject) []Issue {
	if strings.TrimSpace(s.Doc.NextAction) != "" {
		return nil
	}
	return []Issue{{Place: "next_action", What: "there is no next action, so nobody knows where to start",
		Mend: []string{"git handoff save --next-action 'THE FIRST CONCRETE STEP'"}}}
}

// vagueWords are next actions that say nothing, without case and marks.
var vagueWords = []string{"continue", "go on", "keep going", "carry on", "proceed", "resume", "resume work", "continue work", "continue the work", "continue working",
	"keep working", "work on it", "work", "finish", "finish it", "finish up", "finish the work", "finish the rest", "do the rest", "complete it", "complete the task", "complete the work",
	"fix it", "fix bugs", "fix the bugs", "fix the bug", "fix errors", "fix issues", "fix the issues", "fix tests", "make it work", "test", "test it", "testing", "debug", "debug it", "review", "review it",
	"tbd", "todo", "to do", "n/a", "na", "none", "nothing", "unknown", "wip", "next", "next step", "next steps", "the next step", "see above", "as above", "as discussed", "see notes", "see chat", "see board",
	"improve", "improve it", "clean up", "cleanup", "refactor", "polish", "implement", "implement it", "investigate", "look into it", "check", "check it", "choose the next step", "etc", "and so on", "more", "remaining work", "the remaining work",
	"weiter", "weitermachen", "weiterarbeiten", "fertig machen", "fortsetzen", "continuer", "continuar", "seguir", "fortsæt", "fortsätt", "doorgaan", "继续", "続ける", "продолжить"}

// vagueStart is what a next action starts with that may be about anything, unless it names something.
var vagueStart = lazily(`(?i)^(?:please\s+)?(?:continue|keep|carry on|proceed|resume|go on|finish|complete|work|fix|improve|do|handle|implement|test|check|review|clean)\b(?:\s+(?:on|with|to|up|the|this|that|it|all|any|some|rest|remaining|other|everything|things?|stuff|work|working|tasks?|bugs?|issues?|errors?|problems?|features?|implementation|development|project|code|as|planned|discussed|before|needed|required|of|and|more))*[.!]*$`)

// minNextAction is the shortest next action that can be concrete, in words.
const minNextAction = 2

func vagueNextAction(s *Subject) []Issue {
	next := strings.TrimSpace(s.Doc.NextAction)
	if next == "" || !Vague(next) {
		return nil
	}
	return []Issue{{Place: "next_action", What: quoted(next) + " does not say what to do first",
		Mend: []string{"name the file, command or person: git handoff save --next-action 'run go test ./ledger and fix the rounding'"}}}
}

// Vague reports whether a next action may be about anything.
func Vague(next string) bool {
	plain := folded(strings.Trim(next, " .!?…-"))
	if slices.Contains(vagueWords, plain) || vagueStart().MatchString(plain) {
		return true
	}
	return len(strings.Fields(plain)) < minNextAction && len([]rune(plain)) < 12 && !strings.ContainsAny(plain, "/._:#`")
}

func decisionWithoutWhy(s *Subject) []Issue {
	return withoutWhy("decisions", "decision", s.Doc.Decisions)
}

func rejectedWithoutWhy(s *Subject) []Issue {
	return withoutWhy("rejected", "rejected", s.Doc.Rejected)
}

// withoutWhy finds what was decided without a reason: the next reader will decide it again.
func withoutWhy(list, flag string, items []handoff.Item) []Issue {
	var all []Issue
	for i, it := range items {
		if strings.TrimSpace(it.Why) == "" {
			all = append(all, Issue{Place: entry(list, i), What: quoted(it.What) + " has no reason",
				Mend: []string{"git handoff save --add-" + flag + " " + shellWord(it.What+" :: why=THE REASON")}})
		}
	}
	return all
}

// namesStep reports whether two texts contain one another, case and blanks folded.
func namesStep(on, step string) bool {
	on, step = folded(on), folded(step)
	return on != "" && step != "" && (strings.Contains(step, on) || strings.Contains(on, step))
}

func folded(s string) string { return strings.Join(strings.Fields(strings.ToLower(s)), " ") }
