package kernel

import (
	"math"
	"math/bits"
	"strings"

	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/simt"
)

// affineValue is an affine value with its scalars: of both halves of the warp the same, unless they are split.
type affineValue struct {
	affine
	s [2]machine.Operand
}

// affiner applies the rules by which affine values are computed. Without emits it only finds out what is known of
// them.
type affiner struct {
	*compiler
	emits bool
	wide  bool // results have 64 bits
	block simt.BlockID
	inst  int
}

// affineRule computes an affine value from others. It reports whether it can.
type affineRule func(e *affiner, x []affineValue) (affineValue, bool)

// selectAffine emits the scalars of an affine value.
func (k *compiler) selectAffine(b simt.BlockID, n int) {
	inst := &k.Blocks[b].Insts[n]
	d := inst.Defs[0]
	if k.affines[d].none {
		return
	}
	var args [4]affineValue
	for i, id := range inst.Args {
		args[i] = k.affineValue(id)
	}
	e := affiner{compiler: k, emits: true, wide: k.Values[d].Type == simt.B64, block: b, inst: n}
	if rule, ok := affineRules[inst.Op.String()]; ok {
		if v, ok := rule(&e, args[:len(inst.Args)]); ok {
			k.apart[d] = v.s
			return
		}
	}
	k.apart[d] = e.ofHalves(inst, args[:len(inst.Args)])
}

// ofHalves emits an operation for each half of the warp.
func (e *affiner) ofHalves(i *simt.Inst, args []affineValue) (d [2]machine.Operand) {
	k := e.compiler
	before := make([]machine.Operand, len(args))
	for n, id := range i.Args {
		before[n] = k.generals[id]
		if !k.isScalarOrConst(id) {
			e.wide = k.Values[id].Type == simt.B64
			args[n], _ = e.joined(args[n])
		}
	}
	for g := range d {
		for n, id := range i.Args {
			if !k.isScalarOrConst(id) {
				k.generals[id] = args[n].s[g]
			}
		}
		d[g] = k.scalarOf(i)
	}
	for n, id := range i.Args {
		if !k.isScalarOrConst(id) {
			k.generals[id] = before[n]
		}
	}
	return d
}

// affineValue returns a value with its scalars.
func (k *compiler) affineValue(id simt.ID) affineValue {
	a, _ := k.affineOperand(id, nil)
	v := affineValue{affine: *a}
	switch {
	case a.none:
	case k.scalar[id]:
		x := k.general(id)
		v.s = [2]machine.Operand{x, x}
	default:
		v.s = k.scalarParts(id)
	}
	return v
}

// scalarParts returns the scalars of an affine value. Those of special values are in their homes.
func (k *compiler) scalarParts(id simt.ID) [2]machine.Operand {
	if k.apart[id][0].None() {
		x := k.compute(encode.MOV|encode.S32, machine.MemoryAt(machine.Fixed(kernelHomes), k.homes.Offset[id]))
		if k.noKeep {
			return [2]machine.Operand{x, x}
		}
		k.apart[id] = [2]machine.Operand{x, x}
		k.borrowed = append(k.borrowed, id)
	}
	return k.apart[id]
}

// each emits what computes a scalar, for each half if they are split.
func (e *affiner) each(split bool, f func(g int) machine.Operand) [2]machine.Operand {
	if !e.emits {
		return [2]machine.Operand{}
	}
	first := f(0)
	if !split {
		return [2]machine.Operand{first, first}
	}
	return [2]machine.Operand{first, f(1)}
}

func (e *affiner) size() encode.Op {
	if e.wide {
		return encode.S64
	}
	return encode.S32
}

// result cuts the constants to the width of the result.
func (e *affiner) result(v affineValue) (affineValue, bool) {
	if !e.wide {
		for l := range v.c {
			v.c[l] = int64(int32(v.c[l]))
		}
	}
	if v.limit > math.MaxInt32 || v.none {
		v.limit = -1
	}
	v.zeros = min(v.zeros, 64)
	return v, true
}

// plus adds a number to a scalar.
func (e *affiner) plus(x machine.Operand, n int64) machine.Operand {
	switch {
	case n == 0:
		return x
	case x.None():
		return e.loadImmediate(e.cut(n))
	case n == int64(int32(n)):
		return e.compute(encode.LEA|e.size(), machine.MemoryAt(x, int32(n)))
	}
	return e.compute(encode.LEA|e.size(), machine.Indexed(x, e.loadImmediate(uint64(n)), 1, 0))
}

func (e *affiner) cut(n int64) uint64 {
	if e.wide {
		return uint64(n)
	}
	return uint64(uint32(n))
}

// times multiplies a scalar by a number.
func (e *affiner) times(x machine.Operand, n int64) machine.Operand {
	switch {
	case n == 1:
		return x
	case n > 0 && n&(n-1) == 0:
		return e.change(encode.SHL|e.size(), x, machine.Immediate(bits.TrailingZeros64(uint64(n))))
	case n == int64(int32(n)):
		return e.compute(encode.IMUL3|e.size(), x, machine.Fixed(encode.Imm(n)))
	}
	return e.change(encode.IMUL2|e.size(), x, e.loadImmediate(e.cut(n)))
}

// add is x + y. A number is added to the scalar, if there is one, so that the lanes' constants stay what they are.
func (e *affiner) add(x, y affineValue) (affineValue, bool) {
	if x.none && !y.none {
		x, y = y, x
	}
	v := affineValue{affine: affine{none: x.none, split: x.split || y.split, limit: -1}}
	if !x.none && y.none && y.uniformC() {
		n := y.c[0]
		v.c, v.zeros = x.c, min(x.zeros, bits.TrailingZeros64(uint64(n)))
		if x.limit >= 0 && n >= 0 {
			v.limit = x.limit + n
		}
		v.s = e.each(v.split, func(g int) machine.Operand { return e.plus(x.s[g], n) })
		return e.result(v)
	}
	for l := range v.c {
		v.c[l] = x.c[l] + y.c[l]
	}
	switch {
	case x.none:
		v.zeros = 64
	case y.none:
		v.s, v.zeros, v.limit = x.s, x.zeros, x.limit
	default:
		v.zeros = min(x.zeros, y.zeros)
		if x.limit >= 0 && y.limit >= 0 {
			v.limit = x.limit + y.limit
		}
		v.s = e.each(v.split, func(g int) machine.Operand {
			return e.compute(encode.LEA|e.size(), machine.Indexed(x.s[g], y.s[g], 1, 0))
		})
	}
	return e.result(v)
}

// scale is x * n.
func (e *affiner) scale(x affineValue, n int64) (affineValue, bool) {
	if n == 0 {
		return affineValue{affine: affine{none: true, zeros: 64, limit: -1}}, true
	}
	v := affineValue{affine: affine{none: x.none, split: x.split, zeros: x.zeros + bits.TrailingZeros64(uint64(n)), limit: -1}}
	for l := range v.c {
		v.c[l] = x.c[l] * n
	}
	if x.limit >= 0 && n > 0 && n < 1<<31 {
		v.limit = x.limit * n
	}
	if !v.none {
		v.s = e.each(v.split, func(g int) machine.Operand { return e.times(x.s[g], n) })
	}
	return e.result(v)
}

// multiply is x * y, of which one is a number for all lanes, or the other is one for each half of the warp.
func (e *affiner) multiply(x, y affineValue) (affineValue, bool) {
	if x.none && x.uniformC() {
		x, y = y, x
	}
	if y.none && y.uniformC() {
		return e.scale(x, y.c[0])
	}
	x, ok1 := e.joined(x)
	y, ok2 := e.joined(y)
	if !ok1 || !ok2 {
		return affineValue{}, false
	}
	v := affineValue{affine: affine{split: x.split || y.split, limit: -1}}
	v.s = e.each(v.split, func(g int) machine.Operand { return e.change(encode.IMUL2|e.size(), x.s[g], y.s[g]) })
	return e.result(v)
}

// joined adds the constants of the lanes to the scalars, if they are the same in each half of the warp.
func (e *affiner) joined(x affineValue) (affineValue, bool) {
	if !x.halfC() {
		return x, false
	}
	v := affineValue{affine: affine{split: x.split || !x.uniformC(), limit: -1}}
	v.s = e.each(v.split, func(g int) machine.Operand {
		if y := e.plus(x.s[g], x.c[16*g]); !y.None() {
			return y
		}
		return e.loadImmediate(0)
	})
	return v, true
}

// extend extends words to 64 bits. Unless it is known that no lane's sum of scalar and constant wraps around, that is
// looked at when the code runs.
func (e *affiner) extend(x affineValue, signed bool) (affineValue, bool) {
	low, high := x.bounds()
	if x.none {
		v := x
		for l := range v.c {
			if !signed {
				v.c[l] = int64(uint32(v.c[l]))
			}
		}
		v.word = !signed || low >= 0
		return v, true
	}
	inRange := x.limit >= 0 && low >= 0 && x.limit+high <= math.MaxInt32
	if !inRange && x.halfC() {
		e.wide = false
		x, _ = e.joined(x)
		e.wide = true
		inRange = true
		low, high = 0, 0
	}
	if !inRange && e.Options.Careful {
		return affineValue{}, false
	}
	v := affineValue{affine: x.affine}
	v.word = !signed || inRange && low >= 0
	v.s = e.each(x.split, func(g int) machine.Operand {
		y := x.s[g]
		if signed {
			y = e.compute(encode.MOVSXD|encode.S64, y)
		}
		if !inRange {
			e.checkWrap(y, low, high, signed)
		}
		return y
	})
	return e.result(v)
}

// bitwise applies and, or, xor with the same number in all lanes: to scalar and constants apart, which have no bits in
// common.
func (e *affiner) bitwise(o encode.Op, f func(a, b int64) int64, x, y affineValue) (affineValue, bool) {
	if x.none && x.uniformC() {
		x, y = y, x
	}
	if x.none && y.none {
		v := affineValue{affine: affine{none: true, zeros: 64, limit: -1}}
		for l := range v.c {
			v.c[l] = f(x.c[l], y.c[l])
		}
		return e.result(v)
	}
	if v, ok := e.lowBits(o, x, y); ok {
		return e.result(v)
	}
	if e.wide || x.none || !y.none || !y.uniformC() || !x.below() || x.zeros > 31 {
		return affineValue{}, false
	}
	n := int64(uint32(y.c[0]))
	lowMask := int64(1)<<x.zeros - 1
	v := affineValue{affine: affine{split: x.split, zeros: x.zeros, limit: -1}}
	for l := range v.c {
		v.c[l] = f(x.c[l], n&lowMask) & lowMask
	}
	above := n &^ lowMask
	switch {
	case o == encode.AND && above == 0:
		v.none, v.split = true, false
	case o == encode.AND:
		v.limit = x.limit
		v.s = e.each(v.split, func(g int) machine.Operand {
			return e.change(o|encode.S32, x.s[g], machine.Fixed(encode.Imm(int64(int32(above)))))
		})
	case above == 0:
		v.limit, v.s = x.limit, x.s
	default:
		v.s = e.each(v.split, func(g int) machine.Operand {
			return e.change(o|encode.S32, x.s[g], machine.Fixed(encode.Imm(int64(int32(above)))))
		})
	}
	return e.result(v)
}

// lowBits is the conjunction with a number that takes the lowest bits, or all but these, if the scalar has zeros there.
func (e *affiner) lowBits(o encode.Op, x, y affineValue) (v affineValue, ok bool) {
	if o != encode.AND || x.none || !y.none || !y.uniformC() {
		return v, false
	}
	n := uint64(y.c[0])
	if !e.wide {
		n = uint64(int64(int32(n)))
	} else if x.word && n>>32 == 0 {
		n |= ^uint64(math.MaxUint32)
	}
	v.affine = affine{split: x.split, zeros: x.zeros, limit: -1}
	switch below := bits.TrailingZeros64(n); {
	case n == 0:
		return v, false
	case n&(n+1) == 0: // ones at the lower end
		if bits.OnesCount64(n) > x.zeros {
			return v, false
		}
		v.none, v.split = true, false
		for l := range v.c {
			v.c[l] = x.c[l] & int64(n)
		}
		return v, true
	case n == ^uint64(0)<<below && below <= x.zeros:
		for l := range v.c {
			v.c[l] = x.c[l] & int64(n)
		}
		v.limit, v.s, v.word = x.limit, x.s, x.word
		return v, true
	}
	return v, false
}

// right shifts right by a number, if nothing goes from the scalar to the lanes' constants or is lost of their sum.
func (e *affiner) right(x, y affineValue) (affineValue, bool) {
	if e.wide || x.none || !y.none || !y.uniformC() || x.limit < 0 || !x.below() {
		return affineValue{}, false
	}
	n := int(uint32(y.c[0]))
	if n > x.zeros || n > 31 || x.zeros > 31 {
		return affineValue{}, false
	}
	v := affineValue{affine: affine{split: x.split, zeros: x.zeros - n, limit: x.limit >> n}}
	for l := range v.c {
		v.c[l] = x.c[l] >> n
	}
	v.s = e.each(v.split, func(g int) machine.Operand {
		if n == 0 {
			return x.s[g]
		}
		return e.change(encode.SHR|encode.S32, x.s[g], machine.Immediate(n))
	})
	return e.result(v)
}

// words multiplies words to 64 bits.
func (e *affiner) words(x, y affineValue, signed bool) (affineValue, bool) {
	if x.none && x.uniformC() {
		x, y = y, x
	}
	if !(y.none && y.uniformC()) {
		e.wide = false
		var ok1, ok2 bool
		x, ok1 = e.joined(x)
		y, ok2 = e.joined(y)
		e.wide = true
		if !ok1 || !ok2 {
			return affineValue{}, false
		}
		y, _ = e.extend(y, signed) // which it can: there are no constants left
	}
	x, ok := e.extend(x, signed)
	if !ok {
		return x, false
	}
	if y.none {
		n := y.c[0]
		if !signed {
			n = int64(uint32(n))
		}
		return e.scale(x, n)
	}
	return e.multiply(x, y)
}

// affineRules are the operations on affine values.
var affineRules = map[string]affineRule{}

func init() {
	copied := func(e *affiner, x []affineValue) (affineValue, bool) { return x[0], true }
	add := func(e *affiner, x []affineValue) (affineValue, bool) { return e.add(x[0], x[1]) }
	negate := func(e *affiner, x affineValue) (affineValue, bool) { return e.scale(x, -1) }
	sub := func(e *affiner, x []affineValue) (affineValue, bool) {
		y, _ := negate(e, x[1])
		return e.add(x[0], y)
	}
	mul := func(e *affiner, x []affineValue) (affineValue, bool) { return e.multiply(x[0], x[1]) }
	mad := func(product func(e *affiner, x []affineValue) (affineValue, bool)) affineRule {
		return func(e *affiner, x []affineValue) (affineValue, bool) {
			p, ok := product(e, x[:2])
			if !ok {
				return p, false
			}
			return e.add(p, x[2])
		}
	}
	words := func(signed bool) affineRule {
		return func(e *affiner, x []affineValue) (affineValue, bool) { return e.words(x[0], x[1], signed) }
	}
	for _, t := range []string{"u32", "s32", "u64", "s64"} {
		affineRules["add."+t], affineRules["sub."+t], affineRules["mul.lo."+t], affineRules["mad.lo."+t] = add, sub, mul, mad(mul)
	}
	for _, t := range []string{"s32", "s64"} {
		affineRules["neg."+t] = func(e *affiner, x []affineValue) (affineValue, bool) { return negate(e, x[0]) }
	}
	for t, signed := range map[string]bool{"u32": false, "s32": true} {
		affineRules["mul.wide."+t], affineRules["mad.wide."+t] = words(signed), mad(words(signed))
	}
	extend := func(signed bool) affineRule {
		return func(e *affiner, x []affineValue) (affineValue, bool) { return e.extend(x[0], signed) }
	}
	affineRules["widen.64"], affineRules["cvt.u64.u32"] = extend(false), extend(false)
	affineRules["cvt.s64.s32"], affineRules["cvt.u64.s32"] = extend(true), extend(true)
	narrow := func(e *affiner, x []affineValue) (affineValue, bool) {
		v := x[0]
		v.limit = -1
		v.s = e.each(v.split && !v.none, func(g int) machine.Operand {
			if v.none {
				return machine.Operand{}
			}
			return e.compute(encode.MOV|encode.S32, x[0].s[g])
		})
		return e.result(v)
	}
	affineRules["narrow.32"], affineRules["cvt.u32.u64"], affineRules["cvt.s32.s64"] = narrow, narrow, narrow
	affineRules["mov.32"], affineRules["mov.64"] = copied, copied
	left := func(bits int64) affineRule {
		return func(e *affiner, x []affineValue) (affineValue, bool) {
			n := int64(uint32(x[1].c[0]))
			if !x[1].none || !x[1].uniformC() || n >= bits {
				return affineValue{}, false
			}
			return e.scale(x[0], 1<<n)
		}
	}
	affineRules["shl.b32"], affineRules["shl.b64"] = left(31), left(62)
	right := func(e *affiner, x []affineValue) (affineValue, bool) { return e.right(x[0], x[1]) }
	affineRules["shr.u32"], affineRules["shr.s32"] = right, right
	bitwise := func(o encode.Op, f func(a, b int64) int64) affineRule {
		return func(e *affiner, x []affineValue) (affineValue, bool) { return e.bitwise(o, f, x[0], x[1]) }
	}
	affineRules["and.b64"] = bitwise(encode.AND, func(a, b int64) int64 { return a & b })
	affineRules["and.b32"] = bitwise(encode.AND, func(a, b int64) int64 { return a & b })
	affineRules["or.b32"] = bitwise(encode.OR, func(a, b int64) int64 { return a | b })
	affineRules["xor.b32"] = bitwise(encode.XOR, func(a, b int64) int64 { return a ^ b })
}

// mayWrap reports whether an operation extends words, so that its rule may look whether sums of words have wrapped around.
func mayWrap(i *simt.Inst) bool {
	name := i.Op.String()
	return strings.HasPrefix(name, "cvt.") || strings.Contains(name, ".wide") || name == "widen.64"
}

// checkWrap leaves for steps if a scalar of 64 bits plus one of the lanes' constants is not what the words' sum is. The
// steps execute the rest of the block.
func (e *affiner) checkWrap(x machine.Operand, low, high int64, signed bool) {
	k := e.compiler
	site := k.site(Site{Kind: WrapSite, Block: e.block, Inst: int32(e.inst)})
	uses := k.roots(k.Blocks[e.block].Insts[e.inst].Args)
	k.ifWraps(x, low, high, signed, func(c encode.Cond) { k.leaveIf(c, site, uses) })
}

// ifWraps looks whether an extended word plus the least or the largest of the lanes' constants is not what the extended
// sum of the words is: then a condition holds, which leave is called with.
func (k *compiler) ifWraps(x machine.Operand, low, high int64, signed bool, leave func(encode.Cond)) {
	extend := encode.Op(encode.MOV | encode.S32)
	if signed {
		extend = encode.MOVSXD | encode.S64
	}
	for _, n := range []int64{low, high} {
		if n == 0 {
			continue
		}
		k.fixedly(encode.LEA|encode.S64, rax, machine.MemoryAt(x, int32(n)))
		k.fixedly(extend, rcx, rax)
		k.fixedly(encode.CMP|encode.S64, rcx, rax)
		leave(encode.CondNE)
	}
}
