// Package override has what tests change in how package vm runs kernels. Package vmtest sets it,
// and nobody else: launches have no such options, as nobody else is better off with them.
package override

import "time"

var (
	// Turns is the number of jumps back after which lanes lose their turn, if it is not 0
	// (portable.Launch.Turn).
	Turns int
	// GraceOfThreads is how long the other threads of a CTA run when one has failed, if it is not 0
	// (portable.Launch.Grace).
	GraceOfThreads time.Duration
	// Residents is how many CTAs there is room for where they wait for each other, if it is not 0.
	Residents int
)
