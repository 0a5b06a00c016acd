package sem

import (
	"fmt"
	"math/big"
	"math/bits"
	"strconv"
)

// Int128 is a signed 128-bit integer, two's complement: vmad's tmp[127:0].
type Int128 struct {
	Hi int64
	Lo uint64
}

// extend128 is the 128-bit integer of equal value.
func extend128(x int64) Int128 { return Int128{x >> 63, uint64(x)} }

// multiply returns the exact product.
func multiply(x, y int64) Int128 {
	hi, lo := bits.Mul64(uint64(x), uint64(y))
	// The unsigned product counts a negative factor 2^64 too high.
	return Int128{int64(hi) - x>>63&y - y>>63&x, lo}
}

func (x Int128) add(y Int128) Int128 {
	lo, carry := bits.Add64(x.Lo, y.Lo, 0)
	return Int128{x.Hi + y.Hi + int64(carry), lo}
}

func (x Int128) not() Int128 { return Int128{^x.Hi, ^x.Lo} }

// shiftRight is the arithmetic shift by less than 64 bits.
func (x Int128) shiftRight(n uint) Int128 {
	return Int128{x.Hi >> n, x.Lo>>n | uint64(x.Hi)<<(64-n)}
}

// shiftRightLogical fills with zeros. It shifts by less than 64 bits.
func (x Int128) shiftRightLogical(n uint) Int128 {
	return Int128{int64(uint64(x.Hi) >> n), x.shiftRight(n).Lo}
}

// clamp is the manual's CLAMP, its bounds in rising order.
func (x Int128) clamp(low, high int64) Int128 {
	switch {
	case x.less(extend128(low)):
		return extend128(low)
	case extend128(high).less(x):
		return extend128(high)
	}
	return x
}

func (x Int128) less(y Int128) bool {
	return x.Hi < y.Hi || x.Hi == y.Hi && x.Lo < y.Lo
}

// Big returns the value.
func (x Int128) Big() *big.Int {
	n := big.NewInt(x.Hi)
	return n.Lsh(n, 64).Add(n, new(big.Int).SetUint64(x.Lo))
}

// String returns the value in decimal. It does without math/big, which vop's page in the browser need not load.
func (x Int128) String() string {
	hi, lo := uint64(x.Hi), x.Lo
	sign := ""
	if x.Hi < 0 {
		var borrow uint64
		lo, borrow = bits.Sub64(0, lo, 0)
		hi, _ = bits.Sub64(0, hi, borrow)
		sign = "-"
	}
	if hi == 0 {
		return sign + strconv.FormatUint(lo, 10)
	}
	const group = 1e19 // the greatest power of ten that 64 bits hold; hi, at most 2^63, is less
	high, low := bits.Div64(hi, lo, group)
	return fmt.Sprintf("%s%d%019d", sign, high, low)
}

// Hex returns the 32 hexadecimal digits of the two's complement.
func (x Int128) Hex() string { return fmt.Sprintf("%016x%016x", uint64(x.Hi), x.Lo) }
