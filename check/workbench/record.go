package workbench

import (
	"bytes"
	"slices"
)

// A field is one thing that records say, whatever they call it.
type field int

const (
	fieldNone field = iota
	fieldCommand
	fieldArgv
	fieldArgs
	fieldExit
	fieldExit2
	fieldExit3
	fieldStatus
	fieldError
	fieldTimedOut
	fieldSignal
	fieldSuccess
	fieldOutput
	fieldStdout
	fieldStderr
	fieldTime
	fieldMS
	fieldSeconds
	fieldSession
	fieldWrapped
	fields
)

// fieldOf tells what a key means. Keys that may stand beside one another have fields of their own.
func fieldOf(key []byte) field {
	switch string(key) {
	case "command", "cmd", "cmdline", "command_line", "commandLine", "shell_command", "shell", "script", "Command", "COMMAND", "program", "executable",
		"命令", "コマンド", "명령", "команда", "comando", "commande", "befehl":
		return fieldCommand
	case "argv", "cmd_argv", "command_argv":
		return fieldArgv
	case "args", "arguments", "parameters":
		return fieldArgs
	case "exit_code", "exitCode", "exitcode", "exit_status", "exitStatus", "ExitCode", "exit-code", "EXIT_CODE", "退出码", "返回码", "終了コード",
		"종료코드", "код_выхода", "código_salida", "code_retour":
		return fieldExit
	case "returncode", "return_code", "returnCode", "retcode", "ret", "rc":
		return fieldExit2
	case "exit", "code", "errorlevel":
		return fieldExit3
	case "status", "result_status", "state", "outcome":
		return fieldStatus
	case "error", "err", "exception", "failure", "error_message", "errorMessage":
		return fieldError
	case "timed_out", "timedOut", "timedout", "timeout", "killed", "is_timeout":
		return fieldTimedOut
	case "signal", "term_signal", "termsig", "signal_name":
		return fieldSignal
	case "success", "succeeded", "ok", "passed":
		return fieldSuccess
	case "output", "output_tail", "combined", "combined_output", "tail", "log_tail":
		return fieldOutput
	case "stdout_tail", "stdout", "stdoutTail", "out":
		return fieldStdout
	case "stderr_tail", "stderr", "stderrTail":
		return fieldStderr
	case "started_at", "startedAt", "start_time", "start", "at", "time", "timestamp", "ts", "date", "finished_at", "ended_at", "created_at", "when", "@timestamp":
		return fieldTime
	case "duration_ms", "durationMs", "ms", "elapsed_ms", "duration_millis", "time_ms":
		return fieldMS
	case "seconds", "duration_s", "elapsed_s", "duration_seconds", "duration", "elapsed", "elapsed_seconds", "wall_time":
		return fieldSeconds
	case "session", "session_id", "sessionId":
		return fieldSession
	case "result", "process", "execution", "response", "input", "tool_input", "tool_response", "tool_result", "data", "payload", "run", "params":
		return fieldWrapped
	}
	return fieldNone
}

// A record is one line of the log: the raw JSON of what it says, good as long as the line is.
type record struct {
	raw [fields][]byte
	// within is whether the command stands in an object within: such a record is one of a run only if it tells of an end.
	within bool
}

// read reads the object at the cursor. Of a key that comes twice the last counts; what an object within says gives way to
// what the record says itself.
func (r *record) read(c *cursor, wrapped bool) error {
	return c.members(func(key []byte) error {
		f := fieldOf(key)
		if f == fieldWrapped && !wrapped && c.peek() == '{' {
			return r.readWrapped(c)
		}
		raw, err := c.skip()
		if f == fieldWrapped && len(raw) > 0 && raw[0] == '"' && r.raw[fieldStatus] == nil {
			f = fieldStatus
		}
		if f != fieldNone && f != fieldWrapped {
			r.raw[f] = raw
		}
		return err
	})
}

func (r *record) readWrapped(c *cursor) error {
	var inner record
	err := inner.read(c, true)
	r.within = r.within || r.raw[fieldCommand] == nil && inner.raw[fieldCommand] != nil
	for f, raw := range inner.raw {
		if r.raw[f] == nil {
			r.raw[f] = raw
		}
	}
	return err
}

// isRun reports whether the record is about a command that was run: one that only notes something is not.
func (r *record) isRun() bool {
	if r.has(fieldExit, fieldExit2, fieldExit3) {
		return true
	}
	return r.has(fieldCommand, fieldArgv) && (!r.within || r.has(fieldStatus, fieldError, fieldTimedOut, fieldSignal, fieldSuccess, fieldOutput, fieldStdout, fieldStderr))
}

func (r *record) has(any ...field) bool {
	return slices.ContainsFunc(any, func(f field) bool { return r.raw[f] != nil })
}

// tree parses the raw value of a field; nil where the record has none, or a null.
func (r *record) tree(f field) *node {
	if r.raw[f] == nil || string(r.raw[f]) == "null" {
		return nil
	}
	n, err := parse(r.raw[f])
	if err != nil {
		return nil
	}
	return n
}

// readLine calls take for each record of a line; writers that forget a line break put two on one, others write the whole
// log as one list. What stands on it that is no record is an error, and so is a value that is no object.
func readLine(line []byte, rec *record, take func(*record)) error {
	c := &cursor{b: bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))}
	if ends := c.peek(); (ends == '[' || ends == ']') && len(bytes.Trim(c.b, " \t\r,")) == 1 {
		return nil
	}
	for first := true; ; first = false {
		for b := c.peek(); b == ',' && !first || b == '[' && first || b == ']' && !first; b = c.peek() {
			c.i++
		}
		switch b := c.peek(); {
		case b == 0 && !first:
			return nil
		case b != '{':
			return c.fail("it is no object")
		}
		*rec = record{}
		if err := rec.read(c, false); err != nil {
			return err
		}
		take(rec)
	}
}
