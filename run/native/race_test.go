//go:build race

package native_test

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/isa"
)

// TestRacesAreReported runs an array while another goroutine writes its operand, in a process of
// its own, and expects the race detector to say so for every level.
func TestRacesAreReported(t *testing.T) {
	levels := needCode(t)
	if n := os.Getenv("NATIVE_RACE"); n != "" {
		k := compile(t, isa.Form{Op: isa.Vadd}, levels[n[0]-'0'])
		a, b, dst := make([]uint32, 1000), make([]uint32, 1000), make([]uint32, 1000)
		done := make(chan bool)
		go func() {
			a[500]++
			close(done)
		}()
		k.Run(dst, a, b, nil)
		<-done
		return
	}
	for n, l := range levels {
		cmd := exec.Command(os.Args[0], "-test.run=^TestRacesAreReported$")
		cmd.Env = append(os.Environ(), "NATIVE_RACE="+strconv.Itoa(n))
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), "DATA RACE") {
			t.Errorf("%v: no race is reported: %v\n%s", l, err, out)
		}
	}
}
