package proof

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain collects garbage more seldom: nearly all that these tests make is garbage at once, and they use little memory.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
