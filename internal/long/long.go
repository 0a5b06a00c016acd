// Package long says whether tests shall do all that they can: random kernels by the thousand, every form, whole programs in
// browsers. That takes a quarter of an hour. script/test-all asks for it by the environment variable VOP_TEST=all; without it
// they do the part of it that finds most mistakes. VOP_TEST=few asks for fewer random cases, where each takes ten times as long.
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

// Seeds is [Of] for how many random cases a test draws. With VOP_TEST=few it is a quarter of some: script/race and script/cross
// ask for that, under the race detector and on an emulated processor. What they look for beyond the other runs shows in
// few cases: how goroutines share memory, and whether what code is made of runs on the processor at all.
func Seeds[T int | uint64](all, some T) T {
	if os.Getenv("VOP_TEST") == "few" {
		return max(1, some/4)
	}
	return Of(all, some)
}

// Only skips a test unless tests shall do all that they can.
func Only(t testing.TB) {
	t.Helper()
	if !Tests() {
		t.Skip("a long test, which script/test-all runs")
	}
}
