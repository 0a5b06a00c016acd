package sem_test

import (
	"math/rand/v2"
	"testing"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/isa"
)

// formsOf yields every form of an op in which selectors and mask are those given.
func formsOf(op isa.Op, like isa.Form) []isa.Form {
	var forms []isa.Form
	for _, row := range isa.RowsOf(op) {
		seen := map[isa.Form]bool{}
		for i := uint64(0); i < row.Count(); {
			f := row.At(i)
			f.ASel, f.BSel, f.ALane, f.BLane, f.Mask = like.ASel, like.BSel, like.ALane, like.BLane, like.Mask
			if !seen[f] {
				seen[f] = true
				forms = append(forms, f)
			}
			i += stride(op)
		}
	}
	return forms
}

// stride is the number of forms of an op that differ in selectors alone, which
// are the last choices of a row.
func stride(op isa.Op) uint64 {
	switch op.Lanes() {
	case 2:
		return 1 << 8
	case 4:
		return 1 << 24
	}
	return 7 * 7
}

// TestSIMDBytes runs every quad byte operation, in every combination of types,
// with and without .sat and .add, over all pairs of bytes in each of its lanes.
func TestSIMDBytes(t *testing.T) {
	for _, op := range isa.Ops() {
		if op.Lanes() != 4 {
			continue
		}
		t.Run(op.String(), func(t *testing.T) {
			t.Parallel()
			for _, f := range formsOf(op, isa.Form{ALane: 0x3210, BLane: 0x7654, Mask: 0xf}) {
				for x := range uint32(256) {
					for y := range uint32(256) {
						// Other lanes hold other pairs; over the loop each sees all.
						a := x | (x^0x55)<<8 | (x^0x80)<<16 | (x^0xff)<<24
						b := y | (y^0x2a)<<8 | (y^0xff)<<16 | (y^0x81)<<24
						agree(t, f, a, b, 0x89abcdef)
					}
				}
			}
		})
	}
}

// TestSIMDHalves runs every dual half-word operation over all half-words
// against those at which something changes, in each of its lanes.
func TestSIMDHalves(t *testing.T) {
	edges := []uint32{0, 1, 2, 0x7ffe, 0x7fff, 0x8000, 0x8001, 0xfffe, 0xffff}
	for _, op := range isa.Ops() {
		if op.Lanes() != 2 {
			continue
		}
		t.Run(op.String(), func(t *testing.T) {
			t.Parallel()
			for _, f := range formsOf(op, isa.Form{ALane: 0x10, BLane: 0x32, Mask: 3}) {
				for x := range uint32(1 << 16) {
					y := edges[x%uint32(len(edges))]
					agree(t, f, x|y<<16, y|x<<16, 0x89abcdef)
				}
				for _, x := range edges {
					for _, y := range edges {
						agree(t, f, x|y<<16, y|x<<16, 0x89abcdef)
					}
				}
			}
		})
	}
}

// TestSIMDSelectors runs every selector and every mask, on operands whose bytes all differ.
func TestSIMDSelectors(t *testing.T) {
	const a, b, c = 0x83726150, 0xc7b6a594, 0x1f2e3d4c
	for _, f := range []isa.Form{
		{Op: isa.Vsub4, AType: isa.S32, DType: isa.S32, Sat: true},
		{Op: isa.Vadd4, BType: isa.S32, Second: isa.SecondAdd},
		{Op: isa.Vset4, Cmp: isa.Lt, AType: isa.S32, BType: isa.S32},
	} {
		for mask := range isa.FullMask(f.Op) {
			f.Mask = mask + 1
			for i := range uint16(1 << 12) {
				f.ALane = isa.Lanes(i&7 | i>>3&7<<4 | i>>6&7<<8 | i>>9&7<<12)
				f.BLane = f.ALane ^ 0x4635
				agree(t, f, a, b, c)
			}
		}
	}
	for _, op := range []isa.Op{isa.Vmax2, isa.Vset2} {
		for f := range isa.Forms(op) {
			agree(t, f, a, b, c)
		}
	}
}

// TestScalarBytes runs every scalar operation but vmad over all pairs of bytes,
// plain and into a byte, in every combination of types, .sat and mode.
func TestScalarBytes(t *testing.T) {
	parts := []isa.Part{isa.B0, isa.B1, isa.B2, isa.B3}
	for _, op := range isa.Ops() {
		if op.SIMD() || op == isa.Vmad {
			continue
		}
		t.Run(op.String(), func(t *testing.T) {
			t.Parallel()
			for i, f := range formsOf(op, isa.Form{}) {
				if f.Second != isa.NoSecond || f.DSel.Bits() == 16 || f.DSel > isa.B0 {
					continue
				}
				f.ASel, f.BSel = parts[i%4], parts[i/4%4]
				for x := range uint32(256) {
					for y := range uint32(256) {
						a := 0xa5a5a5a5 ^ (x^0xa5)<<f.ASel.Shift()
						b := 0x5a5a5a5a ^ (y^0x5a)<<f.BSel.Shift()
						agree(t, f, a, b, 0x89abcdef)
					}
				}
			}
		})
	}
}

// TestEveryScalarForm runs each scalar form, vmad among them, on operands at
// which something changes.
func TestEveryScalarForm(t *testing.T) {
	for _, op := range isa.Ops() {
		if op.SIMD() {
			continue
		}
		t.Run(op.String(), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(uint64(op), 1))
			for f := range isa.Forms(op) {
				for range 50 {
					a, b, c := conform.Operands(rng, f)
					agree(t, f, a, b, c)
				}
			}
		})
	}
}

// TestEveryVmad runs all of vmad but its selectors on all edge words.
func TestEveryVmad(t *testing.T) {
	words := []uint32{0, 1, 2, 0x7f, 0x8000, 0xffff, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0xffff_ffff}
	for _, f := range formsOf(isa.Vmad, isa.Form{}) {
		for _, a := range words {
			for _, b := range words {
				for _, c := range words {
					agree(t, f, a, b, c)
				}
			}
		}
	}
}

// TestSample runs forms drawn from the whole table.
func TestSample(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	n := 0
	for f := range isa.Sample(rng) {
		a, b, c := conform.Operands(rng, f)
		agree(t, f, a, b, c)
		if n++; n == 200_000 {
			return
		}
	}
}

// TestFormsOf makes sure that the exhaustive tests leave nothing out.
func TestFormsOf(t *testing.T) {
	masks := map[int]uint64{1: 1, 2: 3, 4: 15}
	for _, op := range isa.Ops() {
		forms := formsOf(op, isa.Form{})
		if got := uint64(len(forms)) * stride(op) * masks[op.Lanes()]; got != isa.Count(op) {
			t.Errorf("%v: %d forms without selectors stand for %d, there are %d", op, len(forms), got, isa.Count(op))
		}
	}
}
