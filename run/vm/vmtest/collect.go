package vmtest

import (
	"os"
	"runtime/debug"
)

// Tests make thousands of small kernels, each of which is thrown away: with a heap as small as
// theirs, garbage would be collected most of the time. GOGC says otherwise where it is set.
func init() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}
