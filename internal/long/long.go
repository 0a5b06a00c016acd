// Package long says whether tests shall do all that they can: random kernels by the thousand, every form, whole programs in
// browsers. That takes a quarter of an hour. script/test-all asks for it by the environment variable VOP_TEST=all; without it
// they do the part of it that finds most mistakes.
package long

import (
	"os"
	"testing"
)

// Tests reports whether tests shall do all that they can.
func Tests() bool { return os.Getenv("VOP_TEST") == "all" && !testing.Short() }

// Of is all where tests shall do all that they can, and some otherwise.
func Of[T any](all, some T) T {
	if Tests() {
		return all
	}
	return some
}

// Only skips a test unless tests shall do all that they can.
func Only(t testing.TB) {
	t.Helper()
	if !Tests() {
		t.Skip("a long test, which script/test-all runs")
	}
}
