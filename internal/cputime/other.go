//go:build !unix

package cputime

import "time"

var began = time.Now()

// Now is the time that has passed, where it is not known how much of it this process has had a processor.
func Now() time.Duration { return time.Since(began) }
