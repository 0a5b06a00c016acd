//go:build !unix

package peer

import "time"

var began = time.Now()

// cpuTime is the time that has passed, where it is not known how much of it this process has had a processor.
func cpuTime() time.Duration { return time.Since(began) }
