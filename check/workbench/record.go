package workbench

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
	case "command", "cmd", "cmdline", "command_line", "commandLine", "shell_command", "shell", "script", "Command", "COMMAND", "program", "executable":
		return fieldCommand
	case "argv", "cmd_argv", "command_argv":
		return fieldArgv
	case "args", "arguments", "parameters":
		return fieldArgs
	case "exit_code", "exitCode", "exitcode", "exit_status", "exitStatus", "ExitCode", "exit-code", "EXIT_CODE":
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
	case "result", "process", "execution", "response":
		return fieldWrapped
	}
	return fieldNone
}

// A record is one line of the log: the raw JSON of what it says, good as long as the line is.
type record struct {
	raw [fields][]byte
}

// read reads the object at the cursor. Of a key that comes twice the last counts.
func (r *record) read(c *cursor, wrapped bool) error {
	return c.members(func(key []byte) error {
		f := fieldOf(key)
		if f == fieldWrapped && !wrapped && c.peek() == '{' {
			return r.read(c, true)
		}
		raw, err := c.skip()
		if f != fieldNone && f != fieldWrapped {
			r.raw[f] = raw
		}
		return err
	})
}

// isRun reports whether the record is about a command: one that only notes something is not.
func (r *record) isRun() bool {
	for _, f := range []field{fieldCommand, fieldArgv, fieldExit, fieldExit2, fieldExit3} {
		if r.raw[f] != nil {
			return true
		}
	}
	return false
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

// readLine calls take for each record of a line; writers that forget a line break put two on one. What stands on it
// that is no record is an error, and so is a value that is no object.
func readLine(line []byte, rec *record, take func(*record)) error {
	c := &cursor{b: line}
	for first := true; ; first = false {
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
