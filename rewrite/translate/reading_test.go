package translate

import (
	"math/rand/v2"
	"testing"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/rewrite/translate/internal/ptxrun"
	"github.com/vop-ptx/vop/sem"
)

// TestLowerAsCompiled runs what scalar instructions are lowered to under the reading
// sm_86, also on the operands on which it differs from the manual's, and on a target
// that has the instructions itself.
func TestLowerAsCompiled(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 6))
	differing := 0
	for range 2500 {
		ops := isa.Ops()
		op := ops[rng.IntN(len(ops))]
		if op.SIMD() {
			continue
		}
		f := isa.SampleOp(op, rng)
		target := []string{"sm_80", "sm_52"}[rng.IntN(2)]
		l := lowered(t, "k.ptx", body("7.8", target, "\t"+f.Spell("%r0", "%r1", "%r2", "%r3")+"\n"), LowerOptions{Reading: isa.SM86})
		text := instructionsOf(l.Text)
		compare := func(a, b, c uint32) {
			registers := ptxrun.Registers{"%r1": uint64(a), "%r2": uint64(b), "%r3": uint64(c)}
			if err := ptxrun.Text(text, registers, sem.Eval); err != nil {
				t.Fatalf("%v\n%s", err, l.Text)
			}
			if got, want := uint32(registers["%r0"]), sem.EvalAs(sem.SM86, f, a, b, c); got != want {
				t.Fatalf("%v for %s: %08x, %08x, %08x give %08x, want %08x; lowered to\n%s", f, target, a, b, c, got, want, text)
			}
		}
		for range 8 {
			compare(conform.Operands(rng, f))
		}
		for _, d := range sem.Differences(f) {
			differing++
			compare(d.A, d.B, d.C)
		}
	}
	if differing == 0 {
		t.Error("the readings of no form differ")
	}
}

// TestLowerAsmAsCompiled demands that the asm statements of CUDA sources follow the
// reading, too.
func TestLowerAsmAsCompiled(t *testing.T) {
	const text = `void f(int a) { int d; asm("vadd.s32.s32.s32 %0.h1, %1, %1, %1;" : "=r"(d) : "r"(a)); }`
	manual := lowered(t, "k.cu", text, LowerOptions{})
	compiled, list, err := Lower(source.New("k.cu", text), LowerOptions{Reading: isa.SM86})
	if err != nil || list.HasErrors() || compiled.Text == manual.Text {
		t.Errorf("both readings give\n%s\n%v %v", manual.Text, list, err)
	}
}
