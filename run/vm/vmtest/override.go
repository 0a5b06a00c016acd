package vmtest

import (
	"time"

	"github.com/vop-ptx/vop/run/vm/internal/override"
)

// Threads have all the time they need when one has failed, so that what tests expect does not
// depend on how busy the machine is.
func init() { override.GraceOfThreads = time.Minute }

// WithGrace gives threads so long when one has failed, until what it returns is called. 0 is as
// long as they have where there is no test.
func WithGrace(d time.Duration) (restore func()) {
	before := override.GraceOfThreads
	override.GraceOfThreads = d
	return func() { override.GraceOfThreads = before }
}

// WithTurns lets lanes lose their turns after so many jumps back, until what it returns is called.
func WithTurns(n int) (restore func()) {
	override.Turns = n
	return func() { override.Turns = 0 }
}

// WithResidents lets so many blocks have begun, at most, where they wait for each other, until what it returns is called.
func WithResidents(n int) (restore func()) {
	override.Residents = n
	return func() { override.Residents = 0 }
}
