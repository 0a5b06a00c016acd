package op_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/simt/op"
)

// columns are the operands of an operation in a number of lanes, by the letters of its shape.
type columns struct {
	words [][]uint32
	wides [][]uint64
	masks []op.Mask
}

// newColumns makes operands of random numbers, of which those at the edges of types are many.
func newColumns(rng *rand.Rand, letters string, lanes int) *columns {
	c := &columns{}
	for range letters {
		words, wides, mask := make([]uint32, lanes), make([]uint64, lanes), make(op.Mask, (lanes+63)/64)
		for i := range lanes {
			x := edge(rng)
			words[i], wides[i] = uint32(x), x
		}
		for i := range mask {
			mask[i] = rng.Uint64()
		}
		c.words, c.wides, c.masks = append(c.words, words), append(c.wides, wides), append(c.masks, mask)
	}
	return c
}

// lane returns the operands of one lane, as Fold takes them.
func (c *columns) lane(letters string, lane int) (args []uint64) {
	for k, letter := range letters {
		switch letter {
		case 'i':
			args = append(args, uint64(c.words[k][lane]))
		case 'l':
			args = append(args, c.wides[k][lane])
		case 'p':
			args = append(args, c.masks[k][lane/64]>>(lane%64)&1)
		}
	}
	return args
}

// apply computes an operation over all lanes, into the columns of operand to, and returns what lanes have
// there. Results of a type that no operand has go to columns of their own.
func (c *columns) apply(o op.Op, to, lanes int) func(lane int) uint64 {
	x, y := c.words, c.wides
	w, l, m := make([]uint32, lanes), make([]uint64, lanes), make(op.Mask, (lanes+63)/64)
	if to >= 0 {
		w, l, m = x[to], y[to], c.masks[to]
	}
	p := c.masks
	switch f := o.Info().Loop.(type) {
	case op.Map1[uint32, uint32]:
		f(w, x[0])
	case op.Map1[uint64, uint64]:
		f(l, y[0])
	case op.Map1[uint32, uint64]:
		f(w, y[0])
	case op.Map1[uint64, uint32]:
		f(l, x[0])
	case op.Map2[uint32, uint32, uint32]:
		f(w, x[0], x[1])
	case op.Map2[uint64, uint64, uint64]:
		f(l, y[0], y[1])
	case op.Map2[uint64, uint64, uint32]:
		f(l, y[0], x[1])
	case op.Map2[uint64, uint32, uint32]:
		f(l, x[0], x[1])
	case op.Map3[uint32, uint32, uint32, uint32]:
		f(w, x[0], x[1], x[2])
	case op.Map3[uint64, uint64, uint64, uint64]:
		f(l, y[0], y[1], y[2])
	case op.Map3[uint64, uint32, uint32, uint64]:
		f(l, x[0], x[1], y[2])
	case op.Map3[uint64, uint64, uint32, uint32]:
		f(l, y[0], x[1], x[2])
	case op.Map3[uint64, uint64, uint64, uint32]:
		f(l, y[0], y[1], x[2])
	case op.Map4[uint32, uint32, uint32, uint32, uint32]:
		f(w, x[0], x[1], x[2], x[3])
	case op.Map4[uint64, uint64, uint64, uint32, uint32]:
		f(l, y[0], y[1], x[2], x[3])
	case op.Test[uint32]:
		f(m, x[0])
	case op.Test[uint64]:
		f(m, y[0])
	case op.Compare[uint32, uint32]:
		f(m, x[0], x[1])
	case op.Compare[uint64, uint64]:
		f(m, y[0], y[1])
	case op.Choose[uint32]:
		f(w, x[0], x[1], p[2])
	case op.Choose[uint64]:
		f(l, y[0], y[1], p[2])
	case op.CarryOut[uint32]:
		f(m, x[0], x[1], p[2])
	case op.CarryOut[uint64]:
		f(m, y[0], y[1], p[2])
	case op.Logic1:
		for i := range m {
			m[i] = f(p[0][i])
		}
	case op.Logic2:
		for i := range m {
			m[i] = f(p[0][i], p[1][i])
		}
	case op.Logic3:
		for i := range m {
			m[i] = f(p[0][i], p[1][i], p[2][i])
		}
	default:
		panic(fmt.Sprintf("no such loop: %T", f))
	}
	switch o.Shape()[0] {
	case 'i':
		return func(lane int) uint64 { return uint64(w[lane]) }
	case 'l':
		return func(lane int) uint64 { return l[lane] }
	}
	return func(lane int) uint64 { return m[lane/64] >> (lane % 64) & 1 }
}

// TestLoops computes every operation over lanes, and each lane by itself as Fold does. What a lane gets
// does not depend on how many there are, nor on whether the result is in the place of an operand.
func TestLoops(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for o := op.Op(1); o < op.All(); o++ {
		letters := o.Shape()[2:]
		for _, lanes := range []int{1, 32, 33, 64, 100} {
			for to := -1; to < len(letters); to++ {
				if to >= 0 && (letters[to] != o.Shape()[0] || letters[to] == 'p' && strings.Trim(letters, "p") != "") {
					continue
				}
				c := newColumns(rng, letters, lanes)
				var want []uint64
				for lane := range lanes {
					want = append(want, op.Fold(o, c.lane(letters, lane)...))
				}
				args := func(lane int) []uint64 { return c.lane(letters, lane) }
				if to >= 0 { // it is overwritten
					args = func(int) []uint64 { return nil }
				}
				got := c.apply(o, to, lanes)
				for lane := range lanes {
					if got(lane) != want[lane] {
						t.Fatalf("%v, lane %d of %d, result in place of operand %d: %#x, want %#x %#x", o, lane, lanes, to, got(lane), want[lane], args(lane))
					}
				}
			}
		}
	}
}

// narrow are the types whose values are narrower than a word, and their bits.
var narrow = map[string]int{"u8": 8, "s8": 8, "b8": 8, "u16": 16, "s16": 16, "b16": 16, "f16": 16}

// TestUpperBits gives operations on narrow types operands with something above their bits: the bits of the
// result do not depend on it.
func TestUpperBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	tried := 0
	for o := op.Op(1); o < op.All(); o++ {
		parts := strings.Split(o.String(), ".")
		if parts[0] == "word" || strings.HasPrefix(o.String(), "cvt.pack") {
			continue // lanes of words, and operands of 32 bits
		}
		var types []string
		for _, p := range parts[1:] {
			if _, err := strconv.Atoi(strings.TrimLeft(p, "busf")); err == nil && strings.Contains("busf", p[:1]) {
				types = append(types, p)
			}
		}
		if len(types) == 0 || narrow[types[len(types)-1]] == 0 || o.Shape()[0] != 'p' && strings.HasPrefix(o.String(), "set") {
			continue
		}
		tried++
		from, to := narrow[types[len(types)-1]], 64
		if width := narrow[types[0]]; width != 0 && parts[1] != "wide" && !strings.HasPrefix(o.String(), "mad.wide") {
			to = width
		}
		letters := o.Shape()[2:]
		mask := ^uint64(0) >> (64 - to)
		for range 300 {
			args := newColumns(rng, letters, 1).lane(letters, 0)
			changed := make([]uint64, len(args))
			for k := range args {
				changed[k] = args[k]
				if isAmount := k == 1 && (parts[0] == "shl" || parts[0] == "shr"); letters[k] == 'i' && !isAmount && !(parts[1] == "wide" && k == 2) {
					changed[k] = uint64(uint32(args[k]&(1<<from-1) | rng.Uint64()<<from))
				}
			}
			if a, b := op.Fold(o, args...)&mask, op.Fold(o, changed...)&mask; a != b {
				t.Errorf("%v of %#x is %#x, and of %#x, the same in the lower %d bits, %#x", o, args, a, changed, from, b)
				break
			}
		}
	}
	if tried < 150 {
		t.Errorf("only %d operations are on narrow types", tried)
	}
}
