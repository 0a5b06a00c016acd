package prove

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/lower"
)

func TestZZ(t *testing.T) {
	s, err := FindSolver()
	if err != nil {
		t.Skip(err)
	}
	defer s.Close()
	for _, caps := range []lower.Caps{lower.Portable, lower.AVX2, lower.AVX512, lower.SM70, lower.SM80, lower.SM90} {
		rng := rand.New(rand.NewPCG(4, 4))
		n := 0
		start := time.Now()
		count := map[string]int{}
		slow := map[time.Duration]string{}
		_ = slow
		for f := range isa.Sample(rng) {
			r := Form(context.Background(), f, lower.Form(f, caps), Options{Solver: s, Timeout: 5 * time.Second})
			count[r.Verdict.String()+" "+r.Method.String()]++
			if r.Verdict != Proved {
				fmt.Println(r)
			} else if r.Elapsed > 100*time.Millisecond {
				fmt.Println("slow", r)
			}
			if n++; n == 60 {
				break
			}
		}
		fmt.Println(caps.Name, count, time.Since(start))
	}
}
