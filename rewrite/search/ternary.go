package search

import "github.com/vop-ptx/vop/rewrite/word"

// eachTernary yields the operations of up to three values whose first is x.
func (s *state) eachTernary(x int8, try func(i instruction)) {
	n := int8(len(s.values))
	for _, op := range s.space.Ternary {
		commutes := op.Commutes()
		if !commutes {
			try(instruction{kind: ternary, op: op, args: [3]int8{x}, n: 1})
		}
		for y := range n {
			if y == x || commutes && y > x {
				continue
			}
			try(instruction{kind: ternary, op: op, args: [3]int8{x, y}, n: 2})
			for z := int8(0); z < n && op.Args() == 3; z++ {
				try(instruction{kind: ternary, op: op, args: [3]int8{x, y, z}, n: 3})
			}
		}
	}
}

// eachComparison yields comparisons, and selections by one.
func (s *state) eachComparison(try func(i instruction)) {
	if !s.space.Compare {
		return
	}
	n := int8(len(s.values))
	for x := range n {
		for y := range n {
			if x == y || max(x, y) < int8(len(s.space.Constants)) {
				continue
			}
			for _, op := range []word.Op{word.CmpEq, word.CmpLtU, word.CmpLtS} {
				if op != word.CmpEq || y < x {
					try(instruction{kind: compare, op: op, args: [3]int8{x, y}, n: 2})
				}
			}
			for p := int8(s.base); p < n; p++ {
				if p != x && p != y {
					try(instruction{kind: choice, op: word.Select, args: [3]int8{p, x, y}, n: 3})
				}
			}
		}
	}
}

// typed reports whether an instruction has predicates where it takes one, and nowhere else.
func (s *state) typed(i *instruction) bool {
	if i.kind == choice {
		rest := instruction{args: [3]int8{i.args[1], i.args[2]}, n: 2}
		return s.flags>>i.args[0]&1 != 0 && s.flags&rest.mask() == 0
	}
	return s.flags&i.mask() == 0
}
