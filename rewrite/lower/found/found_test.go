package found

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/sem"
)

// TestFound computes the programs of found.txt.
func TestFound(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 12))
	for f, programs := range Programs() {
		for _, p := range programs {
			for range 500 {
				x, y := rng.Uint32()&rng.Uint32(), rng.Uint32()|rng.Uint32()
				if got, want := p.Eval(x, y, 0), sem.Eval(f, x, y, 0); got != want {
					t.Fatalf("%v with %08x, %08x is %08x, want %08x\n%v", f, x, y, got, want, p)
				}
			}
		}
	}
}

func TestReadFoundSaysWhatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		"sm_81 vmin4.u32.u32.u32 d, a, b, c;\nd = a":                     "sm_81",
		"sm_80 vmin9.u32.u32.u32 d, a, b, c;\nd = a":                     "no SIMD instruction",
		"sm_80 vmin.u32.u32.u32 d, a, b;\nd = a":                         "no SIMD instruction",
		"sm_80 vmin4.u32.u32.u32.add d, a, b, c;\nd = a":                 "no SIMD instruction",
		"sm_80 vmin4.u32.u32.u32 d, a, b, c;\nd = v1":                    "v1 is neither",
		"sm_80 vmin4.u32.u32.u32 d, a, b, c;\nv1 = add a, c\nd = v1":     "reads c",
		"# fine\n\nsm_80 vmin4.u32.u32.u32 d, a, b, c;\nv1 = add a, b\n": "no line gives the result",
	} {
		if _, err := read(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
