package op

func init() {
	defineCarries[uint32]("u32")
	defineCarries[uint64]("u64")
}

// defineCarries enters the parts of the extended-precision instructions (PTX ISA 9.7.2): the sum or
// difference with a carry, and the carry that it gives. A difference's carry is its borrow.
func defineCarries[W Word](name string) {
	define("addc."+name, carried(func(a, b W, carry W) W { return a + b + carry }))
	define("subc."+name, carried(func(a, b W, carry W) W { return a - b - carry }))
	define("carry.add."+name, carryOut(func(a, b W, carry W) bool {
		sum := a + b + carry
		return sum < a || carry != 0 && sum == a
	}))
	define("carry.sub."+name, carryOut(func(a, b W, carry W) bool { return a < b || carry != 0 && a == b }))
}

func carried[W Word](f func(a, b, carry W) W) Choose[W] {
	return func(dst, a, b []W, p Mask) {
		for i := range dst {
			dst[i] = f(a[i], b[i], W(p[i/64]>>(i%64)&1))
		}
	}
}

func carryOut[W Word](f func(a, b, carry W) bool) CarryOut[W] {
	return func(dst Mask, a, b []W, p Mask) {
		for i := range a {
			in := p[i/64] >> (i % 64) & 1
			dst[i/64] = dst[i/64]&^(1<<(i%64)) | bit(f(a[i], b[i], W(in)))<<(i%64)
		}
	}
}
