package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"git-handoff/gitstore/handoff"
	"git-handoff/render"
)

// A trip is what became of a document that was written in a format and read back: the fields that the format cannot
// hold, and those that it should have held.
type trip struct {
	Format  string   `json:"format"`
	Unheld  []string `json:"not_held"`
	Damaged []string `json:"damaged"`
}

// roundTrip writes the handoff in each format that can be read back, reads it, and names what did not survive.
func (k *checking) roundTrip(*cli.Context) error {
	trips, err := roundTrips(k.doc)
	if err != nil {
		return err
	}
	if k.asJSON {
		err = k.print(indented(trips))
	} else {
		err = k.print([]byte(tripsText(trips)), nil)
	}
	if err != nil {
		return err
	}
	for _, t := range trips {
		if len(t.Damaged) > 0 || k.strict && len(t.Unheld) > 0 {
			return silent(exitFailure)
		}
	}
	return nil
}

func tripsText(trips []trip) string {
	var b strings.Builder
	for _, t := range trips {
		switch {
		case len(t.Damaged) > 0:
			fmt.Fprintf(&b, "%s: damaged: %s\n", t.Format, strings.Join(t.Damaged, ", "))
		case len(t.Unheld) > 0:
			fmt.Fprintf(&b, "%s: cannot hold: %s\n", t.Format, strings.Join(t.Unheld, ", "))
		default:
			fmt.Fprintf(&b, "%s: everything survives\n", t.Format)
		}
	}
	return b.String()
}

func roundTrips(doc *handoff.Document) ([]trip, error) {
	var trips []trip
	for _, f := range []struct {
		name  string
		write func(*handoff.Document) ([]byte, error)
	}{{"yaml", handoff.Encode}, {"json", render.JSON}} {
		data, err := f.write(doc)
		if err != nil {
			return nil, err
		}
		back, err := handoff.Decode(data)
		if err != nil {
			trips = append(trips, trip{f.name, []string{}, []string{err.Error()}})
			continue
		}
		damaged, err := differing(doc, back, func(handoff.Key) bool { return true })
		if err != nil {
			return nil, err
		}
		trips = append(trips, trip{f.name, []string{}, damaged})
	}
	for _, shape := range handoff.Shapes {
		t, err := shapeTrip(doc, shape)
		if err != nil {
			return nil, err
		}
		trips = append(trips, t)
	}
	return trips, nil
}

// shapeTrip goes through a shape of another program. Facts are not read back: of them it names those that the shape has
// no place for.
func shapeTrip(doc *handoff.Document, shape handoff.Shape) (trip, error) {
	t := trip{Format: string(shape), Damaged: []string{}}
	data, lost, err := handoff.EncodeShape(doc, shape)
	if err != nil {
		return t, err
	}
	t.Unheld = append([]string{}, lost...)
	patch, _, err := handoff.DecodeShape(string(shape), data, shape)
	var brief *handoff.Brief
	if err == nil {
		brief, _, err = handoff.CarryForward(nil, patch, handoff.CarryOptions{})
	}
	if err != nil {
		t.Damaged = []string{err.Error()}
		return t, nil
	}
	back := *doc
	back.Brief = *brief
	changed, err := differing(doc, &back, func(k handoff.Key) bool { return k.Owner == handoff.OwnerBrief })
	for _, key := range changed {
		if !slices.ContainsFunc(lost, func(l string) bool { return named(l, key) }) {
			t.Damaged = append(t.Damaged, key)
		}
	}
	return t, err
}

// named reports whether what is said to be lost is about a key: the key, a sub-key of it, or a part of it in words.
func named(lost, key string) bool {
	return lost == key || strings.HasPrefix(lost, key+".") || strings.HasPrefix(lost, key+" ") || strings.HasSuffix(lost, " "+key)
}

// differing names the keys whose values differ.
func differing(a, b *handoff.Document, among func(handoff.Key) bool) ([]string, error) {
	one, err := keysOf(a)
	if err != nil {
		return nil, err
	}
	two, err := keysOf(b)
	if err != nil {
		return nil, err
	}
	names := []string{}
	for _, k := range handoff.Keys {
		if among(k) && !bytes.Equal(one[k.Name], two[k.Name]) {
			names = append(names, k.Name)
		}
	}
	return names, nil
}

func keysOf(d *handoff.Document) (map[string]json.RawMessage, error) {
	data, err := json.Marshal(d)
	if err != nil {
		return nil, err
	}
	keys := map[string]json.RawMessage{}
	return keys, json.Unmarshal(data, &keys)
}
