package address_test

import (
	"fmt"
	"testing"

	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/address"
	"github.com/vop-ptx/vop/run/simt/affine"
	"github.com/vop-ptx/vop/run/simt/listing"
	"github.com/vop-ptx/vop/run/simt/op"
)

// search reads four bytes from anywhere in a turn, as two words, as kernels that search do. Its blocks have 16 threads a row.
const search = `kernel k(rows u64)
b0:
  %1:64 = ld.param.u64 [0]
  %2:32 = and.b32 %tid.x, 3
  %3:32 = mad.lo.u32 %2, 4369, 12816
  %4:32 = add.u32 %tid.x, 3
  jump b1
b1: <- b0 b2, loop b1
  %5:32 = phi b0 %tid.x, b2 %20
  %6:32 = phi b0 %4, b2 %21
  %7:32 = phi b0 %tid.x, b2 %22
  %8:64 = widen.64 %5
  %9:64 = and.b64 %8, 0xfffffffc
  %10:64 = add.u64 %1, %9
  %11:64 = widen.64 %6
  %12:64 = and.b64 %11, 0xfffffffc
  %13:64 = add.u64 %1, %12
  %14:64 = widen.64 %7
  %15:64 = shl.b64 %14, 2
  %16:64 = add.u64 %1, %15
  %17:32 = ld.global.u32 [%10+8]
  %18:32 = ld.global.u32 [%13+8]
  %19:32 = prmt.b32 %17, %18, %3
  %23:32 = ld.global.u32 [%16]
  %24:32 = ld.global.u32 [%1+4]
  %25:32 = ld.global.u32 [%1]
  %20:32 = add.u32 %5, 16
  %21:32 = add.u32 %6, 16
  %22:32 = add.u32 %7, 20
  %26:p = setp.lt.u32 %20, 100
  branch %26, b2, b3
b2: <- b1, loop b1
  jump b1
b3: <- b1
  exit
`

// finder returns a finder for the function.
func finder(t *testing.T, certain bool) *address.Finder {
	t.Helper()
	f, err := listing.Parse(search)
	if err != nil {
		t.Fatal(err)
	}
	shape := [3]int{16, 2, 1}
	uniform := f.Uniform(func(name string) bool { a := affine.Thread(name, shape); return a != nil && a.Uniform() })
	scalar := f.Scalars(uniform, func(*simt.Inst, func([]simt.ID) bool) bool { return true })
	k := &affine.Known{Function: f, Scalar: scalar, Computes: func(op.Op) bool { return true }}
	k.Find(shape, uniform)
	find := &address.Finder{Known: k, Defined: make([]*simt.Inst, len(f.Values))}
	for b := range f.Blocks {
		for n := range f.Blocks[b].Insts {
			for _, d := range f.Blocks[b].Insts[n].Defs {
				find.Defined[d] = &f.Blocks[b].Insts[n]
			}
		}
	}
	k.FindSums(certain)
	return find
}

// TestTogether finds the loads that are apart by constants: the words of a search, and those at one address, but not one whose
// index has another step.
func TestTogether(t *testing.T) {
	for certain, want := range map[bool]string{
		false: "[[8 24] [8 24] none [0 4] [0 4]]",
		true:  "[none none none [0 4] [0 4]]", // each word may have wrapped around
	} {
		f := finder(t, certain)
		all := f.Together()
		var got []string
		for n := range f.Blocks[1].Insts {
			inst := &f.Blocks[1].Insts[n]
			if inst.Kind != simt.Load {
				continue
			}
			if g := all[inst]; g != nil {
				got = append(got, fmt.Sprint([]int64{g.Low, g.High}))
			} else {
				got = append(got, "none")
			}
		}
		if fmt.Sprint(got) != want {
			t.Errorf("certain %v: got %v, want %v", certain, got, want)
		}
	}
}

// TestPairs finds where the bytes of a search are: thread x of a row begins at byte x.
func TestPairs(t *testing.T) {
	f := finder(t, false)
	pairs := f.Pairs(f.Together(), func(*address.Pair) bool { return true })
	if len(pairs) != 2 {
		t.Fatalf("%d loads are of pairs, want 2", len(pairs))
	}
	for load, p := range pairs {
		for lane := range simt.WarpSize {
			for at := range 4 {
				if got, want := p.Bytes[4*lane+at], int64(lane%16+at); got != want {
					t.Fatalf("lane %d: byte %d is at %d, want %d", lane, at, got, want)
				}
			}
		}
		if p.Second.Defs[0] < load.Defs[0] {
			t.Errorf("the second load is that of %%%d, want %%%d", p.Second.Defs[0], load.Defs[0])
		}
	}
}
