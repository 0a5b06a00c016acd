//go:build race

package engine

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
)

// TestRacesAreReported runs a kernel while another goroutine writes its operand,
// in a process of its own, and expects the race detector to say so for every level.
func TestRacesAreReported(t *testing.T) {
	if level := os.Getenv("ENGINE_RACE"); level != "" {
		race(t, level)
		return
	}
	for _, l := range Levels() {
		cmd := exec.Command(os.Args[0], "-test.run=^TestRacesAreReported$")
		cmd.Env = append(os.Environ(), "ENGINE_RACE="+l.String())
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), "DATA RACE") {
			t.Errorf("%v: no race is reported: %v\n%s", l, err, out)
		}
	}
}

func race(t *testing.T, level string) {
	e, err := Named(level)
	if err != nil {
		t.Fatal(err)
	}
	f := isa.Form{Op: isa.Vadd}
	k := e.Compile(lower.Form(f, e.Caps()))
	a, b, dst := make([]uint32, 1000), make([]uint32, 1000), make([]uint32, 1000)
	done := make(chan bool)
	go func() {
		a[500]++
		close(done)
	}()
	k.Run(dst, a, b, nil)
	<-done
}
