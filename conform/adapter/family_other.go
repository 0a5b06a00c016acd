//go:build !unix

package adapter

import "os/exec"

// family returns what ends all that the program has started, which only Unix knows.
func family(*exec.Cmd) (killAll func()) { return func() {} }
