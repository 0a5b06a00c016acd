package affine_test

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/affine"
	"github.com/vop-ptx/vop/run/simt/op"
)

// numbers computes scalars as numbers, and notes whether a sum of words has wrapped around.
type numbers struct{ wrapped bool }

func cut(x uint64, wide bool) uint64 {
	if wide {
		return x
	}
	return uint64(uint32(x))
}

func (e *numbers) Number(n uint64) uint64                          { return n }
func (e *numbers) AddNumber(x uint64, n int64, wide bool) uint64   { return cut(x+uint64(n), wide) }
func (e *numbers) Add(x, y uint64, wide bool) uint64               { return cut(x+y, wide) }
func (e *numbers) TimesNumber(x uint64, n int64, wide bool) uint64 { return cut(x*uint64(n), wide) }
func (e *numbers) Multiply(x, y uint64, wide bool) uint64          { return cut(x*y, wide) }
func (e *numbers) ShiftRight(x uint64, n int) uint64               { return uint64(uint32(x) >> n) }
func (e *numbers) ZeroExtend(x uint64) uint64                      { return x }
func (e *numbers) SignExtend(x uint64) uint64                      { return uint64(int32(x)) }
func (e *numbers) Low(x uint64) uint64                             { return uint64(uint32(x)) }
func (e *numbers) CheckWrap(x uint64, low, high int64, signed bool) {
	for _, n := range []int64{low, high} {
		sum := x + uint64(n)
		word := uint64(uint32(sum))
		if signed {
			word = uint64(int32(sum))
		}
		e.wrapped = e.wrapped || word != sum
	}
}

func (e *numbers) Bitwise(o affine.Bitwise, x uint64, n uint32) uint64 {
	switch o {
	case affine.And:
		return x & uint64(n)
	case affine.Or:
		return x | uint64(n)
	}
	return x ^ uint64(n)
}

// lanesOf returns what a term is in each lane.
func lanesOf(t affine.Term[uint64], wide bool) (x [simt.WarpSize]uint64) {
	for l := range x {
		if !t.None {
			x[l] = t.S[l/(simt.WarpSize/2)]
		}
		x[l] = cut(x[l]+uint64(t.C[l]), wide)
	}
	return x
}

// randomTerm returns a term of which is known what is true.
func randomTerm(rng *rand.Rand, wide bool) (t affine.Term[uint64]) {
	patterns := []func(l int) int64{
		func(int) int64 { return 0 },
		func(int) int64 { return int64(rng.IntN(3)) - 1 },
		func(l int) int64 { return int64(l) },
		func(l int) int64 { return int64(4*l - 60) },
		func(l int) int64 { return int64(l % 8) },
		func(l int) int64 { return int64(l / 16) },
		func(l int) int64 { return int64(l/16*100 - 7) },
	}
	p := patterns[rng.IntN(len(patterns))]
	one := int64(rng.IntN(1<<rng.IntN(31))) - int64(rng.IntN(2))
	constant := rng.IntN(3) == 0
	for l := range t.C {
		if t.C[l] = p(l); constant {
			t.C[l] = one
		}
	}
	t.Limit = -1
	if t.None = constant && rng.IntN(2) == 0 || rng.IntN(6) == 0; t.None {
		t.Zeros = 64
		return t
	}
	t.Split = rng.IntN(3) == 0
	t.Zeros = rng.IntN(8)
	for h := range t.S {
		s := rng.Uint64()
		switch rng.IntN(3) {
		case 0:
			s >>= 33 + rng.IntN(31)
		case 1:
			s = []uint64{0, 1 << 31, math.MaxUint32, 1<<31 - 1, 1 << 30}[rng.IntN(5)]
		}
		t.S[h] = cut(s, wide) >> t.Zeros << t.Zeros
	}
	if !t.Split {
		t.S[1] = t.S[0]
	}
	if most := max(t.S[0], t.S[1]); most <= math.MaxInt32 && rng.IntN(2) == 0 {
		t.Limit = int64(most) + int64(rng.IntN(2))
	}
	if t.Limit > math.MaxInt32 {
		t.Limit = -1
	}
	return t
}

// compute applies an operation to the lanes.
func compute(t *testing.T, o op.Op, x [][simt.WarpSize]uint64) (d [simt.WarpSize]uint64) {
	t.Helper()
	words := func(k int) []uint32 {
		w := make([]uint32, simt.WarpSize)
		for l := range w {
			w[l] = uint32(x[k][l])
		}
		return w
	}
	wides := func(k int) []uint64 { return x[k][:] }
	w, q := make([]uint32, simt.WarpSize), make([]uint64, simt.WarpSize)
	switch loop := o.Info().Loop.(type) {
	case op.Map1[uint32, uint32]:
		loop(w, words(0))
	case op.Map2[uint32, uint32, uint32]:
		loop(w, words(0), words(1))
	case op.Map3[uint32, uint32, uint32, uint32]:
		loop(w, words(0), words(1), words(2))
	case op.Map1[uint64, uint64]:
		loop(q, wides(0))
	case op.Map2[uint64, uint64, uint64]:
		loop(q, wides(0), wides(1))
	case op.Map3[uint64, uint64, uint64, uint64]:
		loop(q, wides(0), wides(1), wides(2))
	case op.Map1[uint64, uint32]:
		loop(q, words(0))
	case op.Map2[uint64, uint32, uint32]:
		loop(q, words(0), words(1))
	case op.Map3[uint64, uint32, uint32, uint64]:
		loop(q, words(0), words(1), wides(2))
	case op.Map1[uint32, uint64]:
		loop(w, wides(0))
	case op.Map2[uint64, uint64, uint32]:
		loop(q, wides(0), words(1))
	default:
		t.Fatalf("%v has a loop of another kind, %T", o, loop)
	}
	for l := range d {
		d[l] = q[l] | uint64(w[l])
	}
	return d
}

// ruled are the operations that there are rules for.
const ruled = `add.u32 add.s32 add.u64 add.s64 sub.u32 sub.s32 sub.u64 sub.s64 neg.s32 neg.s64
	mul.lo.u32 mul.lo.s32 mul.lo.u64 mul.lo.s64 mad.lo.u32 mad.lo.s32 mad.lo.u64 mad.lo.s64
	mul.wide.u32 mul.wide.s32 mad.wide.u32 mad.wide.s32 widen.64 cvt.u64.u32 cvt.s64.s32 cvt.u64.s32
	narrow.32 cvt.u32.u64 cvt.s32.s64 mov.32 mov.64 shl.b32 shl.b64 shr.u32 shr.s32 and.b32 and.b64 or.b32 xor.b32`

// TestRules holds every rule against the operation, lane by lane, and what it claims against the numbers.
func TestRules(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, name := range strings.Fields(ruled) {
		o, applied := op.Must(name), 0
		shape := o.Shape()
		for range 20000 {
			var x []affine.Term[uint64]
			var lanes [][simt.WarpSize]uint64
			for _, letter := range shape[2:] {
				wide := letter == 'l'
				term := randomTerm(rng, wide)
				all := lanesOf(term, wide)
				term.Word = wide && !anyAbove(all) && rng.IntN(2) == 0
				x, lanes = append(x, term), append(lanes, all)
			}
			if strings.HasPrefix(name, "sh") && rng.IntN(2) == 0 { // by so many that there is a rule
				x[1] = affine.Term[uint64]{Value: affine.Value{None: true, Zeros: 64, Limit: -1}}
				n := int64(rng.IntN(8))
				for l := range x[1].C {
					x[1].C[l] = n
				}
				lanes[1] = lanesOf(x[1], false)
			}
			wide := shape[0] == 'l'
			e := &numbers{}
			r := affine.Rules[uint64]{Emit: e, Wide: wide, Careful: rng.IntN(4) == 0}
			d, ok := r.Apply(name, x)
			silent := affine.Rules[uint64]{Wide: wide, Careful: r.Careful}
			known, alsoOK := silent.Apply(name, x)
			if ok != alsoOK || ok && known.Value != d.Value {
				t.Fatalf("%s: with scalars %v %+v, without %v %+v", name, ok, d.Value, alsoOK, known.Value)
			}
			if !ok || e.wrapped {
				if e.wrapped && r.Careful {
					t.Fatalf("%s: careful rules look whether sums wrap around", name)
				}
				continue
			}
			applied++
			if err := holds(d, compute(t, o, lanes), wide); err != nil {
				t.Fatalf("%s of %+v: %v\n%+v", name, x, err, d)
			}
		}
		if applied < 500 {
			t.Errorf("%s: the rule was applied %d times", name, applied)
		}
	}
}

func anyAbove(x [simt.WarpSize]uint64) bool {
	for _, v := range x {
		if v>>32 != 0 {
			return true
		}
	}
	return false
}

// holds says what of a term is not true.
func holds(d affine.Term[uint64], want [simt.WarpSize]uint64, wide bool) error {
	if got := lanesOf(d, wide); got != want {
		return fmt.Errorf("is %x, want %x", got, want)
	}
	if d.Word && wide && anyAbove(want) {
		return fmt.Errorf("is no word: %x", want)
	}
	if d.None {
		return nil
	}
	for _, s := range d.S {
		s = cut(s, wide)
		switch {
		case s != 0 && bits.TrailingZeros64(s) < d.Zeros:
			return fmt.Errorf("scalar %x has not %d zeros", s, d.Zeros)
		case d.Limit >= 0 && s > uint64(d.Limit):
			return fmt.Errorf("scalar %x is above %x", s, d.Limit)
		case !d.Split && d.S[0] != d.S[1]:
			return fmt.Errorf("scalars %x differ", d.S)
		}
	}
	return nil
}
