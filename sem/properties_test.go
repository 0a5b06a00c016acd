package sem_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

// form draws a form of one of the ops.
func form(t *rapid.T, ops ...isa.Op) isa.Form {
	op := rapid.SampledFrom(ops).Draw(t, "op")
	f := isa.At(op, rapid.Uint64Range(0, isa.Count(op)-1).Draw(t, "number"))
	t.Logf("%v", f)
	return f
}

func operands(t *rapid.T) (a, b, c uint32) {
	word := rapid.OneOf(rapid.Uint32(), rapid.SampledFrom([]uint32{0, 0x7fffffff, 0x80000000, 0x80808080, 0x7f7f7f7f, 0xffffffff}))
	return word.Draw(t, "a"), word.Draw(t, "b"), word.Draw(t, "c")
}

// opsWith returns the ops for which the condition holds.
func opsWith(holds func(isa.Op) bool) (ops []isa.Op) {
	for _, op := range isa.Ops() {
		if holds(op) {
			ops = append(ops, op)
		}
	}
	return ops
}

var (
	simdOps   = opsWith(isa.Op.SIMD)
	scalarOps = opsWith(func(op isa.Op) bool { return !op.SIMD() && op != isa.Vmad })
)

func same(t *rapid.T, what string, got, want uint32) {
	if got != want {
		t.Fatalf("%s: %08x and %08x", what, got, want)
	}
}

func TestCommutes(t *testing.T) {
	ops := opsWith(func(op isa.Op) bool {
		switch op.Kind() {
		case isa.Add, isa.Absdiff, isa.Min, isa.Max, isa.Avrg, isa.Mad:
			return true
		}
		return false
	})
	rapid.Check(t, func(t *rapid.T) {
		f := form(t, ops...)
		a, b, c := operands(t)
		g := f
		g.AType, g.BType = f.BType, f.AType
		g.ASel, g.BSel = f.BSel, f.ASel
		g.ALane, g.BLane = f.BLane, f.ALane
		g.NegA, g.NegB = f.NegB, f.NegA
		if f.Op.SIMD() { // the selectors say what is read from the pair a, b
			same(t, "sources exchanged", sem.Eval(g, a, b, c), sem.Eval(f, a, b, c))
		} else {
			same(t, "sources exchanged", sem.Eval(g, b, a, c), sem.Eval(f, a, b, c))
		}
	})
}

// TestComparisonsAreOpposite: eq and ne, lt and ge, gt and le never agree in a lane.
func TestComparisonsAreOpposite(t *testing.T) {
	opposite := map[isa.Cmp]isa.Cmp{isa.Eq: isa.Ne, isa.Ne: isa.Eq, isa.Lt: isa.Ge, isa.Ge: isa.Lt, isa.Gt: isa.Le, isa.Le: isa.Gt}
	rapid.Check(t, func(t *rapid.T) {
		f := form(t, isa.Vset, isa.Vset2, isa.Vset4)
		f.Second, f.DSel = isa.NoSecond, isa.Word
		f.Mask = isa.FullMask(f.Op)
		ones := map[int]uint32{1: 1, 2: 0x00010001, 4: 0x01010101}[f.Op.Lanes()]
		if !f.Op.SIMD() {
			f.Mask = 0
		}
		a, b, c := operands(t)
		g := f
		g.Cmp = opposite[f.Cmp]
		same(t, "sum of opposites", sem.Eval(f, a, b, c)+sem.Eval(g, a, b, c), ones)
	})
}

// TestAverageRoundsAwayFromZero: the average of negated values is the negated average.
func TestAverageRoundsAwayFromZero(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := form(t, isa.Vavrg2, isa.Vavrg4)
		f.AType, f.BType, f.Second = isa.S32, isa.S32, isa.SecondAdd
		f.Sat = false
		a, b, _ := operands(t)
		// Negation of each lane; the lowest value has none.
		n := f.Op.Lanes()
		negate := func(x uint32) uint32 {
			zero := isa.Form{Op: isa.Vsub4, DType: isa.S32, AType: isa.S32, BType: isa.S32, Mask: 0xf, ALane: 0x7654, BLane: 0x3210, Sat: true}
			if n == 2 {
				zero.Op, zero.Mask, zero.ALane, zero.BLane = isa.Vsub2, 3, 0x32, 0x10
			}
			return sem.Eval(zero, x, 0, 0)
		}
		a, b = negate(a), negate(b) // now without lowest values
		same(t, "average of negations", sem.Eval(f, negate(a), negate(b), 0), -sem.Eval(f, a, b, 0))
	})
}

// TestSaturationKeepsWhatFits: .sat changes a result only if it is out of range,
// and then to the end of the range on its side; a second .sat changes nothing.
func TestSaturationKeepsWhatFits(t *testing.T) {
	ops := opsWith(func(op isa.Op) bool { return op.Kind() != isa.Mad && op.Kind() != isa.Set })
	rapid.Check(t, func(t *rapid.T) {
		f := form(t, ops...)
		f.Sat = true
		if f.Op.SIMD() {
			f.Second = isa.NoSecond
		}
		a, b, c := operands(t)
		for i, lane := range sem.TraceOf(sem.ISA, f, a, b, c).Lanes {
			want := lane.Result
			if lane.Result < lane.Min {
				want = lane.Min
			} else if lane.Result > lane.Max {
				want = lane.Max
			}
			if lane.Saturated != want || lane.Clamped() != (want != lane.Result) {
				t.Errorf("lane %d: %d becomes %d in [%d, %d]", i, lane.Result, lane.Saturated, lane.Min, lane.Max)
			}
		}
		if f.Op.SIMD() || f.Second != isa.NoSecond || f.DSel != isa.Word {
			return
		}
		d := sem.Eval(f, a, b, c)
		again := isa.Form{Op: isa.Vadd, DType: f.DType, AType: f.DType, Sat: true}
		same(t, "saturated twice and once", sem.Eval(again, d, 0, 0), d)
	})
}

// TestLanesMayBePermuted: permuting selectors, mask and c permutes d.
func TestLanesMayBePermuted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := form(t, simdOps...)
		n := f.Op.Lanes()
		order := rapid.Permutation([]int{0, 1, 2, 3}[:n]).Draw(t, "order")
		a, b, c := operands(t)

		permuted := func(x uint32) (y uint32) {
			for to, from := range order {
				y |= x >> (from * 32 / n) << (32 - 32/n) >> (32 - 32/n) << (to * 32 / n)
			}
			return y
		}
		g := f
		g.Mask, g.ALane, g.BLane = 0, 0, 0
		for to, from := range order {
			g.ALane |= isa.Lanes(f.ALane.Lane(from) << (4 * to))
			g.BLane |= isa.Lanes(f.BLane.Lane(from) << (4 * to))
			if f.Mask.Has(from) {
				g.Mask |= 1 << to
			}
		}
		if f.Second == isa.SecondAdd {
			same(t, "sum", sem.Eval(g, a, b, c), sem.Eval(f, a, b, c))
		} else {
			same(t, "lanes", sem.Eval(g, a, b, permuted(c)), permuted(sem.Eval(f, a, b, c)))
		}
	})
}

// TestMaskChoosesLanes: a mask is the merge, or the sum, of its single lanes.
func TestMaskChoosesLanes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := form(t, simdOps...)
		a, b, c := operands(t)
		d := c
		for i := range f.Op.Lanes() {
			if f.Mask.Has(i) {
				lane := f
				lane.Mask = 1 << i
				d = sem.Eval(lane, a, b, d)
			}
		}
		same(t, "lane after lane", d, sem.Eval(f, a, b, c))
	})
}

// TestSecondOperationFollowsTheFirst: op2 is applied to what the plain form gives, as long as
// that is in the range of dtype, which .sat makes sure of.
func TestSecondOperationFollowsTheFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := form(t, scalarOps...)
		f.DSel = isa.Word
		f.Sat = f.Op != isa.Vset
		f.Second = rapid.SampledFrom([]isa.Second{isa.SecondAdd, isa.SecondMin, isa.SecondMax}).Draw(t, "second")
		plain := f
		plain.Second = isa.NoSecond
		a, b, c := operands(t)
		d := sem.Eval(plain, a, b, c)
		var want uint32
		switch {
		case f.Second == isa.SecondAdd:
			want = d + c
		case f.Second == isa.SecondMin && f.DType.Signed():
			want = uint32(min(int32(d), int32(c)))
		case f.Second == isa.SecondMin:
			want = min(d, c)
		case f.DType.Signed():
			want = uint32(max(int32(d), int32(c)))
		default:
			want = max(d, c)
		}
		same(t, "second operation", sem.Eval(f, a, b, c), want)
	})
}

// TestMergeKeepsTheRest: a merge without .sat truncates what the plain form gives.
func TestMergeKeepsTheRest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := form(t, scalarOps...)
		f.Second, f.Sat = isa.NoSecond, false
		f.DSel = rapid.SampledFrom([]isa.Part{isa.B0, isa.B1, isa.B2, isa.B3, isa.H0, isa.H1}).Draw(t, "dsel")
		plain := f
		plain.DSel = isa.Word
		a, b, c := operands(t)
		mask := uint32(1<<f.DSel.Bits()-1) << f.DSel.Shift()
		want := c&^mask | sem.Eval(plain, a, b, c)<<f.DSel.Shift()&mask
		same(t, "merged", sem.Eval(f, a, b, c), want)
	})
}

// TestPlusOne: without .sat and scale, .po adds one.
func TestPlusOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := form(t, isa.Vmad)
		f.NegA, f.NegB, f.NegC, f.PlusOne = false, false, false, true
		f.Sat, f.Scale = false, isa.NoScale
		plain := f
		plain.PlusOne = false
		a, b, c := operands(t)
		same(t, "plus one", sem.Eval(f, a, b, c), sem.Eval(plain, a, b, c)+1)
	})
}

// TestUnreadC: the third operand matters only if [isa.Form.ReadsC] says so.
func TestUnreadC(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := form(t, isa.Ops()...)
		a, b, c := operands(t)
		for _, r := range isa.Readings() {
			if !f.ReadsC() {
				same(t, "with another c", sem.EvalAs(r, f, a, b, ^c), sem.EvalAs(r, f, a, b, c))
			}
		}
	})
}
