package sem_test

import (
	"testing"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

var sink uint32

func BenchmarkEval(b *testing.B) {
	for _, f := range []isa.Form{
		{Op: isa.Vadd, DType: isa.S32, AType: isa.S32, BType: isa.S32, Sat: true, ASel: isa.H1, DSel: isa.B2},
		{Op: isa.Vshl, Mode: isa.Clamp, Second: isa.SecondAdd},
		{Op: isa.Vset, Cmp: isa.Lt, AType: isa.S32},
		{Op: isa.Vmad, AType: isa.S32, Sat: true, Scale: isa.Shr7, NegC: true},
		{Op: isa.Vadd2, AType: isa.S32, Sat: true, Mask: 3, ALane: 0x10, BLane: 0x32},
		{Op: isa.Vadd4, DType: isa.S32, AType: isa.S32, BType: isa.S32, Sat: true, Mask: 0xf, ALane: 0x3210, BLane: 0x7654},
		{Op: isa.Vavrg4, DType: isa.S32, AType: isa.S32, BType: isa.S32, Mask: 5, ALane: 0x3210, BLane: 0x7654},
		{Op: isa.Vset4, Cmp: isa.Gt, AType: isa.S32, BType: isa.S32, Second: isa.SecondAdd, Mask: 0xf, ALane: 0x3210, BLane: 0x7654},
	} {
		for _, r := range isa.Readings() {
			if r != sem.ISA && f.Op.SIMD() {
				continue
			}
			b.Run(f.Mnemonic()+"/"+r.String(), func(b *testing.B) {
				b.ReportAllocs()
				x := uint32(0x7f80ff01)
				for b.Loop() {
					x = sem.EvalAs(r, f, x, 0x01020380, x)
				}
				sink = x
			})
		}
	}
}

// BenchmarkDifferences is what a checker pays for an instruction: most where a
// rule applies to the form but never shows.
func BenchmarkDifferences(b *testing.B) {
	for _, f := range []isa.Form{
		{Op: isa.Vadd4, DType: isa.S32, AType: isa.S32, BType: isa.S32, Sat: true, Mask: 0xf, ALane: 0x3210, BLane: 0x7654},
		{Op: isa.Vsub, DType: isa.S32, AType: isa.S32, BType: isa.S32, Sat: true},
		{Op: isa.Vadd, DType: isa.S32, AType: isa.S32, BType: isa.S32, DSel: isa.H1},
		{Op: isa.Vshl, Mode: isa.Clamp, Second: isa.SecondMax},
		{Op: isa.Vshr, AType: isa.U32, DType: isa.S32, Mode: isa.Wrap, Sat: true, Second: isa.SecondMin},
		{Op: isa.Vmin, Second: isa.SecondMax},
		{Op: isa.Vmad},
	} {
		b.Run(f.String(), func(b *testing.B) {
			for b.Loop() {
				_ = sem.Differences(f)
			}
		})
	}
}
