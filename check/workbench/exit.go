package workbench

import (
	"math"
	"strconv"
	"strings"
)

// A runState is what became of a command.
type runState int

const (
	runUnknown runState = iota
	runPassed
	runFailed
)

// judge tells what became of the command. exit is its code where hasExit. A code that is missing or cannot be read
// counts as failed where the record tells of an error, a timeout or a signal, else as unknown, never as passed.
func (r *record) judge() (state runState, exit int64, hasExit bool) {
	zero, failing := false, false
	for _, f := range []field{fieldExit, fieldExit2, fieldExit3} {
		switch code, kind := exitCode(r.raw[f]); {
		case kind == exitNumber && code != 0:
			return runFailed, code, true
		case kind == exitNumber:
			zero = true
		case kind == exitFailure:
			failing = true
		}
	}
	switch {
	case zero && !r.interrupted():
		return runPassed, 0, true
	case failing, r.interrupted(), !zero && r.tellsFailure():
		return runFailed, 0, false
	}
	return r.judgeStatus()
}

// judgeStatus takes a number under `status` for the exit code, where it can be one.
func (r *record) judgeStatus() (runState, int64, bool) {
	if n, err := strconv.ParseInt(string(r.raw[fieldStatus]), 10, 64); err == nil && -128 <= n && n <= 255 {
		if n == 0 {
			return runPassed, 0, true
		}
		return runFailed, n, true
	}
	return runUnknown, 0, false
}

// interrupted reports whether the record says that the command was stopped, which no exit code outweighs.
func (r *record) interrupted() bool {
	if r.timedOut() {
		return true
	}
	switch s := string(r.raw[fieldSignal]); s {
	case "", "null", "0", `""`, "false", `"none"`, `"None"`:
		return false
	}
	return true
}

// timedOut reads a flag. A number is the limit that was set, not that it was reached.
func (r *record) timedOut() bool {
	n := r.tree(fieldTimedOut)
	yes, _ := truth(n)
	return yes && n.kind != number && n.text != "1"
}

// tellsFailure reports whether the record says, in other words than an exit code, that the command failed.
func (r *record) tellsFailure() bool {
	switch string(r.raw[fieldError]) {
	case "", "null", `""`, "false", "0", "[]", "{}", `"none"`, `"None"`, `"null"`:
	default:
		return true
	}
	if yes, known := truth(r.tree(fieldSuccess)); known && !yes {
		return true
	}
	raw := r.raw[fieldStatus]
	return len(raw) > 0 && raw[0] == '"' && failureWord(unquote(raw[1:len(raw)-1]))
}

func failureWord(s string) bool {
	return among("|failed|fail|failure|error|errored|timeout|timed out|killed|crashed|aborted|cancelled|canceled|terminated|exception|interrupted|oom|crash|"+
		"hard fail|nonzero|non zero|失败|失敗|超时|エラー|실패|오류|ошибка|échec|echec|échoué|erreur|fehler|fehlgeschlagen|fallido|falló|falhou|"+
		"erro|fallito|errore|❌|✗|✘|✖|", plainWord(strings.ReplaceAll(s, "\ufe0f", "")))
}

// An exitKind is how an exit code was written.
type exitKind int

const (
	// exitMissing is a code that is absent or null, exitOdd one that is no code: a boolean, a fraction, NaN.
	exitMissing exitKind = iota
	exitOdd
	exitNumber
	// exitFailure is a word for a failure that has no number: SIGKILL, timeout.
	exitFailure
)

func exitCode(raw []byte) (int64, exitKind) {
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return 0, exitMissing
	case string(raw) == "0":
		return 0, exitNumber
	case raw[0] == '"':
		return exitText(strings.TrimSpace(unquote(raw[1 : len(raw)-1])))
	case raw[0] == '{':
		return exitObject(raw)
	}
	return exitNumeral(string(raw))
}

// exitNumeral reads a number. What is whole is a code, however it is written (0.0, 1e0).
func exitNumeral(s string) (int64, exitKind) {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n, exitNumber
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) || f != math.Trunc(f) {
		return 0, exitOdd
	}
	if math.Abs(f) >= 1<<62 {
		return 0, exitFailure
	}
	return int64(f), exitNumber
}

// exitText reads a code that is written as a text: "1", "0x1", "exit status 1", "SIGKILL".
func exitText(s string) (int64, exitKind) {
	low := strings.ToLower(s)
	if head, why, found := strings.Cut(low, "("); found && !hedged(why) || found && strings.Trim(head, " 0") != "" {
		low = strings.TrimSpace(head)
	}
	for _, prefix := range []string{"exit status", "exit code", "exited with", "exit", "code", "status", "rc"} {
		if rest, ok := strings.CutPrefix(low, prefix); ok {
			low = strings.Trim(rest, " :=")
			break
		}
	}
	if n, err := strconv.ParseInt(low, 0, 64); err == nil {
		return n, exitNumber
	}
	if n, kind := exitNumeral(low); kind == exitNumber {
		return n, kind
	}
	if strings.HasPrefix(low, "sig") || strings.HasPrefix(low, "killed") || failureWord(low) {
		return 0, exitFailure
	}
	if s == "" {
		return 0, exitMissing
	}
	return 0, exitOdd
}

// exitObject reads {"code": 1, "signal": null}.
func exitObject(raw []byte) (int64, exitKind) {
	tree, err := parse(raw)
	if err != nil {
		return 0, exitOdd
	}
	if sig := tree.first("signal", "term_signal"); sig != nil && !nothing(sig.say()) && sig.say() != "0" {
		return 0, exitFailure
	}
	code := tree.first("code", "exit_code", "status", "value")
	if code == nil {
		return 0, exitMissing
	}
	if code.kind == text {
		return exitText(code.text)
	}
	return exitNumeral(code.text)
}

// maxReason is how long the reason of a failure may be, in bytes.
const maxReason = 200

// reason says why a command failed that has no exit code.
func (r *record) reason() string {
	for _, f := range []field{fieldError, fieldSignal, fieldExit, fieldExit2, fieldExit3, fieldStatus} {
		n := r.tree(f)
		if n == nil || n.kind == boolean || f >= fieldExit && f <= fieldExit3 && n.kind == number && n.text == "0" {
			continue
		}
		s := n.say()
		if n.kind == object && f != fieldError {
			s = n.first("signal", "code").say()
		}
		switch {
		case nothing(s) || s == "0" || f == fieldStatus && !failureWord(s):
		case f == fieldSignal && n.kind == number:
			return "signal " + s
		default:
			return s
		}
	}
	if r.timedOut() {
		return "timed out"
	}
	return "failed, without an exit code"
}
