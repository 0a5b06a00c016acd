package vector

import (
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/native/amd64/vector/emit"
)

// Logic on bits, one operation at a time. [fuser.logic] makes one node of several.

func defineLogic() {
	for _, t := range []string{"b16", "b32"} {
		both("and."+t, func(s *Selection, a []machine.Operand) machine.Operand { return s.And(a[0], a[1]) })
		both("or."+t, func(s *Selection, a []machine.Operand) machine.Operand { return s.Or(a[0], a[1]) })
		both("xor."+t, func(s *Selection, a []machine.Operand) machine.Operand { return s.Xor(a[0], a[1]) })
		both("not."+t, func(s *Selection, a []machine.Operand) machine.Operand { return s.Not(a[0]) })
	}
	both("word.andnot", func(s *Selection, a []machine.Operand) machine.Operand { return s.AndNot(a[0], a[1]) })
	both("lop3.b32", func(s *Selection, a []machine.Operand) machine.Operand {
		if table, ok := s.Const32Of(a[3]); ok {
			return s.Logic(uint8(table), a[:3]...)
		}
		return s.lookup(a[3], a[:3])
	})
}

// lookup computes a logic function whose table differs from lane to lane: each row of the table is
// a bit that becomes a mask, for the places where the operands are that row.
func (s *Selection) lookup(table machine.Operand, x []machine.Operand) machine.Operand {
	sum := s.Zero()
	for row := range 8 {
		at := uint8(1 << row)
		here := s.Logic(at, x...)
		bit := shiftRightSigned32.by(s, shiftLeft32.by(s, table, s.Const32(uint32(31-row))), s.Const32(31))
		if s.IsZero(sum) {
			sum = s.And(here, bit)
		} else {
			sum = s.Logic(emit.TableX|emit.TableY&emit.TableZ, sum, here, bit)
		}
	}
	return sum
}
