package engine

import "math/bits"

func init() {
	defineCarries("u32", addCarry[uint32], subtractBorrow[uint32], productLow[uint32], productHigh32[uint32])
	defineCarries("s32", addCarry[uint32], subtractBorrow[uint32], productLow[uint32], productHigh32[int32])
	defineCarries("u64", addCarry[uint64], subtractBorrow[uint64], productLow[uint64], productHighUnsigned)
	defineCarries("s64", addCarry[uint64], subtractBorrow[uint64], productLow[uint64], productHighSigned)
}

// defineCarries enters the extended-precision instructions of a type (PTX ISA 9.7.2). Those
// without .cc leave the carry as it is.
func defineCarries[W Word](name string, add, subtract func(a, b W, carry uint64) (W, uint64), low, high func(a, b W) W) {
	define("add.cc."+name, carried(add, false, true))
	define("addc."+name, carried(add, true, false))
	define("addc.cc."+name, carried(add, true, true))
	define("sub.cc."+name, carried(subtract, false, true))
	define("subc."+name, carried(subtract, true, false))
	define("subc.cc."+name, carried(subtract, true, true))
	for half, product := range map[string]func(a, b W) W{"lo": low, "hi": high} {
		define("mad."+half+".cc."+name, carriedProduct(product, add, false, true))
		define("madc."+half+"."+name, carriedProduct(product, add, true, false))
		define("madc."+half+".cc."+name, carriedProduct(product, add, true, true))
	}
}

// carried makes an operation of one that takes and gives a carry of 0 or 1.
func carried[W Word](f func(a, b W, carry uint64) (W, uint64), in, out bool) Carry2[W] {
	return func(dst []W, carry Mask, a, b []W) {
		for i := range dst {
			var c uint64
			if in {
				c = carry[i/64] >> (i % 64) & 1
			}
			dst[i], c = f(a[i], b[i], c)
			if out {
				carry[i/64] = carry[i/64]&^(1<<(i%64)) | c<<(i%64)
			}
		}
	}
}

// carriedProduct makes an operation that adds c to a product.
func carriedProduct[W Word](product func(a, b W) W, add func(a, b W, carry uint64) (W, uint64), in, out bool) Carry3[W] {
	sum := carried(add, in, out)
	return func(dst []W, carry Mask, a, b, c []W) {
		products := make([]W, len(dst))
		for i := range products {
			products[i] = product(a[i], b[i])
		}
		sum(dst, carry, products, c)
	}
}

func addCarry[W Word](a, b W, carry uint64) (sum W, out uint64) {
	sum = a + b + W(carry)
	return sum, bit(sum < a || carry != 0 && sum == a)
}

func subtractBorrow[W Word](a, b W, borrow uint64) (difference W, out uint64) {
	return a - b - W(borrow), bit(a < b || borrow != 0 && a == b)
}

func productLow[W Word](a, b W) W { return a * b }

func productHigh32[T uint32 | int32](a, b uint32) uint32 {
	return uint32(int64(T(a)) * int64(T(b)) >> 32)
}

func productHighUnsigned(a, b uint64) uint64 {
	high, _ := bits.Mul64(a, b)
	return high
}

// productHighSigned corrects the unsigned product: a negative factor x stands there as x + 2^64.
func productHighSigned(a, b uint64) uint64 {
	return productHighUnsigned(a, b) - a&uint64(int64(b)>>63) - b&uint64(int64(a)>>63)
}
