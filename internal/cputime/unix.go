//go:build unix

package cputime

import (
	"syscall"
	"time"
)

// Now is the processor time that this process has taken so far. What else the machine does does not count.
func Now() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err) // it has no reason to fail
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
