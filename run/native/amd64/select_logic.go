package amd64

// Logic on bits, one operation at a time. [fuser.logic] makes one node of several.

func defineLogic() {
	for _, t := range []string{"b16", "b32"} {
		both("and."+t, func(s *selection, a []operand) operand { return s.and(a[0], a[1]) })
		both("or."+t, func(s *selection, a []operand) operand { return s.or(a[0], a[1]) })
		both("xor."+t, func(s *selection, a []operand) operand { return s.xor(a[0], a[1]) })
		both("not."+t, func(s *selection, a []operand) operand { return s.not(a[0]) })
	}
	both("word.andnot", func(s *selection, a []operand) operand { return s.andNot(a[0], a[1]) })
	both("lop3.b32", func(s *selection, a []operand) operand {
		if table, ok := s.constOf(a[3]); ok {
			return s.logic(uint8(table), a[:3]...)
		}
		return s.lookup(a[3], a[:3])
	})
}

// lookup computes a logic function whose table differs from lane to lane: each row of the table is
// a bit that becomes a mask, for the places where the operands are that row.
func (s *selection) lookup(table operand, x []operand) operand {
	sum := s.zero()
	for row := range 8 {
		at := uint8(1 << row)
		here := s.logic(at, x...)
		bit := shiftRightSigned32.by(s, shiftLeft32.by(s, table, s.const32(uint32(31-row))), s.const32(31))
		if s.isZero(sum) {
			sum = s.and(here, bit)
		} else {
			sum = s.logic(tableX|tableY&tableZ, sum, here, bit)
		}
	}
	return sum
}
