package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"sync"

	"github.com/urfave/cli/v2"
)

// agentHooks are what the hooks of an agent call, each as the command line that it stands for. They never fail: an agent
// must not be held up.
var agentHooks = map[string][]string{
	"agent-start":   {"resume", "--format", "prompt"},
	"agent-compact": {"save", "--auto"},
	"agent-end":     {"save", "--auto"},
}

// An agentCall is what an agent tells its hooks on standard input (code.claude.com/docs/en/hooks).
type agentCall struct {
	Session string `json:"session_id"`
}

// maxAgentCall is how much of it is read.
const maxAgentCall = 1 << 20

// sessionPattern is what a session is called where it is taken over into a shell file.
var sessionPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$`) })

// agentHook does what a hook of an agent is there for, in the agent's session.
func agentHook(c *cli.Context, name string) error {
	s := std(c)
	call := readAgentCall(s.in)
	line := []string{"git-handoff"}
	if dir := c.String("C"); dir != "" {
		line = append(line, "-C", dir)
	}
	line = append(line, agentHooks[name]...)
	if call.Session != "" {
		line = append(line, "--session", call.Session)
	}
	if os.Getenv("HANDOFF_ACTOR") == "" {
		line = append(line, "--actor", "claude-code")
	}
	if name == "agent-start" {
		rememberSession(os.Getenv("CLAUDE_ENV_FILE"), call.Session)
	}
	var errs bytes.Buffer
	code := run(c.Context, line, streams{in: strings.NewReader(""), out: s.out, err: &errs})
	s.settle(name, code, errs.String())
	return nil
}

// settle says what the command had to say. A session that starts where there is no handoff is told how to write one;
// everything else is for whoever reads the agent's log.
func (s streams) settle(name string, code int, errs string) {
	if name == "agent-start" && code == exitNoHandoff {
		fmt.Fprintf(s.out, "This branch has no handoff yet. Before you stop: git handoff save --next-action 'the first concrete step'.\n%s", errs)
		return
	}
	fmt.Fprint(s.err, errs)
}

// readAgentCall reads what the agent tells; nothing where it tells nothing that is understood.
func readAgentCall(in io.Reader) agentCall {
	var call agentCall
	if f, ok := in.(*os.File); ok && isTerminal(f) {
		return call
	}
	data, err := io.ReadAll(io.LimitReader(in, maxAgentCall))
	if err != nil || json.Unmarshal(data, &call) != nil || !sessionPattern().MatchString(call.Session) {
		return agentCall{}
	}
	return call
}

// rememberSession has the agent's shell know its session, in the file that the agent names for that, so that what the
// agent saves and what its hooks save is one session's.
func rememberSession(file, session string) {
	if file == "" || session == "" {
		return
	}
	line := "export HANDOFF_SESSION='" + session + "'\n"
	if data, err := os.ReadFile(file); err == nil && strings.HasSuffix(string(data), line) {
		return
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		return
	}
	defer f.Close()
	_, _ = f.WriteString(line)
}
