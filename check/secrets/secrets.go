// Package secrets finds credentials in text and masks them. It knows the token formats that issuers document (Rules),
// private keys, credentials in URLs and headers, and values that stand under a name such as DB_PASSWORD. What only
// looks like one stays: object ids, digests, UUIDs, paths, placeholders.
package secrets

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// A Hit is one secret in a text. Start and End are byte offsets of the value alone. Fingerprint names the value
// without telling it, so that it can be allowed in a setting or compared between two places.
type Hit struct {
	Rule        string
	Start, End  int
	Fingerprint string
}

// Allowed holds the fingerprints of values that are no secrets here. A nil Allowed allows nothing.
type Allowed map[string]bool

// Find gives the secrets in text, in order and without overlap. Where two rules meet, the longer value wins.
func Find(text string) []Hit { return find(text, nil) }

// Mask replaces each secret by its marker, such as [masked:github-token], and tells how many it replaced. What it
// returns has no secret left that Find would see, but for the allowed ones, so masking twice is masking once.
//
// A secret that terminal escapes cut in pieces, as a search that colours its hits does, is found without them; such a
// text loses its escapes.
func Mask(text string, allow Allowed) (masked string, n int) {
	if plain := unstyled(text); plain != text && len(find(plain, allow)) > len(find(text, allow)) {
		text = plain
	}
	for {
		hits := find(text, allow)
		if len(hits) == 0 {
			return text, n
		}
		text = replace(text, hits)
		n += len(hits)
	}
}

// Fingerprint is the name of a value: 12 hex digits that do not tell it.
func Fingerprint(value string) string {
	sum := sha256.Sum256([]byte("git-handoff secret\x00" + value))
	return hex.EncodeToString(sum[:6])
}

const markerPrefix = "[masked:"

func marker(rule string) string { return markerPrefix + rule + "]" }

func replace(text string, hits []Hit) string {
	var b strings.Builder
	at := 0
	for _, h := range hits {
		b.WriteString(text[at:h.Start])
		b.WriteString(marker(h.Rule))
		at = h.End
	}
	b.WriteString(text[at:])
	return b.String()
}

func find(text string, allow Allowed) []Hit {
	var hits []Hit
	within := map[*rule]int{} // where a long value of a rule ends: the rule's keywords in it are not tried again
	eachKeyword(text, func(r *rule, at int) {
		if at < within[r] {
			return
		}
		start, end, ok := r.match(text, at)
		if !ok || touchesMarker(text, start, end) {
			return
		}
		if end-start > window {
			within[r] = end
		}
		h := Hit{Rule: r.id, Start: start, End: end, Fingerprint: Fingerprint(text[start:end])}
		if !allow[h.Fingerprint] {
			hits = append(hits, h)
		}
	})
	return settle(hits)
}

// touchesMarker reports whether a value and a marker have something in common: what is masked is no secret, and to mask
// a piece of it would never end.
func touchesMarker(text string, start, end int) bool {
	from := max(0, start-len(markerPrefix)-maxName)
	i := strings.LastIndex(text[from:min(len(text), end+len(markerPrefix)-1)], markerPrefix)
	return i >= 0 && (from+i >= start || !strings.Contains(text[from+i:start], "]"))
}

// settle sorts hits and drops those that another one covers. Two that overlap become one.
func settle(hits []Hit) []Hit {
	if len(hits) < 2 {
		return hits
	}
	slices.SortStableFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End), cmp.Compare(rank(a.Rule), rank(b.Rule)))
	})
	kept := hits[:1]
	for _, h := range hits[1:] {
		last := &kept[len(kept)-1]
		switch {
		case h.Start >= last.End:
			kept = append(kept, h)
		case h.End > last.End:
			// The two have no value in common that a fingerprint could name: the union gets one of its own.
			last.End = h.End
			last.Fingerprint = Fingerprint(last.Fingerprint + h.Fingerprint)
		}
	}
	return kept
}

// rank orders rules that found the same value: what an issuer documents says more than the name beside it.
func rank(id string) int {
	return slices.IndexFunc(rules(), func(r *rule) bool { return r.id == id })
}
