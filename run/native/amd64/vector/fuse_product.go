package vector

import (
	"math/bits"
	"sync"

	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// Products of words take a processor long, or two steps; those of halves do not. vpmaddwd
// multiplies the signed halves and adds the two products of a word: if both factors are less than
// 2^15, that is their product. vpdpwssd adds it to a third word.

var (
	products = sync.OnceValue(func() []bool {
		return opsOf(map[string]bool{"mul.lo.u32": true, "mul.lo.s32": true})
	})
	sums = sync.OnceValue(func() []bool {
		return opsOf(map[string]bool{"add.u32": true, "add.s32": true})
	})
)

func isProductOrSum(o op.Op) bool { return products()[o] || sums()[o] }

// product matches a product of two numbers less than 2^15, and the sum of that and another number.
func (f *Fuser) product(i *simt.Inst) (Node, bool) {
	if products()[i.Op] && f.bits(i.Args[0]) < 16 && f.bits(i.Args[1]) < 16 {
		return fused(&productSelector, 0, i.Args...), true
	}
	if products()[i.Op] || f.Target.Level != amd64.AVX512 {
		return Node{}, false
	}
	for k := range 2 {
		if p := f.only(i.Args[k]); p != nil && products()[p.Op] && f.bits(p.Args[0]) < 16 && f.bits(p.Args[1]) < 16 {
			return fused(&productSumSelector, 0, p.Args[0], p.Args[1], i.Args[1-k]), true
		}
	}
	return Node{}, false
}

var (
	productSelector    = selector{part: commutative(encode.VPMADDWD)}
	productSumSelector = selector{part: func(s *Selection, a []machine.Operand) machine.Operand {
		x, y := a[0], a[1]
		if s.IsKnown(x) {
			x, y = y, x
		}
		return s.Change(encode.VPDPWSSD, a[2], x, y)
	}}
)

// bits returns how many low bits of a word may be set, as far as its definition tells.
func (f *Fuser) bits(id simt.ID) int {
	if k, ok := f.ConstOf(id); ok {
		return bits.Len32(uint32(k))
	}
	i := f.Inst(id)
	if i == nil {
		return 32
	}
	switch kind := boundedOps()[i.Op]; kind {
	case boundedAnd:
		return min(f.bits(i.Args[0]), f.bits(i.Args[1]))
	case boundedShift:
		if k, ok := f.ConstOf(i.Args[1]); ok {
			return max(f.bits(i.Args[0])-int(min(k, 32)), 0)
		}
	case boundedPerm:
		return f.permutedBits(i)
	}
	return 32
}

// permutedBits is bits for a permutation of bytes.
func (f *Fuser) permutedBits(i *simt.Inst) int {
	selector, ok := f.ConstOf(i.Args[2])
	if !ok {
		return 32
	}
	for n := 3; n >= 0; n-- {
		number := int(selector >> (4 * n) & 15)
		from := i.Args[number>>2&1]
		if k, ok := f.ConstOf(from); !ok || k>>(8*(number&3))&0xff != 0 || number > 7 {
			return 8 * (n + 1)
		}
	}
	return 0
}

const (
	_ = iota
	boundedAnd
	boundedShift
	boundedPerm
)

var boundedOps = sync.OnceValue(func() []int {
	return opsOf(map[string]int{"and.b32": boundedAnd, "shr.u32": boundedShift, "prmt.b32": boundedPerm})
})

var (
	shiftLeftOp  = sync.OnceValue(func() op.Op { return op.Must("shl.b32") })
	shiftRightOp = sync.OnceValue(func() op.Op { return op.Must("shr.u32") })
)

func isOr(o op.Op) bool { return o == op.Must("or.b32") }

// funnel matches x << k | y >> (32-k).
func (f *Fuser) funnel(i *simt.Inst) (Node, bool) {
	left, right := f.only(i.Args[0]), f.only(i.Args[1])
	if left != nil && left.Op == shiftRightOp() {
		left, right = right, left
	}
	if left == nil || right == nil || left.Op != shiftLeftOp() || right.Op != shiftRightOp() {
		return Node{}, false
	}
	k, ok := f.ConstOf(left.Args[1])
	back, also := f.ConstOf(right.Args[1])
	if !ok || !also || k == 0 || k > 31 || k+back != 32 {
		return Node{}, false
	}
	return fused(&funnelSelector, k, left.Args[0], right.Args[0]), true
}

var funnelSelector = selector{part: func(s *Selection, a []machine.Operand) machine.Operand {
	return s.funnel(a[0], a[1], int(s.Node.imm))
}}

// funnel is the upper word of x:y shifted left by 1 to 31.
func (s *Selection) funnel(x, y machine.Operand, amount int) machine.Operand {
	if x == y {
		return s.New(encode.VPROLDI, x, machine.Immediate(amount))
	}
	return s.New(encode.VPSHLDD, x, y, machine.Immediate(amount))
}
