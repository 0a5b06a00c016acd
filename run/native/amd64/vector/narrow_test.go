package vector_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/vector"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// narrowFormat is f16 or bf16: how many digits follow the first, and the exponents of the least and of the largest numbers.
type narrowFormat struct {
	name                   string
	digits, least, largest int
}

var narrowFormats = []narrowFormat{{"f16", 10, -24, 15}, {"bf16", 7, -133, 127}}

// encode rounds to the format.
func (f narrowFormat) encode(x float64) uint32 {
	return uint32(op.Fold(op.Must("cvt.rn."+f.name+".f64"), math.Float64bits(x)))
}

func (f narrowFormat) decode(x uint32) float32 {
	return math.Float32frombits(uint32(op.Fold(op.Must("cvt.f32."+f.name), uint64(x))))
}

// number draws one with an exponent of about so much.
func (f narrowFormat) number(rng *rand.Rand, exponent int) float64 {
	x := math.Ldexp(1+rng.Float64(), min(max(exponent, f.least), f.largest))
	if rng.IntN(2) == 0 {
		x = -x
	}
	return float64(f.decode(f.encode(x)))
}

// exponent draws the exponent of some number.
func (f narrowFormat) exponent(rng *rand.Rand) int { return f.least + rng.IntN(f.largest-f.least+1) }

// narrowCase are operands of an operation on numbers of 16 bits.
type narrowCase [3]uint32

// narrowChecker computes operations with the code of a level, and compares with their loops. What it is given it gathers until
// there is enough for a warp.
type narrowChecker struct {
	t      *testing.T
	o      op.Op
	w      *warp
	args   []simt.ID
	result simt.ID
	wide   bool
	cases  []narrowCase
	failed bool
}

// newNarrowChecker returns a checker, or nil if there is no code for an operation.
func newNarrowChecker(t *testing.T, l amd64.Level, name string) *narrowChecker {
	t.Helper()
	o := op.Must(name)
	if !vector.Selected(l, o) {
		return nil
	}
	f, args, result := oneOperation(o, nil)
	w, err := newWarp(t, f, amd64.Options{Level: l})
	if err != nil {
		t.Fatal(err)
	}
	return &narrowChecker{t: t, o: o, w: w, args: args, result: result, wide: strings.HasSuffix(name, "x2")}
}

func (c *narrowChecker) check(x narrowCase) {
	c.cases = append(c.cases, x)
	if len(c.cases) == 2*vector.WarpLanes {
		c.finish()
	}
}

// finish computes what has been gathered. The upper half of a word is the next case; an operation on one number must not look at it.
func (c *narrowChecker) finish() {
	if len(c.cases) == 0 || c.failed {
		return
	}
	var values [vector.WarpLanes][]uint64
	for turn := range 2 {
		for lane := range values {
			low, high := c.cases[(2*lane+turn)%len(c.cases)], c.cases[(2*lane+turn^1)%len(c.cases)]
			values[lane] = nil
			for k, id := range c.args {
				x := uint64(low[k] | high[k]<<16)
				values[lane] = append(values[lane], x)
				c.w.set(id, lane, x)
			}
		}
		c.w.run()
		for lane, x := range values {
			if got, want := c.w.get(c.result, lane), op.Fold(c.o, x...); (got^want)&significant(c.o) != 0 {
				c.t.Errorf("%v of %x: %x, want %x", c.o, x, got, want)
				c.failed = true
				return
			}
		}
		if c.wide {
			break
		}
	}
	c.cases = c.cases[:0]
}

// eachNarrow calls f with the operations of the formats that have so many operands, on every level.
func eachNarrow(t *testing.T, operands int, f func(t *testing.T, format narrowFormat, c *narrowChecker)) {
	eachLevel(t, func(t *testing.T, l amd64.Level) {
		checked := 0
		for _, format := range narrowFormats {
			for o := op.Op(1); o < op.All(); o++ {
				name := o.String()
				of := strings.HasSuffix(name, "."+format.name) || strings.HasSuffix(name, "."+format.name+"x2")
				if !of || o.Shape() != "i:"+strings.Repeat("i", operands) || !strings.Contains(name, *onlyFlag) {
					continue
				}
				if c := newNarrowChecker(t, l, name); c != nil {
					f(t, format, c)
					c.finish()
					checked++
				}
			}
		}
		if checked == 0 && *onlyFlag == "" {
			t.Errorf("there is no operation of %d operands", operands)
		}
	})
}

// edges are the numbers at which something changes, with both signs.
func (f narrowFormat) edges() (all []uint32) {
	one, infinity := f.encode(1), f.encode(math.Inf(1))
	normal := uint32(1) << f.digits
	for _, x := range []uint32{
		0, 1, 2, 3, normal/2 - 1, normal / 2, normal - 1, normal, normal + 1, 2*normal - 1, 2 * normal, one / 2, one - normal, one - normal + 1, one - 2, one - 1, one, one + 1,
		one + 2, one + normal - 1, one + normal, one + normal + 1, infinity - normal, infinity - 2, infinity - 1, infinity, infinity + 1, infinity | normal/2, 0x7ff6, 0x7ff7, 0x7ff8, 0x7fff,
	} {
		all = append(all, x, x|0x8000)
	}
	return all
}

// TestNarrowNumbers computes the operations on one number of 16 bits with all numbers.
func TestNarrowNumbers(t *testing.T) {
	eachNarrow(t, 1, func(t *testing.T, f narrowFormat, c *narrowChecker) {
		for x := range uint32(1 << 16) {
			c.check(narrowCase{x})
		}
	})
}

// TestRoundedToNarrow converts to numbers of 16 bits, and to tf32, what lies at them, in the middle of two, and beside both.
func TestRoundedToNarrow(t *testing.T) {
	eachLevel(t, func(t *testing.T, l amd64.Level) {
		for _, f := range append(narrowFormats, narrowFormat{"tf32", 10, -136, 127}) {
			for o := op.Op(1); o < op.All(); o++ {
				name := o.String()
				if !strings.HasPrefix(name, "cvt.r") || !strings.Contains(name, "."+f.name+".") || len(o.Shape()) != 3 || !vector.Selected(l, o) ||
					!strings.Contains(name, *onlyFlag) {
					continue
				}
				rng := rand.New(rand.NewPCG(3, uint64(o)))
				draw := func() uint64 { return f.integerBetween(rng) }
				switch {
				case strings.HasSuffix(name, ".f32"):
					draw = func() uint64 { return uint64(f.singleBetween(rng)) }
				case strings.HasSuffix(name, ".f64"):
					draw = func() uint64 {
						x := f.singleBetween(rng)
						return math.Float64bits(float64(math.Float32frombits(x))) + uint64(rng.IntN(3)) - 1
					}
				}
				testDrawn(t, l, o, long.Of(20_000, 1000), draw)
			}
		}
	})
}

// testDrawn computes an operation of one operand for warps, of which it draws the operands.
func testDrawn(t *testing.T, l amd64.Level, o op.Op, warps int, draw func() uint64) {
	t.Helper()
	f, args, result := oneOperation(o, nil)
	w, err := newWarp(t, f, amd64.Options{Level: l})
	if err != nil {
		t.Fatal(err)
	}
	for range warps {
		var values [vector.WarpLanes]uint64
		for lane := range values {
			if values[lane] = draw(); o.Shape()[2] == 'i' {
				values[lane] &= 1<<32 - 1
			}
			w.set(args[0], lane, values[lane])
		}
		w.run()
		for lane, x := range values {
			if got, want := w.get(result, lane), op.Fold(o, x); (got^want)&significant(o) != 0 {
				t.Errorf("%v of %x: %x, want %x", o, x, got, want)
				return
			}
		}
	}
}

// singleBetween draws an f32 at a number of the format, in the middle of two, or beside these.
func (f narrowFormat) singleBetween(rng *rand.Rand) uint32 {
	exponent := f.least - 3 + rng.IntN(f.largest-f.least+6)
	places := max(min(exponent-f.least, f.digits), 0) // behind the first digit
	first := uint32(exponent+127) << 23
	if exponent < -126 { // a subnormal f32, of which bf16 has the first places
		places, first = f.digits, 0
	}
	rest := 23 - places
	x := first + rng.Uint32N(1<<places)<<rest + []uint32{0, 1, 1<<rest/2 - 1, 1 << rest / 2, 1<<rest/2 + 1, 1<<rest - 1}[rng.IntN(6)]
	switch rng.IntN(16) {
	case 0:
		x = rng.Uint32()
	case 1: // a subnormal f32, in all places
		x = rng.Uint32N(1<<23) >> rng.IntN(24)
	case 2: // an infinity, and NaNs
		x = 0x7f800000 | 1<<rng.IntN(23) | 1<<rng.IntN(23)
		x &^= -rng.Uint32N(2) & 0x7fffff
	}
	return x ^ rng.Uint32N(2)<<31
}

// integerBetween does so for an integer.
func (f narrowFormat) integerBetween(rng *rand.Rand) uint64 {
	bits := 1 + rng.IntN(64)
	x := rng.Uint64() >> (64 - bits)
	if rest := bits - f.digits - 1; rest > 0 {
		middle := uint64(1) << rest / 2
		x = x>>rest<<rest + []uint64{0, 1, middle - 1, middle, middle + 1, 2*middle - 1}[rng.IntN(6)]
	}
	if rng.IntN(2) == 0 {
		return -x
	}
	return x
}

// TestNarrowPairs computes the operations on two numbers of 16 bits with all numbers as the one operand, and edges and some others as
// the other.
func TestNarrowPairs(t *testing.T) {
	step := uint32(long.Of(11, 257))
	eachNarrow(t, 2, func(t *testing.T, f narrowFormat, c *narrowChecker) {
		rng := rand.New(rand.NewPCG(1, uint64(c.o)))
		edges := f.edges()
		for x := rng.Uint32N(step); x < 1<<16; x += step {
			for _, y := range edges {
				c.check(narrowCase{x, y})
				c.check(narrowCase{y, x})
			}
			for range 20 {
				c.check(narrowCase{x, rng.Uint32N(1 << 16)})
				c.check(narrowCase{x, (x + rng.Uint32N(1<<13) - 1<<12) & 0xffff})
			}
		}
		for _, x := range edges {
			for _, y := range edges {
				c.check(narrowCase{x, y})
			}
		}
	})
}

// TestNarrowTriples computes the operations on three numbers of 16 bits with all edges, and those for which some number is out of
// bounds with all numbers as the one and as the other factor.
func TestNarrowTriples(t *testing.T) {
	eachNarrow(t, 3, func(t *testing.T, f narrowFormat, c *narrowChecker) {
		edges := f.edges()
		rng := rand.New(rand.NewPCG(2, uint64(c.o)))
		for _, x := range edges {
			for _, y := range edges {
				for _, z := range edges {
					if long.Tests() || rng.IntN(8) == 0 {
						c.check(narrowCase{x, y, z})
					}
				}
				c.check(narrowCase{x, y, rng.Uint32N(1 << 16)})
				c.check(narrowCase{x, rng.Uint32N(1 << 16), y})
			}
		}
		if strings.Contains(c.o.String(), ".oob") {
			for x := range uint32(1 << 16) {
				c.check(narrowCase{x, f.encode(1), 0})
				c.check(narrowCase{f.encode(1), x, 0})
			}
		}
	})
}

// TestProductsOfBrains computes all products of bf16 that are small: of all first digits, down to where they are nothing.
func TestProductsOfBrains(t *testing.T) {
	step := long.Of(1, 17)
	eachNarrow(t, 2, func(t *testing.T, f narrowFormat, c *narrowChecker) {
		if !strings.HasPrefix(c.o.String(), "mul.bf16") {
			return
		}
		n := 0
		for x := range 256 {
			for y := range 256 {
				for exponent := -168; exponent < -120; exponent++ {
					if n++; n%step == 0 {
						c.check(narrowCase{f.encode(math.Ldexp(float64(x), -80)), f.encode(-math.Ldexp(float64(y), exponent+80))})
					}
				}
			}
		}
	})
}

// TestFusedNarrow computes fused products that are near to the middle of two numbers. Some of them are not what two roundings make
// of them, else the operands tell nothing.
func TestFusedNarrow(t *testing.T) {
	eachNarrow(t, 3, func(t *testing.T, f narrowFormat, c *narrowChecker) {
		rng := rand.New(rand.NewPCG(5, uint64(c.o)))
		twice := 0
		for range long.Of(200_000, 20_000) {
			x, y, z := f.nearMiddle(rng)
			operands := narrowCase{f.encode(x), f.encode(y), f.encode(z)}
			c.check(operands)
			if c.o.String() == "fma."+f.name {
				single := op.Fold(op.Must("fma.rn.f32"), bits32(f.decode(operands[0])), bits32(f.decode(operands[1])), bits32(f.decode(operands[2])))
				if op.Fold(op.Must("cvt.rn."+f.name+".f32"), single) != op.Fold(c.o, uint64(operands[0]), uint64(operands[1]), uint64(operands[2])) {
					twice++
				}
			}
		}
		if c.o.String() == "fma."+f.name && twice < 100 {
			t.Errorf("%v: %d sums are rounded otherwise in two steps: the operands tell nothing", c.o, twice)
		}
	})
}

func bits32(x float32) uint64 { return uint64(math.Float32bits(x)) }

// nearMiddle draws the operands of a fused product.
func (f narrowFormat) nearMiddle(rng *rand.Rand) (x, y, z float64) {
	exact := func(x float64) float64 { return float64(f.decode(f.encode(x))) }
	switch rng.IntN(4) {
	case 0: // the product is a middle, and the sum is little more or less
		for {
			a := 2*rng.IntN(1<<f.digits) + 1
			b := (1<<(f.digits+1)+rng.IntN(1<<(f.digits+1)))/a | 1
			if a*b>>(f.digits+1) == 1 {
				at := f.exponent(rng) - f.digits
				x = exact(math.Ldexp(float64(a), at/2))
				y = exact(math.Ldexp(float64(b), at-at/2))
				return x, y, f.number(rng, at-rng.IntN(40))
			}
		}
	case 1, 2: // the product is half of the last place of z, or little more or less, or a few of those
		at := f.exponent(rng)
		z = f.number(rng, at)
		half := math.Ldexp(float64(2*rng.IntN(4)+1), max(at-f.digits, f.least)-1)
		x = f.number(rng, (at-f.digits)/2-rng.IntN(9)+4)
		y = exact(half / x)
		y = float64(f.decode((f.encode(y) + uint32(rng.IntN(3)) - 1) & 0xffff))
		return x, y, z
	}
	at := f.exponent(rng)
	x = f.number(rng, at)
	y = f.number(rng, f.exponent(rng)-at)
	return x, y, exact(-x * y * (1 + rng.NormFloat64()/64))
}
