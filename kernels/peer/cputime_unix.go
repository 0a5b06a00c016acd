//go:build unix

package peer

import (
	"syscall"
	"time"
)

// cpuTime is the processor time that this process has taken so far. What else the machine does does not count.
func cpuTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err) // it has no reason to fail
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
