//go:build unix

package adapter

import (
	"os/exec"
	"syscall"
)

// family makes the program the first of a process group, and returns what ends all of the group: a script would
// otherwise leave behind what it has started. It is also what ends the program when its context does.
func family(cmd *exec.Cmd) (killAll func()) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	killAll = func() {
		if cmd.Process != nil {
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // there may be none any more
		}
	}
	cmd.Cancel = func() error {
		killAll()
		return nil
	}
	return killAll
}
