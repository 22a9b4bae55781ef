package gitstore

import (
	"context"
	"os"
)

// networkEnv keeps a child that talks to a remote from asking anybody: ssh runs in batch mode unless the user chose a
// command, and credential helpers may not open windows.
func (r *Repo) networkEnv(ctx context.Context) ([]string, error) {
	config, err := r.Config(ctx)
	if err != nil {
		return nil, err
	}
	env := []string{"GIT_TERMINAL_PROMPT=0", PushMarker + "=1"}
	if os.Getenv("GCM_INTERACTIVE") == "" {
		env = append(env, "GCM_INTERACTIVE=never")
	}
	if os.Getenv("GIT_SSH_COMMAND") == "" && os.Getenv("GIT_SSH") == "" && config.Get("core.sshcommand") == "" {
		env = append(env, "GIT_SSH_COMMAND=ssh -o BatchMode=yes")
	}
	return env, nil
}
