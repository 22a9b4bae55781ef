package handoff

import (
	"slices"
	"strings"
)

// A Gate is an item that holds up the next action.
type Gate struct {
	// List is the key of the list that the item stands in: pending or open.
	List string
	Item Item
	// Unnamed tells that the item is an approval or a blocker that names no step, Gone that it names one that is not
	// there any more: in both cases nobody can say that it does not concern the next action.
	Unnamed, Gone bool
}

// Gates are what has to be settled by somebody else before the next action may be begun: pending items, expired ones
// too, and questions for a human.
func (b *Brief) Gates() []Gate {
	var gates []Gate
	for _, it := range b.Pending {
		if g := b.gate("pending", it); g != nil {
			gates = append(gates, *g)
		}
	}
	for _, it := range b.Open {
		if it.For != "human" {
			continue
		}
		if g := b.gate("open", it); g != nil {
			gates = append(gates, *g)
		}
	}
	return gates
}

// gate is nil where an item holds up another step than the next, or none.
func (b *Brief) gate(list string, it Item) *Gate {
	on := plainFold(it.On)
	switch {
	case on == "" && (it.Kind == "approval" || it.Kind == "blocker"):
		return &Gate{List: list, Item: it, Unnamed: true}
	case on == "":
		return nil
	case namesStep(on, b.NextAction):
		return &Gate{List: list, Item: it}
	case slices.ContainsFunc(b.Next, func(step Item) bool { return namesStep(on, step.What) }):
		return nil
	}
	return &Gate{List: list, Item: it, Gone: true}
}

// namesStep reports whether a plain text and a step contain one another.
func namesStep(on, step string) bool {
	step = plainFold(step)
	return step != "" && (strings.Contains(step, on) || strings.Contains(on, step))
}

// plainFold is a text for comparison: case and blanks do not count.
func plainFold(s string) string { return strings.Join(strings.Fields(strings.ToLower(s)), " ") }
