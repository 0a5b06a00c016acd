// Package flow tests where the threads of a warp go and whom they wait for: branches, calls,
// barriers, locks, and exchanges that await lanes elsewhere.
package flow
