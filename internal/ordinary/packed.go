package ordinary

import "math/big"

func smaller(a, b *big.Int) *big.Int {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}

func larger(a, b *big.Int) *big.Int {
	if a.Cmp(b) > 0 {
		return a
	}
	return b
}

// parts enters an operation on the parts of words, each of a type: "add.u8x4". Halves are in registers, never constants.
func (t *table) parts(name, part string, sources int, f func(v []*big.Int) *big.Int) {
	o := operand(part)
	count := 32 / o.Bits
	form := t.bitwise(name+"."+part+map[int]string{2: "x2", 4: "x4"}[count], "b32", "b32 b32"[:4*sources-1], func(x []uint64) (d uint64) {
		for i := range count {
			v := make([]*big.Int, sources)
			for k := range v {
				v[k] = o.value(x[k] >> (i * o.Bits))
			}
			d |= pattern(f(v), o.Bits) << (i * o.Bits)
		}
		return d
	})
	form.Constant = count == 4
}

// packed enters arithmetic of the halves and bytes of words (PTX ISA 9.7.1, from versions 8.0 and 9.2 on), and what
// came with it for whole words.
func (t *table) packed() {
	zero := new(big.Int)
	for _, part := range []string{"u16", "s16", "u8", "s8"} {
		o := operand(part)
		saturated := func(f func(a, b *big.Int) *big.Int) func(v []*big.Int) *big.Int {
			return func(v []*big.Int) *big.Int { return clamp(o, f(v[0], v[1])) }
		}
		t.parts("add", part, 2, func(v []*big.Int) *big.Int { return plus(v[0], v[1]) })
		t.parts("add.sat", part, 2, saturated(plus))
		t.parts("min", part, 2, func(v []*big.Int) *big.Int { return smaller(v[0], v[1]) })
		t.parts("max", part, 2, func(v []*big.Int) *big.Int { return larger(v[0], v[1]) })
		if o.Bits == 8 {
			t.parts("sub", part, 2, func(v []*big.Int) *big.Int { return minus(v[0], v[1]) })
			t.parts("sub.sat", part, 2, saturated(minus))
		}
		if o.Kind == 's' {
			t.parts("min.relu", part, 2, func(v []*big.Int) *big.Int { return larger(zero, smaller(v[0], v[1])) })
			t.parts("max.relu", part, 2, func(v []*big.Int) *big.Int { return larger(zero, larger(v[0], v[1])) })
		}
	}
	t.parts("neg", "s8", 1, func(v []*big.Int) *big.Int { return minus(zero, v[0]) })
	t.whole("add.sat.u32", "u32", "u32 u32", func(v []*big.Int) *big.Int { return clamp(operand("u32"), plus(v[0], v[1])) })
	t.whole("min.relu.s32", "s32", "s32 s32", func(v []*big.Int) *big.Int { return larger(zero, smaller(v[0], v[1])) })
	t.whole("max.relu.s32", "s32", "s32 s32", func(v []*big.Int) *big.Int { return larger(zero, larger(v[0], v[1])) })
}
