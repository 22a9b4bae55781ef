package render

import "git-handoff/gitstore/handoff"

// ResumeJSON is the resume for a program: whether to proceed and why not, the contract, the drift, the prerequisites, the
// replay boundary, and the document as JSON has it.
func ResumeJSON(v ResumeView) ([]byte, error) {
	doc, err := object(v.Doc)
	if err != nil {
		return nil, err
	}
	o := members{
		{"handoff", v.Doc.Name().String()}, {"version", v.OID},
		{"proceed", v.proceeds()}, {"wait", present(v.reasons())},
		{"contract", contract}, {"drift", v.driftJSON()}, {"prerequisites", v.prerequisitesJSON()},
		{"replay", boundaryJSON(boundaryOf(&v.Doc.Brief))},
	}
	add := func(key string, value any, there bool) {
		if there {
			o = append(o, member{key, value})
		}
	}
	if c := v.Doc.Claim; c != nil {
		o = append(o, member{"claim", members{
			{"by", c.By}, {"who", v.Claim.Who}, {"at", c.At}, {"until", c.Until}, {"accepted_by", v.Claim.Remote}, {"yours", v.Claim.Yours},
		}})
	}
	add("fallback", v.Fallback, v.Fallback != "")
	add("commits_since_brief", v.BriefCommits, v.BriefCommits >= 0)
	add("origin", v.Origin, v.Origin != "")
	add("fetched_at", handoff.TimeOf(v.Fetched), !v.Fetched.IsZero())
	add("reach", v.Reach, v.Reach != "")
	add("remarks", v.Notes, len(v.Notes) > 0)
	return encodeJSON(append(o, member{"document", doc}))
}

// present is a list that is there even if it is empty.
func present[T any](all []T) []T {
	if all == nil {
		return []T{}
	}
	return all
}

func (v ResumeView) driftJSON() []members {
	all := []members{}
	for _, d := range v.Drift {
		all = append(all, members{{"kind", d.Kind}, {"state", d.State}, {"what", d.What}})
	}
	return all
}

func (v ResumeView) prerequisitesJSON() []members {
	all := []members{}
	for _, r := range v.Prerequisites {
		all = append(all, members{{"name", r.Name}, {"kind", r.Kind}, {"ref", r.Ref}, {"state", r.State}})
	}
	return all
}

func boundaryJSON(b boundary) members {
	names := func(items []handoff.Item) []string {
		all := []string{}
		for _, it := range items {
			all = append(all, it.What)
		}
		return all
	}
	checks := []members{}
	for _, it := range b.Check {
		checks = append(checks, members{{"what", it.What}, {"check", it.Check}, {"replay", it.ReplayOrDefault()}})
	}
	return members{
		{"never", names(b.Never)}, {"check_first", checks}, {"may_be_run_again", names(b.Again)}, {"may_be_rebuilt", names(b.Rebuild)},
	}
}
