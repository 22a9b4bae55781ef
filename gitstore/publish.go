package gitstore

import (
	"context"
	"maps"
	"slices"
	"strings"

	"git-handoff/gitstore/handoff"
)

// A Withheld handoff is one that was not brought to a peer, and why, in words that follow its name.
type Withheld struct {
	Name handoff.Name
	// Ref is the ref on the peer.
	Ref string
	Why string
	// Cause is the kind of reason.
	Cause Cause
	// Known was said before, and need not be said again unasked.
	Known bool
}

// A Cause is the kind of reason for which a handoff is not brought to a peer.
type Cause int

const (
	// Diverged versions are on a remote that the branch is not pushed to, so they are not merged.
	Diverged Cause = iota
	// Secret versions hold what looks like one.
	Secret
	// NoRoom is a live branch's handoff in the way.
	NoRoom
	// Rejected is what the peer does not take.
	Rejected
	// Late is what others on the peer changed again and again.
	Late
)

// A publication decides what goes to a peer: handoffs of branches that are published there, later versions of what is
// there already, what has to make room there, and evidence about commits that are there. Nothing else.
type publication struct {
	repo   *Repo
	survey *survey
	peer   Peer
	key    string
	// published reports whether a branch is there; only limits the handoffs (nil is all).
	published func(branch string) bool
	only      func(handoff.Name) bool
	// push is what is being pushed, nil where nothing is.
	push *Push
	// advertised are the peer's branches in this run, nil where it was not asked.
	advertised map[string]string
	// restore are versions that the peer had and lost without a trace.
	restore []Version
	scan    func(text []byte) []string
	// there are the peer's handoffs, once it was asked what is in the way of one.
	there *thicket
	skip  []string
	// first goes at once; room is deleted after that; then come the ones it was made for.
	first, room, last []PushedRef
	withheld          []Withheld
	// unsure is set where the peer's branches have to be known first.
	unsure bool
}

// plan fills the stages.
func (p *publication) plan(ctx context.Context) error {
	for _, n := range slices.SortedFunc(maps.Keys(p.survey.local), compareNames) {
		if p.only != nil && !p.only(n) {
			continue
		}
		v := p.survey.local[n]
		there, has := p.survey.tracked[p.key][n]
		if v.OID == there.OID || !has && !p.published(n.Branch) {
			continue
		}
		if err := p.add(ctx, n, v.OID, there.OID); err != nil {
			return err
		}
	}
	for _, v := range p.restore {
		if _, here := p.survey.local[v.Name]; !here && p.published(v.Name.Branch) {
			if err := p.add(ctx, v.Name, v.OID, ""); err != nil {
				return err
			}
		}
	}
	return nil
}

// add takes one handoff into a stage, or says why not.
func (p *publication) add(ctx context.Context, n handoff.Name, oid, there string) error {
	ref := PushedRef{Ref: n.Ref(), Old: there, New: oid, Name: n}
	if slices.Contains(p.skip, namespaceOf(ref.Ref)) {
		p.withheld = append(p.withheld, Withheld{n, ref.Ref, "the remote takes no " + namespaceOf(ref.Ref) + "*", Rejected, true})
		return nil
	}
	m := &meeting{repo: p.repo}
	g := &graph{fork: Fork{Version: m.version(ctx)}, versions: map[string]*Version{}}
	if there != "" && g.relation(oid, there) != ahead {
		p.withhold(ref, "it has diverged from the version there", Diverged)
		return g.err
	}
	if p.scan != nil {
		if why, err := p.secrets(ctx, g.news(oid, there)); err != nil || why != "" {
			p.withhold(ref, why, Secret)
			return err
		}
	}
	return p.stage(ref)
}

func (p *publication) withhold(ref PushedRef, why string, cause Cause) {
	p.withheld = append(p.withheld, Withheld{Name: ref.Name, Ref: ref.Ref, Why: why, Cause: cause})
}

// news are the versions that a push of tip would show for the first time where there is known already.
func (g *graph) news(tip, there string) []string {
	var news []string
	var known map[string]bool
	queue, seen := []string{tip}, map[string]bool{tip: true, there: true}
	for i := 0; i < len(queue); i++ {
		if known[queue[i]] {
			continue
		}
		news = append(news, queue[i])
		parents := g.version(queue[i]).Parents
		if len(parents) > 1 && known == nil && there != "" {
			known = g.ancestors(there)
		}
		for _, p := range parents {
			if !seen[p] {
				seen[p] = true
				queue = append(queue, p)
			}
		}
	}
	return news
}

// stage puts a ref where it belongs: at the end, if others on the peer have to make room for it first.
func (p *publication) stage(ref PushedRef) error {
	if p.there == nil {
		p.there = newThicket(p.survey.tracked[p.key])
	}
	blocking := p.there.inTheWay(ref.Name)
	if len(blocking) == 0 || ref.Old != "" {
		p.first = append(p.first, ref)
		return nil
	}
	if p.advertised == nil {
		p.unsure = true
		p.withhold(ref, "others have to make room for it there; git handoff sync sees to it", NoRoom)
		return nil
	}
	for _, v := range blocking {
		if why := p.live(v.Name.Branch); why != "" {
			p.withhold(ref, "branch "+v.Name.Branch+" "+why+", and the handoff "+v.Name.String()+" stands in its way there; it stays here", NoRoom)
			return nil
		}
	}
	p.clear(blocking)
	p.last = append(p.last, ref)
	return nil
}

// live says where a branch lives, "" for nowhere.
func (p *publication) live(branch string) string {
	if _, ok := p.advertised[branch]; ok {
		return "is there too"
	}
	if _, ok := p.survey.branches[branch]; ok {
		return "is here"
	}
	return ""
}

// clear keeps what blocks in the peer's archive, then deletes it.
func (p *publication) clear(blocking []Version) {
	for _, v := range blocking {
		gone := PushedRef{Ref: v.Name.Ref(), Old: v.OID, Name: v.Name}
		if slices.ContainsFunc(p.room, func(r PushedRef) bool { return r.Ref == gone.Ref }) {
			continue
		}
		if !p.survey.archived[p.key][v.OID] {
			p.first = append(p.first, PushedRef{Ref: handoff.ArchivePrefix + v.OID, New: v.OID})
		}
		p.room = append(p.room, gone)
	}
}

// secrets looks through versions that nobody there has seen, the newest first. It gives why they must not go, "" for nothing found.
func (p *publication) secrets(ctx context.Context, news []string) (string, error) {
	for i, oid := range news {
		text, err := p.repo.words(ctx, oid)
		if err != nil {
			return "", err
		}
		rules := p.scan(text)
		switch {
		case len(rules) > 0 && i == 0:
			return "it holds what looks like a secret (" + strings.Join(rules, ", ") + ")", nil
		case len(rules) > 0:
			return "its version " + oid[:12] + " holds what looks like a secret (" + strings.Join(rules, ", ") + ")", nil
		}
	}
	return "", nil
}

// words are what a version tells: its document and its commit message.
func (r *Repo) words(ctx context.Context, oid string) ([]byte, error) {
	doc, err := r.Raw(ctx, oid)
	if err != nil {
		return nil, err
	}
	_, data, err := r.object(ctx, oid)
	if err != nil {
		return nil, err
	}
	c, err := parseCommit(data)
	return slices.Concat(doc, []byte("\n"+c.message)), err
}
