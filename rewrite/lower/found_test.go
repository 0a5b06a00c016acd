package lower

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/isa"

	"github.com/vop-ptx/vop/rewrite/word"
	"github.com/vop-ptx/vop/sem"
)

// TestFound computes the programs of found.txt.
func TestFound(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 12))
	for f, programs := range foundPrograms() {
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

// TestFoundIsUsed: a program that is shorter than what the stages make comes out, with selectors and
// masks around it, and only where the target has its operations.
func TestFoundIsUsed(t *testing.T) {
	f, err := coreOf("vmin4.u32.u32.u32 d, a, b, c;")
	if err != nil {
		t.Fatal(err)
	}
	known := foundPrograms()
	// Not the minimum: what shows is where it goes.
	known[core(f)] = []*word.Program{mustParse(t, "v1 = absdiff.s8 a, b\nd = v1")}
	cores.forget()
	defer func() {
		delete(known, core(f))
		cores.forget()
	}()
	f.Mask, f.BLane = 1, 0x7777
	want := "v3 = perm b, 0, 3213\nv4 = absdiff.s8 a, v3\nv6 = perm v4, c, 7650\nd = v6\n"
	if p := build(isa.Manual, f, SM80, Facts{}); p.String() != want {
		t.Errorf("got\n%vwant\n%v", p, want)
	}
	if p := build(isa.Manual, f, SM70, Facts{}); strings.Contains(p.String(), "absdiff") {
		t.Errorf("sm_70 has no absdiff\n%v", p)
	}
}

func mustParse(t *testing.T, text string) *word.Program {
	t.Helper()
	p, err := word.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
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
		if _, err := readFound(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
