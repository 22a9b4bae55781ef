package main

// demoScenes are the story: one developer works and stops, another takes over.
var demoScenes = []scene{
	{"A repository with a remote, and work on a branch", []string{
		"ada: git init -q --bare ../hub.git && git init -q && git remote add origin ../hub.git",
		"ada: printf 'a ledger\\n' >README && git add README && git commit -q -m 'Start the ledger' && git push -q origin main",
		"ada: git switch -q -c refunds && printf 'refunds\\n' >refunds.txt && git add refunds.txt && git commit -q -m 'Add refunds'",
	}},
	{"Ada writes down where the work stands", []string{
		"ada: git handoff save --objective 'refunds without double payments' --next-action 'run the refund test against staging' --next 'write the runbook' --constraint 'no refund without an idempotency key' --rejected 'AWS DMS :: why=no support for our ENUM types' --uncertain 'refund 88 submitted, no answer :: check=ask the ledger for 88 :: replay=never :: ref=idem-88'",
		"ada: git handoff show",
	}},
	{"A command proves that the commit works; the handoff knows it as last known good", []string{
		"ada: git handoff verify -- test -s refunds.txt",
	}},
	{"The work goes on: one step is done, the next moves up", []string{
		"ada: git handoff save --finish 'run the refund test :: evidence=staging run 4711 :: effect=external'",
		"ada: git handoff list",
		"ada: git handoff log",
	}},
	{"A push brings the handoff along; the hooks refresh it", []string{
		"ada: git handoff init",
		"ada: printf 'retry\\n' >>refunds.txt && git commit -q -am 'Retry a refund once'",
		"ada: git push -q -u origin refunds",
	}},
	{"Bob takes over from a fresh clone: what drifted, what must never run again, what comes next", []string{
		"bob: git clone -q -b refunds ../hub.git . && git handoff init --hooks none",
		"bob: git handoff resume --format text",
	}},
	{"Both save at once, both push: the versions merge, and nothing is lost", []string{
		"bob: git handoff save --add-decision 'one retry, then a human :: why=the provider locks after three' && git handoff sync",
		"ada: git handoff save --add-constraint 'no retry at night' && git handoff sync",
		"ada: git handoff diff",
		"ada: git handoff log",
	}},
	{"It is plain git: one blob on a ref, one hunk for a changed item", []string{
		"ada: git show refs/handoff/refunds/default:handoff.yaml | head -n 8",
		"ada: git fsck --strict --no-dangling",
	}},
	{"What is wrong is refused, with what to do about it", []string{
		"!ada: git handoff save --add-constraint 'no refund without an idempotency key :: why=audit' --progress nearly",
	}},
}
