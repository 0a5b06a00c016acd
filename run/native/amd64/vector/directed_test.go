package vector_test

import (
	"math"
	"math/rand/v2"
	"regexp"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/vector"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// floatSize is f32 or f64: how many digits follow the first, and the largest exponent.
type floatSize struct {
	bits, digits, largest int
}

var floatSizes = map[string]floatSize{"f32": {32, 23, 127}, "f64": {64, 52, 1023}}

func (f floatSize) encode(x float64) uint64 {
	if f.bits == 32 {
		return bits32(float32(x))
	}
	return math.Float64bits(x)
}

func (f floatSize) decode(x uint64) float64 {
	if f.bits == 32 {
		return float64(math.Float32frombits(uint32(x)))
	}
	return math.Float64frombits(x)
}

func (f floatSize) round(x float64) float64 { return f.decode(f.encode(x)) }

// edges are the numbers at which something changes, with both signs.
func (f floatSize) edges() (all []uint64) {
	normal := uint64(1) << f.digits
	power := func(exponent int) uint64 { return uint64(exponent+f.largest) << f.digits }
	infinity, one := power(f.largest+1), power(0)
	for _, x := range []uint64{
		0, 1, 2, 3, normal / 2, normal - 1, normal, normal + 1, 2*normal - 1, 2 * normal,
		one - 1, one, one + 1, one + 2, one + normal/2, power(1), power(1) + normal/2,
		power(-f.digits - 1), power(-f.digits-1) + 1, power(-f.digits-1) - 1, power(-f.digits), power(f.digits), power(f.digits + 1),
		power(1 - f.largest/2), power(-f.largest/2 - f.digits), power(f.largest/2) + 1,
		power(f.largest - f.digits - 2), power(f.largest - f.digits - 1), power(f.largest-f.digits-1) - 1, power(f.largest-f.digits-1) + 1,
		power(f.largest - f.digits), power(f.largest-f.digits) + normal/2, power(f.largest), infinity - 2, infinity - 1,
		infinity, infinity + 1, infinity + normal/2, infinity + normal - 1,
	} {
		all = append(all, x, x|1<<(f.bits-1))
	}
	return all
}

// number draws a number with an exponent of about so much. Some have few digits, or digits nearly all of which are ones.
func (f floatSize) number(rng *rand.Rand, exponent int) float64 {
	x := 1 + rng.Float64()
	switch rng.IntN(4) {
	case 0:
		x = float64(rng.IntN(16) + 1)
	case 1:
		x = 2 - math.Ldexp(float64(rng.IntN(8)), -f.digits)
	}
	if rng.IntN(2) == 0 {
		x = -x
	}
	return f.round(math.Ldexp(x, exponent))
}

// any draws an exponent of some number, and now and then one near to where numbers end.
func (f floatSize) any(rng *rand.Rand) int {
	least := 1 - f.largest - f.digits
	switch rng.IntN(4) {
	case 0:
		return least - 2 + rng.IntN(f.digits+6)
	case 1:
		return f.largest - rng.IntN(4)
	}
	return least + rng.IntN(f.largest-least+1)
}

// beside is a number a few places from x.
func (f floatSize) beside(rng *rand.Rand, x float64) uint64 {
	return (f.encode(x) + uint64(rng.IntN(5)) - 2) & (1<<f.bits - 1)
}

// operands draws such operands of an operation that the result is near to a number.
func (f floatSize) operands(rng *rand.Rand, name string) []uint64 {
	at := f.any(rng)
	m := f.number(rng, at)
	near := f.number(rng, at+rng.IntN(6*f.digits)-3*f.digits)
	other := f.number(rng, f.any(rng))
	if rng.IntN(2) == 0 {
		other = f.number(rng, at/2+rng.IntN(8))
	}
	switch name {
	case "add":
		return []uint64{f.encode(near), f.beside(rng, m-near)}
	case "sub":
		return []uint64{f.encode(near), f.beside(rng, near-m)}
	case "mul":
		return []uint64{f.encode(other), f.beside(rng, m/other)}
	case "div":
		return []uint64{f.beside(rng, m*other), f.encode(other)}
	case "rcp":
		return []uint64{f.beside(rng, 1/m)}
	case "sqrt":
		return []uint64{f.beside(rng, m*m)}
	}
	// A fused product near to m without the addend, or with it, or of which nothing remains, or that has nothing to do with the addend.
	factor := f.round(m / other)
	switch rng.IntN(4) {
	case 2:
		return []uint64{f.encode(other), f.encode(factor), f.encode(f.number(rng, f.any(rng)))}
	case 0:
		return []uint64{f.encode(other), f.encode(factor), f.encode(math.Ldexp(near, -f.digits))}
	case 1:
		factor = f.round(near / other)
		return []uint64{f.encode(other), f.encode(factor), f.beside(rng, m-other*factor)}
	}
	return []uint64{f.encode(other), f.encode(factor), f.beside(rng, -other*factor)}
}

// floatChecker computes an operation with the code of a level, and compares with its loop.
type floatChecker struct {
	t      *testing.T
	o      op.Op
	w      *warp
	args   []simt.ID
	result simt.ID
	cases  [][]uint64
}

func (c *floatChecker) check(x []uint64) {
	if c.cases = append(c.cases, x); len(c.cases) == vector.WarpLanes {
		c.finish()
	}
}

// finish computes what has been gathered.
func (c *floatChecker) finish() {
	for lane, x := range c.cases {
		for k, id := range c.args {
			c.w.set(id, lane, x[k])
		}
	}
	c.w.run()
	for lane, x := range c.cases {
		if got, want := c.w.get(c.result, lane), op.Fold(c.o, x...); got != want && !c.t.Failed() {
			c.t.Errorf("%v of %x: %x, want %x", c.o, x, got, want)
		}
	}
	c.cases = c.cases[:0]
}

var roundedName = regexp.MustCompile(`^(add|sub|mul|fma|div|rcp|sqrt)\.r[nmpz](\.ftz)?(\.sat)?\.(f32|f64)$`)

// TestRoundedArithmetic computes the arithmetic of floats with every rounding, on all edges and on operands whose results are near to
// numbers, also where numbers end.
func TestRoundedArithmetic(t *testing.T) {
	eachLevel(t, func(t *testing.T, l amd64.Level) {
		for o := op.Op(1); o < op.All(); o++ {
			parts := roundedName.FindStringSubmatch(o.String())
			if parts == nil || !vector.Selected(l, o) {
				continue
			}
			t.Run(o.String(), func(t *testing.T) {
				f, args, result := oneOperation(o, nil)
				w, err := newWarp(t, f, amd64.Options{Level: l})
				if err != nil {
					t.Fatal(err)
				}
				c := &floatChecker{t: t, o: o, w: w, args: args, result: result}
				testRounded(c, parts[1], floatSizes[parts[4]])
				if vector.AllowsFlushing(o) {
					if c.w, err = newFlushingWarp(t, f, amd64.Options{Level: l}); err != nil {
						t.Fatal(err)
					}
					testRounded(c, parts[1], floatSizes[parts[4]])
				}
			})
		}
	})
}

func testRounded(c *floatChecker, name string, f floatSize) {
	rng := rand.New(rand.NewPCG(7, uint64(c.o)))
	edges, part := f.edges(), 1
	if len(c.args) == 3 {
		part = long.Of(1, 16)
	}
	cases := make([]uint64, len(c.args))
	var cross func(k int)
	cross = func(k int) {
		if k == len(cases) {
			if rng.IntN(part) == 0 {
				c.check(append([]uint64(nil), cases...))
			}
			return
		}
		for _, cases[k] = range edges {
			cross(k + 1)
		}
	}
	cross(0)
	mode := c.o.String()[len(name)+1:][:2]
	plainSum := mode != "rn" && f.bits == 32 && (name == "add" || name == "sub" || name == "fma") && c.o.String() == name+"."+mode+".f32"
	twice, draws := 0, long.Of(120_000, 20_000)/(f.bits/32*f.bits/32)
	for range draws {
		x := f.operands(rng, name)
		c.check(x)
		if plainSum && twiceRounded(name, mode, x)&^(1<<31) != op.Fold(c.o, x...)&^(1<<31) {
			twice++
		}
	}
	c.finish()
	if plainSum && twice < draws/100 {
		c.t.Errorf("%d of %d sums are rounded otherwise in two steps: the operands tell nothing", twice, draws)
	}
}

// twiceRounded is a sum of f32 rounded to f64 and then in a mode, which is not always the right way to do it.
func twiceRounded(name, mode string, x []uint64) uint64 {
	var y [3]float64
	for k := range x {
		y[k] = floatSizes["f32"].decode(x[k])
	}
	sum := y[0] + y[1]
	switch name {
	case "sub":
		sum = y[0] - y[1]
	case "fma":
		sum = y[0]*y[1] + y[2]
	}
	return op.Fold(op.Must("cvt."+mode+".f32.f64"), math.Float64bits(sum))
}
