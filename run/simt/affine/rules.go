package affine

import (
	"math"
	"math/bits"

	"github.com/vop-ptx/vop/run/simt"
)

// Scalars emits the computation of scalars. wide says that they have 64 bits; those of 32 bits have zeros above.
type Scalars[S any] interface {
	// Number returns a number as a scalar.
	Number(bits uint64) S
	// AddNumber, Add, TimesNumber and Multiply return sums and products.
	AddNumber(x S, n int64, wide bool) S
	Add(x, y S, wide bool) S
	TimesNumber(x S, n int64, wide bool) S
	Multiply(x, y S, wide bool) S
	// Bitwise applies an operation to a word and a number, and ShiftRight shifts a word by less than 32.
	Bitwise(o Bitwise, x S, n uint32) S
	ShiftRight(x S, n int) S
	// ZeroExtend and SignExtend extend a word to 64 bits, and Low returns the lower word of 64 bits.
	ZeroExtend(x S) S
	SignExtend(x S) S
	Low(x S) S
	// CheckWrap looks, when the code runs, whether a scalar x of 64 bits plus the number low or high is what the sum of the
	// words is, extended as signed tells. If it is not, the code is left before the instruction.
	CheckWrap(x S, low, high int64, signed bool)
}

// Bitwise is an operation on bits.
type Bitwise uint8

// The operations on bits.
const (
	And Bitwise = iota
	Or
	Xor
)

func (o Bitwise) of(x, y int64) int64 {
	switch o {
	case And:
		return x & y
	case Or:
		return x | y
	}
	return x ^ y
}

// Term is a value with its scalars: of both halves of the warp the same, unless they are split.
type Term[S any] struct {
	Value
	S [2]S
}

// Rules compute affine values from others.
type Rules[S any] struct {
	Emit    Scalars[S] // or nil, if it is only to be found out what is known
	Wide    bool       // results have 64 bits
	Careful bool       // what would need CheckWrap is not affine
}

// Apply computes an operation by its name. It reports whether there is a rule for that and the result is affine.
func (r *Rules[S]) Apply(name string, x []Term[S]) (Term[S], bool) {
	switch name {
	case "add.u32", "add.s32", "add.u64", "add.s64":
		return r.add(x[0], x[1])
	case "sub.u32", "sub.s32", "sub.u64", "sub.s64":
		y, _ := r.scale(x[1], -1)
		return r.add(x[0], y)
	case "neg.s32", "neg.s64":
		return r.scale(x[0], -1)
	case "mul.lo.u32", "mul.lo.s32", "mul.lo.u64", "mul.lo.s64":
		return r.multiply(x[0], x[1])
	case "mad.lo.u32", "mad.lo.s32", "mad.lo.u64", "mad.lo.s64":
		return r.plus(x[2])(r.multiply(x[0], x[1]))
	case "mul.wide.u32", "mul.wide.s32":
		return r.words(x[0], x[1], name == "mul.wide.s32")
	case "mad.wide.u32", "mad.wide.s32":
		return r.plus(x[2])(r.words(x[0], x[1], name == "mad.wide.s32"))
	case "widen.64", "cvt.u64.u32":
		return r.extend(x[0], false)
	case "cvt.s64.s32", "cvt.u64.s32":
		return r.extend(x[0], true)
	case "narrow.32", "cvt.u32.u64", "cvt.s32.s64":
		return r.narrow(x[0])
	case "mov.32", "mov.64":
		return x[0], true
	case "shl.b32":
		return r.left(x[0], x[1], 31)
	case "shl.b64":
		return r.left(x[0], x[1], 62)
	case "shr.u32", "shr.s32":
		return r.right(x[0], x[1])
	case "and.b32", "and.b64":
		return r.bitwise(And, x[0], x[1])
	case "or.b32":
		return r.bitwise(Or, x[0], x[1])
	case "xor.b32":
		return r.bitwise(Xor, x[0], x[1])
	}
	return Term[S]{}, false
}

// each emits what computes a scalar, for each half if they are split.
func (r *Rules[S]) each(split bool, f func(g int) S) (s [2]S) {
	if r.Emit == nil {
		return s
	}
	s[0] = f(0)
	if s[1] = s[0]; split {
		s[1] = f(1)
	}
	return s
}

// Plus adds a number to a half's scalar, or to nothing.
func (r *Rules[S]) Plus(x Term[S], half int, n int64) S {
	switch {
	case x.None && !r.Wide:
		return r.Emit.Number(uint64(uint32(n)))
	case x.None:
		return r.Emit.Number(uint64(n))
	case n == 0:
		return x.S[half]
	}
	return r.Emit.AddNumber(x.S[half], n, r.Wide)
}

// result cuts the constants to the width of the result.
func (r *Rules[S]) result(v Term[S]) (Term[S], bool) {
	if !r.Wide {
		for l := range v.C {
			v.C[l] = int64(int32(v.C[l]))
		}
	}
	if v.Limit > math.MaxInt32 || v.None {
		v.Limit = -1
	}
	v.Zeros = min(v.Zeros, 64)
	return v, true
}

// add is x + y. A number is added to the scalar, if there is one, so that the lanes' constants stay what they are.
func (r *Rules[S]) add(x, y Term[S]) (Term[S], bool) {
	if x.None && !y.None {
		x, y = y, x
	}
	v := Term[S]{Value: Value{None: x.None, Split: x.Split || y.Split, Limit: -1}}
	if !x.None && y.None && y.Uniform() {
		n := y.C[0]
		v.C, v.Zeros = x.C, min(x.Zeros, bits.TrailingZeros64(uint64(n)))
		if x.Limit >= 0 && n >= 0 {
			v.Limit = x.Limit + n
		}
		v.S = r.each(v.Split, func(g int) S { return r.Plus(x, g, n) })
		return r.result(v)
	}
	for l := range v.C {
		v.C[l] = x.C[l] + y.C[l]
	}
	switch {
	case x.None:
		v.Zeros = 64
	case y.None:
		v.S, v.Zeros, v.Limit = x.S, x.Zeros, x.Limit
	default:
		v.Zeros = min(x.Zeros, y.Zeros)
		if x.Limit >= 0 && y.Limit >= 0 {
			v.Limit = x.Limit + y.Limit
		}
		v.S = r.each(v.Split, func(g int) S {
			return r.Emit.Add(x.S[g], y.S[g], r.Wide)
		})
	}
	return r.result(v)
}

// scale is x * n.
func (r *Rules[S]) scale(x Term[S], n int64) (Term[S], bool) {
	if n == 0 {
		return Term[S]{Value: number()}, true
	}
	v := Term[S]{Value: Value{None: x.None, Split: x.Split, Zeros: x.Zeros + bits.TrailingZeros64(uint64(n)), Limit: -1}}
	for l := range v.C {
		v.C[l] = x.C[l] * n
	}
	if x.Limit >= 0 && n > 0 && n < 1<<31 {
		v.Limit = x.Limit * n
	}
	if !v.None {
		v.S = r.each(v.Split, func(g int) S {
			if n == 1 {
				return x.S[g]
			}
			return r.Emit.TimesNumber(x.S[g], n, r.Wide)
		})
	}
	return r.result(v)
}

// multiply is x * y, of which one is a number for all lanes, or the other is one for each half of the warp.
func (r *Rules[S]) multiply(x, y Term[S]) (Term[S], bool) {
	if x.None && x.Uniform() {
		x, y = y, x
	}
	if y.None && y.Uniform() {
		return r.scale(x, y.C[0])
	}
	x, ok1 := r.Joined(x)
	y, ok2 := r.Joined(y)
	if !ok1 || !ok2 {
		return Term[S]{}, false
	}
	v := Term[S]{Value: Value{Split: x.Split || y.Split, Limit: -1}}
	v.S = r.each(v.Split, func(g int) S { return r.Emit.Multiply(x.S[g], y.S[g], r.Wide) })
	return r.result(v)
}

// Joined adds the constants of the lanes to the scalars, if they are the same in each half of the warp.
func (r *Rules[S]) Joined(x Term[S]) (Term[S], bool) {
	if !x.UniformHalves() {
		return x, false
	}
	v := Term[S]{Value: Value{Split: x.Split || !x.Uniform(), Limit: -1}}
	v.S = r.each(v.Split, func(g int) S { return r.Plus(x, g, x.C[simt.WarpSize/2*g]) })
	return v, true
}

// extend extends words to 64 bits. Unless it is known that no lane's sum of scalar and constant wraps around, that is
// looked at when the code runs.
func (r *Rules[S]) extend(x Term[S], signed bool) (Term[S], bool) {
	low, high := x.Bounds()
	if x.None {
		v := x
		for l := range v.C {
			if !signed {
				v.C[l] = int64(uint32(v.C[l]))
			}
		}
		v.Word = !signed || low >= 0
		return v, true
	}
	inRange := x.Limit >= 0 && low >= 0 && x.Limit+high <= math.MaxInt32
	word := !signed || inRange // and so not negative
	if !inRange && x.UniformHalves() {
		r.Wide = false
		x, _ = r.Joined(x)
		r.Wide = true
		inRange = true
		low, high = 0, 0
	}
	if !inRange && r.Careful {
		return Term[S]{}, false
	}
	v := Term[S]{Value: x.Value}
	v.Word = word
	v.S = r.each(x.Split, func(g int) S {
		y := x.S[g]
		if signed {
			y = r.Emit.SignExtend(y)
		} else {
			y = r.Emit.ZeroExtend(y)
		}
		if !inRange {
			r.Emit.CheckWrap(y, low, high, signed)
		}
		return y
	})
	return r.result(v)
}

// bitwise applies and, or, xor with the same number in all lanes: to scalar and constants apart, which have no bits in
// common.
func (r *Rules[S]) bitwise(o Bitwise, x, y Term[S]) (Term[S], bool) {
	if x.None && x.Uniform() {
		x, y = y, x
	}
	if x.None && y.None {
		v := Term[S]{Value: number()}
		for l := range v.C {
			v.C[l] = o.of(x.C[l], y.C[l])
		}
		return r.result(v)
	}
	if v, ok := r.lowBits(o, x, y); ok {
		return r.result(v)
	}
	if r.Wide || x.None || !y.None || !y.Uniform() || !x.below() || x.Zeros > 31 {
		return Term[S]{}, false
	}
	n := int64(uint32(y.C[0]))
	lowMask := int64(1)<<x.Zeros - 1
	v := Term[S]{Value: Value{Split: x.Split, Zeros: x.Zeros, Limit: -1}}
	for l := range v.C {
		v.C[l] = o.of(x.C[l], n&lowMask) & lowMask
	}
	above := n &^ lowMask
	switch {
	case o == And && above == 0:
		v.None, v.Split = true, false
	case o == And:
		v.Limit = x.Limit
		v.S = r.each(v.Split, func(g int) S {
			return r.Emit.Bitwise(o, x.S[g], uint32(above))
		})
	case above == 0:
		v.Limit, v.S = x.Limit, x.S
	default:
		v.S = r.each(v.Split, func(g int) S {
			return r.Emit.Bitwise(o, x.S[g], uint32(above))
		})
	}
	return r.result(v)
}

// lowBits is the conjunction with a number that takes the lowest bits, or all but these, if the scalar has zeros there.
func (r *Rules[S]) lowBits(o Bitwise, x, y Term[S]) (v Term[S], ok bool) {
	if o != And || x.None || !y.None || !y.Uniform() {
		return v, false
	}
	n := uint64(y.C[0])
	if !r.Wide {
		n = uint64(int64(int32(n)))
	} else if x.Word && n>>32 == 0 {
		n |= ^uint64(math.MaxUint32)
	}
	v.Value = Value{Split: x.Split, Zeros: x.Zeros, Limit: -1}
	switch below := bits.TrailingZeros64(n); {
	case n == 0:
		return v, false
	case n&(n+1) == 0: // ones at the lower end
		if bits.OnesCount64(n) > x.Zeros {
			return v, false
		}
		v.None, v.Split = true, false
		for l := range v.C {
			v.C[l] = x.C[l] & int64(n)
		}
		return v, true
	case n == ^uint64(0)<<below && below <= x.Zeros:
		for l := range v.C {
			v.C[l] = x.C[l] & int64(n)
		}
		v.Limit, v.S, v.Word = x.Limit, x.S, x.Word
		return v, true
	}
	return v, false
}

// right shifts right by a number, if nothing goes from the scalar to the lanes' constants or is lost of their sum.
func (r *Rules[S]) right(x, y Term[S]) (Term[S], bool) {
	if r.Wide || x.None || !y.None || !y.Uniform() || x.Limit < 0 || !x.below() {
		return Term[S]{}, false
	}
	n := int(uint32(y.C[0]))
	if n > x.Zeros || n > 31 || x.Zeros > 31 {
		return Term[S]{}, false
	}
	v := Term[S]{Value: Value{Split: x.Split, Zeros: x.Zeros - n, Limit: x.Limit >> n}}
	for l := range v.C {
		v.C[l] = x.C[l] >> n
	}
	v.S = r.each(v.Split, func(g int) S {
		if n == 0 {
			return x.S[g]
		}
		return r.Emit.ShiftRight(x.S[g], n)
	})
	return r.result(v)
}

// words multiplies words to 64 bits.
func (r *Rules[S]) words(x, y Term[S], signed bool) (Term[S], bool) {
	if x.None && x.Uniform() {
		x, y = y, x
	}
	if !(y.None && y.Uniform()) {
		r.Wide = false
		var ok1, ok2 bool
		x, ok1 = r.Joined(x)
		y, ok2 = r.Joined(y)
		r.Wide = true
		if !ok1 || !ok2 {
			return Term[S]{}, false
		}
		y, _ = r.extend(y, signed) // which it can: there are no constants left
	}
	x, ok := r.extend(x, signed)
	if !ok {
		return x, false
	}
	if y.None {
		n := y.C[0]
		if !signed {
			n = int64(uint32(n))
		}
		return r.scale(x, n)
	}
	return r.multiply(x, y)
}

// plus returns a function that adds a term to one that a rule has computed.
func (r *Rules[S]) plus(y Term[S]) func(x Term[S], ok bool) (Term[S], bool) {
	return func(x Term[S], ok bool) (Term[S], bool) {
		if !ok {
			return x, false
		}
		return r.add(x, y)
	}
}

// narrow takes the lower words.
func (r *Rules[S]) narrow(x Term[S]) (Term[S], bool) {
	v := x
	v.Limit = -1
	if !v.None {
		v.S = r.each(v.Split, func(g int) S { return r.Emit.Low(x.S[g]) })
	}
	return r.result(v)
}

// left shifts left by a number that is less than bits.
func (r *Rules[S]) left(x, y Term[S], bits int64) (Term[S], bool) {
	n := int64(uint32(y.C[0]))
	if !y.None || !y.Uniform() || n >= bits {
		return Term[S]{}, false
	}
	return r.scale(x, 1<<n)
}
