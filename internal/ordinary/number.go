package ordinary

import "math/big"

// Mode is a rounding mode.
type Mode uint8

// The rounding modes, with their names among the modifiers.
const (
	Nearest    Mode = iota // rn: ties to even
	TowardZero             // rz
	Down                   // rm
	Up                     // rp
)

// modes are the rounding modes by name.
var modes = []struct {
	name string
	mode Mode
}{{"rn", Nearest}, {"rz", TowardZero}, {"rm", Down}, {"rp", Up}}

// format is a binary format of IEEE 754.
type format struct {
	name           string
	bits, fraction int
	nan            uint64 // that operations give
}

var (
	half   = format{"f16", 16, 10, 0x7fff}
	single = format{"f32", 32, 23, 0x7fffffff}
	double = format{"f64", 64, 52, 0xfff8000000000000} // O4
)

// infinity is the pattern of +Inf, one that of 1, and least the exponent of the unit of subnormal numbers.
func (f format) infinity() uint64 { return (1<<(f.bits-1-f.fraction) - 1) << f.fraction }
func (f format) bias() int        { return 1<<(f.bits-2-f.fraction) - 1 }
func (f format) least() int       { return 1 - f.bias() - f.fraction }
func (f format) signBit() uint64  { return 1 << (f.bits - 1) }
func (f format) one() uint64      { return uint64(f.bias()) << f.fraction }

// number is what a pattern stands for: a NaN, an infinity, or magnitude * 2^exponent. If more is set, its
// magnitude is a little more than that, by less than the unit of magnitude.
type number struct {
	nan, infinite, negative bool
	magnitude               *big.Int
	exponent                int
	more                    bool
}

func (x number) zero() bool { return !x.nan && !x.infinite && x.magnitude.Sign() == 0 }

var notANumber = number{nan: true}

func infinite(negative bool) number { return number{infinite: true, negative: negative} }

func zero(negative bool) number { return number{negative: negative, magnitude: new(big.Int)} }

func integer(v *big.Int) number {
	return number{negative: v.Sign() < 0, magnitude: new(big.Int).Abs(v)}
}

// decode returns the number that a pattern stands for.
func (f format) decode(pattern uint64) number {
	negative := pattern&f.signBit() != 0
	magnitude := pattern & (f.signBit() - 1)
	switch {
	case magnitude > f.infinity():
		return notANumber
	case magnitude == f.infinity():
		return infinite(negative)
	}
	biased := int(magnitude >> f.fraction)
	digits := magnitude & (1<<f.fraction - 1)
	if biased > 0 {
		digits |= 1 << f.fraction
		biased--
	}
	return number{negative: negative, magnitude: new(big.Int).SetUint64(digits), exponent: f.least() + biased}
}

// encode rounds a number to the format.
func (f format) encode(x number, mode Mode) uint64 {
	sign := uint64(0)
	if x.negative {
		sign = f.signBit()
	}
	switch {
	case x.nan:
		return f.nan
	case x.infinite:
		return sign | f.infinity()
	case x.zero():
		return sign
	}
	unit := max(f.unit(x), f.least())
	q := x.rounded(unit, mode)
	// A carry out of the fraction goes on into the exponent, as it should.
	q.Add(q, new(big.Int).Lsh(big.NewInt(int64(unit-f.least())), uint(f.fraction)))
	limit := new(big.Int).SetUint64(f.infinity())
	if q.Cmp(limit) >= 0 {
		if mode == Nearest || mode == Up && !x.negative || mode == Down && x.negative {
			return sign | f.infinity()
		}
		return sign | f.infinity() - 1
	}
	return sign | q.Uint64()
}

// unit is the exponent of the last place of a number that is not zero, as if exponents had no end.
func (f format) unit(x number) int { return x.magnitude.BitLen() + x.exponent - 1 - f.fraction }

// tiny reports whether a number is less than the least normal one, when it is rounded as if exponents had no end.
func (f format) tiny(x number, mode Mode) bool {
	if x.nan || x.infinite || x.zero() {
		return false
	}
	unit := f.unit(x)
	return x.rounded(unit, mode).BitLen()+unit <= f.fraction+f.least()
}

// rounded returns a number's magnitude in units of 2^unit, rounded.
func (x number) rounded(unit int, mode Mode) *big.Int {
	q, exact, aboveHalf, half := x.units(unit)
	if !exact && away(mode, x.negative, aboveHalf, half, q.Bit(0) == 1) {
		q.Add(q, big.NewInt(1))
	}
	return q
}

// units returns how many whole units of 2^unit a number's magnitude has, whether that is all, and
// otherwise whether the rest is more than half a unit, or half of one.
func (x number) units(unit int) (whole *big.Int, exact, aboveHalf, half bool) {
	shift := unit - x.exponent
	if shift <= 0 {
		if x.more {
			panic("ordinary: a number with too few digits to be rounded")
		}
		return new(big.Int).Lsh(x.magnitude, uint(-shift)), true, false, false
	}
	whole = new(big.Int).Rsh(x.magnitude, uint(shift))
	rest := new(big.Int).Sub(x.magnitude, new(big.Int).Lsh(whole, uint(shift)))
	order := rest.Cmp(new(big.Int).Lsh(big.NewInt(1), uint(shift-1)))
	return whole, rest.Sign() == 0 && !x.more, order > 0 || order == 0 && x.more, order == 0 && !x.more
}

// away reports whether an inexact magnitude is rounded away from zero.
func away(mode Mode, negative, aboveHalf, half, isOdd bool) bool {
	switch mode {
	case Nearest:
		return aboveHalf || half && isOdd
	case Up:
		return !negative
	case Down:
		return negative
	}
	return false
}

// integral rounds a finite number to an integer. A zero keeps its sign.
func (x number) integral(mode Mode) number {
	if x.nan || x.infinite {
		return x
	}
	return number{negative: x.negative, magnitude: x.rounded(0, mode)}
}

// signed returns the value of an integral number.
func (x number) signed() *big.Int {
	v := new(big.Int).Lsh(x.magnitude, uint(x.exponent))
	if x.negative {
		v.Neg(v)
	}
	return v
}

func (x number) negated() number {
	x.negative = !x.negative
	return x
}

// add returns the sum of numbers. An exact zero that has not the sign of both is +0, or -0 when
// rounding down.
func add(x, y number, mode Mode) number {
	switch {
	case x.nan || y.nan || x.infinite && y.infinite && x.negative != y.negative:
		return notANumber
	case x.infinite:
		return x
	case y.infinite:
		return y
	case x.zero() && y.zero() && x.negative == y.negative:
		return x
	}
	at := min(x.exponent, y.exponent)
	sum := new(big.Int)
	for _, part := range []number{x, y} {
		v := new(big.Int).Lsh(part.magnitude, uint(part.exponent-at))
		if part.negative {
			v.Neg(v)
		}
		sum.Add(sum, v)
	}
	if sum.Sign() == 0 {
		return zero(mode == Down)
	}
	return number{negative: sum.Sign() < 0, magnitude: sum.Abs(sum), exponent: at}
}

func multiply(x, y number) number {
	negative := x.negative != y.negative
	switch {
	case x.nan || y.nan || x.infinite && y.zero() || y.infinite && x.zero():
		return notANumber
	case x.infinite || y.infinite:
		return infinite(negative)
	}
	return number{negative: negative, magnitude: new(big.Int).Mul(x.magnitude, y.magnitude), exponent: x.exponent + y.exponent}
}

// digits is more than any format has, and enough to round to them.
const digits = 80

func divide(x, y number) number {
	negative := x.negative != y.negative
	switch {
	case x.nan || y.nan || x.infinite && y.infinite || x.zero() && y.zero():
		return notANumber
	case x.infinite || y.zero():
		return infinite(negative)
	case y.infinite || x.zero():
		return zero(negative)
	}
	shift := max(digits+y.magnitude.BitLen()-x.magnitude.BitLen(), 0)
	q, rest := new(big.Int).QuoRem(new(big.Int).Lsh(x.magnitude, uint(shift)), y.magnitude, new(big.Int))
	return number{negative: negative, magnitude: q, exponent: x.exponent - y.exponent - shift, more: rest.Sign() != 0}
}

func squareRoot(x number) number {
	switch {
	case x.nan || x.zero():
		return x
	case x.negative:
		return notANumber
	case x.infinite:
		return x
	}
	shift := 2 * digits
	if (x.exponent-shift)%2 != 0 {
		shift++
	}
	square := new(big.Int).Lsh(x.magnitude, uint(shift))
	root := new(big.Int).Sqrt(square)
	return number{magnitude: root, exponent: (x.exponent - shift) / 2, more: new(big.Int).Mul(root, root).Cmp(square) != 0}
}

// compare returns the order of two numbers, and whether they have one.
func compare(x, y number) (order int, ordered bool) {
	if x.nan || y.nan {
		return 0, false
	}
	rank := func(n number) int {
		switch {
		case n.zero():
			return 0
		case n.negative && n.infinite:
			return -2
		case n.negative:
			return -1
		case n.infinite:
			return 2
		}
		return 1
	}
	if a, b := rank(x), rank(y); a != b || a == 0 || a == 2 || a == -2 {
		return a - b, true
	}
	difference := add(x, y.negated(), Nearest)
	switch {
	case difference.zero():
		return 0, true
	case difference.negative:
		return -1, true
	}
	return 1, true
}

// flush makes a zero, of the same sign, of a subnormal number.
func (f format) flush(pattern uint64) uint64 {
	if pattern&f.infinity() == 0 {
		return pattern & f.signBit()
	}
	return pattern
}

// saturate limits a result to 0 to 1. A NaN becomes 0.
func (f format) saturate(pattern uint64) uint64 {
	x := f.decode(pattern)
	if x.nan || x.negative { // O3
		return 0
	}
	if pattern > f.one() {
		return f.one()
	}
	return pattern
}
