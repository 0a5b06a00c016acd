package search

import "github.com/vop-ptx/vop/rewrite/word"

// eachVariable yields shifts and funnel shifts by a value, and products of two values with a sum.
func (s *state) eachVariable(try func(i instruction)) {
	n, first := int8(len(s.values)), int8(len(s.space.Constants))
	for places := first; places < n; places++ {
		for _, op := range s.space.Variable {
			for _, wrap := range []uint32{0, 31} {
				if wrap != 0 && !s.space.Wrap {
					continue
				}
				for x := range n {
					if op.Args() == 2 {
						try(instruction{kind: variable, op: op, args: [3]int8{x, places}, n: 2, imm: wrap})
						continue
					}
					for y := range n {
						try(instruction{kind: variable, op: op, args: [3]int8{x, y, places}, n: 3, imm: wrap})
					}
				}
			}
		}
	}
	if !s.space.Products {
		return
	}
	for x := first; x < n; x++ {
		for y := range x + 1 {
			try(instruction{kind: product, op: word.Mul, args: [3]int8{x, y}, n: 2})
			for z := range n {
				try(instruction{kind: product, op: word.Mul, args: [3]int8{x, y, z}, n: 3})
			}
		}
	}
}

// ofVariable computes a shift by a value, of which only some bits may count, or a product with a sum.
func (i *instruction) ofVariable(x, y, z uint32) uint32 {
	if i.kind == product {
		return x*y + z
	}
	if i.imm != 0 {
		if i.n == 2 {
			y &= i.imm
		} else {
			z &= i.imm
		}
	}
	return uint32(i.op.Apply(uint64(x), uint64(y), uint64(z), 0))
}
