package encode

import (
	"testing"
	"time"
)

// body writes instructions as a kernel's loop has them; it returns their number.
func body(a *Assembler, constant Operand) int {
	a.Emit(VMOVDQU32|L512, V(0), At(RSI, 64))
	a.Emit(VPADDD|L512, V(1), V(0), V(20))
	a.Emit((VPSUBD | L512).Mask(K1), V(2), V(1), constant)
	a.Emit(VPTERNLOGD|L512, V(3), V(2), V(1), Imm(0x96))
	a.Emit(VPCMPUD|L512, K2, V(3), V(4), Imm(1))
	a.Emit(VPERMI2B|L512, V(5), V(3), AtIndex(RBX, RCX, 1, 128))
	a.Emit(VPDPBUSD|L512, V(6), V(5), V(21))
	a.Emit(ADD|S64, RSI, Imm(64))
	a.Emit(LEA|S64, RAX, AtIndex(RSI, RDI, 4, 12))
	a.Emit(CMP|S64, RAX, At(RBP, 40))
	a.Emit(VPADDD|L256, V(7), V(8), V(9))
	a.Emit((VMOVDQU32 | L512).Mask(K2), At(RDI, 0), V(6))
	return 12
}

// BenchmarkEmit measures one instruction of a mixed loop body.
func BenchmarkEmit(b *testing.B) {
	a := New(AllFeatures)
	constant := a.Const32(7).Broadcast()
	a.NewLabel()
	n := 0
	b.ReportAllocs()
	for n < b.N {
		if a.Len() > 1<<16 {
			a.code, a.fixups = a.code[:0], a.fixups[:0]
		}
		n += body(a, constant)
	}
	if a.Err() != nil {
		b.Fatal(a.Err())
	}
}

// BenchmarkKernel measures a whole kernel of 1,079 instructions with its constants, in an
// assembler that is used again. It reports the time of an instruction, in the mean and in the
// fastest kernel, which other work on the machine disturbs less.
func BenchmarkKernel(b *testing.B) {
	a := New(AllFeatures)
	b.ReportAllocs()
	n, kernels := 0, 0
	fastest := time.Hour
	for b.Loop() {
		start := time.Now()
		a.Reset()
		loop := a.NewLabel()
		a.Bind(loop)
		for range 83 {
			n += body(a, a.Const32(uint32(n%8)).Broadcast()) + 1
			a.JumpIf(CondNE, loop)
		}
		if _, err := a.Finish(); err != nil {
			b.Fatal(err)
		}
		fastest = min(fastest, time.Since(start))
		kernels++
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/instruction")
	b.ReportMetric(float64(fastest.Nanoseconds())/float64(n/kernels), "fastest-ns/instruction")
}

// TestEmitAllocatesNothing: once its buffers have grown, writing instructions takes no memory.
func TestEmitAllocatesNothing(t *testing.T) {
	a := New(AllFeatures)
	constant := a.Const32(7).Broadcast()
	if n := testing.AllocsPerRun(100, func() {
		a.code, a.fixups = a.code[:0], a.fixups[:0]
		for range 100 {
			body(a, constant)
		}
	}); n != 0 {
		t.Errorf("%v allocations in 1,200 instructions", n)
	}
}
